"""Blocks of lines that are pasted: indented as the place is."""

from __future__ import annotations

from sdfviewer.language.keys.line_commands import Passage
from sdfviewer.language.markup import innermost_open


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
