"""Operations on collisions: align them to visuals, and put simple shapes in place of meshes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdfviewer.formats.contents import read_shape
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import kind_of
from sdfviewer.number_text import counted
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Outcome, Parameter, operation
from sdfviewer.operations.frames import SELECT_FIRST, move
from sdfviewer.operations.parameters import ChoiceType, FramesType
from sdfviewer.operations.properties import set_geometry
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import EditError, is_editable
from sdfviewer.refactoring.fitting import FITTED, FittedShape, fit
from sdfviewer.transforms import Array


def _of_kind(model: Model, link: int, kind: Kind) -> list[int]:
    return [row for row in model.rows_in(link) if model.kinds[row] is kind]


def no_visual(model: Model, rows: Sequence[int]) -> str | None:
    """Return why no collision can be aligned: what is selected, or the file, has no visual."""
    links = [row for row in rows if model.kinds[row] is Kind.LINK] if rows else range(len(model))
    if any(
        is_editable(model, each) and model.kinds[each] is Kind.LINK and _of_kind(model, each, Kind.VISUAL)
        for each in links
    ):
        return None
    return "select a link that has a visual" if rows else "no link of this file has a visual"


@operation(
    "Align collisions to visuals",
    Parameter("links", FramesType((Kind.LINK,)), "the links, all that have a visual by default", default=()),
    refusal=no_visual,
    menu=MenuEntry(
        "refactor.align_collisions",
        "Refactor",
        "Align Collisions to Visuals…",
        "Ctrl+K, Shift+A",
        "mdi6.shield-sync-outline",
        "Give each collision of a link the geometry and the pose of its visual",
        section=True,
    ),
    command=EditOption("align-collisions"),
)
def align_collisions(on: EditContext, links: Sequence[int]) -> Outcome:
    """Give each collision of links the geometry and the pose of the visual that is written at its place in order.

    A visual without a collision gets one. Collisions beyond the visuals stay. The inertial keeps its density where it
    was that of the shapes.
    """
    from sdfviewer.refactoring.parts import align_collision

    model = on.model
    chosen = links or [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK and is_editable(model, row)]
    names = [model.names[link] for link in chosen if _of_kind(model, link, Kind.VISUAL)]
    if not names:
        raise EditError("none of these links has a visual")
    draft, remarks = ModelDraft(model, on.loader), []
    changed = [name for name in names if align_collision(draft, draft.model.row(name), on.mesh_body)]
    for name in names:
        link = model.row(name)
        more = len(_of_kind(model, link, Kind.COLLISION)) - len(_of_kind(model, link, Kind.VISUAL))
        if more > 0:
            remarks.append(f"{model.distinct_name(link)} keeps {counted(more, 'collision')} beyond its visuals")
    what = draft.model.distinct_name(draft.model.row(names[0])) if len(names) == 1 else counted(len(changed), "link")
    return Outcome(draft.edit(f"Align collisions of {what}"), remarks=tuple(remarks))


def no_part(model: Model, rows: Sequence[int]) -> str | None:
    """Return why nothing can be fitted to a selection."""
    if not rows:
        return SELECT_FIRST
    if all(model.kinds[row] in SHAPED for row in rows):
        return None
    return "select visuals or collisions"


@operation(
    "Fit collisions",
    Parameter("parts", FramesType(SHAPED), "the collisions, or visuals whose collisions get the shape"),
    Parameter("shape", ChoiceType(FITTED), "the shape around each of them", default="box"),
    refusal=no_part,
    verb="Fit",
    menu=MenuEntry(
        "refactor.fit_collisions",
        "Refactor",
        "Fit Collisions…",
        "Ctrl+K, Shift+F",
        "mdi6.shield-outline",
        "Put a box, cylinder, capsule or sphere around a mesh in place of its collision",
    ),
    command=EditOption("fit-collisions", "PARTS=SHAPE", ("parts", "shape")),
)
def fit_collisions(on: EditContext, parts: Sequence[int], shape: str) -> Outcome:
    """Put the smallest box, cylinder, capsule or sphere around meshes.

    A collision becomes that shape. For a visual the collision at its place in order becomes it, or one is added; the
    visual stays. How the volume changes and how far the new surface is from the mesh is shown.
    """
    from sdfviewer.refactoring.adding import insert_member
    from sdfviewer.refactoring.new_parts import name_of_collision

    if not parts:
        raise EditError("name the visuals or collisions")
    model, remarks = on.model, []
    draft = ModelDraft(model, on.loader)
    for row in parts:
        fitted = fit(shape, _triangles(on, row))
        remarks.append(f"{model.distinct_name(row)}: {fitted.remark}")
        link, target = int(model.owners[row]), row
        if model.kinds[row] is Kind.VISUAL:
            collisions, order = _of_kind(model, link, Kind.COLLISION), _of_kind(model, link, Kind.VISUAL).index(row)
            if order < len(collisions):
                target = collisions[order]
            else:
                now = draft.model.row(model.names[link])
                name = name_of_collision(draft.model, now, model.local_names[row])
                draft.make(insert_member(draft.model, now, "collision", name, shape=shape))
                _put(draft, draft.added[-1], model.X_RootF[row] @ fitted.X_SG, fitted, on)
                continue
        _put(draft, model.names[target], model.X_RootF[row] @ fitted.X_SG, fitted, on)
    what = model.name_or_count(parts)
    edit = draft.edit(f"Fit {shape} to {what}")
    return Outcome(edit, remarks=tuple(remarks))


def _put(draft: ModelDraft, name: str, X_RootG: Array, fitted: FittedShape, on: EditContext) -> None:
    """Give a collision a fitted shape at its pose."""
    for change, arguments in (
        (set_geometry, {"part": [name], "geometry": fitted.geometry}),
        (move, {"frame": name, "to": X_RootG}),
    ):
        draft.make(change.perform(EditContext(draft.model, on.loader), arguments).edit)


def _triangles(on: EditContext, row: int) -> Array:
    """Return the triangles (m, 3, 3) of a visual or collision in its frame.

    Raises
    ------
    EditError
        If it has none.
    """
    geometry = read_shape(on.model, row)
    kind = kind_of(geometry)
    surfaces = [] if kind is None else kind.surfaces(geometry)
    triangles = surfaces[0].positions[surfaces[0].indices] if surfaces else on.mesh_triangles(geometry)
    if triangles is None or not len(triangles):
        raise EditError(f"'{on.model.names[row]}' has no triangles: its file is not found, or cannot be read")
    return np.asarray(triangles, np.float64)
