"""A canvas that shows one graph and handles mouse and keys: select, fold, re-target."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QMouseEvent, QNativeGestureEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from sdfviewer.display_text import distinct_names
from sdfviewer.graphs.layout import Bools, Orientation
from sdfviewer.graphs.picture import GraphPicture
from sdfviewer.gui.graphs.drawing import ICONS_ZOOM, Viewport
from sdfviewer.gui.graphs.graph_widget import GraphView
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.safe_text import safe_tip, show_tip

#: How near to an edge the mouse must be to take it, in pixels.
REACH = 7.0


class GraphCanvas(GraphView):
    """Lets the user work on a graph; wheel zooms, dragging the ground pans, dragging an edge's head re-targets.

    Attributes
    ----------
    legal
        Returns to which vertices the edge of one may lead; asked when a drag begins.
    refusal
        Returns why a vertex is not a valid target of the edge of another, None if it is; called while dragging.
    offer
        Shows what a drop of the edge of a vertex on another would do, with Shift or without, and says what it keeps.
    tip
        Returns what the tooltip of a vertex says, as rich text.
    """

    #: Scoped names to select, and whether they are added to the selection.
    picked = Signal(tuple, bool)
    #: Scoped name of the vertex under the mouse, or an empty text.
    hovered = Signal(str)
    #: Scoped name of the model whose box, or of the link whose joints are to be folded or opened.
    fold_toggled = Signal(str)
    #: Vertex whose edge was dropped, the vertex it was dropped on, and whether to keep the other of pose and numbers.
    retargeted = Signal(int, int, bool)
    #: What was offered last is no longer what a drop would do.
    offer_ended = Signal()
    #: Scoped name of the vertex that was double-clicked.
    opened = Signal(str)
    #: Ctrl+F.
    search_wanted = Signal()
    #: Esc while nothing is dragged.
    escaped = Signal()
    #: The 3D view should bring the selection into sight, as this canvas does.
    focus_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.legal: Callable[[int], Bools] = lambda source: np.zeros(0, dtype=bool)
        self.refusal: Callable[[int, int], str | None] = lambda source, target: "this graph cannot be edited"
        self.offer: Callable[[int, int, bool], str] = lambda source, target, other: ""
        self.tip: Callable[[int], str] = lambda vertex: ""
        self._pressed: QPointF | None = None
        self._pressed_vertex = self._pressed_edge = -1
        self._panning = False
        self._mouse = QPointF()
        self._drop_refusal: str | None = None
        #: The drop that is shown, see ``offer``, and what it keeps.
        self._offered: tuple[tuple[int, int, bool], str] | None = None
        self._hover_soon = delayed(self, self._hover_again)

    def set_viewport(self, viewport: Viewport) -> None:
        """Show another part of the drawing, in which something else may be under the mouse."""
        super().set_viewport(viewport)
        self._hover_soon.start()

    def show_picture(self, picture: GraphPicture, hint: str = "") -> None:
        """Show another picture and cancel a drag on the one before."""
        self._cancel_drag()
        super().show_picture(picture, hint)

    # --- painting ----------------------------------------------------------------------------------------------

    def _paint_above(self, painter: QPainter) -> None:
        if self.marks.dragged >= 0:
            self._paint_drag(painter)
        elif self.marks.hovered_edge >= 0:
            self._paint_handle(painter, self.marks.hovered_edge)

    def _paint_handle(self, painter: QPainter, edge: int) -> None:
        """Draw what can be taken hold of: a knob at the head of an edge."""
        assert self._painter is not None
        painter.setPen(QPen(QColor(self._painter.colours.ground), 1.5))
        painter.setBrush(QColor(self._painter.colours.selection))
        painter.drawEllipse(self._painter.head(edge), 5.0, 5.0)

    def _paint_drag(self, painter: QPainter) -> None:
        assert self._painter is not None
        refused = self._drop_refusal is not None
        colour = QColor(self._painter.colours.kind("ghost") if refused else self._painter.colours.selection)
        along = self._painter.picture.layout.orientation is not Orientation.TOP_DOWN
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

    def _edge_at(self, at: QPointF) -> int:
        """Return the edge at a point of the drawing, or -1."""
        assert self._painter is not None
        return self._painter.edge_at(at, REACH / self.viewport.zoom, self.marks.selected)

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
                self._pressed_edge = self._edge_at(at)
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
            self.look_at(self.viewport.panned(position - before))
        elif self.marks.dragged >= 0:
            self._drag(position, event.modifiers())
        elif (position - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._begin_drag()
            self._drag(position, event.modifiers())

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
            if self._joint_sign_at(event.position()) == vertex:
                self.fold_toggled.emit(graph.names[vertex])
            elif graph.rows[vertex] >= 0:
                self.picked.emit((graph.names[vertex],), adding)
            return
        box = self._painter.box_title_at(self.viewport.to_drawing(event.position()))
        if box >= 0:
            self.fold_toggled.emit(graph.boxes[box].name)
        elif not adding:
            self.picked.emit((), False)

    def _joint_sign_at(self, position: QPointF) -> int:
        """Return the link whose sign of a folded joint is at a point of the canvas, or -1; no small sign is shown."""
        if self._painter is None or self.viewport.zoom < ICONS_ZOOM:
            return -1
        return self._painter.joint_sign_at(self.viewport.to_drawing(position))

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

    def _hover_again(self) -> None:
        if self._painter is not None and self._pressed is None and self.underMouse():
            self._hover(self._mouse, with_tip=False)

    def _hover(self, position: QPointF, *, with_tip: bool = True) -> None:
        assert self._painter is not None
        at = self.viewport.to_drawing(position)
        vertex = self._painter.vertex_at(at)
        edge = self._edge_at(at) if vertex < 0 else -1
        if (vertex, edge) == (self.marks.hovered, self.marks.hovered_edge):
            return
        graph = self._painter.picture.graph
        self.marks.hovered, self.marks.hovered_edge = vertex, edge
        over_title = vertex < 0 and self._painter.box_title_at(at) >= 0
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if vertex >= 0 or edge >= 0 or over_title else Qt.CursorShape.ArrowCursor
        )
        self.hovered.emit(graph.names[vertex] if vertex >= 0 and graph.rows[vertex] >= 0 else "")
        shown = vertex if vertex >= 0 else int(graph.sources[edge]) if edge >= 0 else -1
        if shown >= 0 and with_tip:
            # Qt keeps the tip clear of the mouse, also at the bottom of the screen, if it knows where the mouse is.
            show_tip(self.mapToGlobal(position.toPoint()), safe_tip(self.tip(shown)), self)
        else:
            QToolTip.hideText()
        self.update()

    def point_out(self, name: str) -> None:
        """Show as hovered what is under the mouse in another view."""
        if self._painter is None or self.underMouse():
            return
        vertex = self._painter.picture.graph.vertex_of(name) if name else -1
        before, self.marks.hovered = self.marks.hovered, vertex
        for each in {before, vertex} if vertex != before else ():
            self.update_vertex(each)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        self.marks.hovered = self.marks.hovered_edge = -1
        # Another picture may have forgotten what was hovered, which other views still show.
        self.hovered.emit("")
        self.update()
        super().leaveEvent(event)

    def _begin_drag(self) -> None:
        assert self._painter is not None
        graph = self._painter.picture.graph
        source = self._pressed_vertex if self._pressed_vertex >= 0 else int(graph.sources[self._pressed_edge])
        self.marks.dragged, self.marks.legal = source, self.legal(source)
        self.marks.hovered_edge = self._edge_of(source)
        self.setCursor(Qt.CursorShape.DragMoveCursor)

    def _drag(self, position: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        assert self._painter is not None
        target = self._painter.vertex_at(self.viewport.to_drawing(position))
        self._drop_refusal = None
        drop = None
        where = QCursor.pos()
        if target >= 0 and target != self.marks.dragged:
            self._drop_refusal = self.refusal(self.marks.dragged, target)
            graph = self._painter.picture.graph
            # In a world many vertices have one label, such as those of models that lie in boxes.
            source_name, target_name = distinct_names(
                [graph.names[v] if graph.rows[v] >= 0 else graph.labels[v] for v in (self.marks.dragged, target)]
            )
            words = self._drop_refusal
            if words is None:
                drop = (self.marks.dragged, target, bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
                words = (
                    self._offered[1] if self._offered is not None and self._offered[0] == drop else self.offer(*drop)
                )
                self._offered = drop, words
            show_tip(where, safe_tip(f"{source_name} → {target_name}: {words}"), self)
        elif self.marks.legal is not None and not self.marks.legal.any():
            self._drop_refusal = self.refusal(self.marks.dragged, self.marks.dragged)
            show_tip(where, safe_tip(self._drop_refusal or ""), self)
        else:
            QToolTip.hideText()
        if drop is None:
            self._end_offer()
        self.marks.hovered = target
        self.update()

    def _end_offer(self) -> None:
        if self._offered is not None:
            self._offered = None
            self.offer_ended.emit()

    def _cancel_drag(self) -> None:
        self._end_offer()
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
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            return event.key() == Qt.Key.Key_F
        keys = {Qt.Key.Key_Home, Qt.Key.Key_F, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Equal, Qt.Key.Key_Escape}
        return event.modifiers() == Qt.KeyboardModifier.NoModifier and event.key() in keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom, fit, cancel a drag, or select the next vertex in a direction."""
        key = event.key()
        if key == Qt.Key.Key_Shift and self.marks.dragged >= 0:
            self._drag(self._mouse, Qt.KeyboardModifier.ShiftModifier)
        elif key == Qt.Key.Key_Escape and self.marks.dragged >= 0:
            self._pressed = None
            self._cancel_drag()
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_F and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.search_wanted.emit()
        elif key == Qt.Key.Key_Home:
            self.fit()
        elif key == Qt.Key.Key_F:
            self.reveal(sorted(self.marks.selected), centre=True)
            if self.marks.selected:
                self.focus_wanted.emit()
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
            self.zoom_by(1.25)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(0.8)
        elif key in {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self._walk(key)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Offer again what a drop keeps without Shift."""
        if event.key() == Qt.Key.Key_Shift and self.marks.dragged >= 0:
            self._drag(self._mouse, Qt.KeyboardModifier.NoModifier)
        super().keyReleaseEvent(event)

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
