"""A widget that shows one graph, with its viewport and transitions.

It is no QGraphicsView: that pans a picture of 3000 vertices as fast, in 3 ms against 7, but what stays at the edges,
the fading and the signs of previewed edges, would make it paint all of the picture at each step, in 66 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum

import numpy as np
from PySide6.QtCore import QEasingCurve, QEvent, QPoint, QPointF, QRectF, QSizeF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from sdfviewer.display_text import visible
from sdfviewer.graphs.layout import Ints
from sdfviewer.graphs.picture import GraphPicture, graph_colours
from sdfviewer.gui.graphs.drawing import (
    BESIDE,
    FADE,
    FRAME,
    NATURAL_ZOOM,
    WHOLE_ZOOM,
    CachedPicture,
    Viewport,
    fit,
    frame_above,
    graph_font,
    start_between,
)
from sdfviewer.gui.graphs.edge_painting import LeavingEdge, leaving_edges, paint_signs
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.minimap import Minimap
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.gui.kit.theme import tokens

#: How long vertices take to their new places, in milliseconds, and beyond how many of them they just jump.
MOVE_TIME, MOVE_MOST = 220, 3000
#: Blank kept around a vertex that is brought into sight, and its most as a share of a low or narrow canvas.
SIGHT, SIGHT_SHARE = 36.0, 0.2
#: The view does not zoom out farther than this to show several vertices: shorter names would be all that can be read.
LEAST_ZOOM = 0.6 * NATURAL_ZOOM
#: A graph that was fitted into a larger canvas is not made smaller than this share to fit into a small one.
LEAST_SHRINKING = 0.5


class Framing(Enum):
    """The part of the drawing that a view keeps visible while its size changes."""

    #: The whole graph if it is readable then, otherwise its beginning.
    START = "start"
    #: All of it.
    ALL = "all"
    #: The selection, which the view scrolled to by itself.
    SELECTION = "selection"
    #: The area that the user has panned and zoomed to.
    FREE = "free"

    @property
    def is_fitted(self) -> bool:
        """Whether the view follows from the drawing and the size alone."""
        return self in (Framing.START, Framing.ALL)


class GraphView(QWidget):
    """Shows a picture of a graph: which part of it, and how it comes from one picture to the next.

    Attributes
    ----------
    viewport
        The visible part of the drawing.
    marks
        What is pointed out.
    """

    #: The user has panned or zoomed: the `Viewport` before and after.
    viewport_changed = Signal(Viewport, Viewport)

    #: The canvas has another size.
    resized = Signal()
    #: All of the graph is to be shown; it is fitted when the signal has been handled.
    fit_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(120, 80)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport = Viewport()
        self.marks = GraphMarks()
        self.hint = ""
        self._painter: GraphPainter | None = None
        self.layer = CachedPicture()
        self._minimap = Minimap(self)
        self._minimap.clicked.connect(self._go_to)
        self._framing = Framing.START
        self._fitted_zoom = 0.0
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
        self._from = None
        before = self._painter
        self.hint = hint
        self._painter = GraphPainter(picture, graph_colours(tokens(self.palette()).dark))
        self.marks = GraphMarks()
        same_way = before is not None and before.picture.layout.orientation is picture.layout.orientation
        if before is None or not len(before.picture.graph) or not (same_way or self._framing is Framing.ALL):
            self._framing = Framing.START
        elif not self._framing.is_fitted:
            self._hold(before, picture)
            if self._framing is Framing.SELECTION:
                self._fill()
            self._start_where_nothing_is_seen()
        if self._framing.is_fitted:
            self._frame()
        elif before is not None and len(picture.graph) <= MOVE_MOST:
            self._animate(before, picture)
        self._minimap.follow(self._painter, self.viewport, QSizeF(self.size()))
        self.update()

    def clear(self, hint: str) -> None:
        """Show nothing but a hint."""
        self._animation.stop()
        self._painter, self._from, self.marks, self.hint = None, None, GraphMarks(), hint
        self._minimap.hide()
        self.update()

    def _hold(self, before: GraphPainter, picture: GraphPicture) -> None:
        """Keep the vertex nearest to the middle, of those that stay, where it is on the screen."""
        old, new = before.picture.graph, picture.graph
        middle = self.viewport.to_drawing(self.room.center())
        distances = np.linalg.norm(before.centres - [middle.x(), middle.y()], axis=1)
        for vertex in distances.argsort()[:64].tolist():
            kept = new.vertex_of(old.names[vertex])
            if kept >= 0:
                moved = picture.layout.centres[kept] - before.centres[vertex]
                self.viewport = self.viewport.panned(-QPointF(*moved.tolist()) * self.viewport.zoom)
                return

    def _fill(self) -> None:
        """Show all where it can be read, else no more blank at one side than needed while the other side is cut."""
        assert self._painter is not None
        bounds, size = self._painter.bounds(), QSizeF(self.size())
        if fit(bounds, size).zoom >= WHOLE_ZOOM:
            self._framing = Framing.START
            return
        shown, zoom = self.viewport.visible(QRectF(self.rect())), self.viewport.zoom
        dx = _back(_across(shown), _across(bounds), FRAME / zoom)
        dy = _back(_down(shown), _down(bounds), frame_above(size.height()) / zoom)
        self.viewport = self.viewport.panned(QPointF(dx, dy) * zoom)

    def _animate(self, before: GraphPainter, picture: GraphPicture) -> None:
        old, new = before.picture.graph, picture.graph
        came_from = np.array([old.vertex(name) for name in new.names], dtype=np.intp)
        layout = picture.layout
        start = np.where((came_from >= 0)[:, None], before.centres[came_from], layout.centres)
        # The whole drawing may have been shifted to keep one vertex in place; the rest of the move is animated.
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

    def mark(self, marks: GraphMarks) -> None:
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
            self._painter = GraphPainter(self._painter.picture, graph_colours(tokens(self.palette()).dark))
            self._view_changed()
        super().changeEvent(event)

    # --- the viewport ------------------------------------------------------------------------------------------

    @property
    def room(self) -> QRectF:
        """The largest part of the canvas that the overview leaves free."""
        return self._minimap.free_parts(QSizeF(self.size()))[0]

    @property
    def framing(self) -> Framing:
        """The part of the drawing that stays visible while the size changes."""
        return self._framing

    def fit(self) -> None:
        """Show everything, and keep doing so in every size that is not much smaller."""
        self._framing = Framing.ALL
        self.fit_wanted.emit()
        self._frame()
        self._fitted_zoom = self.viewport.zoom

    def start(self) -> None:
        """Show everything if it can be read then, otherwise the root and what is near it in a readable size."""
        self._framing = Framing.START
        self._frame()

    def _frame(self) -> None:
        graph = self._painter
        if graph is None:
            return
        bounds = graph.bounds()
        self.viewport = fit(bounds, QSizeF(self.size()))
        if self._framing is Framing.START and self.viewport.zoom < WHOLE_ZOOM:
            self.viewport, _ = start_between(graph.vertices, bounds, QRectF(self.rect()))
        self._view_changed()

    def _start_where_nothing_is_seen(self) -> None:
        """Begin again where another picture, or another size, leaves the canvas empty."""
        if self._painter is not None and not self.sees(range(len(self._painter.picture.graph))):
            self.start()

    def _view_changed(self) -> None:
        self._minimap.follow(self._painter, self.viewport, QSizeF(self.size()))
        self.update()

    def _go_to(self, point: QPointF) -> None:
        """Show a point of the drawing, or the vertex nearest to it where there is none around it."""
        assert self._painter is not None
        viewport = self.viewport.centred(point, self.room)
        if not self._seen_in(viewport).size:
            nearest = self._nearest(point, np.arange(len(self._painter.centres)))
            viewport = viewport.centred(nearest.center(), self.room)
        self.look_at(viewport)

    def set_viewport(self, viewport: Viewport) -> None:
        """Show another part of the drawing."""
        if viewport != self.viewport:
            self.viewport, self._framing = viewport, Framing.FREE
            self._minimap.follow(self._painter, viewport, QSizeF(self.size()))
            self.update()

    def look_at(self, viewport: Viewport) -> None:
        """Show another part of the drawing because the user wants it."""
        before = self.viewport
        self.set_viewport(viewport)
        self.viewport_changed.emit(before, self.viewport)

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a point of the canvas, by default its middle.

        Zooming in on an empty place goes to the nearest vertex that is in sight.
        """
        at = at or self.room.center()
        viewport, seen = self.viewport.zoomed(factor, at), self._seen_in(self.viewport)
        if seen.size and not self._seen_in(viewport).size:
            point = self.viewport.to_drawing(at)
            nearest = self._nearest(point, seen) & self.viewport.visible(self._inner_room)
            viewport = self.viewport.zoomed(factor, self.viewport.to_screen(_clamped(point, nearest)))
        self.look_at(viewport)

    @property
    def _inner_room(self) -> QRectF:
        """Where on the canvas a part of a vertex is enough to find the way."""
        blank = SIGHT_SHARE * min(self.room.width(), self.room.height())
        return self.room.adjusted(blank, blank, -blank, -blank)

    def _seen_in(self, viewport: Viewport) -> Ints:
        """Return the vertices that are well in sight with a viewport."""
        if self._painter is None:
            return np.zeros(0, dtype=np.intp)
        return self._painter.vertices_in(viewport.visible(self._inner_room))

    def _nearest(self, point: QPointF, vertices: Ints) -> QRectF:
        """Return where of some vertices the one nearest to a point of the drawing is."""
        assert self._painter is not None
        distances = np.linalg.norm(self._painter.centres[vertices] - point.toTuple(), axis=1)
        return self._painter.rect(int(vertices[distances.argmin()]))

    def sees(self, vertices: Iterable[int]) -> bool:
        """Return whether at least a part of one of some vertices is in sight."""
        if self._painter is None:
            return False
        shown = [self.viewport.visible(part) for part in self._minimap.free_parts(QSizeF(self.size()))]
        return any(part.intersects(self._painter.rect(vertex)) for vertex in vertices for part in shown)

    def reveal(self, vertices: list[int], centre: bool = False, *, readable: bool = False) -> None:
        """Scroll to vertices, or centre them, and zoom in where names are too small to be read if they are to be.

        What is cut by an edge of the canvas comes just inside. What is out of sight comes to the middle, as far as the
        drawing reaches, so that its neighbours are seen with it. What would be under the overview comes beside it. Of
        vertices that are so far apart that no name could be read it is the last one.
        """
        if self._painter is None or not vertices:
            return
        wanted = self._around(vertices)
        if fit(wanted, self.room.size()).zoom < LEAST_ZOOM:
            wanted = self._around(vertices[-1:])
        framing = self._framing
        if readable and self.viewport.zoom < NATURAL_ZOOM:
            self.set_viewport(replace(self.viewport, zoom=NATURAL_ZOOM).centred(wanted.center(), self.room))
        self._bring_into(QRectF(self.rect()), wanted, centre)
        parts = self._minimap.free_parts(QSizeF(self.size()))
        if not any(self.viewport.visible(part).contains(wanted) for part in parts):
            self._bring_into(parts[0], wanted)
        if framing is not Framing.FREE and self._framing is Framing.FREE:
            self._framing = Framing.SELECTION

    def _around(self, vertices: list[int]) -> QRectF:
        assert self._painter is not None
        layout = self._painter.picture.layout
        low = (layout.centres - layout.sizes / 2)[vertices].min(axis=0)
        high = (layout.centres + layout.sizes / 2)[vertices].max(axis=0)
        return QRectF(QPointF(*low.tolist()), QPointF(*high.tolist()))

    def _bring_into(self, area: QRectF, wanted: QRectF, centre: bool = False) -> None:
        """Scroll until a part of the drawing is in an area of the canvas."""
        size, shown = area.size(), self.viewport.visible(area)
        if shown.contains(wanted) and not centre:
            return
        room = min(SIGHT, SIGHT_SHARE * size.width(), SIGHT_SHARE * size.height()) / self.viewport.zoom
        if centre or wanted.width() > shown.width() - 2 * room or wanted.height() > shown.height() - 2 * room:
            viewport = fit(wanted.adjusted(-room, -room, room, room), size)
            zoom = min(viewport.zoom, max(self.viewport.zoom, NATURAL_ZOOM))
            self.set_viewport(replace(self.viewport, zoom=zoom).centred(wanted.center(), area))
            return
        assert self._painter is not None
        bounds = self._painter.bounds()
        dx = _shift(_across(shown), _across(wanted), _across(bounds), room)
        dy = _shift(_down(shown), _down(wanted), _down(bounds), room)
        self.set_viewport(self.viewport.panned(QPointF(dx, dy) * self.viewport.zoom))

    def vertex_at(self, position: QPoint) -> int:
        """Return the vertex at a point of the canvas, or -1."""
        return self._painter.vertex_at(self.viewport.to_drawing(QPointF(position))) if self._painter else -1

    def screen_rect(self, vertex: int) -> QRectF:
        """Return where a vertex is on the canvas."""
        assert self._painter is not None
        rect = self._painter.rect(vertex)
        return QRectF(self.viewport.to_screen(rect.topLeft()), self.viewport.to_screen(rect.bottomRight()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the visible part in place."""
        if self._framing.is_fitted:
            self._frame()
        else:
            self._start_where_nothing_is_seen()
        if self._framing is Framing.ALL and self.viewport.zoom < LEAST_SHRINKING * self._fitted_zoom:
            self.start()
        self._minimap.follow(self._painter, self.viewport, QSizeF(self.size()))
        super().resizeEvent(event)
        self.resized.emit()

    # --- painting ----------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible part."""
        colours = graph_colours(tokens(self.palette()).dark)
        with QPainter(self) as painter:
            shown = self._painter
            if shown is None or not len(shown.picture.graph):
                painter.fillRect(event.rect(), QColor(colours.ground))
                painter.setPen(QColor(colours.faint))
                painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.hint)
                return
            marks, zoom = self.marks, self.viewport.zoom
            at_rest = replace(marks, hovered=-1, hovered_edge=-1)
            state = (shown, shown.curves, *(getattr(at_rest, name) for name in GraphMarks.__slots__))
            self.layer.show(
                painter,
                self.size(),
                self.viewport,
                QColor(colours.ground),
                state,
                lambda on_picture, visible: shown.paint(on_picture, visible, zoom, at_rest),
            )
            with self._in_drawing(painter):
                shown.paint_hovered(painter, zoom, marks)
            self._fade_edges(painter, shown.bounds(), QColor(colours.ground))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            with self._in_drawing(painter):
                self._paint_above(painter)
            self._paint_signs(painter)

    def update_vertex(self, vertex: int) -> None:
        """Paint again what shows that a vertex is under the mouse, or is not; -1 is none."""
        if self._painter is not None and vertex >= 0:
            zoom = self.viewport.zoom
            area = self._painter.hovered_area(vertex, QFontMetrics(graph_font(zoom)), zoom)
            shown = QRectF(self.viewport.to_screen(area.topLeft()), area.size() * zoom)
            self.update(shown.adjusted(-BESIDE, -BESIDE, BESIDE, BESIDE).toAlignedRect())

    @contextmanager
    def _in_drawing(self, painter: QPainter) -> Iterator[None]:
        """Let a painter of the canvas paint in the coordinates of the drawing."""
        painter.save()
        painter.translate(self.viewport.offset)
        painter.scale(self.viewport.zoom, self.viewport.zoom)
        yield
        painter.restore()

    def _fade_edges(self, painter: QPainter, drawing: QRectF, ground: QColor) -> None:
        """Let the drawing fade where it goes on beyond an edge: a row that is cut would look as if it were the last."""
        room = QRectF(self.rect())
        seen = self.viewport.visible(room)
        top_left, bottom_right = room.topLeft(), room.bottomRight()
        clear = QColor(ground)
        clear.setAlpha(0)
        for goes_on, edge, inwards in (
            (drawing.left() < seen.left(), top_left, QPointF(FADE, 0.0)),
            (drawing.top() < seen.top(), top_left, QPointF(0.0, FADE)),
            (drawing.right() > seen.right(), bottom_right, QPointF(-FADE, 0.0)),
            (drawing.bottom() > seen.bottom(), bottom_right, QPointF(0.0, -FADE)),
        ):
            if goes_on:
                gradient = QLinearGradient(edge, edge + inwards)
                gradient.setColorAt(0.0, ground)
                gradient.setColorAt(1.0, clear)
                across = QPointF(room.width() if edge is top_left else -room.width(), 0.0)
                down = QPointF(0.0, room.height() if edge is top_left else -room.height())
                other = across if inwards.x() == 0.0 else down
                painter.fillRect(QRectF(edge, edge + inwards + other).normalized(), gradient)

    @property
    def leaving(self) -> list[LeavingEdge]:
        """The edges of the previewed edit that lead from what is in sight to what is not."""
        if self._painter is None or self.marks.preview is None:
            return []
        orientation = self._painter.picture.layout.orientation
        return list(leaving_edges(self.room, self.screen_rect, orientation, self.marks.preview))

    def _paint_signs(self, painter: QPainter) -> None:
        """Say at the edge of the canvas where previewed edges lead."""
        if self._painter is None or not (leaving := self.leaving):
            return
        picture, colours = self._painter.picture, self._painter.colours
        signs = [(each, f"{visible(picture.graph.labels[each.target])} {each.arrow}") for each in leaving]
        paint_signs(painter, self.room, signs, QColor(colours.ground), QColor(colours.text))

    def _paint_above(self, painter: QPainter) -> None:
        """Paint what is above the graph, in coordinates of the drawing."""


#: Beginning and end of a rectangle along one axis.
_Interval = tuple[float, float]


def _across(rect: QRectF) -> _Interval:
    return rect.left(), rect.right()


def _down(rect: QRectF) -> _Interval:
    return rect.top(), rect.bottom()


def _clamped(point: QPointF, rect: QRectF) -> QPointF:
    """Return the point of a rectangle that is nearest to a point."""
    x, y = min(max(point.x(), rect.left()), rect.right()), min(max(point.y(), rect.top()), rect.bottom())
    return QPointF(x, y)


def _shift(shown: _Interval, wanted: _Interval, drawing: _Interval, room: float) -> float:
    """Return by how much to move a drawing along one axis to bring a part of it into sight, with room around it."""
    low, high = wanted[0] - room, wanted[1] + room
    if wanted[1] < shown[0] or wanted[0] > shown[1]:
        span = shown[1] - shown[0]
        first = (wanted[0] + wanted[1] - span) / 2
        first = max(min(first, max(drawing[1], wanted[1]) + room - span), min(drawing[0], wanted[0]) - room)
        return shown[0] - first
    return max(shown[0] - low, 0.0) - max(high - shown[1], 0.0)


def _back(shown: _Interval, drawing: _Interval, room: float) -> float:
    """Return by how much to move a drawing along one axis to fill a blank at one end with what the other end cuts."""
    before, after = drawing[0] - room - shown[0], shown[1] - drawing[1] - room
    return max(min(after, -before), 0.0) - max(min(before, -after), 0.0)
