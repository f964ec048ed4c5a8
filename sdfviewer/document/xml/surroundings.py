"""Read a text that an edit leaves imperfect by what surrounds the edit: all other elements are known to be XML.

What is known is blank here, with as many characters and line ends, so that what is found has the places and the words
that it has in the whole text. What is known of an element is what comes before the edit, where its start tag does, and
what comes behind the edit, where its end tag does.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from sdfviewer.document.element import Element
from sdfviewer.document.xml.incremental import PathStep, Reread, path_between
from sdfviewer.document.xml.parse import StructureError, check_size, text_before
from sdfviewer.document.xml.read import TextProblem, read_unlimited

#: What hides all markup up to where it ends, and what may: a declaration has an end of its own for each reader.
_HIDING = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"))
_HIDDEN = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
_DECLARATION = re.compile(r"<!(?!--|\[CDATA\[)")
_START_TAG = re.compile(r"<[^\s/!?]")
#: Text that is no fault in an element.
_NO_BLANK = "."
#: The element behind an edit is read, but of one with more characters only its start tag and the first element in it.
_MOST_READ = 10_000


class ReadSurroundings(NamedTuple):
    """What is wrong with a text after an edit, the elements that are new in it, and the offset of its root.

    There are no new elements where the text has no root.
    """

    problems: Sequence[TextProblem]
    reread: Reread | None
    root_offset: int


class _Known(NamedTuple):
    """Some children of an element, side by side: where they are, and the offset of each, all of it after the edit."""

    start: int
    end: int
    children: Sequence[Element]
    offsets: Sequence[int]


def read_surroundings(
    root: Element, root_offset: int, text: str, start: int, end: int, delta: int, encoding_name: str
) -> ReadSurroundings | None:
    """Return what is wrong with a text after an edit and its new elements; None where the whole text must be read.

    Parameters
    ----------
    root, root_offset
        The root as it is before the edit, in a text without problems, and its offset there.
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
    before, left = _known_before(path_between(root, root_offset, start, start), start)
    while True:
        after = _known_after(path_between(root, root_offset, end, end), end, delta, 1 if left else 2)
        right = after[0].start if after else len(text)
        hidden = _end_of_hidden(text, left, right)
        if hidden is None or hidden - delta <= end:
            break
        end = hidden - delta
    known = before + after
    if not known or _DECLARATION.search(text, left, right):
        return None
    parsed = read_unlimited(_without_known(text, before, after), encoding_name, text)
    if parsed.root is None:
        return ReadSurroundings(parsed.problems, None, 0)
    reread = _filled(parsed.root, parsed.offset, known, text)
    return None if reread is None else ReadSurroundings(parsed.problems, reread, parsed.offset)


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
    parsed = read_unlimited("".join((text[:first], _blank(text, first, last), text[last:])), encoding_name, text)
    if parsed.root is None:
        return ReadSurroundings(parsed.problems, None, 0)
    if (parsed.root.tag, parsed.root.length, parsed.offset) != (root.tag, root.length, at):
        return None
    return ReadSurroundings(parsed.problems, Reread((), (root,)), at)


def _known_before(path: Sequence[PathStep], start: int) -> tuple[list[_Known], int]:
    """Return what is known before an edit, in the order of the text, and where what is read begins behind it.

    Parameters
    ----------
    path
        The elements around the beginning of what is replaced, outermost first.
    start
        That beginning.
    """
    found: list[_Known] = []
    left = 0
    for element, at, _ in path:
        if not at + element.start_length <= start < at + element.length:
            break
        left = at + element.start_length
        children, offsets = element.children, element.offsets
        count = bisect_right(offsets, start - at)
        if count and offsets[count - 1] + children[count - 1].length > start - at:
            count -= 1
        if count:
            end = at + offsets[count - 1] + children[count - 1].length
            found.append(_Known(left, end, children[:count], [at + each for each in offsets[:count]]))
            left = end
    return found, left


