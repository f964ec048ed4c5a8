"""Folding ranges of a text: elements and comments of several lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.language.positions import Positions

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class FoldableLines(NamedTuple):
    """The first and the last line of what can be folded, counted from 0, and whether it is a comment."""

    first: int
    last: int
    is_comment: bool = False


def folding_ranges(document: Document, positions: Positions) -> list[FoldableLines]:
    """Return what can be folded. The end tag of an element stays in sight; a comment folds to its first line."""
    elements = _elements(document)
    comments = [match.span() for match in _COMMENT.finditer(document.text)]
    lines = positions.lines([offset for span in (*elements, *comments) for offset in span])
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    folds = [FoldableLines(first, end - 1) for first, end in pairs[: len(elements)] if end - 1 > first]
    folds += [FoldableLines(first, last, is_comment=True) for first, last in pairs[len(elements) :] if last > first]
    return folds


def _elements(document: Document) -> list[tuple[int, int]]:
    """Return where the elements with an end tag begin and end, in document order."""
    spans: list[tuple[int, int]] = []

    def add(element: Element, start: int) -> None:
        if element.end_length:
            spans.append((start, start + element.length))
            for child, at in zip(element.children, element.offsets, strict=True):
                add(child, start + at)

    if document.root is not None:
        add(document.root, document.offset(document.root))
    return spans


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
    # What is found begins here or is around what begins here: an end tag, a comment.
    if element is None or not document.text.startswith(f"<{element.tag}", start):
        return None
    return start + element.length
