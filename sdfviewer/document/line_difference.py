"""The difference between two texts, line by line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Literal, TypeAlias

from sdfviewer.computed import equal_at_end, first_difference
from sdfviewer.diagnostics import Replacement
from sdfviewer.display_text import path_here
from sdfviewer.document.document import Document
from sdfviewer.document.line_matching import (
    Block,
    changed_blocks,
    changed_words,
    paired_lines,
)

Sign: TypeAlias = Literal[" ", "-", "+"]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference.

    Attributes
    ----------
    sign
        Blank for a line of both texts, ``-`` for one of the first only, ``+`` for one of the second only.
    text
        The line without its end.
    before, after
        Its number in either text, counted from 1, None where it is not there.
    partner
        The line of the other text that it was, or became; None if there is none.
    """

    sign: Sign
    text: str
    before: int | None
    after: int | None
    partner: str | None = None

    @property
    def changed(self) -> tuple[tuple[int, int], ...]:
        """Starts and ends of the words that differ from the line it is paired with; they take a moment to find."""
        return () if self.partner is None else changed_words(self.text, self.partner)


#: Characters from which on a line is shown in part, how many are shown then, and of these what is equal around it.
_LONG, _PART, _AROUND = 4000, 1000, 60
_LEFT_OUT = "…"


def shortened(line: DiffLine) -> DiffLine:
    """Return a line that is too long to be laid out with the part that its first change is in.

    What is left out on either side is one sign. A line and its partner are cut at the same places.
    """
    if max(len(line.text), len(line.partner or "")) <= _LONG:
        return line
    if line.partner is None:
        return replace(line, text=_part(line.text, 0, len(line.text)))
    start = first_difference(line.text, line.partner)
    same_end = equal_at_end(line.text, line.partner)
    start, same_end = max(start - _AROUND, 0), max(same_end - _AROUND, 0)
    text, partner = (_part(each, start, len(each) - same_end) for each in (line.text, line.partner))
    return replace(line, text=text, partner=partner)


def _part(text: str, start: int, end: int) -> str:
    end = min(max(end, start), start + _PART)
    return _LEFT_OUT * (start > 0) + text[start:end] + _LEFT_OUT * (end < len(text))


#: Equal lines that are shown around a change, and how many more there must be to be folded.
CONTEXT, _LEAST_FOLDED = 3, 2


@dataclass(frozen=True, slots=True)
class EqualLines:
    """Represents equal lines that are not shown.

    Attributes
    ----------
    lines
        Their text.
    before, after
        The number of the first one in either text, counted from 1.
    """

    lines: tuple[str, ...]
    before: int
    after: int


#: What a column shows in a row: a line, a fold, or nothing beside a line of the other column.
Row: TypeAlias = DiffLine | EqualLines | None
#: A row of the first text and what is beside it in the second.
Pair: TypeAlias = tuple[Row, Row]


