"""Folding ranges of a text: elements and comments of several lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.language.elements import all_elements
from sdfviewer.language.positions import Positions

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FoldableLines:
    """The first and the last line of what can be folded, counted from 0, and whether it is a comment."""

    first: int
    last: int
    is_comment: bool = False


def folding_ranges(document: Document, positions: Positions) -> Iterator[FoldableLines]:
    """Yield what can be folded. The end tag of an element stays in sight; a comment folds to its first line."""
    for element, offset, _ in all_elements(document):
        if not element.end_length:
            continue
        first = positions.position(offset)[0]
        last = positions.position(offset + element.length)[0] - 1
        if last > first:
            yield FoldableLines(first, last)
    for match in _COMMENT.finditer(document.text):
        first, last = positions.position(match.start())[0], positions.position(match.end())[0]
        if last > first:
            yield FoldableLines(first, last, is_comment=True)


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
