"""Carry the elements of a text over to an edited text that cannot be read.

While the user types, the text is seldom XML. What is not being typed is still there, so its elements keep what they
say and move with their text. What an edit touches is read again where it is XML by itself; else the innermost element
around the edit grows or shrinks with it, and elements whose beginning it cuts are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdfviewer.document.element import Element
from sdfviewer.document.xml.incremental import path_between, read_again


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
