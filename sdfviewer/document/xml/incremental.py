"""Incremental parsing: parse only the smallest element around an edit, the children that change, or a start tag.

All other elements are shared between the document before and the one after. They are also known to be XML where an edit
leaves the text imperfect: what is known is blank then, with as many characters and line ends, so that what is found has
the places and the words that it has in the whole text. What is known of an element is what comes before the edit, where
its start tag does, and what comes behind the edit, where its end tag does.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from sdfviewer.document.element import Element, with_children
from sdfviewer.document.xml.parse import StructureError, check_size, parse_element, text_before
from sdfviewer.document.xml.read import TextProblem, read_unlimited
from sdfviewer.document.xml.wellformed import is_well_formed

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


def _ended_before(element: Element, offset: int) -> int:
    """Return how many children of an element end before an offset in it."""
    count = bisect_right(element.offsets, offset)
    return count - (count > 0 and element.offsets[count - 1] + element.children[count - 1].length > offset)


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
        count = _ended_before(element, start - at)
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


MOST_OF_TEXT = 0.5
"""Elements that take more of the text are not read again as a whole: what surrounds the edit says the same sooner."""


class PathStep(NamedTuple):
    """An element on the way down to a place in the text: it, its offset, and which child of the one before it is."""

    element: Element
    offset: int
    number: int


def path_between(root: Element | None, root_offset: int, start: int, end: int) -> list[PathStep]:
    """Return the elements below a root that hold ``start`` to ``end``, outermost first."""
    path: list[PathStep] = []
    element, at, number = root, root_offset, 0
    while element is not None and at <= start and end <= at + element.length:
        path.append(PathStep(element, at, number))
        number = bisect_right(element.offsets, start - at) - 1
        if number < 0:
            break
        at += element.offsets[number]
        element = element.children[number]
    return path


class Reread(NamedTuple):
    """The elements that an edit makes new.

    Attributes
    ----------
    fresh
        Elements that were read from the text.
    branch
        Elements around them, made again with what they had, innermost first; the last one is the root.
    """

    fresh: Sequence[Element]
    branch: Sequence[Element]


def read_again(path: Sequence[PathStep], text: str, start: int, end: int, delta: int) -> Reread | None:
    """Return the elements that an edit makes new, None where the whole text must be read.

    Parameters
    ----------
    path
        The elements around what is replaced, outermost first, as they are before the edit.
    text
        After the edit.
    start, end, delta
        What is replaced, in offsets before the edit, and by how much the text has grown.
    """
    # An element whose very first or last character changes may merge with its neighbours: it is not "around" it.
    path = [step for step in path if step.offset < start and end < step.offset + step.element.length]
    for depth in range(len(path) - 1, -1, -1):
        element, at, _ = path[depth]
        fresh: tuple[Element, ...]
        branch: list[Element] = []
        spliced = _splice(element, text, at, start, end, delta)
        if spliced is not None:
            lowest, fresh = spliced
            branch = [lowest]
        else:
            is_read = depth > 0 and element.length <= MOST_OF_TEXT * len(text)
            whole = _read_whole(text[at : at + element.length + delta]) if is_read else None
            if whole is not None:
                lowest, fresh = whole, (whole,)
            elif not is_read and (retagged := _read_start(element, text, at, end, delta)) is not None:
                lowest, fresh = retagged, ()
                branch = [lowest]
            else:
                continue
        for outer, inner in zip(path[:depth][::-1], path[1 : depth + 1][::-1], strict=True):
            lowest = outer.element.with_child(inner.number, lowest)
            branch.append(lowest)
        return Reread(fresh, branch)
    return None


def _read_whole(fragment: str) -> Element | None:
    """Return the element that a text is, None where it is not one and nothing else."""
    try:
        check_size(fragment)
        if not is_well_formed(fragment):
            return None
        element, leading = parse_element(fragment)
    except StructureError:
        return None
    return element if leading == 0 and element.length == len(fragment) else None


def _read_start(element: Element, text: str, at: int, end: int, delta: int) -> Element | None:
    """Return an element with only its start tag read again; None where the edit ends behind it, or changes more.

    See `_splice` for the parameters. What is in the element may mean something else in another version of the format,
    so it is not shared then.
    """
    if end > at + element.start_length:
        return None
    start = text[at : at + element.start_length + delta]
    read = _read_whole(f"{start}</{element.tag}>")
    is_start = read is not None and read.start_length == len(start) and read.end_length > 0
    if read is None or not is_start or read.attributes.get("version") != element.attributes.get("version"):
        return None
    return Element(
        element.tag,
        read.attributes,
        element.text,
        element.children,
        tuple(offset + delta for offset in element.offsets),
        len(start),
        element.end_length,
        element.length + delta,
    )


def _splice(
    element: Element, text: str, at: int, start: int, end: int, delta: int
) -> tuple[Element, tuple[Element, ...]] | None:
    """Return an element with only those children read again that an edit between its tags touches, and these children.

    Parameters
    ----------
    element, at
        The element before the edit, and its offset.
    text
        After the edit.
    start, end, delta
        What the edit replaces, in offsets before it, and by how much the text has grown.

    Returns
    -------
    tuple or None
        None where all of its children would be read again.
    """
    children, offsets = element.children, element.offsets
    first = _ended_before(element, start - at)
    last = max(first, bisect_left(offsets, end - at))
    left = offsets[first - 1] + children[first - 1].length if first else element.start_length
    right = offsets[last] if last < len(children) else element.length - element.end_length
    if (first == 0 and last == len(children)) or start - at < left or end - at > right:
        return None
    opened = "<_>"
    read = _read_whole(f"{opened}{text[at + left : at + right + delta]}</_>")
    if read is None:
        return None
    moved = left - len(opened)
    placed = (
        *offsets[:first],
        *(offset + moved for offset in read.offsets),
        *(offset + delta for offset in offsets[last:]),
    )
    spliced = with_children(element, (*children[:first], *read.children, *children[last:]), placed, delta)
    if first == 0:  # the text that counts is before the first child
        spliced.text = text_before(text[at + left : at + placed[0]], spliced.children)
    return spliced, read.children


# --- texts that cannot be read ------------------------------------------------------------------------------------


class Tree(NamedTuple):
    """The root element of a text, and its offset."""

    root: Element
    offset: int


def from_tag(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a piece of a text that begins with a tag and reads the same with what is beside it, if there is one.

    Of a text before and after an edit the difference is not the only one: where ``<a/>`` is inserted before another
    tag, it is ``a/><`` behind its bracket, too.
    """
    at, by = start, end - start
    while at > 0 and text[at] != "<" and text[at - 1] == text[at - 1 + by]:
        at -= 1
    return (at, at + by) if text[at] == "<" else (start, end)


