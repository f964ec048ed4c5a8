"""Positions in a text as code editors count them: lines from 0, characters in UTF-8, UTF-16 or UTF-32 units."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum

import numpy as np


class Unit(str, Enum):
    """The unit in which a position counts the characters of a line; the value is the name in the protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


_BYTES = {Unit.UTF8: ("utf-8", 1), Unit.UTF16: ("utf-16-le", 2), Unit.UTF32: ("utf-32-le", 4)}


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
        self._encoding, self._width = _BYTES[unit]
        self._is_plain = unit is Unit.UTF32 or text.isascii()
        self._starts = _line_starts(text)

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends with a line end has an empty last line."""
        return len(self._starts)

    def _line(self, line: int) -> str:
        """Return a line without its line end."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[line] : end].rstrip("\r\n")

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position; beyond a line it is the line's end, beyond the text the text's end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, content = self._starts[line], self._line(line)
        character = max(character, 0)
        if self._is_plain or content.isascii():
            return start + min(character, len(content))
        units = 0
        for index, letter in enumerate(content):
            if units >= character:
                return start + index
            units += self._units(letter)
        return start + len(content)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the character of an offset, both counted from 0."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line(offset)
        start = self._starts[line]
        before = self.text[start:offset]
        return line, len(before) if self._is_plain or before.isascii() else self._units(before)

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 0."""
        return bisect_right(self._starts, offset) - 1

    def positions(self, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Return the positions of many offsets in the text, faster than one by one where its characters are equal."""
        if not self._is_plain:
            return [self.position(offset) for offset in offsets]
        starts = np.asarray(self._starts)
        lines = np.searchsorted(starts, offsets, "right") - 1
        return list(zip(lines.tolist(), (np.asarray(offsets, starts.dtype) - starts[lines]).tolist(), strict=True))

    def _units(self, text: str) -> int:
        return len(text.encode(self._encoding, "surrogatepass")) // self._width