@dataclass(frozen=True)
class TextDifference:
    """Two texts, and the blocks of lines in which they differ.

    Attributes
    ----------
    before, after
        The lines of either text, a carriage return at their ends included.
    blocks
        The changes in order, none touching the next.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    blocks: tuple[Block, ...]

    @cached_property
    def changed_pairs(self) -> list[list[Pair]]:
        """The lines of each change, each beside what it became; finding them takes a while."""
        return [self._changed(block) for block in self.blocks]

    def side_by_side(self, context: int | None = None, opened: Container[int] = ()) -> list[Pair]:
        """Return the rows of two columns, a line beside what it became.

        Parameters
        ----------
        context
            How many equal lines are shown around a change, the others are folded; None shows all.
        opened
            Folds that are open, by the number of their first line before.
        """
        pairs: list[Pair] = []
        for number in range(len(self.blocks)):
            pairs += [(row, row) for row in self._equal(number, context, opened)]
            pairs += self.changed_pairs[number]
        pairs += [(row, row) for row in self._equal(len(self.blocks), context, opened)]
        return pairs

    def unified(self, context: int | None = None, opened: Container[int] = ()) -> list[Row]:
        """Return the rows of one column: in a change first what is removed, then what is added; see `side_by_side`."""
        rows: list[Row] = []
        for number in range(len(self.blocks)):
            rows += self._equal(number, context, opened)
            pairs = self.changed_pairs[number]
            rows += [removed for removed, _ in pairs if removed is not None]
            rows += [added for _, added in pairs if added is not None]
        rows += self._equal(len(self.blocks), context, opened)
        return rows

    def _equal(self, number: int, context: int | None, opened: Container[int]) -> Iterator[Row]:
        """Yield the equal lines before a change, or after the last one, folded in the middle."""
        at_a, at_b = self.blocks[number - 1][1::2] if number else (0, 0)
        end = self.blocks[number][0] if number < len(self.blocks) else len(self.before)
        first = at_a + (context or 0) if number else at_a
        last = end - (context or 0) if number < len(self.blocks) else end
        shift = at_b - at_a
        if context is None or last - first < _LEAST_FOLDED or first + 1 in opened:
            first = last = end
        yield from self._common(at_a, first, shift)
        if first < last:
            yield EqualLines(self.before[first:last], first + 1, first + shift + 1)
        yield from self._common(last, end, shift)

    def _common(self, first: int, end: int, shift: int) -> Iterator[DiffLine]:
        for number in range(first, end):
            yield DiffLine(" ", self.before[number].removesuffix("\r"), number + 1, number + shift + 1)

    def _changed(self, block: Block) -> list[Pair]:
        first_a, end_a, first_b, end_b = block
        a, b = self.before[first_a:end_a], self.after[first_b:end_b]
        pairs: list[Pair] = []
        at_a = at_b = 0
        for i, j in [*paired_lines(a, b), (len(a), len(b))]:
            removed = [_alone("-", a[number], first_a + number) for number in range(at_a, i)]
            added = [_alone("+", b[number], first_b + number) for number in range(at_b, j)]
            pairs += zip_longest(removed, added)
            if i < len(a):
                pairs.append(_pair(a[i], b[j], first_a + i, first_b + j))
            at_a, at_b = i + 1, j + 1
        return pairs


def edit_difference(document: Document, replacements: Sequence[Replacement]) -> TextDifference:
    """Return the difference that an edit makes; only the lines that it touches are read again and compared."""
    text = document.text
    a, b = _lines_of(text), list[str]()
    blocks: list[Block] = []
    behind = 0
    for first, end, group in _touched_lines(text, replacements):
        start = text.rfind("\n", 0, group[0].start) + 1
        stop = text.find("\n", group[-1].end)
        b += a[behind:first]
        at = len(b)
        b += _replaced(text, start, len(text) if stop < 0 else stop, group).split("\n")
        blocks.append((first, end, at, len(b)))
        behind = end
    b += a[behind:]
    return TextDifference(a, tuple(b), tuple(part for block in blocks for part in changed_blocks(a, b, block)))


def _touched_lines(text: str, replacements: Sequence[Replacement]) -> Iterator[tuple[int, int, list[Replacement]]]:
    """Yield the first line that replacements touch and the one behind the last, joined where lines meet."""
    line_of = _line_numbers(text)
    group: list[Replacement] = []
    first = end = 0
    for each in sorted(replacements, key=lambda each: (each.start, each.end)):
        line, behind = line_of(each.start), line_of(each.end) + 1
        if group and line > end:
            yield first, end, group
            group = []
        if not group:
            first = line
        group.append(each)
        end = behind
    if group:
        yield first, end, group


def _replaced(text: str, start: int, end: int, replacements: Sequence[Replacement]) -> str:
    """Return a part of a text with replacements in it made."""
    parts: list[str] = []
    for each in replacements:
        parts += (text[start : each.start], each.text)
        start = each.end
    return "".join(parts) + text[start:end]


@lru_cache(maxsize=1)
def _lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text. A dialog asks with each key for those of a file that may have very many."""
    return tuple(text.split("\n"))


def text_difference(before: str, after: str) -> TextDifference:
    """Return the difference between two texts."""
    a, b = tuple(before.split("\n")), tuple(after.split("\n"))
    return TextDifference(a, b, tuple(changed_blocks(a, b, (0, len(a), 0, len(b)))))


def _line_numbers(text: str) -> Callable[[int], int]:
    """Return what numbers the lines of a text from 0 by an offset in them, each at or behind the one before."""
    line = last = 0

    def line_of(offset: int) -> int:
        nonlocal line, last
        line, last = line + text.count("\n", last, offset), offset
        return line

    return line_of


def _alone(sign: Sign, line: str, number: int) -> DiffLine:
    text = line.removesuffix("\r")
    return DiffLine("-", text, number + 1, None) if sign == "-" else DiffLine("+", text, None, number + 1)


def _pair(line: str, other: str, number: int, other_number: int) -> Pair:
    """Return two lines that differ; a carriage return is part of them only where nothing else differs."""
    if line.removesuffix("\r") != other.removesuffix("\r"):
        line, other = line.removesuffix("\r"), other.removesuffix("\r")
    return (
        DiffLine("-", line, number + 1, None, other),
        DiffLine("+", other, None, other_number + 1, line),
    )


#: Other programs end a line only at a line feed; `str.splitlines` also does at ten other characters.
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def name_in_difference(name: str) -> str:
    """Return the path of a file as :func:`unified_diff` writes it."""
    return Path(path_here(name)).as_posix()


def unified_diff(name: str, before: str | None, after: str) -> str:
    """Return the difference of two texts of a file in the unified format, empty where they are equal.

    Parameters
    ----------
    name
        The file; `patch -p1` and `git apply` find it from the current folder where it is in it.
    before, after
        The texts; `before` is None where there was no file.
    """
    name = name_in_difference(name)
    old = "/dev/null" if before is None else f"a/{name}"
    lines = difflib.unified_diff(_LINE.findall(before or ""), _LINE.findall(after), old, f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
