"""Expand Selection: from a word to its attribute, its tag, its element and the enclosing elements."""

from __future__ import annotations

import re

from sdfviewer.document.document import Document
from sdfviewer.document.element import ATTRIBUTE

_WORD = re.compile(r"[\w.:+-]+")


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
    words = _WORD.finditer(text, line_start, len(text) if line_end < 0 else line_end)
    ranges |= {match.span() for match in words if match.start() <= offset <= match.end()}
    nested: list[tuple[int, int]] = []
    for start, end in sorted(ranges, key=lambda each: (each[1] - each[0], each)):
        if start <= offset <= end and end > start and (not nested or (start <= nested[-1][0] and nested[-1][1] <= end)):
            nested.append((start, end))
    return nested
