"""Read a text that an edit leaves imperfect by what surrounds the edit: all other elements are known to be XML.

What is known is blank here, with as many characters and line ends, so that what is found has the places and the words
that it has in the whole text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sdfviewer.document.element import Element
from sdfviewer.document.xml.incremental import PathStep, Reread
from sdfviewer.document.xml.parse import StructureError, check_size
from sdfviewer.document.xml.read import TextProblem, read_unlimited

#: What hides all markup up to where it ends, and what may: a declaration has an end of its own for each reader.
_HIDING = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))
_DECLARATION = re.compile(r"<!(?!--|\[CDATA\[)")


class ReadSurroundings(NamedTuple):
    """What is wrong with a text after an edit, and the elements that are new in it, None where it has no root."""

    problems: Sequence[TextProblem]
    reread: Reread | None


class _Level(NamedTuple):
    """An element around an edit, its offset, and which of its children are read: from `first` to before `last`."""

    element: Element
    offset: int
    first: int
    last: int


def read_surroundings(
    path: Sequence[PathStep], text: str, start: int, end: int, delta: int, encoding_name: str
) -> ReadSurroundings | None:
    """Return what is wrong with a text after an edit and its new elements; None where the whole text must be read.

    Parameters
    ----------
    path
        The elements around what is replaced, outermost first, as they are before the edit, in a text without problems.
    text
        After the edit.
    start, end, delta
        What is replaced, in offsets before the edit, and by how much the text has grown.
    encoding_name
        See :func:`~sdfviewer.document.xml.read.read_text`.
    """
    try:
        check_size(text)
    except StructureError:
        return None
    levels = _levels(path, start, end)
    while levels and (hidden := _end_of_hidden(levels[-1], text, start, delta)) is not None and hidden - delta > end:
        end = hidden - delta
        levels = _levels(path, start, end)
    if not levels:
        return None
    if _DECLARATION.search(text, *_read_range(levels[-1], start, delta)):
        return None
    parsed = read_unlimited(_without_known(levels, text, delta), encoding_name)
    if parsed.root is None:
        return ReadSurroundings(parsed.problems, None)
    reread = _grafted(levels, parsed.root, parsed.offset, delta)
    return None if reread is None else ReadSurroundings(parsed.problems, reread)


def read_outside(
    root: Element, at: int, text: str, start: int, end: int, delta: int, encoding_name: str
) -> ReadSurroundings | None:
    """Return what :func:`read_surroundings` does, after an edit before the root element or behind it.

    Parameters
    ----------
    root, at
        The root, and its offset after the edit.
    text, start, end, delta, encoding_name
        See :func:`read_surroundings`.
    """
    try:
        check_size(text)
    except StructureError:
        return None
    first, last = at + root.start_length, at + root.length - root.end_length
    for left, right in ((0, at), (at + root.length, len(text))):
        if left <= start <= end + delta <= right and (
            _DECLARATION.search(text, left, right) or any(_hiding(text[left:right]))
        ):
            return None
    parsed = read_unlimited("".join((text[:first], _blank(text, first, last), text[last:])), encoding_name)
    if parsed.root is None:
        return ReadSurroundings(parsed.problems, None)
    if (parsed.root.tag, parsed.root.length, parsed.offset) != (root.tag, root.length, at):
        return None
    return ReadSurroundings(parsed.problems, Reread((), (root,)))


def _levels(path: Sequence[PathStep], start: int, end: int) -> list[_Level]:
    # What an element leaves open shows at its end tag, unless that is edited or there is none.
    around = [
        step
        for step in path
        if step.offset < start and end <= step.offset + step.element.length - step.element.end_length
    ]
    while around and not around[-1].element.end_length:
        around.pop()
    levels = [_Level(*outer[:2], inner.number, inner.number + 1) for outer, inner in pairwise(around)]
    if around:
        element, at, _ = around[-1]
        children, offsets = element.children, element.offsets
        is_between_tags = start - at >= element.start_length
        first = bisect_right(offsets, start - at) if is_between_tags else 0
        if first and offsets[first - 1] + children[first - 1].length > start - at:
            first -= 1
        # A fault may show in what follows the edit.
        last = bisect_left(offsets, end - at) + 1 if is_between_tags else len(children)
        levels.append(_Level(element, at, first, min(last, len(children))))
    return levels


def _window(level: _Level) -> tuple[int, int]:
    """Return start and end, before the edit, of what is read between the tags of an element."""
    element, at, first, last = level
    left = element.offsets[first - 1] + element.children[first - 1].length if first else element.start_length
    right = element.offsets[last] if last < len(element.children) else element.length - element.end_length
    return at + left, at + right


def _read_range(level: _Level, start: int, delta: int) -> tuple[int, int]:
    """Return start and end, after an edit, of what may be new between the ends of an element."""
    left, right = _window(level)
    return left if start >= left else level.offset, right + delta


def _end_of_hidden(level: _Level, text: str, start: int, delta: int) -> int | None:
    """Return where a comment or the like ends that begins in what is read and goes on behind it, None if none does."""
    left, right = _read_range(level, start, delta)
    for opened, closing in _hiding(text[left:right]):
        end = text.find(closing, left + opened)
        if end >= 0:
            return end + len(closing)
    return None


def _hiding(window: str) -> Iterator[tuple[int, str]]:
    """Yield where the content of a comment or the like begins that a part of a text leaves open, and what ends it."""
    for opening, closing in _HIDING:
        opened = window.rfind(opening)
        if opened >= 0 and window.find(closing, opened + len(opening)) < 0:
            yield opened + len(opening), closing


def _blank(text: str, first: int, last: int) -> str:
    """Return blanks in place of a part of a text, with as many characters and line ends."""
    lines = text.count("\n", first, last)
    return "\n" * lines + " " * (last - first - lines)


def _without_known(levels: Sequence[_Level], text: str, delta: int) -> str:
    """Return the text with blanks for the children that are not read."""
    before: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    for level in levels:
        element, at, _, _ = level
        left, right = _window(level)
        before.append((at + element.start_length, left))
        after.append((right + delta, at + element.length - element.end_length + delta))
    pieces: list[str] = []
    done = 0
    for first, last in (*before, *reversed(after)):
        if first == last:
            continue
        pieces += (text[done:first], _blank(text, first, last))
        done = last
    return "".join((*pieces, text[done:]))


def _grafted(levels: Sequence[_Level], root: Element, offset: int, delta: int) -> Reread | None:
    """Return the new elements with those that were not read, None where the edit has changed more than these."""
    read = [root]
    for outer, inner in pairwise(levels):
        parent = read[-1]
        if len(parent.children) != 1 or outer.offset + parent.offsets[0] != inner.offset:
            return None
        read.append(parent.children[0])
    if offset != levels[0].offset or any(
        new.length != level.element.length + delta for new, level in zip(read, levels, strict=True)
    ):
        return None
    fresh = read[-1].children
    branch: list[Element] = []
    for new, (old, _, first, last) in zip(reversed(read), reversed(levels), strict=True):
        children = (*old.children[:first], *((branch[-1],) if branch else fresh), *old.children[last:])
        offsets = (*old.offsets[:first], *new.offsets, *(each + delta for each in old.offsets[last:]))
        text = "" if children else new.text
        lengths = new.start_length, new.end_length, new.length
        branch.append(Element(new.tag, new.attributes, text, children, offsets, *lengths))
    return Reread(fresh, branch)
