"""Move members from one model to another, with what belongs to them, and update references to them."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.document.edits import Edit, element_source, insert_child, remove_element
from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.relocating import Relocation
from sdfviewer.refactoring.draft import Draft, moved_offsets
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_sdformat

#: What can be moved: in a world only frames, and in a model all of these.
TRANSFERRED = (Kind.FRAME, Kind.LINK, Kind.MODEL)


def transfer_targets(model: Model, row: int) -> list[tuple[int, str | None]]:
    """Return the models, and the world, that a member may be moved to, and why each cannot be picked (None: it can)."""
    targets: list[tuple[int, str | None]] = []
    is_frame = model.kinds[row] is Kind.FRAME
    for owner, kind in enumerate(model.kinds):
        if kind not in (Kind.MODEL, Kind.WORLD):
            continue
        reason = None
        prefix = model.member_prefix(owner)
        if owner == int(model.owners[row]):
            reason = "It is already there."
        elif row in model.around(owner):
            reason = "It is part of what moves."
        elif kind is Kind.WORLD and model.kinds[row] is Kind.LINK:
            reason = "A link has to be in a model."
        elif model.sources[owner] is not None or model.elements[owner].tag == "include":
            reason = "It is defined in another file."
        elif prefix + model.local_names[row] in model.rows_by_name:
            reason = f"It already has a member called '{model.local_names[row]}'."
        elif is_frame and not _is_carried(model, row, owner):
            carrier = int(model.bodies[row])
            moves = f"moves with '{model.names[carrier]}'" if carrier >= 0 else "is not attached to anything"
            reason = f"'{model.local_names[row]}' {moves}, which cannot be referenced from there."
        targets.append((owner, reason))
    return targets


def transfer(model: Model, rows: Sequence[int], owner: int) -> Edit:
    """Return the edit that moves members of a model into another model or world.

    They stay where they are. What names only them goes along, and so does what could not name them any more;
    references to them are written as their place sees them then.

    Raises
    ------
    RefactoringError
        If it is nothing that can be moved, or something could not name any more what it needs.
    """
    require_sdformat(model)
    for each in (*rows, owner):
        require_editable(model, each)
    for row in rows:
        name = model.local_names[row]
        if model.kinds[row] not in TRANSFERRED:
            raise RefactoringError(f"a {model.kinds[row]} cannot be moved alone; move its link or a <frame>")
        reason = dict(transfer_targets(model, row)).get(owner, f"It cannot contain {model.kinds[row]}s.")
        if reason is not None:
            raise RefactoringError(f"'{name}' cannot be moved to '{model.names[owner]}': {reason}")
    document, moved = model.document, Relocation(model, rows, owner)
    edits = moved.edits()
    target = model.elements[owner]
    taken = {child.attributes.get("name") for child in target.children}
    if clash := next((each.word("name") for each in moved.elements if each.attributes.get("name") in taken), None):
        raise RefactoringError(f"'{model.names[owner]}' already has a member called '{clash}'")
    places = sorted((target, *moved.elements), key=document.offset)
    draft = Draft(document)
    draft.edit(edits)
    found = dict(zip(places, moved_offsets([document.offset(each) for each in places], edits), strict=True))
    elements = [draft.document.element_at(found[each]) for each in (target, *moved.elements)]
    around, *inner = (each for each in elements if each is not None)
    xml = "\n".join(element_source(draft.document, each) for each in inner)
    removed = tuple(edit for each in inner for edit in remove_element(draft.document, each))
    draft.edit(removed + insert_child(draft.document, around, xml))
    about = tuple(moved.about())
    label = f"Move {model.name_or_count(rows)} to {model.distinct_name(owner)}"
    notes = tuple(dict.fromkeys(each.sentence for each in about))
    return Edit(label, document, draft.replacements(), moved.renamed, (), notes, about=about)


def _is_carried(model: Model, row: int, owner: int) -> bool:
    """Return whether something on the way of a frame along ``attached_to`` can be named from a new place."""
    if any(model.name_in(owner, each) is not None for each in graph.chain(model.attached_to, row)[1:]):
        return True
    body = int(model.bodies[row])
    return body >= 0 and int(model.bodies[owner]) == body
