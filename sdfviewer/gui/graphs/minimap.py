"""An overview of the graph that shows the visible part and pans by a click."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.graphs.drawing import Viewport
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.gui.kit.jobs import delayed

#: Blank inside.
BLANK = 6.0
CORNER = QPointF(BLANK, BLANK)
#: The most of each side of the canvas that it takes: as a share, and in pixels.
SHARE, MOST = 0.3, QSizeF(220.0, 150.0)
#: The most of each side that it takes where vertices are in all corners, and the canvas on which it is hidden then.
CROWDED_SHARE, CROWDED_LEAST = 0.17, 160.0
#: It is at least so broad and so high, in pixels, with the drawing stretched: a long one would be a line.
THINNEST = 48.0
#: Its scale where the drawing is small.
LARGEST_SCALE = 0.5
#: It is of no use where so much of the drawing is in sight.
NEARLY_ALL = 0.8
#: It goes to where it covers no vertex and no box when the graph has been at rest for so long.
REST_MILLISECONDS = 300
#: Where vertices are in all corners it is hidden when the graph has been at rest for so long.
LINGER_MILLISECONDS = 2500
#: On a smaller canvas there is no room for it: pixels along the longer and along the shorter side.
LEAST_SIDE, LEAST_ACROSS = 400.0, 130.0


def size_of_overview(canvas: QSizeF, drawing: QSizeF, share: float = SHARE) -> QSizeF | None:
    """Return the size of the overview of a drawing; None where the canvas has no room for it.

    It takes no more than a share of each side of the canvas.
    """
    if max(canvas.width(), canvas.height()) < LEAST_SIDE or min(canvas.width(), canvas.height()) < LEAST_ACROSS:
        return None
    frame = QSizeF(2 * BLANK, 2 * BLANK)
    most = (canvas * share).boundedTo(MOST) - frame
    scale = min(most.width() / max(drawing.width(), 1.0), most.height() / max(drawing.height(), 1.0), LARGEST_SCALE)
    size = (drawing * scale + frame).expandedTo(QSizeF(THINNEST, THINNEST).boundedTo(most + frame))
    return QSizeF(size.toSize())


class Minimap(QWidget):
    """Shows the whole of a graph in a free corner of its canvas.

    Where vertices are in all corners, it is there only while the graph moves and a moment longer: small and in the
    corner where it covers the fewest, if the canvas is not low too. What is looked for comes into sight beside it.
    """

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
        self._pixmap: QPixmap | None = None
        self._veiled = QPixmap()
        self._seen = QRectF()
        self._canvas = QSizeF()
        self._viewport = Viewport()
        self._is_crowded = False
        self._settle = delayed(self, self._settle_down, REST_MILLISECONDS)
        self._render_soon = delayed(self, self._render)

    def follow(self, graph: GraphPainter | None, viewport: Viewport, size: QSizeF) -> None:
        """Show a graph and its visible part; hide if all of it is visible, or the canvas has no room."""
        is_other = graph is not self._graph
        if is_other:
            self._graph, self._pixmap = graph, None
            if graph is not None:
                self._bounds = graph.bounds()
        box = size_of_overview(size, self._bounds.size())
        seen = viewport.visible(QRectF(QPointF(), size))
        if graph is None or box is None or _share_in_sight(self._bounds, seen) >= NEARLY_ALL:
            self.hide()
            self._canvas = QSizeF()
            return
        is_new = is_other or size != self._canvas
        has_moved = not is_new and viewport != self._viewport
        self._seen, self._viewport, self._canvas = seen, viewport, size
        if is_new or (has_moved and self.isHidden()):
            self._place(at_rest=not has_moved)
        if not self.isHidden():
            # It stays in its corner while the graph is panned below it.
            self._settle.start(LINGER_MILLISECONDS if self._is_crowded else REST_MILLISECONDS)
        self.update()

    def _settle_down(self) -> None:
        """Go to where it covers no vertex, or hide, once the graph is at rest."""
        if self.underMouse() or QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._settle.start()
        elif self._graph is not None and not self.isHidden() and (self._is_crowded or self._covers(self.geometry())):
            self._place(at_rest=self._is_crowded)
            if self._is_crowded and not self.isHidden():
                self._settle.start(LINGER_MILLISECONDS)
            self.update()

    def _covers(self, place: QRect | QRectF) -> int:
        """Return how many vertices, titles and borders of boxes are in a rectangle of the canvas."""
        assert self._graph is not None
        area = self._viewport.visible(QRectF(place))
        boxes = np.union1d(self._graph.box_titles_in(area), self._graph.box_borders_in(area))
        return len(self._graph.vertices_in(area)) + len(boxes)

    def _place(self, *, at_rest: bool) -> None:
        """Appear in the first free corner; where there is none, in the one where a small one covers the fewest.

        Then it is hidden at rest.
        """
        size, box = self._canvas, size_of_overview(self._canvas, self._bounds.size())
        assert box is not None
        place = min(_corners(size, box), key=self._covers)
        self._is_crowded = self._covers(place) > 0
        if self._is_crowded:
            box = size_of_overview(size, self._bounds.size(), CROWDED_SHARE) or box
            place = min(_corners(size, box), key=self._covers)
        has_room = not at_rest and min(size.width(), size.height()) >= CROWDED_LEAST
        self.setVisible(not self._is_crowded or has_room)
        if self.size() != place.toRect().size():
            self._pixmap = None
        self.setGeometry(place.toRect())
        width, height = max(self._bounds.width(), 1.0), max(self._bounds.height(), 1.0)
        self._scales = (box.width() - 2 * BLANK) / width, (box.height() - 2 * BLANK) / height

    def free_parts(self, size: QSizeF) -> list[QRectF]:
        """Return the rectangles of a canvas beside the overview, and above or below it, the largest first."""
        canvas = QRectF(QPointF(), size)
        if self.isHidden():
            return [canvas]
        box, beside, above = QRectF(self.geometry()), QRectF(canvas), QRectF(canvas)
        if box.left() > 0.0:
            beside.setRight(box.left())
        else:
            beside.setLeft(box.right())
        if box.top() > 0.0:
            above.setBottom(box.top())
        else:
            above.setTop(box.bottom())
        return sorted([beside, above], key=lambda part: -part.width() * part.height())

    def _to_drawing(self, point: QPointF) -> QPointF:
        """Return the point of the drawing that is shown at a point, or the nearest one beside the drawing."""
        on_picture = point - CORNER
        x = on_picture.x() / self._scales[0] + self._bounds.left()
        y = on_picture.y() / self._scales[1] + self._bounds.top()
        x = min(max(x, self._bounds.left()), self._bounds.right())
        return QPointF(x, min(max(y, self._bounds.top()), self._bounds.bottom()))

    def _render(self) -> None:
        """Draw the graph, in a pass of its own: with thousands of vertices it takes as long as the canvas below."""
        graph = self._graph
        if graph is not None and self._pixmap is None:
            self._pixmap = self._picture(graph)
            self._veiled = self._veil(self._pixmap, graph)
            self.update()

    def _picture(self, graph: GraphPainter) -> QPixmap:
        density = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * density)
        pixmap.setDevicePixelRatio(density)
        pixmap.fill(QColor(graph.colours.ground))
        with QPainter(pixmap) as painter:
            painter.translate(CORNER)
            painter.scale(*self._scales)
            painter.translate(-self._bounds.topLeft())
            graph.paint(painter, self._bounds, min(self._scales), GraphMarks(), texts=False)
        return pixmap

    def _veil(self, pixmap: QPixmap, graph: GraphPainter) -> QPixmap:
        """Return the picture as it is shown beside the visible part: fainter."""
        veil = QColor(graph.colours.ground)
        veil.setAlphaF(0.55)
        veiled = pixmap.copy()
        with QPainter(veiled) as painter:
            painter.fillRect(self.rect(), veil)
        return veiled

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cached picture of the graph, and a frame around the visible part."""
        if self._graph is None:
            return
        with QPainter(self) as painter:
            if self._pixmap is None:
                painter.fillRect(self.rect(), QColor(self._graph.colours.ground))
                self._render_soon.start()
                return
            painter.drawPixmap(0, 0, self._veiled)
            seen = _scaled(self._seen.translated(-self._bounds.topLeft()), *self._scales).translated(CORNER)
            density = self.devicePixelRatioF()
            seen &= QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawPixmap(seen.toRect(), self._pixmap.copy(_scaled(seen, density, density).toRect()))
            painter.setPen(QPen(QColor(self._graph.colours.selection), 1.0))
            painter.drawRect(seen)
            painter.setPen(QColor(self._graph.colours.box_border))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to what was clicked."""
        self.clicked.emit(self._to_drawing(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the visible part."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.clicked.emit(self._to_drawing(event.position()))


def _corners(canvas: QSizeF, box: QSizeF) -> tuple[QRectF, ...]:
    """Return where a box is in each corner of a canvas but the top left one, where a graph begins; the best first."""
    right, bottom = canvas.width() - box.width(), canvas.height() - box.height()
    return tuple(QRectF(QPointF(*corner), box) for corner in ((right, bottom), (right, 0.0), (0.0, bottom)))


def _share_in_sight(bounds: QRectF, visible: QRectF) -> float:
    """Return the visible share of the area of a drawing; all of an empty one is in sight."""
    if bounds.isEmpty():
        return 1.0
    seen = bounds & visible
    return (seen.width() * seen.height()) / (bounds.width() * bounds.height())


def _scaled(rect: QRectF, across: float, down: float) -> QRectF:
    return QRectF(rect.left() * across, rect.top() * down, rect.width() * across, rect.height() * down)