def carried_over(tree: Tree, text: str, start: int, end: int, delta: int) -> Tree | None:
    """Return the elements of a text after an edit, None where the edit cuts the start tag of the root element.

    Parameters
    ----------
    tree
        The elements before the edit.
    text
        After the edit; need not be well-formed.
    start, end, delta
        What is replaced, in offsets before the edit, and by how much the text has grown.
    """
    root, offset = tree
    if end <= offset:
        return Tree(root, offset + delta)
    if start >= offset + root.length:
        return tree
    path = path_between(root, offset, start, end)
    reread = read_again(path, text, start, end, delta)
    if reread is not None:
        return Tree(reread.branch[-1], offset)
    # Whose very first or last character changes may merge with its neighbours, and is cut.
    path = [step for step in path if step.offset < start and end < step.offset + step.element.length]
    if not path:
        is_begun = start >= offset + root.start_length
        return Tree(_ended(root, start - offset), offset) if is_begun else None
    innermost, at, _ = path[-1]
    element = _stretched(innermost, start - at, end - at, delta)
    for outer, inner in zip(path[-2::-1], path[:0:-1], strict=True):
        element = outer.element.with_child(inner.number, element)
    return Tree(element, offset)


def _stretched(element: Element, start: int, end: int, delta: int) -> Element:
    """Return an element after an edit inside it and in none of its children, in offsets from its first character."""

    def moved(at: int, *, with_insertion: bool) -> int:
        """Return where a boundary is after the edit; what is inserted at it may be behind it or before it."""
        if at > end or (at == end and (with_insertion or end > start)):
            return at + delta
        return min(at, start)

    kept = _begun_before(element, start)
    kept += [(child, at + delta) for child, at in zip(element.children, element.offsets, strict=True) if at >= end]
    length = element.length + delta
    start_length = moved(element.start_length, with_insertion=False)
    end_length = 0
    if element.end_length:
        end_length = length - max(moved(element.length - element.end_length, with_insertion=True), start_length)
    elif element.start_length == element.length:  # it is one tag
        start_length = length
    return _measured(element, kept, (start_length, end_length, length))


def _ended(element: Element, end: int) -> Element:
    """Return what is left of an element whose start tag is whole where it loses all from an offset in it on."""
    return _measured(element, _begun_before(element, end), (element.start_length, 0, end))


def _begun_before(element: Element, end: int) -> list[tuple[Element, int]]:
    """Return the children whose start tags are before an offset in an element, with theirs, as far as they go there."""
    found = []
    for child, at in zip(element.children, element.offsets, strict=True):
        if at + child.length <= end:
            found.append((child, at))
        elif at + child.start_length <= end:
            found.append((_ended(child, end - at), at))
    return found


def _measured(element: Element, children: Sequence[tuple[Element, int]], lengths: tuple[int, int, int]) -> Element:
    offsets = tuple(at for _, at in children)
    return Element(
        element.tag, element.attributes, element.text, tuple(child for child, _ in children), offsets, *lengths
    )
