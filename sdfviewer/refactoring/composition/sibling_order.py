"""Children of an element that are written as one block somewhere else, and the places that they come back to.

Elements that are grouped may be far apart in a file: first all links, then all joints. The block that they become
begins with a comment that says behind which of their siblings each part of it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import CDATA, Replacements
from sdfviewer.document.element import Element

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
    numbers = [number for number, child in enumerate(parent.children) if child in children]
    starts = [each for each in numbers if each - 1 not in numbers]
    stops = [each for each in numbers if each + 1 not in numbers]
    siblings = parent.children
    first = document.offset(siblings[starts[0]]), end_of(document, siblings[stops[0]])
    others = [
        (end_of(document, siblings[start - 1]), end_of(document, siblings[stop]))
        for start, stop in zip(starts[1:], stops[1:], strict=True)
    ]
    text = "".join(_deeper(document.text[start:end], step) for start, end in (first, *others))
    names = _names([each for each in siblings if each in children]), _names([e for e in siblings if e not in children])
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
