"""Fonts and icons of graphs, in the sizes that their layout reckons with."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtGui import QFont, QFontMetricsF, QPixmap

from sdfviewer.gui.icons import icon
from sdfviewer.scene.graph_picture import TEXT_SIZE

ICON_SIZE = 14.0


def graph_font() -> QFont:
    """Return the font of labels: the application's, in the size that the layout reckons with."""
    font = QFont()
    font.setPixelSize(round(TEXT_SIZE))
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
