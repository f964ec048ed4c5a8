"""Commands on the lines of a text: comment, move, copy, indent, paste blocks, and format. Text in, text out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, indentation_step
from sdfviewer.document.xml.parse import find_markup
from sdfviewer.language.markup import comment_at, innermost_open
from sdfviewer.language.text_map import LONGEST_LINE, long_lines


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with a selection in it, from ``anchor`` to ``caret``; both are the same where nothing is selected."""

    text: str
    anchor: int
    caret: int

    @property
    def start(self) -> int:
        """Where the selection begins."""
        return min(self.anchor, self.caret)

    @property
    def end(self) -> int:
        """Where the selection ends."""
        return max(self.anchor, self.caret)

    def lines(self) -> tuple[int, int]:
        """Return start and end of the lines that the selection touches, without the last line end."""
        start = self.text.rfind("\n", 0, self.start) + 1
        # A selection that ends at the beginning of a line does not touch that line.
        last = self.end - 1 if self.end > self.start and self.text[self.end - 1] == "\n" else self.end
        end = self.text.find("\n", last)
        return start, len(self.text) if end < 0 else end

    def replaced(self, start: int, end: int, text: str, anchor: int, caret: int) -> Passage:
        """Return this text with another piece from ``start`` to ``end`` and another selection."""
        result = self.text[:start] + text + self.text[end:]
        return Passage(result, min(anchor, len(result)), min(caret, len(result)))

    def shifted(self, start: int, end: int, text: str) -> Passage:
        """Return this text with another piece, keeping the selection on characters that still exist."""

        def follow(at: int) -> int:
            if at <= start:
                return at
            return at + len(text) - (end - start) if at >= end else min(at, start + len(text))

        return self.replaced(start, end, text, follow(self.anchor), follow(self.caret))


def duplicate(passage: Passage) -> Passage:
    """Return the text with a copy of the selected lines below them, and the selection in the copy."""
    start, end = passage.lines()
    lines = "\n" + passage.text[start:end]
    moved = len(lines)
    return passage.replaced(end, end, lines, passage.anchor + moved, passage.caret + moved)


def move(passage: Passage, by: int) -> Passage:
    """Return the text with the selected lines one line further down (1) or up (-1)."""
    start, end = passage.lines()
    text = passage.text
    if (by < 0 and start == 0) or (by > 0 and end == len(text)):
        return passage
    lines = text[start:end]
    if by < 0:
        above = text.rfind("\n", 0, start - 1) + 1
        other, shift = text[above : start - 1], above - start
        return passage.replaced(above, end, f"{lines}\n{other}", passage.anchor + shift, passage.caret + shift)
    below = text.find("\n", end + 1)
    below = len(text) if below < 0 else below
    other = text[end + 1 : below]
    shift = len(other) + 1
    return passage.replaced(start, below, f"{other}\n{lines}", passage.anchor + shift, passage.caret + shift)


def remove(passage: Passage) -> Passage:
    """Return the text without the selected lines; the caret keeps its column."""
    start, end = passage.lines()
    column = passage.caret - (passage.text.rfind("\n", 0, passage.caret) + 1)
    if end < len(passage.text):
        end += 1
    elif start > 0:
        start -= 1
    text = passage.text[:start] + passage.text[end:]
    line = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", line)
    caret = min(line + column, len(text) if line_end < 0 else line_end)
    return Passage(text, caret, caret)


def indent(passage: Passage, step: str) -> Passage:
    """Return the text with the selected lines one level deeper; blank lines stay as they are."""
    return _each_line(passage, lambda line: step + line if line.strip() else line)


def outdent(passage: Passage, step: str) -> Passage:
    """Return the text with the selected lines one level less deep; blank lines stay as they are."""

    def lift(line: str) -> str:
        if not line.strip():
            return line
        if line.startswith(step):
            return line[len(step) :]
        if line.startswith("\t"):
            return line[1:]
        blanks = len(line) - len(line.lstrip(" "))
        return line[min(blanks, len(step.expandtabs(4))) :]

    return _each_line(passage, lift)


