"""Format the indentation of lines."""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.xml.tags import find_tags
from sdfviewer.document.xml.wellformed import check_well_formed


def indent_lines(text: str, step: str, start: int = 0, end: int | None = None) -> Iterator[Replacement]:
    """Yield the edits that indent lines by the depth of the elements around them.

    Parameters
    ----------
    text
        A well-formed text.
    step
        The indentation of one level.
    start, end
        Offsets; only lines that begin between them are changed.

    Notes
    -----
    Lines that continue a tag, a comment, CDATA or text stay as they are: their blanks may have a meaning.
    """
    end = len(text) if end is None else end
    depth = 0
    for tag in find_tags(text):
        if tag.is_end:
            depth = max(depth - 1, 0)
        line_start = text.rfind("\n", 0, tag.start) + 1
        blanks = text[line_start : tag.start]
        if start <= line_start <= end and not blanks.strip() and blanks != step * depth:
            yield Replacement(line_start, tag.start, step * depth)
        if not tag.is_end and not tag.is_empty:
            depth += 1


def can_indent(document: Document) -> bool:
    """Return whether the depth of every line of a document is known: its text is well-formed."""
    return document.root is not None and check_well_formed(document.text) is None
