"""Where the lines of a text start: from an offset to line and column, and back."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray


class LineIndex:
    """The offset of the first character of each line. It never changes.

    A lone carriage return does not end a line, as in expat and in editors.

    Parameters
    ----------
    starts
        Offsets (n,), in ascending order; the first is 0.
    """

    __slots__ = ("_starts",)

    def __init__(self, starts: NDArray[np.int64]) -> None:
        self._starts = starts

    @classmethod
    def of(cls, text: str) -> LineIndex:
        """Return the lines of a text."""
        encoding, width = ("ascii", np.uint8) if text.isascii() else ("utf-32-le", np.uint32)
        characters = np.frombuffer(text.encode(encoding, "surrogatepass"), width)
        return cls(np.append(0, np.flatnonzero(characters == ord("\n")) + 1))

    def edited(self, text: str, start: int, end: int, delta: int) -> LineIndex:
        """Return the lines after an edit.

        Parameters
        ----------
        text
            The text after the edit.
        start, end, delta
            What was replaced, in offsets before the edit, and by how much the text has grown.
        """
        before, after = np.searchsorted(self._starts, (start, end), side="right")
        between = [start + match.end() for match in re.finditer("\n", text[start : end + delta])]
        starts = [self._starts[:before], np.array(between, np.int64), self._starts[after:] + delta]
        return LineIndex(np.concatenate(starts))

    def __len__(self) -> int:
        return len(self._starts)

    def start(self, line: int) -> int:
        """Return the offset of the first character of a line, counted from 1."""
        return int(self._starts[line - 1])

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character, both counted from 1."""
        line = int(np.searchsorted(self._starts, offset, side="right"))
        return line, offset - int(self._starts[line - 1]) + 1
