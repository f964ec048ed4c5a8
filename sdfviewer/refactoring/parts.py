"""Parts of a link: visuals and collisions of one geometry at one pose, and the inertial that is that of the shapes.

A file does not say that they belong together, so that is recognised: by equal geometry at equal poses. An edit of one
of them changes the others too where that is wanted; after an edit of only one they are no longer one part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, as_one, replace_element
from sdfviewer.formats.contents import read_shape
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Primitive
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.number_text import counted
from sdfviewer.refactoring.adding import insert_member
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import is_editable
from sdfviewer.refactoring.inertia import MeshBody, inertial_texts, no_mesh, scale_of_shapes, scaled_body
from sdfviewer.refactoring.new_parts import name_of_collision
from sdfviewer.refactoring.pose_notation import notation_of, written_numbers, written_pose
from sdfviewer.refactoring.pose_writing import set_pose_numbers, write_pose
from sdfviewer.refactoring.properties.catalogue import shape_specs
from sdfviewer.refactoring.properties.property_values import set_property, shape_of, specs_of, written_property
from sdfviewer.transforms import Array, invert

_SAME = 1e-9
"""Metres, and parts of a rotation matrix, by which poses of one part may differ."""


def partners(model: Model, row: int) -> list[int]:
    """Return the rows that are one part with a visual or collision, without itself; none for anything else.

    They are in its link, have its geometry and its pose, and at least one is a visual and one a collision.
    """
    if model.kinds[row] not in SHAPED or (kind := kind_of(geometry := read_shape(model, row))) is None:
        return []
    X = model.X_RootF[row]
    # The sizes of the others do not say all about them: many points hold them, or an image.
    if not (isinstance(kind, Primitive) or isinstance(geometry, Mesh)) or not np.isfinite(X).all():
        return []
    others = [
        each
        for each in model.rows_in(int(model.owners[row]), *SHAPED)
        if each != row
        and read_shape(model, each) == geometry
        and np.allclose(model.X_RootF[each], X, rtol=0.0, atol=_SAME)
        and is_editable(model, each)
    ]
    return others if any(model.kinds[each] is not model.kinds[row] for each in others) else []


def with_partners(model: Model, rows: Iterable[int]) -> list[int]:
    """Return rows with all that is one part with each of them."""
    return list(dict.fromkeys(each for row in rows for each in (row, *partners(model, row))))


def part_of_link(model: Model, link: int) -> int | None:
    """Return the visual of the only shape of a link, else its only shape; None where it has several."""
    rows = model.rows_in(link, *SHAPED)
    if not rows or set(with_partners(model, rows[:1])) != set(rows):
        return None
    return next((row for row in rows if model.kinds[row] is Kind.VISUAL), rows[0])


def what_follows(model: Model, row: int, mesh_body: MeshBody = no_mesh) -> str:
    """Return in words what an edit of a visual or collision changes too; empty where that is nothing."""
    if model.kinds[row] not in SHAPED:
        return ""
    others = partners(model, row)
    names = [_called(model, each) for each in others]
    link = int(model.owners[row])
    weighed = Kind.COLLISION if model.rows_in(link, Kind.COLLISION) else None
    if any(weighed in (None, model.kinds[each]) for each in (row, *others)):
        names += ["the inertial"] if scale_of_shapes(model, link, mesh_body) is not None else []
    return _listed(names)


def _called(model: Model, row: int) -> str:
    kind, name = model.kinds[row].value, model.local_names[row]
    return kind if name in ("", kind) else f"{kind} {name}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def keep_together(model: Model, loader: Loader, edit: Edit, rows: Iterable[int], mesh_body: MeshBody = no_mesh) -> Edit:
    """Return an edit of visuals and collisions with what it takes that each part stays one.

    The others of a part get the geometry and the pose of the one that is edited. The inertial of their link follows
    with the density that it implies, where it was that of the shapes.

    Parameters
    ----------
    model
        The model before the edit.
    rows
        What the edit changes; what is neither visual nor collision has no part.
    mesh_body
        Returns the body of a mesh; without it inertials of meshes stay.
    """
    leads = [row for row in dict.fromkeys(rows) if model.kinds[row] in SHAPED]
    followers = {lead: [each for each in partners(model, lead) if each not in leads] for lead in leads}
    links = dict.fromkeys(int(model.owners[lead]) for lead in leads)
    scales = {link: each for link in links if (each := scale_of_shapes(model, link, mesh_body)) is not None}
    if not edit.replacements or not (scales or any(followers.values())):
        return edit
    draft = ModelDraft(model, loader)
    draft.make(edit)
    if len(draft.model) != len(model):
        return edit
    leads_of: dict[int, list[int]] = {}
    for lead, others in followers.items():
        for each in others:
            leads_of.setdefault(each, []).append(lead)
    changed = draft.make_together({each: _follow(draft, leads, each) for each, leads in leads_of.items()})
    weighed = draft.make_together({link: _weigh(draft, link, each, mesh_body) for link, each in scales.items()})
    if not changed and not weighed:
        return edit
    words = [_called(model, each) for each in changed[:2]]
    words += [f"{len(changed) - 2} more"] if len(changed) > 2 else []
    words += ["inertial" if len(weighed) == 1 else counted(len(weighed), "inertial")] if weighed else []
    whole = draft.edit(f"{edit.label}, with {_listed(words)}")
    return replace(whole, renamed=edit.renamed, added=edit.added, losses=edit.losses, notes=edit.notes)


def _follow(draft: ModelDraft, leads: Iterable[int], row: int) -> Iterator[Edit]:
    """Yield the edits that give a row the geometry and the pose of others: of the last one, where they differ."""
    for lead in leads:
        for edit_of in (_shape_edit, _pose_edit):
            while (edit := edit_of(draft.model, lead, row)) is not None:
                yield edit


def _shape_edit(model: Model, lead: int, row: int) -> Edit | None:
    """Return an edit that takes a row nearer to the geometry of another; None where both have the same."""
    shape = shape_of(model, lead)
    if read_shape(model, row) == read_shape(model, lead) or not shape:
        return None
    if shape != shape_of(model, row):
        old, new = (model.elements[each].find("geometry") for each in (row, lead))
        if old is None or new is None or not old.children:
            return None
        start, end = model.document.offsets(new.children[0], "element")
        xml = _without_margin(model.document, start, end)
        return Edit("", model.document, replace_element(model.document, old.children[0], xml))
    for spec in shape_specs(shape):
        wanted = written_property(model, lead, spec.path)
        if written_property(model, row, spec.path) != wanted:
            return set_property(model, [row], spec, wanted)
    return None


def _without_margin(document: Document, start: int, end: int) -> str:
    """Return some lines of a text as they are at the left margin."""
    first, *rest = document.text[start:end].split("\n")
    line = document.text[document.text.rfind("\n", 0, start) + 1 : start]
    margin = line if line.isspace() else ""
    return "\n".join((first, *(each.removeprefix(margin) for each in rest)))


def _pose_edit(model: Model, lead: int, row: int) -> Edit | None:
    """Return the edit that gives a row the pose of another; None where it has that."""
    X = model.X_RootF[lead]
    if not np.isfinite(X).all() or np.allclose(model.X_RootF[row], X, rtol=0.0, atol=_SAME):
        return None
    if model.relative_to[lead] == model.relative_to[row]:
        notation = notation_of(written_pose(model, lead))
        return set_pose_numbers(model, row, written_numbers(model, lead, notation), notation)
    X_BF: Array = invert(model.X_RootF[int(model.relative_to[row])]) @ X
    return Edit("", model.document, write_pose(model, row, X_BF))


def _weigh(draft: ModelDraft, link: int, scale: float, mesh_body: MeshBody) -> Iterator[Edit]:
    """Yield the edits that make the inertial of a link that of its shapes, so many times as heavy as of water."""
    model = draft.model
    body = scaled_body(model, link, scale, mesh_body)
    specs = {spec.path: spec for spec in specs_of(model, link)}
    texts = {path: text for path, text in inertial_texts(model, link, body).items() if path in specs}
    written = [path for path in texts if written_property(model, link, path) is not None]
    edits = [set_property(model, [link], specs[path], texts[path]) for path in written]
    if edits:  # they are in different places, so that the text is read once for all of them
        yield as_one("", edits)
    for path, text in texts.items():
        if path not in written:
            yield set_property(draft.model, [link], specs[path], text)


def align_collisions(draft: ModelDraft, links: Iterable[int], mesh_body: MeshBody = no_mesh) -> set[str]:
    """Give the collisions of links the shapes and poses of their visuals, in their order.

    A visual without a collision gets one. The inertial follows where it was that of the shapes.

    Returns
    -------
    set
        The scoped names of the links that change.

    Raises
    ------
    RefactoringError
        If a link is written elsewhere.
    """
    model = draft.model
    names = {model.names[link]: link for link in links}
    scales = {name: scale_of_shapes(model, link, mesh_body) for name, link in names.items()}
    pairs = {
        (name, row): _follow(draft, [visual], row)
        for name, link in names.items()
        for visual, row in zip(model.rows_in(link, Kind.VISUAL), model.rows_in(link, Kind.COLLISION), strict=False)
    }
    changed = {name for name, _ in draft.make_together(pairs)}
    added: list[tuple[str, int, str]] = []
    changed.update(draft.make_together({name: _add_collisions(draft, name, added) for name in names}))
    model = draft.model  # nothing is added from here on: rows stay
    draft.added.sort(key=model.row)
    rows_of_links = {name: model.row(name) for name in names}
    draft.make_together(
        {
            name: _follow(draft, [model.rows_in(rows_of_links[link], Kind.VISUAL)[number]], model.row(name))
            for link, number, name in added
        }
    )
    weighed = {
        name: _weigh(draft, rows_of_links[name], scale, mesh_body)
        for name, scale in scales.items()
        if scale is not None
    }
    changed.update(draft.make_together(weighed))
    return changed


def _add_collisions(draft: ModelDraft, link: str, added: list[tuple[str, int, str]]) -> Iterator[Edit]:
    """Yield the edits that add collisions to a link that has fewer than visuals.

    Note the link, the number of the visual in it and the name of each in ``added``.
    """
    row = draft.model.row(link)
    count, first = len(draft.model.rows_in(row, Kind.VISUAL)), len(draft.model.rows_in(row, Kind.COLLISION))
    for number in range(first, count):
        model = draft.model
        row = model.row(link)
        visual = model.rows_in(row, Kind.VISUAL)[number]
        if shape := shape_of(model, visual):
            name = name_of_collision(model, row, model.local_names[visual])
            edit = insert_member(model, row, "collision", name, shape=shape)
            added.append((link, number, edit.added[-1]))
            yield edit
