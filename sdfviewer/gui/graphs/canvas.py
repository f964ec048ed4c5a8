"""A canvas that shows one graph and turns mouse and keys into wishes: select, fold, re-target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEasingCurve, QEvent, QLineF, QPoint, QPointF, QRectF, QSizeF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QCursor,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from sdfviewer.gui.graphs.minimap import Minimap
from sdfviewer.gui.graphs.painting import GraphPainter, Marks
from sdfviewer.gui.graphs.viewport import FRAME, Viewport, fit
from sdfviewer.gui.theme import tokens
from sdfviewer.scene.graph_layout import Orientation
from sdfviewer.scene.graph_picture import GraphPicture, look

#: How long vertices take to their new places, in milliseconds, and beyond how many of them they just jump.
MOVE_TIME, MOVE_MOST = 220, 3000
#: How near to an edge the mouse must be to take it, in pixels.
REACH = 7.0
#: The smallest zoom at which names can be read, and the one to start with where not everything can be.
READABLE, STARTING = 0.5, 0.8
#: Blank kept around a vertex that is brought into sight.
SIGHT = 36.0


class GraphCanvas(QWidget):
    """Shows a picture of a graph; wheel zooms, dragging the ground pans, dragging an edge's head re-targets.

    Attributes
    ----------
    refusal
        Returns why the edge of one vertex must not lead to another one, None where it may; asked while dragging.
    tip
        Returns what the tooltip of a vertex says, as rich text.
    """

    #: Scoped names to select, and whether they are added to the selection.
    picked = Signal(object, bool)
    #: Scoped name of the vertex under the mouse, or None.
    hovered = Signal(object)
    #: Scoped name of the model whose box is to be folded or opened.
    fold_toggled = Signal(str)
    #: Vertex whose edge was dropped, the vertex it was dropped on, and whether to keep the other of pose and numbers.
    retargeted = Signal(int, int, bool)
    #: Scoped name of the vertex that was double-clicked.
    opened = Signal(str)
    #: The user has panned or zoomed.
    viewport_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 80)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.refusal: Callable[[int, int], str | None] = lambda source, target: "this graph cannot be edited"
        self.tip: Callable[[int], str] = lambda vertex: ""
        self.viewport = Viewport()
        self.marks = Marks()
        self.hint = ""
        self._painter: GraphPainter | None = None
        self._minimap = Minimap(self)
        self._minimap.clicked.connect(self._go_to)
        self._fitted = True
        self._pressed: QPointF | None = None
        self._pressed_vertex = self._pressed_edge = -1
        self._panning = False
        self._mouse = QPointF()
        self._drop_refusal: str | None = None
        self._animation = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=MOVE_TIME)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._step)
        self._animation.finished.connect(self._arrive)
        self._from: tuple[np.ndarray, np.ndarray] | None = None

    # --- what is shown -----------------------------------------------------------------------------------------

    @property
    def picture(self) -> GraphPicture | None:
        """What is shown."""
        return self._painter.picture if self._painter else None

    def show_picture(self, picture: GraphPicture, hint: str = "") -> None:
        """Show another picture; vertices that were there before move to their new places.

        Parameters
        ----------
        picture
            What to show.
        hint
            What to say where the graph is empty.
        """
        self._animation.stop()
        self._cancel_drag()
        before = self._painter
        self.hint = hint
        self._painter = GraphPainter(picture, look(tokens(self.palette()).dark))
        self.marks = Marks()
        same_way = before is not None and before.picture.layout.orientation is picture.layout.orientation
        if before is None or not len(before.picture.graph) or not same_way:
            self._fitted = True
        elif not self._fitted:
            self._hold(before, picture)
        if self._fitted:
            self.start()
        elif before is not None and len(picture.graph) <= MOVE_MOST:
            self._animate(before, picture)
        self._minimap.follow(self._painter, self.viewport, QSizeF(self.size()))
        self.update()

    def _hold(self, before: GraphPainter, picture: GraphPicture) -> None:
        """Keep the vertex nearest to the middle, of those that stay, where it is on the screen."""
        old, new = before.picture.graph, picture.graph
        middle = self.viewport.to_drawing(QPointF(self.width() / 2, self.height() / 2))
        distances = np.linalg.norm(before.centres - [middle.x(), middle.y()], axis=1)
        for vertex in distances.argsort()[:64].tolist():
            kept = new.vertex_of(old.names[vertex])
            if kept >= 0:
                moved = picture.layout.centres[kept] - before.centres[vertex]
                self.viewport = self.viewport.panned(-QPointF(*moved.tolist()) * self.viewport.zoom)
                return

    def _animate(self, before: GraphPainter, picture: GraphPicture) -> None:
        old, new = before.picture.graph, picture.graph
        came_from = np.array([old.vertex(name) for name in new.names], dtype=np.intp)
        layout = picture.layout
        start = np.where((came_from >= 0)[:, None], before.centres[came_from], layout.centres)
        # The drawing may have been shifted as a whole to hold one vertex; what is left of the way is animated.
        shift = np.median((layout.centres - start)[came_from >= 0], axis=0) if (came_from >= 0).any() else 0.0
        start = np.where((came_from >= 0)[:, None], start + shift, start)
        if np.abs(start - layout.centres).max(initial=0.0) < 1.0:
            return
        self._from = (start, layout.boxes)
        self._animation.start()

    def _step(self, value: float) -> None:
        if self._painter is None or self._from is None:
            return
        layout = self._painter.picture.layout
        start, boxes = self._from
        self._painter.move(start + (layout.centres - start) * value, boxes)
        self.update()

    def _arrive(self) -> None:
        if self._painter is not None:
            layout = self._painter.picture.layout
            self._painter.move(layout.centres, layout.boxes)
        self._from = None
        self.update()

    @property
    def is_settled(self) -> bool:
        """Whether no vertex is on its way to another place."""
        return self._from is None

    def mark(self, marks: Marks) -> None:
        """Point out other vertices and edges; what is under the mouse and being dragged stays."""
        self.marks = replace(
            marks,
            hovered=self.marks.hovered,
            hovered_edge=self.marks.hovered_edge,
            dragged=self.marks.dragged,
            legal=self.marks.legal,
        )
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        if event.type() == QEvent.Type.PaletteChange and self._painter is not None:
            self._painter = GraphPainter(self._painter.picture, look(tokens(self.palette()).dark))
            self.update()
        super().changeEvent(event)

    # --- the viewport ------------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Show everything, and keep doing so while the canvas changes its size."""
        if self._painter is not None:
            self.viewport = fit(self._painter.bounds(), QSizeF(self.size()))
            self._fitted = True
            self._view_changed()

    def start(self) -> None:
        """Show everything if it can be read then, otherwise the root and what is near it in a readable size."""
        self.fit()
        if self._painter is None or self.viewport.zoom >= READABLE or not len(self._painter.picture.graph):
            return
        layout = self._painter.picture.layout
        root = int(np.flatnonzero(layout.tree < 0)[0])
        x, y = (layout.centres - layout.sizes / 2)[root].tolist()
        if layout.orientation is Orientation.LEFT_RIGHT:
            offset = QPointF(FRAME - x * STARTING, self.height() / 2 - (y + 13) * STARTING)
        else:
            offset = QPointF(self.width() / 2 - float(layout.centres[root, 0]) * STARTING, FRAME - y * STARTING)
        self.viewport = Viewport(STARTING, offset)
        self._view_changed()

    def _view_changed(self) -> None:
        self._minimap.follow(self._painter, self.viewport, QSizeF(self.size()))
        self.viewport_changed.emit(self.viewport)
        self.update()

    def _go_to(self, point: QPointF) -> None:
        self._look_at(self.viewport.centred(point, QSizeF(self.size())))

    def set_viewport(self, viewport: Viewport) -> None:
        """Show another part of the drawing."""
        if viewport != self.viewport:
            self.viewport, self._fitted = viewport, False
            self._minimap.follow(self._painter, viewport, QSizeF(self.size()))
            self.update()

    def _look_at(self, viewport: Viewport) -> None:
        self.set_viewport(viewport)
        self.viewport_changed.emit(viewport)

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a point of the canvas, by default its middle."""
        self._look_at(self.viewport.zoomed(factor, at or QPointF(self.rect().center())))

    def reveal(self, vertices: list[int], centre: bool = False) -> None:
        """Bring vertices into sight, moving the view no farther than needed, or into the middle."""
        if self._painter is None or not vertices:
            return
        layout = self._painter.picture.layout
        low = (layout.centres - layout.sizes / 2)[vertices].min(axis=0)
        high = (layout.centres + layout.sizes / 2)[vertices].max(axis=0)
        wanted = QRectF(QPointF(*low.tolist()), QPointF(*high.tolist()))
        shown = self.viewport.visible(QSizeF(self.size()))
        if shown.contains(wanted) and not centre:
            return
        room = SIGHT / self.viewport.zoom
        if centre or wanted.width() > shown.width() - 2 * room or wanted.height() > shown.height() - 2 * room:
            viewport = fit(wanted.adjusted(-room, -room, room, room), QSizeF(self.size()))
            zoom = min(viewport.zoom, max(self.viewport.zoom, 0.8))
            self._look_at(replace(self.viewport, zoom=zoom).centred(wanted.center(), QSizeF(self.size())))
            return
        wanted.adjust(-room, -room, room, room)
        dx = max(shown.left() - wanted.left(), 0.0) - max(wanted.right() - shown.right(), 0.0)
        dy = max(shown.top() - wanted.top(), 0.0) - max(wanted.bottom() - shown.bottom(), 0.0)
        self._look_at(self.viewport.panned(QPointF(dx, dy) * self.viewport.zoom))

    def vertex_at(self, position: QPoint) -> int:
        """Return the vertex at a point of the canvas, or -1."""
        return self._painter.vertex_at(self.viewport.to_drawing(QPointF(position))) if self._painter else -1

    def screen_rect(self, vertex: int) -> QRectF:
        """Return where a vertex is on the canvas."""
        assert self._painter is not None
        rect = self._painter.rect(vertex)
        return QRectF(self.viewport.to_screen(rect.topLeft()), self.viewport.to_screen(rect.bottomRight()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep a fitted drawing fitted."""
        if self._fitted:
            self.start()
        self._minimap.follow(self._painter, self.viewport, QSizeF(self.size()))
        super().resizeEvent(event)

    # --- painting ----------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in sight."""
        colours = look(tokens(self.palette()).dark)
        painter = QPainter(self)
        try:
            painter.fillRect(event.rect(), QColor(colours.ground))
            if self._painter is None or not len(self._painter.picture.graph):
                painter.setPen(QColor(colours.faint))
                painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.hint)
                return
            painter.translate(self.viewport.offset)
            painter.scale(self.viewport.zoom, self.viewport.zoom)
            visible = self.viewport.visible(QSizeF(self.size()))
            self._painter.paint(painter, visible, self.viewport.zoom, self.marks)
            if self.marks.dragged >= 0:
                self._paint_drag(painter)
            elif self.marks.hovered_edge >= 0:
                self._paint_handle(painter, self.marks.hovered_edge)
        finally:
            painter.end()

    def _paint_handle(self, painter: QPainter, edge: int) -> None:
        """Draw what can be taken hold of: a knob at the head of an edge."""
        assert self._painter is not None
        painter.setPen(QPen(QColor(self._painter.look.ground), 1.5))
        painter.setBrush(QColor(self._painter.look.selection))
        painter.drawEllipse(QPointF(*self._painter.curves[edge, 3].tolist()), 5.0, 5.0)

    def _paint_drag(self, painter: QPainter) -> None:
        assert self._painter is not None
        refused = self._drop_refusal is not None
        colour = QColor(self._painter.look.kind("ghost") if refused else self._painter.look.selection)
        along = self._painter.picture.layout.orientation is Orientation.LEFT_RIGHT
        rect = self._painter.rect(self.marks.dragged)
        start = QPointF(rect.left(), rect.center().y()) if along else QPointF(rect.center().x(), rect.top())
        end = self.viewport.to_drawing(self._mouse)
        painter.setPen(QPen(colour, max(2.4, 2.0 / self.viewport.zoom)))
        painter.drawLine(QLineF(start, end))
        painter.setBrush(colour)
        painter.drawEllipse(end, 5.0 / self.viewport.zoom, 5.0 / self.viewport.zoom)

    # --- mouse and keys ----------------------------------------------------------------------------------------

    def _edge_of(self, vertex: int) -> int:
        """Return the edge that leaves a vertex, or -1."""
        assert self._painter is not None
        leaving = np.flatnonzero(self._painter.picture.graph.sources == vertex)
        return int(leaving[0]) if len(leaving) else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click, a pan or a drag."""
        if self._painter is None:
            return
        position = event.position()
        self._pressed, self._mouse = position, position
        at = self.viewport.to_drawing(position)
        self._pressed_vertex = self._pressed_edge = -1
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_vertex = self._painter.vertex_at(at)
            if self._pressed_vertex < 0:
                self._pressed_edge = self._painter.edge_at(at, REACH / self.viewport.zoom)
        self._panning = self._pressed_vertex < 0 and self._pressed_edge < 0
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panning = True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan, drag an edge, or say what is under the mouse."""
        if self._painter is None:
            return
        position, before = event.position(), self._mouse
        self._mouse = position
        if self._pressed is None:
            self._hover(position)
        elif self._panning:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._look_at(self.viewport.panned(position - before))
        elif self.marks.dragged >= 0:
            self._drag(position)
        elif (position - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._begin_drag()
            self._drag(position)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a click, a pan or a drag."""
        if self._painter is None or self._pressed is None:
            return
        moved = (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        vertex, edge = self._pressed_vertex, self._pressed_edge
        dragged, graph = self.marks.dragged, self._painter.picture.graph
        target = self._painter.vertex_at(self.viewport.to_drawing(event.position()))
        self._pressed, self._panning = None, False
        self.unsetCursor()
        if dragged >= 0:
            refused = self._drop_refusal
            self._cancel_drag()
            if target >= 0 and target != dragged and refused is None:
                other = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self.retargeted.emit(dragged, target, other)
            return
        if moved or event.button() != Qt.MouseButton.LeftButton:
            return
        adding = bool(event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier))
        if vertex < 0 and edge >= 0:
            vertex = int(graph.sources[edge])
        if vertex >= 0:
            if graph.rows[vertex] >= 0:
                self.picked.emit((graph.names[vertex],), adding)
            return
        box = self._painter.box_title_at(self.viewport.to_drawing(event.position()))
        if box >= 0:
            self.fold_toggled.emit(graph.boxes[box].name)
        elif not adding:
            self.picked.emit((), False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a folded box, or the place of a vertex in the source."""
        if self._painter is None:
            return
        graph = self._painter.picture.graph
        vertex = self._painter.vertex_at(self.viewport.to_drawing(event.position()))
        if vertex < 0:
            self.fit()
        elif graph.folded[vertex]:
            self.fold_toggled.emit(graph.names[vertex])
        else:
            self.opened.emit(graph.names[vertex])

    def _hover(self, position: QPointF) -> None:
        assert self._painter is not None
        at = self.viewport.to_drawing(position)
        vertex = self._painter.vertex_at(at)
        edge = self._painter.edge_at(at, REACH / self.viewport.zoom) if vertex < 0 else -1
        if (vertex, edge) == (self.marks.hovered, self.marks.hovered_edge):
            return
        graph = self._painter.picture.graph
        self.marks.hovered, self.marks.hovered_edge = vertex, edge
        over_title = vertex < 0 and self._painter.box_title_at(at) >= 0
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if vertex >= 0 or edge >= 0 or over_title else Qt.CursorShape.ArrowCursor
        )
        self.hovered.emit(graph.names[vertex] if vertex >= 0 and graph.rows[vertex] >= 0 else None)
        shown = vertex if vertex >= 0 else int(graph.sources[edge]) if edge >= 0 else -1
        if shown >= 0:
            QToolTip.showText(self.mapToGlobal(position.toPoint()) + QPoint(8, 12), self.tip(shown), self)
        else:
            QToolTip.hideText()
        self.update()

    def point_out(self, name: str | None) -> None:
        """Show as hovered what is under the mouse in another view."""
        if self._painter is None or self.underMouse():
            return
        vertex = self._painter.picture.graph.vertex_of(name) if name else -1
        if vertex != self.marks.hovered:
            self.marks.hovered = vertex
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        if self.marks.hovered >= 0 or self.marks.hovered_edge >= 0:
            self.marks.hovered = self.marks.hovered_edge = -1
            self.hovered.emit(None)
            self.update()
        super().leaveEvent(event)

    def _begin_drag(self) -> None:
        assert self._painter is not None
        graph = self._painter.picture.graph
        source = self._pressed_vertex if self._pressed_vertex >= 0 else int(graph.sources[self._pressed_edge])
        legal = np.array([self.refusal(source, vertex) is None for vertex in range(len(graph))], dtype=bool)
        self.marks.dragged, self.marks.legal = source, legal
        self.marks.hovered_edge = self._edge_of(source)
        self.setCursor(Qt.CursorShape.DragMoveCursor)

    def _drag(self, position: QPointF) -> None:
        assert self._painter is not None
        target = self._painter.vertex_at(self.viewport.to_drawing(position))
        self._drop_refusal = None
        where = QCursor.pos() + QPoint(12, 16)
        if target >= 0 and target != self.marks.dragged:
            self._drop_refusal = self.refusal(self.marks.dragged, target)
            graph = self._painter.picture.graph
            offer = f"{graph.labels[self.marks.dragged]} → {graph.labels[target]}"
            QToolTip.showText(where, offer if self._drop_refusal is None else f"{offer}: {self._drop_refusal}", self)
        elif self.marks.legal is not None and not self.marks.legal.any():
            self._drop_refusal = self.refusal(self.marks.dragged, self.marks.dragged)
            QToolTip.showText(where, self._drop_refusal or "", self)
        else:
            QToolTip.hideText()
        self.marks.hovered = target
        self.update()

    def _cancel_drag(self) -> None:
        if self.marks.dragged >= 0:
            self.marks.dragged, self.marks.legal, self._drop_refusal = -1, None, None
            self.marks.hovered = self.marks.hovered_edge = -1
            self.unsetCursor()
            QToolTip.hideText()
            self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the mouse."""
        self.zoom_by(1.0015 ** event.angleDelta().y(), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Zoom by pinching, and keep the keys of this canvas from the window's shortcuts."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_by(1.0 + event.value(), event.position())
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._acts_on(event):
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _acts_on(event: QKeyEvent) -> bool:
        keys = {Qt.Key.Key_Home, Qt.Key.Key_F, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Equal, Qt.Key.Key_Escape}
        return event.modifiers() == Qt.KeyboardModifier.NoModifier and event.key() in keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom, fit, cancel a drag, or walk along the tree."""
        key = event.key()
        if key == Qt.Key.Key_Escape and self.marks.dragged >= 0:
            self._pressed = None
            self._cancel_drag()
        elif key == Qt.Key.Key_Home:
            self.fit()
        elif key == Qt.Key.Key_F:
            self.reveal(sorted(self.marks.selected), centre=True)
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
            self.zoom_by(1.25)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(0.8)
        elif key in {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self._walk(key)
        else:
            super().keyPressEvent(event)

    def _walk(self, key: int) -> None:
        """Select the nearest vertex in the direction of an arrow key."""
        if self._painter is None or not len(self._painter.picture.graph):
            return
        graph, centres = self._painter.picture.graph, self._painter.picture.layout.centres
        if not self.marks.selected:
            self.picked.emit((graph.names[0],), False)
            return
        direction = {
            Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)
        }[Qt.Key(key)]  # fmt: skip
        away = centres - centres[min(self.marks.selected)]
        ahead = away @ np.array(direction, dtype=float)
        aside = np.abs(away @ np.array(direction[::-1], dtype=float))
        cost = np.where((ahead > 1.0) & (graph.rows >= 0), ahead + 2.5 * aside, np.inf)
        if np.isfinite(cost.min()):
            self.picked.emit((graph.names[int(cost.argmin())],), False)
