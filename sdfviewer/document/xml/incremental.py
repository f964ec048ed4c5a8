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
