"""The visible part of a drawing on a canvas, and the rectangles that lie in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF

from sdfviewer.graphs.blocks import Floats
from sdfviewer.gui.graphs.glyphs import ICONS_ZOOM, NATURAL_ZOOM

#: Closest and farthest that a graph can be looked at; fitting never enlarges beyond the natural size.
NEAREST, FARTHEST = 4.0, 0.004
#: Blank around a fitted drawing, in pixels, and its most above a drawing as a share of a low canvas.
FRAME, FRAME_SHARE = 16.0, 0.07
#: How broad the strip is, in pixels, in which a drawing fades towards an edge of the canvas that it reaches beyond.
FADE = 16.0
#: A beginning that would end within vertices is larger by one of these factors, or a little smaller where each of them
#: cuts some; each cut one counts as so many less, and twice where that cuts its name.
LARGER, SMALLER, CUT = np.linspace(1.0, 1.25, 26), np.linspace(0.99, ICONS_ZOOM / NATURAL_ZOOM, 7), 2


@dataclass(frozen=True, slots=True)
class Viewport:
    """A place and a scale: a point p of the drawing is shown at ``offset + zoom · p``.

    Attributes
    ----------
    zoom
        Pixels of the screen for each pixel of the drawing.
    offset
        Where the origin of the drawing is shown.
    """

    zoom: float = 1.0
    offset: QPointF = field(default_factory=lambda: QPointF(FRAME, FRAME))

    def to_drawing(self, point: QPointF) -> QPointF:
        """Return the point of the drawing that is shown at ``point``."""
        return (point - self.offset) / self.zoom

    def to_screen(self, point: QPointF) -> QPointF:
        """Return where a point of the drawing is shown."""
        return self.offset + point * self.zoom

    def visible(self, area: QRectF) -> QRectF:
        """Return the part of the drawing that is shown in an area of the canvas."""
        return QRectF(self.to_drawing(area.topLeft()), area.size() / self.zoom)

    def panned(self, by: QPointF) -> Viewport:
        """Return the viewport moved by pixels of the screen."""
        return replace(self, offset=self.offset + by)

    def zoomed(self, factor: float, at: QPointF) -> Viewport:
        """Return the viewport scaled so that what is shown ``at`` a point of the screen stays there."""
        zoom = min(max(self.zoom * factor, FARTHEST), NEAREST)
        return Viewport(zoom, at - self.to_drawing(at) * zoom)

    def centred(self, point: QPointF, area: QRectF) -> Viewport:
        """Return the viewport that shows a point of the drawing in the middle of an area of the canvas."""
        return replace(self, offset=area.center() - point * self.zoom)


def fit(rect: QRectF, size: QSizeF) -> Viewport:
    """Return the viewport that shows all of a rectangle of the drawing on a canvas of a size, from the top left on."""
    width, height = max(rect.width(), 1.0), max(rect.height(), 1.0)
    room = QSizeF(max(size.width() - 2 * FRAME, 1.0), max(size.height() - 2 * frame_above(size.height()), 1.0))
    zoom = max(min(room.width() / width, room.height() / height, 1.0), FARTHEST)
    return start(rect, size, zoom)


def start(rect: QRectF, size: QSizeF, zoom: float) -> Viewport:
    """Return the viewport that shows a rectangle of the drawing on a canvas of a size, from its top left corner on."""
    return Viewport(zoom, QPointF(FRAME, frame_above(size.height())) - rect.topLeft() * zoom)


def frame_above(height: float) -> float:
    """Return the blank above a drawing on a canvas of some height: each pixel of a low one is for the graph."""
    return min(FRAME, FRAME_SHARE * height)


class Extents:
    """Rectangles (k,), held as columns: comparing rows of two numbers each takes twenty times as long.

    Parameters
    ----------
    low, high
        Their corners (k, 2).
    """

    def __init__(self, low: Floats, high: Floats) -> None:
        self._left, self._top = np.ascontiguousarray(low.T)
        self._right, self._bottom = np.ascontiguousarray(high.T)

    def meeting(self, low: Floats, high: Floats) -> NDArray[np.intp]:
        """Return the rectangles that share a point with the one between two corners (2,)."""
        (left, top), (right, bottom) = low.tolist(), high.tolist()
        inside = (self._right >= left) & (self._left <= right) & (self._bottom >= top) & (self._top <= bottom)
        return np.flatnonzero(inside)

    def within(self, low: Floats, high: Floats) -> NDArray[np.intp]:
        """Return the rectangles that lie wholly in the one between two corners (2,)."""
        (left, top), (right, bottom) = low.tolist(), high.tolist()
        inside = (self._left >= left) & (self._right <= right) & (self._top >= top) & (self._bottom <= bottom)
        return np.flatnonzero(inside)

    def around(self) -> tuple[Floats, Floats]:
        """Return the corners (2,), (2,) of the box around all of them and the origin."""
        low = [self._left.min(initial=0.0), self._top.min(initial=0.0)]
        high = [self._right.max(initial=0.0), self._bottom.max(initial=0.0)]
        return np.array(low), np.array(high)


def start_between(vertices: Extents, bounds: QRectF, canvas: QRectF) -> tuple[Viewport, int]:
    """Return the viewport that shows the beginning in a readable size and cuts few vertices at its end.

    Parameters
    ----------
    vertices
        Those of the drawing.
    bounds
        The rectangle around the drawing.
    canvas
        The rectangle of the canvas.

    Returns
    -------
    Viewport
        From the top left corner of the drawing on.
    int
        What it is worth: how many vertices it shows whole, less some for each that it cuts.
    """

    def whole_and_cut(viewport: Viewport) -> tuple[int, int]:
        """Return how many vertices are whole, and how many are cut or fade, twice where their names do."""
        seen, fade = viewport.visible(canvas), FADE / viewport.zoom
        right, down = (
            fade * (goes_on > 0) for goes_on in (bounds.right() - seen.right(), bounds.bottom() - seen.bottom())
        )
        (low, high), shown = _corners(seen.adjusted(0.0, 0.0, -right, -down)), vertices.meeting(*_corners(seen))
        whole = len(vertices.within(low, high))
        names = len(np.setdiff1d(shown, vertices.within(low, np.array([high[0], np.inf]))))
        return whole, len(shown) - whole + names

    def best(zooms: Floats) -> tuple[int, Viewport, int]:
        viewports = [start(bounds, canvas.size(), zoom) for zoom in (NATURAL_ZOOM * zooms).tolist()]
        found = [(each, *whole_and_cut(each)) for each in viewports]
        return max(((whole - CUT * cut, each, cut) for each, whole, cut in found), key=lambda known: known[0])

    larger = best(LARGER)
    worth, viewport, _ = max(larger, best(SMALLER), key=lambda known: known[0]) if larger[2] else larger
    return viewport, worth


def _corners(area: QRectF) -> tuple[Floats, Floats]:
    return np.array(area.topLeft().toTuple()), np.array(area.bottomRight().toTuple())
