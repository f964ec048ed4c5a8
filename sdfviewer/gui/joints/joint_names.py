"""Shortens the names of joints so that they can be told apart in a narrow list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from sdfviewer.graphs.short_names import short_name

MOST_COMPARED = 300
"""So many shortened names are compared with each other: each takes 0.2 ms."""


class Shortening(Enum):
    """What is left out of a name: the ends of its words, or its middle, end or beginning."""

    WORDS = "words"
    MIDDLE = "middle"
    RIGHT = "right"
    LEFT = "left"


_MODES = {
    Shortening.MIDDLE: Qt.TextElideMode.ElideMiddle,
    Shortening.RIGHT: Qt.TextElideMode.ElideRight,
    Shortening.LEFT: Qt.TextElideMode.ElideLeft,
}


def shortened(name: str, how: Shortening, metrics: QFontMetrics, room: int) -> str:
    """Return as much of a name as there is room for in pixels."""
    if how is Shortening.WORDS:
        short = short_name(name, "joint", room, metrics.horizontalAdvance, least=1)
        if short is not None:
            return short
    return metrics.elidedText(name, _MODES.get(how, Qt.TextElideMode.ElideMiddle), room)


def shortenings(names: Iterable[str], metrics: QFontMetrics, room: int) -> dict[str, Shortening]:
    """Return how to shorten each name that is wider than some pixels, so that no two look the same if possible.

    Most names differ in a word: ``l_grip…l_fing…`` and ``l_grip…r_fing…``. Where they differ only at the end of a
    long word, the ends of the words are what must stay.
    """
    ways = {name: Shortening.WORDS for name in names if metrics.horizontalAdvance(name) > room}
    if len(ways) > MOST_COMPARED:
        return ways
    texts = {name: shortened(name, Shortening.WORDS, metrics, room) for name in ways}
    for way in _MODES:
        shown = Counter(texts.values())
        others = {name: shortened(name, way, metrics, room) for name, text in texts.items() if shown[text] > 1}
        shown.update(others.values())
        for name, other in others.items():
            if shown[other] == 1:
                ways[name], texts[name] = way, other
    return ways
