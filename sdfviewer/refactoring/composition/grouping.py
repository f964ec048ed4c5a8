"""Move members from one model to another, group them in a nested model, dissolve a nested model. Nothing moves.

To group members and to dissolve their model again gives the bytes that the file had, as long as all poses can stay as
they are written: where no link, or one alone, is measured from what stays outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    indentation,
    indentation_step,
    insert_child,
    remove_element,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import table
from sdfviewer.document.xml.parse import escape
from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_bool
from sdfviewer.refactoring.adding import require_free_name
from sdfviewer.refactoring.composition.relocating import Relocation
from sdfviewer.refactoring.composition.sibling_order import block_of
from sdfviewer.refactoring.draft import Draft, moved_offsets
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_sdformat
from sdfviewer.versions import format_version

#: What a model decides for its links, with what counts where it says nothing.
_DECIDED = {"static": False, "self_collide": False, "enable_wind": False, "allow_auto_disable": True}


def group(model: Model, rows: Sequence[int], name: str) -> Edit:
    """Return the edit that writes members of a model in a nested model of it.

    What names only them goes along: joints, frames, grippers, plugins. A joint that connects them with what stays is
    left where it is, since names lead downwards only.

    Parameters
    ----------
    rows
        Links, models and frames of one model.
    name
        That of the nested model.

    Raises
    ------
    RefactoringError
        If the version has no nested models, if the name is taken, or if what is chosen cannot be grouped.
    """
    require_sdformat(model)
    source = int(model.owners[rows[0]]) if rows else -1
    if source < 0 or model.kinds[source] is not Kind.MODEL:
        raise RefactoringError("select links of a model")
    version = table(model.version).element("model")
    if version is not None and "model" not in version.children:
        raise RefactoringError(
            f"SDFormat {format_version(model.version)} has no models in models; convert the file to 1.5 or newer"
        )
    if not any(model.kinds[row] in (Kind.LINK, Kind.MODEL) for row in rows):
        raise RefactoringError("select a link: a model without one has no place")
    require_free_name(model, source, name)
    moved = Relocation(model, rows, source, name)
    document, passed = model.document, moved.passed
    decided = _decided(document, model.elements[source])
    pose = None if passed is None else model.elements[passed].find("pose")
    inner = [*decided, *([] if pose is None else element_source(document, pose).split("\n"))]
    edits = moved.edits()
    if pose is not None:
        edits = (*(each for each in edits if not _holds(document, pose, each)), *_without(document, pose))
    blocks = [(model.elements[source], moved.elements, inner)]
    for around, parts in moved.states.items():
        stated = moved.state_pose(around)
        blocks.append((around, parts, [] if stated is None else element_source(document, stated).split("\n")))
    starts = [document.offset(each) for around, inside, _ in blocks for each in (around, *inside)]
    draft = Draft(document)
    draft.edit(edits)
    found = (draft.document.element_at(at) for at in moved_offsets(starts, edits))
    wrapped: Replacements = ()
    for _, inside, lines in blocks:
        parent = next(found)
        assert parent is not None
        children = [each for each in islice(found, len(inside)) if each is not None]
        wrapped += _wrapped(draft.document, parent, children, name, lines)
    draft.edit(wrapped)
    added = "::".join((model.names[source], name)) if source or not model.is_world else name
    label = f"Group {model.name_or_count(rows)} in {name}"
    about = tuple(moved.about())
    notes = tuple(dict.fromkeys(each.sentence for each in about))
    return Edit(label, document, draft.replacements(), moved.renamed, (added,), notes, about=about)


def _holds(document: Document, element: Element, change: Replacement) -> bool:
    first, last = document.offsets(element, "element")
    return first <= change.start and change.end <= last


def _without(document: Document, pose: Element) -> tuple[Replacement, ...]:
    """Return the edit that takes a pose out of a link; as the first child with the blanks before it."""
    link = document.parent(pose)
    assert link is not None
    first, (start, end) = document.content_offsets(link)[0], document.offsets(pose, "element")
    is_first = not document.text[first:start].strip()
    return (Replacement(first, end, ""),) if is_first else remove_element(document, pose)


def _decided(document: Document, source: Element) -> list[str]:
    """Return the lines by which a nested model decides for its links what the model around it does."""
    written = {tag: source.find(tag) for tag in _DECIDED}
    return [
        element_source(document, element)
        for tag, element in written.items()
        if element is not None and parse_bool(element.text, _DECIDED[tag]) != _DECIDED[tag]
    ]


def _wrapped(
    document: Document, parent: Element, children: Sequence[Element], name: str, inner: Sequence[str]
) -> tuple[Replacement, ...]:
    """Return the edit that writes children in a nested model, at the place of the first of them."""
    own, step = indentation(document, children[0]), indentation_step(document)
    is_alone = bool(own) or document.text[: document.offset(children[0])].endswith("\n")
    block = block_of(document, parent, children, step if is_alone else "")
    model = "model_state" if parent.tag == "model_state" else "model"
    tag = f"<{model} name={document.quote}{escape(name, document.quote)}{document.quote}>"
    lines = [*([block.note] if block.note else []), *inner]
    if is_alone:
        newline = document.newline
        start = tag + "".join(f"{newline}{own}{step}{line}" for line in (*lines, ""))
        text = f"{start}{block.text}{newline}{own}</{model}>"
    else:
        text = "".join((tag, *lines, block.text, f"</{model}>"))
    return (Replacement(block.start, block.end, text), *(Replacement(*cut, "") for cut in block.cuts))


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
