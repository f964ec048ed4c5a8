"""What differs between two texts, line by line, as people read it before they agree to a change."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, zip_longest
from typing import Literal, TypeAlias

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.line_matching import Block, changed_blocks, changed_words, paired_lines

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
        The line of the other text that it was, or became; None where there is none.
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


#: Equal lines that are shown around a change, and how many more there must be to be folded.
CONTEXT, _LEAST_FOLDED = 3, 2


@dataclass(frozen=True, slots=True)
class Fold:
    """Stands for equal lines that are not shown."""

    lines: tuple[DiffLine, ...]


#: What a column shows in a row: a line, a fold, or nothing beside a line of the other column.
Row: TypeAlias = DiffLine | Fold | None
#: A line of the first text and what stands beside it in the second; None where nothing does.
Pair: TypeAlias = tuple[DiffLine | None, DiffLine | None]


@dataclass(frozen=True, slots=True)
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

    @property
    def line_count(self) -> int:
        """How many lines are removed or added."""
        return sum(end_a - first_a + end_b - first_b for first_a, end_a, first_b, end_b in self.blocks)

    def side_by_side(self) -> list[Pair]:
        """Return all lines of both texts in two columns, a line beside what it became."""
        pairs: list[Pair] = []
        at_a = at_b = 0
        for block in self.blocks:
            for line in self._common(at_a, block[0], at_b):
                pairs.append((line, line))
            pairs += self._changed(block)
            at_a, at_b = block[1], block[3]
        pairs += [(line, line) for line in self._common(at_a, len(self.before), at_b)]
        return pairs

    def unified(self) -> list[DiffLine]:
        """Return all lines in one column; in a change first what is removed, then what is added."""
        lines: list[DiffLine] = []
        at_a = at_b = 0
        for block in self.blocks:
            lines += self._common(at_a, block[0], at_b)
            pairs = self._changed(block)
            lines += [removed for removed, _ in pairs if removed is not None]
            lines += [added for _, added in pairs if added is not None]
            at_a, at_b = block[1], block[3]
        lines += self._common(at_a, len(self.before), at_b)
        return lines

    def _common(self, first: int, end: int, first_b: int) -> Iterator[DiffLine]:
        shift = first_b - first
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


def is_equal(row: tuple[Row, Row]) -> bool:
    """Return whether a row shows a line of both texts."""
    return isinstance(row[0], DiffLine) and row[0].sign == " "


def folded(
    pairs: Sequence[Pair], context: int = CONTEXT, opened: Container[int | None] = ()
) -> Iterator[tuple[Row, Row]]:
    """Yield rows, with a fold in place of each long run of equal lines but for some around the changes.

    Parameters
    ----------
    pairs
        All lines, in one layout or the other.
    context
        How many lines are shown around a change.
    opened
        Folds that are open, by the number of their first line before.
    """
    runs = [(equal, list(run)) for equal, run in groupby(pairs, is_equal)]
    for number, (equal, run) in enumerate(runs):
        before = context if number else 0
        after = context if number + 1 < len(runs) else 0
        hidden = tuple(line for line, _ in run[before : len(run) - after] if line is not None)
        if not equal or len(hidden) < _LEAST_FOLDED or hidden[0].before in opened:
            yield from run
            continue
        yield from run[:before]
        yield Fold(hidden), Fold(hidden)
        yield from run[len(run) - after :]


def edit_difference(document: Document, replacements: Sequence[Replacement]) -> TextDifference:
    """Return what an edit changes; only lines that it touches are compared, however long the file is."""
    after = document.edited(replacements).text
    a, b = tuple(document.text.split("\n")), tuple(after.split("\n"))
    starts_a, starts_b = _line_starts(a), _line_starts(b)
    blocks: list[Block] = []
    shift = 0
    for each in sorted(replacements, key=lambda each: (each.start, each.end)):
        first_b = each.start + shift
        shift += len(each.text) - (each.end - each.start)
        block = (
            _line_of(starts_a, each.start),
            _line_of(starts_a, each.end) + 1,
            _line_of(starts_b, first_b),
            _line_of(starts_b, each.end + shift) + 1,
        )
        if blocks and (block[0] <= blocks[-1][1] or block[2] <= blocks[-1][3]):
            last = blocks.pop()
            block = (last[0], max(last[1], block[1]), last[2], max(last[3], block[3]))
        blocks.append(block)
    return TextDifference(a, b, tuple(part for block in blocks for part in changed_blocks(a, b, block)))


def text_difference(before: str, after: str) -> TextDifference:
    """Return what differs between two texts."""
    a, b = tuple(before.split("\n")), tuple(after.split("\n"))
    return TextDifference(a, b, tuple(changed_blocks(a, b, (0, len(a), 0, len(b)))))


def _line_starts(lines: Sequence[str]) -> list[int]:
    return list(accumulate((len(line) + 1 for line in lines), initial=0))


def _line_of(starts: Sequence[int], offset: int) -> int:
    return min(bisect_right(starts, offset) - 1, len(starts) - 2)


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
