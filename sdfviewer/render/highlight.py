"""Highlighted rows and the parts that they own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.marks.glyph_sizes import mask_of
from sdfviewer.scene.scene import Scene

_CHAIN = 160
"""How strongly the chain to the selection is marked, of 255."""


@dataclass(frozen=True)
class Highlight:
    """Which rows are marked, as `Renderer.set_highlight` takes them."""

    selected: frozenset[int] = frozenset()
    hovered: int | None = None
    chain: frozenset[int] = frozenset()
    errors: frozenset[int] = frozenset()
    only_chain: bool = False
    detailed: frozenset[int] = frozenset()
    """Rows that are drawn in full even where there are many, though they are not marked."""
    carriers: frozenset[int] = frozenset()
    """The joints that carry the selection, drawn as the rows of the chain are, though they are not marked."""
    named: frozenset[int] | None = None
    """Rows that have names in the picture, beside those that are selected or hovered; None for as many as have room."""
    foremost: frozenset[int] = frozenset()
    """Rows whose names come before all others while nothing is selected."""
    drawn: frozenset[int] | None = None
    """Rows of the chain and carriers that are drawn in full in a dense picture; None for all."""

    @property
    def marked(self) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
        """The rows that are selected, those of the chain, and what is hovered."""
        return self.selected, self.chain, frozenset() if self.hovered is None else frozenset({self.hovered})

    @property
    def named_first(self) -> frozenset[int]:
        """The rows whose names come before all others now."""
        return frozenset() if self.selected else self.foremost

    @property
    def chosen(self) -> frozenset[int]:
        """The rows that matter wherever the mouse is: the selection, its chain and what is faulty."""
        return frozenset().union(self.selected, self.chain, self.errors)

    @property
    def attended(self) -> frozenset[int]:
        """All rows that matter to the user now."""
        return frozenset().union(self.chosen, *self.marked, self.detailed, self.carriers)

    @property
    def along(self) -> frozenset[int]:
        """The rows of the chain that matter only as a part of it: those of a long one would be a bundle of axes."""
        selected, chain, hovered = self.marked
        return (chain | self.carriers) - selected - hovered - self.errors - self.detailed

    def with_axes(self, scene: Scene, *, dense: bool) -> NDArray[np.bool_]:
        """Return which rows (n,) have axes, not points, wherever the mouse is: where there are many, what is chosen."""
        count = len(scene.X_RootF)
        if not dense:
            return np.ones(count, bool)
        return mask_of(self.chosen if self.drawn is None else (self.chosen - self.along) | self.drawn, count)

    def own(self, scene: Scene) -> NDArray[np.uint8]:
        """Return which rows (n, 2) are themselves selected and hovered, 0 to 255."""
        marks = np.zeros((len(scene.X_RootF), 2), np.uint8)
        marks[list(self.selected), 0] = 255
        marks[list(self.chain), 1] = _CHAIN
        if self.hovered is not None:
            marks[self.hovered, 1] = 255
        return marks

    def spread(self, scene: Scene) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return which rows (n, 2) are marked along with what owns them, and which fade (n,)."""
        marks = np.zeros((len(scene.X_RootF), 2), np.uint8)
        marks[scene.owned_by(self.selected), 0] = 255
        if self.hovered is not None:
            marks[scene.owned_by([self.hovered]), 1] = 255
        faded = np.zeros(len(marks), bool)
        if self.only_chain and (self.selected or self.chain):
            faded[:] = True
            faded[list(self.selected | self.chain)] = False
        return marks, faded