def _each_line(passage: Passage, change: Callable[[str], str]) -> Passage:
    """Return the text with each selected line longer or shorter at its beginning, and the same text selected."""
    start, end = passage.lines()
    at = start
    for line in passage.text[start:end].split("\n"):
        changed = change(line)
        grown = len(changed) - len(line)
        passage = passage.shifted(at, at + max(-grown, 0), changed[: max(grown, 0)])
        at += len(changed) + 1
    return passage


def toggle_comment(passage: Passage) -> Passage:
    """Return the text with the selected lines in a comment, or out of the one that they are.

    Comments do not nest: what looks like an end of one inside is written with tildes, and back when it is taken out.
    """
    start, end = passage.lines()
    lines = passage.text[start:end]
    first, last = start + len(lines) - len(lines.lstrip()), start + len(lines.rstrip())
    if first >= last:
        return passage
    around = comment_at(passage.text, first + 4)
    if around is None or last > around[1] or not passage.text.endswith("-->", 0, around[1]):
        written = passage.text[first:last].replace("--", "~~")
        within = passage.replaced(first, last, written, passage.anchor, passage.caret)
        return within.shifted(last, last, " -->").shifted(first, first, "<!-- ")
    first, last = around[0] + 4, max(around[1] - 3, around[0] + 4)
    inside = passage.text[first:last]
    bare = passage.replaced(first, last, inside.replace("~~", "--"), passage.anchor, passage.caret)
    bare = bare.shifted(last - inside.endswith(" "), around[1], "")
    return bare.shifted(around[0], first + (inside.startswith(" ") and len(inside) > 1), "")


# --- pasted blocks ------------------------------------------------------------------------------------------------


def pasted(passage: Passage, text: str, step: str) -> Passage:
    """Return a text with a piece pasted in place of the selection.

    A piece of several lines that is pasted where a line begins, or in its blanks, gets the indentation of the place:
    that of the line, or in a blank line one step more than that of the element around it. Its lines keep their
    indentation to each other. Any other piece is pasted as it is.
    """
    start, end = passage.start, passage.end
    line_start = passage.text.rfind("\n", 0, start) + 1
    before = passage.text[line_start:start]
    if "\n" not in text.strip() or before.strip() or not text.lstrip().startswith("<"):
        return passage.replaced(start, end, text, start + len(text), start + len(text))
    line_end = passage.text.find("\n", end)
    behind = passage.text[end : len(passage.text) if line_end < 0 else line_end]
    if behind.strip():
        wanted = before + behind[: len(behind) - len(behind.lstrip())]
    else:
        inside = _indentation_inside(passage.text, start, step)
        wanted = before if inside is None else inside
    ends_line = not text.rpartition("\n")[2].strip()
    block = _indented(text, wanted) + (before if ends_line and behind.strip() else "")
    caret = line_start + len(block)
    return passage.replaced(line_start, end, block, caret, caret)


def _indented(text: str, wanted: str) -> str:
    """Return lines with an indentation; the least one of theirs is taken away, which the first may lack."""
    lines = text.split("\n")
    depths = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    first = len(lines[0]) - len(lines[0].lstrip())
    least = min([*depths, *([first] if first else [])], default=0)
    result = [wanted + (lines[0][min(first, least) :] if first else lines[0])]
    result += [wanted + line[least:] if line.strip() else "" for line in lines[1:]]
    return "\n".join(result)


def _indentation_inside(text: str, at: int, step: str) -> str | None:
    """Return the indentation of what is inside the innermost element that is open at an offset, None where none is."""
    tag = innermost_open(text, at)
    if tag is None:
        return None
    line = text[text.rfind("\n", 0, tag.start) + 1 : tag.start]
    return line[: len(line) - len(line.lstrip())] + step


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
    if not document.is_well_formed:
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
        line_start = text.rfind("\n", before, begin) + 1  # 0 where the line has begun with another tag
        if line_start and start <= line_start <= end and not has_text and text[line_start:begin] != step * depth:
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
