"""A cached image of the canvas: panning paints only newly visible strips."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap, QRegion

from sdfviewer.gui.graphs.viewport import Viewport

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
        on_picture = QPainter(self._pixmap)
        try:
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
        finally:
            on_picture.end()


def _same(state: tuple[object, ...], before: tuple[object, ...]) -> bool:
    """Return whether nothing has been replaced; numbers count by value."""
    return len(state) == len(before) and all(
        a is b or (isinstance(a, int | float) and a == b) for a, b in zip(state, before, strict=True)
    )
