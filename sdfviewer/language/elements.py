"""The visible elements of a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element

#: With so many children, those in view are looked up; fewer are compared one by one.
_MANY_CHILDREN = 8


class Placed(NamedTuple):
    """An element, the offset of its first character, and the element around it (None for the root)."""

    element: Element
    offset: int
    parent: Element | None

    @property
    def end(self) -> int:
        """The offset behind its last character."""
        return self.offset + self.element.length

    @property
    def content(self) -> tuple[int, int]:
        """The offsets of what is between its tags."""
        return self.offset + self.element.start_length, self.end - self.element.end_length


def elements_between(document: Document, start: int, end: int) -> Iterator[Placed]:
    """Yield the elements of which a part is between two offsets, in document order.

    Elements outside are skipped without being visited, so that the cost depends on the visible range.
    """
    root = document.root
    if root is None:
        return
    stack = [Placed(root, document.offset(root), None)]
    while stack:
        placed = stack.pop()
        if placed.offset > end or placed.end < start:
            continue
        yield placed
        element, offset, _ = placed
        children, offsets = element.children, element.offsets
        if len(children) > _MANY_CHILDREN:
            first = max(bisect_right(offsets, start - offset) - 1, 0)
            last = bisect_right(offsets, end - offset)
            children, offsets = children[first:last], offsets[first:last]
        stack += [
            Placed(child, offset + at, element) for child, at in zip(reversed(children), reversed(offsets), strict=True)
        ]
