"""Positions in a text as code editors count them: lines from 0, characters in UTF-8, UTF-16 or UTF-32 units."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]


class Unit(str, Enum):
    """The unit in which a position counts the characters of a line; the value is the name in the protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


#: The first characters that take another unit, by what is counted.
_WIDER = {Unit.UTF8: (0x80, 0x800, 0x10000), Unit.UTF16: (0x10000,), Unit.UTF32: ()}


def _wide_characters(text: str, unit: Unit) -> tuple[Ints, Ints]:
    """Return the offsets (k,) of characters of more than one unit, and how many more all before each take (k + 1,)."""
    if text.isascii() or not _WIDER[unit]:
        return np.zeros(0, np.int64), np.zeros(1, np.int64)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    offsets = np.flatnonzero(codes >= _WIDER[unit][0])
    extra = np.sum([codes[offsets] >= first for first in _WIDER[unit]], axis=0)
    return offsets, np.concatenate([np.zeros(1, np.int64), np.cumsum(extra)])


def _line_starts(text: str) -> list[int]:
    """Return the offset of each line. Form feeds and the separators of Unicode end no line for the protocol."""
    encoding, width = ("ascii", np.uint8) if text.isascii() else ("utf-32-le", np.uint32)
    characters = np.frombuffer(text.encode(encoding, "surrogatepass"), width)
    ends = characters == ord("\n")
    if "\r" in text:  # which ends a line too, unless a line feed follows
        returns = characters == ord("\r")
        returns[:-1] &= ~ends[1:]
        ends |= returns
    return [0, *(np.flatnonzero(ends) + 1).tolist()]


class Positions:
    """Translates between offsets in a text, counted in code points, and positions.

    Parameters
    ----------
    text
        The text. Lone surrogates, which stand for bytes that could not be decoded, count as one unit.
    unit
        How positions count the characters of a line.
    """

    def __init__(self, text: str, unit: Unit = Unit.UTF16) -> None:
        self.text = text
        self._starts = _line_starts(text)
        self._wide, self._extra = _wide_characters(text, unit)
        #: Where they would begin if the text were one line, counted as positions are.
        self._begins = self._wide + self._extra[:-1]

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends with a line end has an empty last line."""
        return len(self._starts)

    def _line_end(self, line: int) -> int:
        """Return the offset of the end of a line, before the characters that end it."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        while end > self._starts[line] and self.text[end - 1] in "\r\n":
            end -= 1
        return end

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position; beyond a line it is the line's end, beyond the text the text's end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, end, character = self._starts[line], self._line_end(line), max(character, 0)
        if not len(self._wide):
            return min(start + character, end)
        first, last = np.searchsorted(self._wide, (start, end)).tolist()
        before = start + int(self._extra[first]) + character
        number = min(int(np.searchsorted(self._begins, before)), last)  # of the wide characters before the position
        if number == first:
            return min(start + character, end)
        behind = int(self._wide[number - 1]) + 1
        return min(max(before - int(self._extra[number]), behind), end)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the character of an offset, both counted from 0."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line(offset)
        start = self._starts[line]
        return line, offset - start + (self._extra_between(start, offset) if len(self._wide) else 0)

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 0."""
        return bisect_right(self._starts, offset) - 1

    def positions(self, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Return the positions of many offsets in the text, faster than one by one."""
        starts = np.asarray(self._starts)
        at = np.asarray(offsets, starts.dtype)
        lines = np.searchsorted(starts, at, "right") - 1
        extra = self._extra_between(starts[lines], at) if len(self._wide) else 0
        return list(zip(lines.tolist(), (at - starts[lines] + extra).tolist(), strict=True))

    def _extra_between(self, start: Any, end: Any) -> Any:
        """Return how many units characters take beyond one each, between two offsets or many (n,)."""
        extra = self._extra[np.searchsorted(self._wide, end)] - self._extra[np.searchsorted(self._wide, start)]
        return extra if np.ndim(extra) else int(extra)
