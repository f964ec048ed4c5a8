"""An overview of the graph that shows the visible part and pans by a click."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.gui.graphs.viewport import Viewport

#: Blank inside.
BLANK = 6.0
#: The most of a side of the canvas that it takes, as a share, and the least and the most of that in pixels.
SHARE, LEAST, MOST = 0.17, 36.0, 150.0
#: A strip that would be thinner than this, in pixels, is this broad, with the drawing stretched across it.
THINNEST = 48.0
#: It is below the graph where it is so much larger there: a graph has more use for height than for width.
BELOW = 1.5
#: Its scale where the drawing is small.
LARGEST_SCALE = 0.5
#: It is of no use where so much of the drawing is in sight.
NEARLY_ALL = 0.8
#: On a smaller canvas there is no room for it: pixels along the longer and along the shorter side.
LEAST_SIDE, LEAST_ACROSS = 400.0, 130.0


def split(size: QSizeF, drawing: QSizeF) -> tuple[QSizeF, QRectF] | None:
    """Return the rectangles of the graph and of the overview beside it, or below it where that suits a drawing better.

    A wide and flat drawing would be a line in a strip beside it. None where the canvas is too small for both.
    """
    width, height = size.width(), size.height()
    if max(width, height) < LEAST_SIDE or min(width, height) < LEAST_ACROSS:
        return None
    scale_beside, breadth = _strip(size, drawing)
    scale_below, depth = _strip(size.transposed(), drawing.transposed())
    if scale_below <= BELOW * scale_beside:
        return QSizeF(width - breadth, height), QRectF(width - breadth, 0.0, breadth, height)
    return QSizeF(width, height - depth), QRectF(0.0, height - depth, width, depth)


def _strip(size: QSizeF, drawing: QSizeF) -> tuple[float, float]:
    """Return the scale of a drawing along a strip beside a graph, and the breadth of that strip."""
    most = min(max(size.width() * SHARE, LEAST), MOST)
    scale = _scale(QSizeF(most, size.height()), drawing)
    return scale, round(min(most, max(drawing.width() * scale + 2 * BLANK, THINNEST)))


def _scale(strip: QSizeF, drawing: QSizeF) -> float:
    """Return the scale at which a drawing fits into a strip."""
    across = (strip.width() - 2 * BLANK) / max(drawing.width(), 1.0)
    return min(across, (strip.height() - 2 * BLANK) / max(drawing.height(), 1.0), LARGEST_SCALE)


def _scales(strip: QRectF, drawing: QSizeF) -> tuple[float, float]:
    """Return the scales across and down of a drawing that fills the breadth of its strip."""
    scale = _scale(strip.size(), drawing)
    if strip.left() > 0.0:
        return (strip.width() - 2 * BLANK) / max(drawing.width(), 1.0), scale
    return scale, (strip.height() - 2 * BLANK) / max(drawing.height(), 1.0)


class Minimap(QWidget):
    """Shows the whole of a graph in a strip of its canvas that the graph leaves free."""

    #: The point of the drawing that was clicked.
    clicked = Signal(QPointF)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Overview of the graph")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._graph: GraphPainter | None = None
        self._bounds = QRectF()
        #: Pixels across and down for each pixel of the drawing.
        self._scales = 1.0, 1.0
        self._corner = QPointF(BLANK, BLANK)
        self._pixmap: QPixmap | None = None
        self._veiled = QPixmap()
        self._seen = QRectF()

    def follow(self, graph: GraphPainter | None, viewport: Viewport, size: QSizeF) -> None:
        """Show a graph and its visible part; hide if all of it is visible, or the canvas has no room."""
        if graph is not self._graph:
            self._graph, self._pixmap = graph, None
            if graph is not None:
                self._bounds = graph.bounds()
        parts = split(size, self._bounds.size())
        if graph is None or parts is None or _share_in_sight(self._bounds, viewport.visible(size)) >= NEARLY_ALL:
            self.hide()
            return
        room, strip = parts
        self._scales = _scales(strip, self._bounds.size())
        # Fill the strip, so that the graph ends at a straight edge and no vertex is half covered.
        width = self._bounds.width() * self._scales[0]
        self._corner = QPointF(max((strip.width() - width) / 2, BLANK), BLANK)
        if self.geometry() != strip.toRect():
            self.setGeometry(strip.toRect())
            self._pixmap = None
        self._seen = viewport.visible(room)
        self.show()
        self.update()

    def room_in(self, size: QSizeF) -> QSizeF:
        """Return what the overview leaves of a canvas for the graph."""
        parts = None if self.isHidden() else split(size, self._bounds.size())
        return parts[0] if parts is not None else size

    def _to_drawing(self, point: QPointF) -> QPointF:
        """Return the point of the drawing that is shown at a point, or the nearest one beside the drawing."""
        on_picture = point - self._corner
        x = on_picture.x() / self._scales[0] + self._bounds.left()
        y = on_picture.y() / self._scales[1] + self._bounds.top()
        x = min(max(x, self._bounds.left()), self._bounds.right())
        return QPointF(x, min(max(y, self._bounds.top()), self._bounds.bottom()))

    def _render(self, graph: GraphPainter) -> QPixmap:
        density = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * density)
        pixmap.setDevicePixelRatio(density)
        pixmap.fill(QColor(graph.colours.ground))
        painter = QPainter(pixmap)
        try:
            painter.translate(self._corner)
            painter.scale(*self._scales)
            painter.translate(-self._bounds.topLeft())
            graph.paint(painter, self._bounds, min(self._scales), GraphMarks(), texts=False)
        finally:
            painter.end()
        return pixmap

    def _veil(self, pixmap: QPixmap, graph: GraphPainter) -> QPixmap:
        """Return the picture as it is shown beside the visible part: fainter."""
        veil = QColor(graph.colours.ground)
        veil.setAlphaF(0.55)
        veiled = pixmap.copy()
        painter = QPainter(veiled)
        try:
            painter.fillRect(self.rect(), veil)
        finally:
            painter.end()
        return veiled

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cached picture of the graph, and a frame around the visible part."""
        if self._graph is None:
            return
        if self._pixmap is None:
            self._pixmap = self._render(self._graph)
            self._veiled = self._veil(self._pixmap, self._graph)
        painter = QPainter(self)
        try:
            painter.drawPixmap(0, 0, self._veiled)
            seen = _scaled(self._seen.translated(-self._bounds.topLeft()), *self._scales).translated(self._corner)
            density = self.devicePixelRatioF()
            seen &= QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawPixmap(seen.toRect(), self._pixmap.copy(_scaled(seen, density, density).toRect()))
            painter.setPen(QPen(QColor(self._graph.colours.selection), 1.0))
            painter.drawRect(seen)
            painter.setPen(QColor(self._graph.colours.box_border))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        finally:
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to what was clicked."""
        self.clicked.emit(self._to_drawing(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the visible part."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.clicked.emit(self._to_drawing(event.position()))


def _share_in_sight(bounds: QRectF, visible: QRectF) -> float:
    """Return the visible share of the area of a drawing; all of an empty one is in sight."""
    if bounds.isEmpty():
        return 1.0
    seen = bounds & visible
    return (seen.width() * seen.height()) / (bounds.width() * bounds.height())


def _scaled(rect: QRectF, across: float, down: float) -> QRectF:
    return QRectF(rect.left() * across, rect.top() * down, rect.width() * across, rect.height() * down)
