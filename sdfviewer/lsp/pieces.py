"""Answers about a whole file, composed of pieces that outlive an edit.

An element that an edit does not touch stays the same object (:mod:`sdfviewer.document.element`), and so does what is
written of it, apart from the number of the line where it begins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sdfviewer.document.element import Element

#: Longer elements are composed of their children's pieces.
PIECE_LENGTH = 4096


class _Piece(NamedTuple):
    """The JSON of an element that begins in a column; each ``%d`` is a line, counted from the element's first."""

    element: Element
    column: int
    template: str
    lines: list[int]


class Pieces:
    """The pieces of the last answer of one kind about one file."""

    def __init__(self) -> None:
        # By identity. A piece holds its element, so that no other one can have the same.
        self._pieces: dict[int, _Piece] = {}
        self._before: dict[int, _Piece] = {}

    def begin(self) -> None:
        """Begin an answer: pieces that it does not use are forgotten with the next one."""
        self._before, self._pieces = self._pieces, {}

    def text(self, element: Element, place: tuple[int, int], write: Callable[[list[int]], str]) -> str:
        """Return the JSON of an element.

        Parameters
        ----------
        element, place
            The element, and the line and column where it begins.
        write
            Returns the JSON with ``%d`` for each line, and appends the lines to a list.
        """
        line, column = place
        piece = self._before.get(id(element))
        if piece is None or piece.column != column:
            lines: list[int] = []
            template = write(lines)
            piece = _Piece(element, column, template, [each - line for each in lines])
        self._pieces[id(element)] = piece
        return piece.template % tuple([line + each for each in piece.lines])
