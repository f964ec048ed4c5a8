"""Incremental parsing: parse only the smallest element around an edit, the children that change, or a start tag.

All other elements are shared between the document before and the one after.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from sdfviewer.document.element import Element, with_children
from sdfviewer.document.xml.parse import StructureError, check_size, parse_element, text_before
from sdfviewer.document.xml.wellformed import is_well_formed

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
    first = bisect_right(offsets, start - at)
    if first and offsets[first - 1] + children[first - 1].length > start - at:
        first -= 1
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
