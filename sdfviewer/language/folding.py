"""Ranges in a text: foldable elements and comments, and what Expand Selection selects next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.element import ATTRIBUTE, Element
from sdfviewer.document.xml.tags import comment_end
from sdfviewer.language.markup import WORD
from sdfviewer.language.positions import Positions


class Fold(NamedTuple):
    """The first and the last line of what can be folded, counted from 0."""

    first: int
    last: int


def element_folds(element: Element, offset: int, positions: Positions) -> Iterator[Fold]:
    """Yield the folding ranges of an element that begins at an offset, and of those inside it.

    The end tag of an element stays visible.
    """
    if not element.end_length:
        return
    first, last = positions.line(offset), positions.line(offset + element.length) - 1
    if last <= first:  # nor does anything inside it
        return
    yield Fold(first, last)
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


def selection_ranges(document: Document, offset: int) -> list[tuple[int, int]]:
    """Return ranges around an offset, the smallest first, each inside the next."""
    text = document.text
    ranges = {(0, len(text))}
    for element, start, _ in document.path_to(offset, offset):
        end = start + element.length
        tag_end, content_end = start + element.start_length, end - element.end_length
        ranges.add((start, end))
        if element.end_length and tag_end <= offset <= content_end:
            content = text[tag_end:content_end]
            if content.strip():
                first = tag_end + len(content) - len(content.lstrip())
                ranges |= {(first, tag_end + len(content.rstrip())), (tag_end, content_end)}
        elif offset <= tag_end:
            ranges.add((start, tag_end))
            for match in ATTRIBUTE.finditer(text, start + 1 + len(element.tag), tag_end):
                if match.start() <= offset <= match.end():
                    value = text.index(text[match.end() - 1], match.start()) + 1
                    ranges |= {match.span(), (value, match.end() - 1)}
    line_start, line_end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    words = WORD.finditer(text, line_start, len(text) if line_end < 0 else line_end)
    ranges |= {match.span() for match in words if match.start() <= offset <= match.end()}
    nested: list[tuple[int, int]] = []
    for start, end in sorted(ranges, key=lambda each: (each[1] - each[0], each)):
        if start <= offset <= end and end > start and (not nested or (start <= nested[-1][0] and nested[-1][1] <= end)):
            nested.append((start, end))
    return nested