def _known_after(path: Sequence[PathStep], end: int, delta: int, read: int) -> list[_Known]:
    """Return what is known behind an edit, in the order of the text.

    Parameters
    ----------
    path
        The elements around the end of what is replaced, outermost first.
    end, delta
        That end, and by how much the text has grown.
    read
        How many of the elements that follow are read, 1 or 2: a fault may show in the first one, and where that becomes
        the root, the second one is the first that is ignored.
    """
    around: list[tuple[Element, int, int]] = []  # with the first child that is known
    for element, at, _ in path:
        if not at < end <= at + element.length - element.end_length or not element.end_length:
            break
        around.append((element, at, bisect_left(element.offsets, end - at) + read - 1))
    while around:
        element, at, first = around.pop()
        around.append((element, at, first + 1))
        if first >= len(element.children) or element.children[first].length <= _MOST_READ:
            break
        following = element.children[first]
        if not following.children:
            break
        around.append((following, at + element.offsets[first], 0))
    found: list[_Known] = []
    for element, at, first in reversed(around):
        if first < len(element.children):
            offsets = [at + each + delta for each in element.offsets[first:]]
            last = at + element.length - element.end_length + delta
            found.append(_Known(offsets[0], last, element.children[first:], offsets))
    return found


def _end_of_hidden(text: str, left: int, right: int) -> int | None:
    """Return where a comment or the like ends that begins in what is read and goes on behind it, None if none does."""
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


def _without_known(text: str, before: Sequence[_Known], after: Sequence[_Known]) -> str:
    """Return the text with blanks for what is known; what comes before the edit ends with a character.

    A fix is placed behind the last character that is no blank.
    """
    pieces: list[str] = []
    done = 0
    for each in before:
        pieces += (text[done : each.start], _blank(text, each.start, each.end - 1), _NO_BLANK)
        done = each.end
    for each in after:
        pieces += (text[done : each.start], _blank(text, each.start, each.end))
        done = each.end
    return "".join((*pieces, text[done:]))


def _filled(root: Element, root_offset: int, known: Sequence[_Known], text: str) -> Reread | None:
    """Return the new elements with what is known where its blanks are, None where that is not known.

    Parameters
    ----------
    root, root_offset
        The root that was read with blanks for what is known, and its offset.
    known
        What is known, in the order of the text.
    text
        The text itself.
    """
    around: dict[int, tuple[int, Element, int]] = {}  # by identity, each with its depth and offset
    put: dict[int, list[tuple[int, Element]]] = {}
    outside: list[_Known] = []
    for each in known:
        path = path_between(root, root_offset, each.start, each.end)
        if not path:
            outside.append(each)
            continue
        parent, at, _ = path[-1]
        if each.start < at + parent.start_length or each.end > at + parent.length - parent.end_length:
            return None  # inside a tag
        around.update((id(step.element), (depth, *step[:2])) for depth, step in enumerate(path))
        put.setdefault(id(parent), []).extend(zip(each.offsets, each.children, strict=True))
    if outside and not _is_ignored(outside, text, root_offset + root.length):
        return None
    if not around:
        return Reread(root.children, (root,))
    fresh: list[Element] = []
    made: dict[int, Element] = {}
    for _, element, at in sorted(around.values(), key=itemgetter(0), reverse=True):
        placed = put.get(id(element), [])
        for offset, child in zip(element.offsets, element.children, strict=True):
            if id(child) not in made:
                fresh.append(child)
            placed.append((at + offset, made.get(id(child), child)))
        placed.sort(key=itemgetter(0))
        first = placed[0][0] if placed else at + element.length - element.end_length
        made[id(element)] = Element(
            element.tag,
            element.attributes,
            text_before(text[at + element.start_length : first], [child for _, child in placed]),
            tuple([child for _, child in placed]),
            tuple([offset - at for offset, _ in placed]),
            element.start_length,
            element.end_length,
            element.length,
        )
    return Reread(fresh, tuple(made.values()))


def _is_ignored(outside: Sequence[_Known], text: str, end: int) -> bool:
    """Return whether known elements behind the end of the root are ignored, and reported by what comes before them."""
    first = outside[0].start
    if first < end or not _START_TAG.search(_HIDDEN.sub("", text[end:first])):
        return False
    for each in outside:
        ends = [offset + child.length for offset, child in zip(each.offsets, each.children, strict=True)]
        if any(text[here:there].strip() for here, there in zip(ends, (*each.offsets[1:], each.end), strict=True)):
            return False
    return True
