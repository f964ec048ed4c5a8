"""Move members from one model to another, group them in a nested model, dissolve a nested model. Nothing moves.

To group members and to dissolve their model again gives the bytes that the file had, as long as all poses can stay as
they are written: where no link, or one alone, is measured from what stays outside. Elements that are grouped may be far
apart in a file: first all links, then all joints. The block that they become begins with a comment that says behind
which of their siblings each part of it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    CDATA,
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
from sdfviewer.refactoring.draft import Draft, moved_offsets
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_sdformat
from sdfviewer.versions import format_version

#: What an element is called in a comment: its tag, its name where it has one, and its number among several of these.
_CALLED = r'[\w:.-]+(?: "[^"]*")?(?: \d+)?'
_ENTRY = re.compile(rf"({_CALLED}) after ({_CALLED})")
_START = "Ungroup puts back: "
_NOTE = re.compile(rf"\s*<!-- {_START}(.*?) -->", re.DOTALL)
#: Comments behind an element on its line, which belong to it.
_BESIDE = re.compile(r"(?:[ \t]*<!--(?:(?!-->)[^\n])*-->)+(?=[ \t]*\r?(?:\n|$))")
_LINE_WITH_TEXT = re.compile(r"\n(?=[^\r\n])")


@dataclass(frozen=True)
class SiblingBlock:
    """Children as one text.

    Attributes
    ----------
    start, end
        Where the first of them and its neighbours were: the block takes the place of that range.
    text
        All of them, with what was before each of them, one level deeper.
    cuts
        Ranges of the others.
    note
        The comment by which :func:`order_back` finds their places; empty where all are in one place.
    """

    start: int
    end: int
    text: str
    cuts: tuple[tuple[int, int], ...]
    note: str


def end_of(document: Document, element: Element) -> int:
    """Return the offset behind an element and the comments behind it on its line."""
    end = document.offsets(element, "element")[1]
    beside = _BESIDE.match(document.text, end)
    return end if beside is None else beside.end()


def block_of(document: Document, parent: Element, children: Collection[Element], step: str) -> SiblingBlock:
    """Return children of an element as one text; comments before each of them belong to it.

    Parameters
    ----------
    step
        By what the block is indented more.
    """
    inside = set(children)
    is_inside = [child in inside for child in parent.children]
    starts = [number for number, (before, here) in enumerate(pairwise([False, *is_inside])) if here and not before]
    stops = [number for number, (here, after) in enumerate(pairwise([*is_inside, False])) if here and not after]
    siblings = parent.children
    first = document.offset(siblings[starts[0]]), end_of(document, siblings[stops[0]])
    others = [
        (end_of(document, siblings[start - 1]), end_of(document, siblings[stop]))
        for start, stop in zip(starts[1:], stops[1:], strict=True)
    ]
    text = "".join(_deeper(document.text[start:end], step) for start, end in (first, *others))
    names = _names([each for each in siblings if each in inside]), _names([e for e in siblings if e not in inside])
    entries = [f"{names[0][siblings[each]]} after {names[1][siblings[each - 1]]}" for each in starts[1:]]
    note = f"<!-- {_START}{'; '.join(entries)} -->"
    can_say = all(_ENTRY.fullmatch(each) for each in entries) and "--" not in "".join(entries)
    return SiblingBlock(*first, text, tuple(others), note if entries and can_say else "")


def _deeper(text: str, step: str) -> str:
    """Return text with more indentation, except for empty lines and what is written as it is."""
    raw = [match.span() for match in CDATA.finditer(text)]

    def indented(line: re.Match[str]) -> str:
        return "\n" if any(first < line.start() < last for first, last in raw) else f"\n{step}"

    return _LINE_WITH_TEXT.sub(indented, text)


def _names(elements: Sequence[Element]) -> dict[Element, str]:
    """Return what the comment calls each of some siblings."""
    counts: Counter[str] = Counter()
    names = {}
    for element in elements:
        name = element.given_name
        called = f'{element.tag} "{name}"' if name else element.tag
        counts[called] += 1
        names[element] = f"{called} {counts[called]}" if counts[called] > 1 else called
    return names


def note_in(document: Document, element: Element) -> tuple[Replacements, list[tuple[str, str]]]:
    """Return the edit that takes the comment out of an element, and what it says: what was behind what."""
    first, last = document.content_offsets(element)
    written = _NOTE.match(document.text, first, last)
    if written is None:
        return (), []
    return (Replacement(first, written.end(), ""),), _ENTRY.findall(written[1])


def order_back(
    document: Document, parent: Element, block: Sequence[Element], places: Sequence[tuple[str, str]]
) -> Replacements:
    """Return the edit that puts parts of a block of children back behind those siblings that are still there.

    Parameters
    ----------
    block
        The children, one behind the other.
    places
        What each part begins with, and what it was behind, as :func:`note_in` says.
    """
    after, names = dict(places), _names(block)
    heads = [number for number, child in enumerate(block) if names[child] in after]
    first = parent.children.index(block[0]) if block else 0
    siblings = {name: each for each, name in _names([e for e in parent.children if e not in block]).items()}
    edits: list[Replacement] = []
    for head, stop in zip(heads, [*heads[1:], len(block)], strict=True):
        place = siblings.get(after[names[block[head]]])
        at = first + head
        if place is None or at == 0 or parent.children[at - 1] is place:
            continue
        cut = end_of(document, parent.children[at - 1]), end_of(document, block[stop - 1])
        to = end_of(document, place)
        edits += [Replacement(*cut, ""), Replacement(to, to, document.text[slice(*cut)])]
    return tuple(edits)


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
