"""A small picture of the whole graph that shows which part is in sight, and goes elsewhere by a click."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.graphs.marks import Marks
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.gui.graphs.viewport import Viewport

#: Largest extent in pixels, and the blank inside.
EXTENT, BLANK = QSizeF(128, 80), 4.0
#: On a canvas of fewer times its sides, or its area, it would hide more than it shows.
LEAST_SIDE, LEAST_AREA = 2.6, 12.0


class Minimap(QWidget):
    """Shows the whole of a graph in a corner of its canvas."""

    #: The point of the drawing that was clicked.
    clicked = Signal(QPointF)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Overview of the graph")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._graph: GraphPainter | None = None
        self._bounds = QRectF()
        self._scale = 1.0
        self._pixmap: QPixmap | None = None
        self._seen = QRectF()

    def follow(self, graph: GraphPainter | None, viewport: Viewport, size: QSizeF) -> None:
        """Show a graph and the part of it in sight; hide where all of it is."""
        if graph is not self._graph:
            self._graph, self._pixmap = graph, None
            if graph is not None:
                self._bounds = graph.bounds()
                room = EXTENT - QSizeF(2 * BLANK, 2 * BLANK)
                self._scale = min(
                    room.width() / max(self._bounds.width(), 1.0), room.height() / max(self._bounds.height(), 1.0), 0.5
                )
                self.resize((self._bounds.size() * self._scale + QSizeF(2 * BLANK, 2 * BLANK)).toSize())
        self._seen = viewport.visible(size)
        width, height = size.width() / self.width(), size.height() / self.height()
        roomy = min(width, height) > LEAST_SIDE and width * height > LEAST_AREA
        self.setVisible(graph is not None and roomy and not self._seen.contains(self._bounds))
        self.move(round(size.width()) - self.width() - 8, round(size.height()) - self.height() - 8)
        self.update()

    def _to_drawing(self, point: QPointF) -> QPointF:
        return (point - QPointF(BLANK, BLANK)) / self._scale + self._bounds.topLeft()

    def _render(self, graph: GraphPainter) -> QPixmap:
        density = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * density)
        pixmap.setDevicePixelRatio(density)
        pixmap.fill(QColor(graph.look.ground))
        painter = QPainter(pixmap)
        try:
            painter.translate(BLANK, BLANK)
            painter.scale(self._scale, self._scale)
            painter.translate(-self._bounds.topLeft())
            graph.paint(painter, self._bounds, self._scale, Marks())
        finally:
            painter.end()
        return pixmap

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the graph, kept as a picture, and the frame of what is in sight."""
        if self._graph is None:
            return
        if self._pixmap is None:
            self._pixmap = self._render(self._graph)
        painter = QPainter(self)
        try:
            painter.drawPixmap(0, 0, self._pixmap)
            veil = QColor(self._graph.look.ground)
            veil.setAlphaF(0.55)
            corner = (self._seen.topLeft() - self._bounds.topLeft()) * self._scale + QPointF(BLANK, BLANK)
            seen = QRectF(corner, self._seen.size() * self._scale) & QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.fillRect(self.rect(), veil)
            painter.drawPixmap(seen.toRect(), self._pixmap.copy(_scaled(seen, self.devicePixelRatioF()).toRect()))
            painter.setPen(QPen(QColor(self._graph.look.selection), 1.0))
            painter.drawRect(seen)
            painter.setPen(QColor(self._graph.look.box_border))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        finally:
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to what was clicked."""
        self.clicked.emit(self._to_drawing(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the part in sight along."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.clicked.emit(self._to_drawing(event.position()))


def _scaled(rect: QRectF, by: float) -> QRectF:
    return QRectF(rect.topLeft() * by, rect.size() * by)
