"""Format a text: the indentation of lines, and breaks in lines that are too long."""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, indentation_step
from sdfviewer.document.xml.tags import find_markup
from sdfviewer.document.xml.wellformed import check_well_formed
from sdfviewer.language.text_map import LONGEST_LINE, long_lines


def formatted(document: Document, start: int = 0, end: int | None = None) -> Replacements:
    """Return the edits that indent the lines of a document by the depth of the elements around them, in its own step.

    Parameters
    ----------
    document
        The document.
    start, end
        Offsets; only lines that begin between them are changed.

    Raises
    ------
    SdfViewerError
        If the text is not well-formed: the depth of its lines is not known.

    Notes
    -----
    Only blanks between tags and comments change. Lines that continue a tag, a comment, CDATA or text stay as they are,
    and so does the line of the end tag behind such a text: their blanks may have a meaning.
    """
    if not can_indent(document):
        raise SdfViewerError("The text cannot be formatted before the errors in the XML are corrected.")
    return tuple(_indented_lines(document.text, indentation_step(document), start, end))


def _indented_lines(text: str, step: str, start: int, end: int | None) -> Iterator[Replacement]:
    end = len(text) if end is None else end
    depth = before = 0
    has_text = False
    for begin, behind, tag in find_markup(text):
        is_data = text.startswith("<![CDATA[", begin)
        has_text |= is_data or bool(text[before:begin].strip())
        if tag is not None and tag.is_end:
            depth = max(depth - 1, 0)
        line_start = text.rfind("\n", before, begin) + 1
        blanks = text[line_start:begin]
        if line_start and start <= line_start <= end and not has_text and blanks != step * depth:
            yield Replacement(line_start, begin, step * depth)
        if tag is not None and not tag.name.startswith("!"):
            depth += not tag.is_end and not tag.is_empty
            has_text = False
        before = behind


class _Content:
    """What is known of an element that is open: where its lines may be broken, and what forbids it."""

    def __init__(self) -> None:
        self.breaks: list[Replacement] = []
        self.has_text = self.has_elements = False


def break_lines(text: str, step: str, longest: int = LONGEST_LINE) -> Iterator[Replacement]:
    """Yield the edits that put each element of a long line into a line of its own, element by element.

    Parameters
    ----------
    text
        A well-formed text.
    step
        The indentation of one level.
    longest
        Only lines of more characters are broken.

    Notes
    -----
    What has text in it, such as a value, a comment or CDATA, stays as it is: blanks there may have a meaning.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = long_lines(text, longest)
    start, end = next(lines, (len(text), len(text)))
    around = [_Content()]
    before = 0
    for begin, behind, tag in find_markup(text):
        while begin > end:
            start, end = next(lines, (len(text), len(text)))
        content, gap = around[-1], text[before:begin]
        content.has_text |= bool(gap.strip()) or text.startswith("<![CDATA[", begin)
        if before and start <= before and not gap.strip():
            depth = len(around) - (2 if tag is not None and tag.is_end else 1)
            content.breaks.append(Replacement(before, begin, newline + step * depth))
        before = behind
        if tag is None or tag.name.startswith("!"):
            continue
        if not tag.is_end:
            content.has_elements = True
            if not tag.is_empty:
                around.append(_Content())
        elif len(around) > 1:
            around.pop()
            if content.has_elements and not content.has_text:
                yield from content.breaks
    if not around[0].has_text:
        yield from around[0].breaks


def can_indent(document: Document) -> bool:
    """Return whether the depth of every line of a document is known: its text is well-formed."""
    return document.root is not None and check_well_formed(document.text) is None
