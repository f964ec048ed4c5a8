"""What everything that draws graphs needs: fonts and icons, the visible part, and a cached image of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap, QRegion

from sdfviewer.graphs.blocks import Floats
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


#: A side of a rectangle, or of some (n, 1).
_Side: TypeAlias = "float | Floats"


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
        return np.flatnonzero(self._meet(*low.tolist(), *high.tolist()))

    def within(self, low: Floats, high: Floats) -> NDArray[np.intp]:
        """Return the rectangles that lie wholly in the one between two corners (2,)."""
        return np.flatnonzero(self._lie(*low.tolist(), *high.tolist()))

    def whole_and_cut(self, seen: Floats, faded: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return how many are whole in each of some areas, and how many are cut, twice where their names are.

        Parameters
        ----------
        seen
            Left, top, right and bottom of each area (n, 4).
        faded
            Where each begins to fade, on the right and below (n, 2).
        """
        left, top, right, bottom = np.hsplit(seen, 4)
        right_faded, bottom_faded = np.hsplit(faded, 2)
        shown, named = self._meet(left, top, right, bottom), self._lie(left, top, right_faded, np.inf)
        whole = np.count_nonzero(named & (self._bottom <= bottom_faded), axis=1)
        return whole, np.count_nonzero(shown, axis=1) - whole + np.count_nonzero(shown & ~named, axis=1)

    def _meet(self, left: _Side, top: _Side, right: _Side, bottom: _Side) -> NDArray[np.bool_]:
        meet: NDArray[np.bool_] = (self._right >= left) & (self._left <= right) & (self._bottom >= top)
        meet &= self._top <= bottom
        return meet

    def _lie(self, left: _Side, top: _Side, right: _Side, bottom: _Side) -> NDArray[np.bool_]:
        lie: NDArray[np.bool_] = (self._left >= left) & (self._right <= right) & (self._top >= top)
        lie &= self._bottom <= bottom
        return lie

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

    def best(zooms: Floats) -> tuple[int, Viewport, int]:
        viewports = [start(bounds, canvas.size(), zoom) for zoom in zooms.tolist()]
        seen = np.array([each.visible(canvas).getCoords() for each in viewports])
        ends = seen[:, 2:]
        goes_on = ends < (bounds.right(), bounds.bottom())
        whole, cut = vertices.whole_and_cut(seen, ends - goes_on * (FADE / zooms)[:, None])
        worth = whole - CUT * cut
        first = int(np.argmax(worth))
        return int(worth[first]), viewports[first], int(cut[first])

    larger = best(NATURAL_ZOOM * LARGER)
    worth, viewport, _ = max(larger, best(NATURAL_ZOOM * SMALLER), key=lambda known: known[0]) if larger[2] else larger
    return viewport, worth


#: How far an offset may be from whole pixels of the screen for its picture to be moved instead of repainted.
_WHOLE = 1e-3
#: How far marks and borders reach beside what they belong to, in pixels.
BESIDE = 12.0


class CachedPicture:
    """A cached picture of the size of the canvas, and its key."""

    def __init__(self) -> None:
        self._pixmap = QPixmap()
        self._state: tuple[object, ...] = ()
        self._viewport = Viewport()

    def show(
        self,
        painter: QPainter,
        size: QSize,
        viewport: Viewport,
        ground: QColor,
        state: tuple[object, ...],
        paint: Callable[[QPainter, QRectF], None],
    ) -> None:
        """Draw the picture, brought up to date first.

        Parameters
        ----------
        painter
            Of the canvas.
        size, viewport
            How large the canvas is, and what part of the drawing it shows.
        ground
            Colour behind everything.
        state
            All else that the picture depends on; where any of it is another object than before, all is repainted.
        paint
            Paints a rectangle of the drawing, in the drawing's coordinates.
        """
        density = painter.device().devicePixelRatioF()
        pixels = size * density
        stale = QRegion(QRect(QPoint(), pixels))
        moved = (viewport.offset - self._viewport.offset) * density
        by = moved.toPoint()
        if (
            self._pixmap.size() == pixels
            and viewport.zoom == self._viewport.zoom
            and _same(state, self._state)
            and (moved - QPointF(by)).manhattanLength() < _WHOLE
        ):
            stale = QRegion()
            if not by.isNull():
                self._pixmap.scroll(by.x(), by.y(), self._pixmap.rect(), stale)
        elif self._pixmap.size() != pixels:
            self._pixmap = QPixmap(pixels)
        self._pixmap.setDevicePixelRatio(density)
        self._state, self._viewport = state, viewport
        if not stale.isEmpty():
            self._fill(stale, density, ground, paint)
        painter.drawPixmap(0, 0, self._pixmap)

    def _fill(self, stale: QRegion, density: float, ground: QColor, paint: Callable[[QPainter, QRectF], None]) -> None:
        viewport = self._viewport
        with QPainter(self._pixmap) as on_picture:
            for pixels in stale:  # type: ignore[attr-defined]  # which the stubs leave out
                strip = QRectF(QPointF(pixels.topLeft()) / density, pixels.size() / density)
                on_picture.save()
                on_picture.setClipRect(strip)
                on_picture.fillRect(strip, ground)
                on_picture.translate(viewport.offset)
                on_picture.scale(viewport.zoom, viewport.zoom)
                strip.adjust(-BESIDE, -BESIDE, BESIDE, BESIDE)
                paint(on_picture, QRectF(viewport.to_drawing(strip.topLeft()), strip.size() / viewport.zoom))
                on_picture.restore()


def _same(state: tuple[object, ...], before: tuple[object, ...]) -> bool:
    """Return whether nothing has been replaced; numbers count by value."""
    return len(state) == len(before) and all(
        a is b or (isinstance(a, int | float) and a == b) for a, b in zip(state, before, strict=True)
    )
