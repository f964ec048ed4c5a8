"""The first line of a step of *Why here?* in the room that there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

GAP = 8
"""Pixels between a name, what it names, and the place that writes it."""
_LEAST_LETTERS = 11
"""So much of a name is shown at least before the place is."""


@dataclass(frozen=True)
class StepHeading:
    """The texts of the line; the place is empty where it has no room."""

    name: str
    edge: str
    place: str


def fit_heading(
    name: str, edge: Sequence[str], place: str, room: int, metrics: QFontMetrics, name_metrics: QFontMetrics
) -> StepHeading:
    """Fit a name, the edge to what it names, and the place that writes it into so many pixels.

    In ``edge``, words and names follow each other, words first; it is empty where nothing is named. Names are elided
    first, but not to less than can be recognized: the tooltip has the place, too, so it is left out before that. A word
    is never left out: without *in* the edge says nothing, and without *by default* something else.
    """
    words, names = edge[::2], edge[1::2]
    room -= GAP + sum(map(metrics.horizontalAdvance, words)) if edge else 0
    widths = [name_metrics.horizontalAdvance(name), *map(metrics.horizontalAdvance, names)]
    least, beside = _LEAST_LETTERS * metrics.averageCharWidth(), GAP + metrics.horizontalAdvance(place)
    shares = _shares(widths, room - beside)
    if any(share < min(width, least) for share, width in zip(shares, widths, strict=True)):
        shares, place = _shares(widths, room), ""
    own, *others = shares
    shown = [_elided(each, share, metrics) for each, share in zip(names, others, strict=True)]
    pairs = zip(words, [*shown, ""], strict=False)
    return StepHeading(_elided(name, own, name_metrics), "".join(text for pair in pairs for text in pair), place)


def _shares(widths: Sequence[int], room: int) -> list[int]:
    """Share the room equally; what a narrow text leaves is for the wider ones."""
    shares = [0] * len(widths)
    for number, at in enumerate(sorted(range(len(widths)), key=widths.__getitem__)):
        shares[at] = min(widths[at], max(room, 0) // (len(widths) - number))
        room -= shares[at]
    return shares


def _elided(name: str, room: int, metrics: QFontMetrics) -> str:
    if metrics.horizontalAdvance(name) <= room:  # elidedText counts fractions of pixels, too
        return name
    return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room) or "…"
