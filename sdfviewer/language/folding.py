"""Folding ranges of a text: elements and comments of several lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.document.xml.tags import comment_end
from sdfviewer.language.positions import Positions


class Fold(NamedTuple):
    """The first and the last line of what can be folded, counted from 0."""

    first: int
    last: int


def element_folds(element: Element, offset: int, positions: Positions, *, deep: bool = True) -> Iterator[Fold]:
    """Yield the folding ranges of an element that begins at an offset, and of those inside it.

    The end tag of an element stays visible. Only the element's own range is yielded unless ``deep``.
    """
    if not element.end_length:
        return
    first, last = positions.line(offset), positions.line(offset + element.length) - 1
    if last <= first:  # nor does anything inside it
        return
    yield Fold(first, last)
    if deep:
        for child, at in zip(element.children, element.offsets, strict=True):
            yield from element_folds(child, offset + at, positions)


def comment_folds(text: str, positions: Positions) -> Iterator[Fold]:
    """Yield the folding ranges of the comments in a text: a comment folds to its first line.

    One that is being typed does not fold over the comment that follows.
    """
    start = text.find("<!--")
    while start >= 0:
        end = comment_end(text, start)
        first, last = positions.line(start), positions.line(end)
        if last > first:
            yield Fold(first, last)
        start = text.find("<!--", end)


def end_of_first_element(document: Document, start: int, line: str) -> int | None:
    """Return the offset behind the element that begins in a line, None where none does.

    Where several elements begin in one line the first counts.

    Parameters
    ----------
    start, line
        Offset and text of the line, as the editor divides the text into lines.
    """
    column = line.find("<")
    if column < 0 or document.root is None:
        return None
    start += column
    element = document.element_at(start)
    # The match begins here, or is around what begins here: an end tag, a comment.
    if element is None or not document.text.startswith(f"<{element.tag}", start):
        return None
    return start + element.length
