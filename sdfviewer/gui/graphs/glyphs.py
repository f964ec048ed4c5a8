"""Fonts and icons of graphs, in the sizes that their layout assumes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtGui import QFont, QFontMetricsF, QPixmap

from sdfviewer.graphs.picture import TEXT_SIZE
from sdfviewer.gui.kit.icons import icon

ICON_SIZE = 14.0
#: No text is smaller than this on the screen, in pixels.
LEAST_TEXT = 9.0
#: From this zoom on a label is as large as its vertex was made for; below, it is larger and cut where it must be.
NATURAL_ZOOM = LEAST_TEXT / TEXT_SIZE
#: From this zoom on all of a graph is shown at first sight: the longest names are a little shortened, and none is cut.
WHOLE_ZOOM = 0.88 * NATURAL_ZOOM
#: From this zoom on vertices have icons, where their names leave the place.
ICONS_ZOOM = 0.93 * NATURAL_ZOOM


def graph_font(zoom: float = 1.0) -> QFont:
    """Return the font of labels at a zoom: the application's, in a size that can be read."""
    font = QFont()
    font.setPixelSize(round(TEXT_SIZE) if zoom >= NATURAL_ZOOM else math.ceil(LEAST_TEXT / zoom))
    return font


def text_measure() -> Callable[[str], float]:
    """Return a function that gives the width of a label in pixels of the drawing."""
    metrics = QFontMetricsF(graph_font())
    return lambda text: float(metrics.horizontalAdvance(text))


def pixmap(name: str, colour: str, density: float) -> QPixmap:
    """Return an icon with at least as many pixels as it is shown with, and less than twice as many."""
    return _scaled_pixmap(name, colour, min(max(2 ** math.ceil(math.log2(max(density, 0.5))), 1), 8))


@lru_cache(maxsize=256)
def _scaled_pixmap(name: str, colour: str, density: int) -> QPixmap:
    return icon(name, colour).pixmap(round(density * ICON_SIZE), round(density * ICON_SIZE))
