"""Perform operations on the open file: what forms, panels and tools of the window edit by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.solids import Body
from sdfviewer.operations.declaration import EditContext, Operation, Outcome
from sdfviewer.operations.parameters import kept_together
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array


def edit_context(session: Session, rows: Sequence[int] = ()) -> EditContext:
    """Return what operations on the open file are applied to: of a xacro file what that writes.

    ``rows`` are what they edit: of an included file what that writes.
    """
    model = session.edited_at(rows)
    assert model is not None
    from sdfviewer.scene.mesh_body import mirrored_meshes  # noqa: PLC0415  # nothing at the start needs it

    return EditContext(
        model,
        session.make_loader(),
        mesh_body=partial(_body, session),
        mesh_triangles=partial(_triangles, session),
        mirrored_mesh=mirrored_meshes(session.finder),
        convert=_convert,
    )


def _body(session: Session, model: Model, row: int, geometry: Geometry, density: float) -> Body | None:
    from sdfviewer.scene.mesh_body import mesh_bodies  # noqa: PLC0415  # few operations read meshes

    return mesh_bodies(session.finder)(model, row, geometry, density)


def _convert(model: Model, loader: Loader, like: Model) -> tuple[Document, tuple[str, ...]]:
    from sdfviewer.export.conversion import convert_copied  # noqa: PLC0415  # few operations convert

    return convert_copied(model, loader, like)


def _triangles(session: Session, geometry: Geometry) -> Array | None:
    from sdfviewer.scene.mesh_body import mesh_triangles  # noqa: PLC0415  # few operations read meshes

    return mesh_triangles(session.finder)(geometry)


def edit_by(session: Session, model: Model, operation: Operation, /, **arguments: object) -> Edit:
    """Return the edit that an operation makes of a model of the open file; nothing is changed yet.

    Of a xacro file it is an edit of what that writes, see :attr:`.Session.edited_model`.

    Parameters
    ----------
    arguments
        As the operation declares them; what is in the model is given by its row or its name.

    Raises
    ------
    SdfViewerError
        If it cannot be done; the message says why.
    """
    return outcome_of(session, model, operation, arguments).only_edit


def outcome_of(session: Session, model: Model, operation: Operation, arguments: Mapping[str, object]) -> Outcome:
    """Return what an operation does to a model of the open file, see :func:`edit_by`."""
    on = edit_context(session)
    return operation.perform(on if model is session.model else replace(on, model=model), arguments)


def keep_parts(session: Session, edit: Edit, rows: Sequence[int]) -> Edit:
    """Return an edit of the open file, made by hand, with what is one part with the shapes that it changes."""
    return kept_together(edit_context(session, rows), edit, rows, together=True)


def as_one(label: str, edits: Sequence[Edit]) -> Edit:
    """Return edits of different parts of one text as one undo step."""
    if len(edits) == 1:
        return edits[0]
    replacements = tuple(each for edit in edits for each in edit.replacements)
    return Edit(label, edits[0].document, replacements, added=tuple(name for edit in edits for name in edit.added))
