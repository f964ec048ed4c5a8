"""Line commands: comment, move, copy, indent, and blocks of lines that are pasted. Text in, text out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdfviewer.language.markup import comment_at, innermost_open


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
