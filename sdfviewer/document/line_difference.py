"""What differs between two texts, line by line, as people read it before they agree to a change."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document

Sign: TypeAlias = Literal[" ", "-", "+"]
#: Lines shown around a change.
CONTEXT = 3


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
    changed
        Start and end of the characters that differ from the line it is paired with, None for the whole line.
    """

    sign: Sign
    text: str
    before: int | None
    after: int | None
    changed: tuple[int, int] | None = None


#: Lines that stand together; between two of them lines are left out.
Hunk: TypeAlias = tuple[DiffLine, ...]
_Block: TypeAlias = tuple[int, int, int, int]


def edit_difference(document: Document, replacements: Sequence[Replacement], context: int = CONTEXT) -> list[Hunk]:
    """Return what an edit changes; only lines that it touches are compared, however long the file is."""
    after = document.edited(replacements).text
    ordered = sorted(replacements, key=lambda each: (each.start, each.end))
    a, b = document.text.split("\n"), after.split("\n")
    starts_a, starts_b = _line_starts(a), _line_starts(b)
    blocks: list[_Block] = []
    shift = 0
    for each in ordered:
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
    return _hunks(a, b, [part for block in blocks for part in _refined(a, b, block)], context)


def text_difference(before: str, after: str, context: int = CONTEXT) -> list[Hunk]:
    """Return what differs between two texts."""
    a, b = before.split("\n"), after.split("\n")
    return _hunks(a, b, list(_refined(a, b, (0, len(a), 0, len(b)))), context)


def _line_starts(lines: Sequence[str]) -> list[int]:
    return list(accumulate((len(line) + 1 for line in lines), initial=0))


def _line_of(starts: Sequence[int], offset: int) -> int:
    return min(bisect_right(starts, offset) - 1, len(starts) - 2)


def _refined(a: Sequence[str], b: Sequence[str], block: _Block) -> Iterator[_Block]:
    """Yield the parts of a block that really differ."""
    first_a, end_a, first_b, end_b = block
    while first_a < end_a and first_b < end_b and a[first_a] == b[first_b]:
        first_a, first_b = first_a + 1, first_b + 1
    while first_a < end_a and first_b < end_b and a[end_a - 1] == b[end_b - 1]:
        end_a, end_b = end_a - 1, end_b - 1
    matcher = difflib.SequenceMatcher(None, a[first_a:end_a], b[first_b:end_b])
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield first_a + i, first_a + j, first_b + k, first_b + m


def _hunks(a: Sequence[str], b: Sequence[str], blocks: Sequence[_Block], context: int) -> list[Hunk]:
    hunks: list[Hunk] = []
    lines: list[DiffLine] = []
    end_a = end_b = -1
    for block in blocks:
        first_a, first_b = max(0, block[0] - context), max(0, block[2] - context)
        if lines and first_a > end_a + context:
            lines += _common(a, end_a, min(len(a), end_a + context), end_b)
            hunks.append(tuple(lines))
            lines = []
        if lines:
            first_a, first_b = end_a, end_b
        lines += _common(a, first_a, block[0], first_b)
        lines += _changed(a, b, block)
        end_a, end_b = block[1], block[3]
    if lines:
        lines += _common(a, end_a, min(len(a), end_a + context), end_b)
        hunks.append(tuple(lines))
    return hunks


def _common(a: Sequence[str], first: int, end: int, first_b: int) -> list[DiffLine]:
    return [DiffLine(" ", _shown(a[number]), number + 1, first_b + number - first + 1) for number in range(first, end)]


def _changed(a: Sequence[str], b: Sequence[str], block: _Block) -> list[DiffLine]:
    first_a, end_a, first_b, end_b = block
    paired = end_a - first_a == end_b - first_b
    removed, added = [], []
    for number in range(first_a, end_a):
        text = _shown(a[number])
        changed = _middle(text, _shown(b[first_b + number - first_a])) if paired else None
        removed.append(DiffLine("-", text, number + 1, None, changed))
    for number in range(first_b, end_b):
        text = _shown(b[number])
        changed = _middle(text, _shown(a[first_a + number - first_b])) if paired else None
        added.append(DiffLine("+", text, None, number + 1, changed))
    return removed + added


def _shown(line: str) -> str:
    return line.removesuffix("\r")


def _middle(text: str, other: str) -> tuple[int, int]:
    """Return where ``text`` differs from ``other``: what is left between their common beginning and end."""
    most = min(len(text), len(other))
    start = next((at for at in range(most) if text[at] != other[at]), most)
    tail = next((at for at in range(most - start) if text[-1 - at] != other[-1 - at]), most - start)
    return start, len(text) - tail
