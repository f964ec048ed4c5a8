"""Paints edges of graphs: those bundled in a block, and those that a previewed edit adds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from sdfviewer.graphs.blocks import BLOCK_FROM, Floats, Ints
from sdfviewer.graphs.graph_view import EdgeChanges
from sdfviewer.graphs.layout import Bools, Orientation
from sdfviewer.graphs.picture import DEFAULT_DASHES, GraphColours, GraphPicture, arrow_head
from sdfviewer.gui.graphs.drawing import Extents
from sdfviewer.gui.graphs.graph_marks import GraphMarks

#: The colour of what an edit would bring, here as of what may be dropped on.
GOOD = "#35B57C"
#: Dashes of an edge that is not there yet, in pixels, and its width.
DASHES, PREVIEW_WIDTH = (7.0, 4.0), 2.6
#: How far it bulges to the side where no other edge runs.
BULGE = 34.0
#: How far the line around what an added edge leads to is from it, and how wide that line is.
AROUND, AROUND_WIDTH = 3.0, 2.0
#: A sign at the edge of the canvas: blank inside, its distance from the edge, its largest share of the width.
BLANK, INSIDE, SIGN_SHARE = 6.0, 4.0, 0.5
#: How far a sign is from the vertex that its edge begins at, which has lines around it.
OFF = 8.0
#: So many signs at most: an edit with more added edges is no choice between frames.
MOST_SIGNS = 4
#: How many places of a curve are tried to find where it leaves the canvas.
PLACES = 64
#: How far apart facing sides must be for an edge to join them.
APART = 8.0


def paint_edge_changes(
    painter: QPainter, rect_of: Callable[[int], QRectF], orientation: Orientation, changes: EdgeChanges, zoom: float
) -> None:
    """Paint over a graph what an edit would change in it.

    Parameters
    ----------
    painter
        Transformed to the drawing's coordinates.
    rect_of
        Returns where a vertex is.
    orientation
        How the graph is laid out.
    changes
        What the edit changes.
    zoom
        Pixels of the screen for each pixel of the drawing.
    """
    colour = QColor(GOOD)
    width = max(PREVIEW_WIDTH, 1.6 / zoom)
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([dash / width for dash in DASHES])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    for vertex in changes.resolved:
        painter.drawRoundedRect(rect_of(vertex).adjusted(-4, -4, 4, 4), 8, 8)
    painter.setPen(QPen(colour, max(AROUND_WIDTH, 1.2 / zoom)))
    for _, target in changes.added:
        painter.drawRoundedRect(rect_of(target).adjusted(-AROUND, -AROUND, AROUND, AROUND), 8, 8)
    is_across_y = orientation is not Orientation.TOP_DOWN
    for source, target in changes.added:
        curve = edge_curve(rect_of(source), rect_of(target), is_across_y)
        path = QPainterPath(curve[0])
        path.cubicTo(*curve[1:])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        points = np.array([[point.x(), point.y()] for point in curve])
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in arrow_head(points, 0.7 + 0.22 * width)]))


@dataclass(frozen=True, slots=True)
class LeavingEdge:
    """An added edge that leads to a vertex beyond the canvas.

    Attributes
    ----------
    target
        The vertex.
    source
        Where the vertex that it begins at is on the canvas.
    at
        Where the edge leaves the canvas.
    arrow
        An arrow in the direction of the vertex.
    """

    target: int
    source: QRectF
    at: QPointF
    arrow: str


def leaving_edges(
    room: QRectF, rect_of: Callable[[int], QRectF], orientation: Orientation, changes: EdgeChanges
) -> Iterator[LeavingEdge]:
    """Yield the added edges that begin in a room of the canvas and lead out of it; ``rect_of`` is as on the canvas."""
    for source, target in changes.added:
        ends = rect_of(source), rect_of(target)
        if room.contains(ends[1].center()) or not room.intersects(ends[0]):
            continue
        curve = edge_curve(*ends, orientation is not Orientation.TOP_DOWN)
        path = QPainterPath(curve[0])
        path.cubicTo(*curve[1:])
        places = (path.pointAtPercent(1.0 - place / PLACES) for place in range(PLACES + 1))
        last = next((place for place in places if room.contains(place)), None)
        if last is not None:
            to = ends[1].center() - last
            arrow = ("→" if to.x() > 0 else "←") if abs(to.x()) > abs(to.y()) else ("↓" if to.y() > 0 else "↑")
            yield LeavingEdge(target, ends[0], last, arrow)


def paint_signs(
    painter: QPainter, room: QRectF, signs: list[tuple[LeavingEdge, str]], ground: QColor, text: QColor
) -> None:
    """Write what is beyond the canvas, each text where its edge leaves; of texts in one place the first is seen."""
    metrics, taken = painter.fontMetrics(), QRectF()
    inner = room.adjusted(INSIDE, INSIDE, -INSIDE, -INSIDE)
    for edge, words in signs[:MOST_SIGNS]:
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, round(room.width() * SIGN_SHARE))
        sign = place_sign(QSizeF(metrics.horizontalAdvance(shown) + 2 * BLANK, metrics.height() + BLANK), edge, inner)
        if taken.intersects(sign):
            continue
        taken |= sign
        painter.setPen(QPen(QColor(GOOD), AROUND_WIDTH))
        painter.setBrush(ground)
        painter.drawRoundedRect(sign, 4, 4)
        painter.setPen(text)
        painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, shown)


def place_sign(size: QSizeF, edge: LeavingEdge, room: QRectF) -> QRectF:
    """Return where in a room a sign is: where its edge leaves, beside the vertex at which the edge begins."""
    sign = QRectF(QPointF(), size)
    sign.moveCenter(edge.at)
    sign.moveLeft(max(min(sign.left(), room.right() - sign.width()), room.left()))
    sign.moveTop(max(min(sign.top(), room.bottom() - sign.height()), room.top()))
    source = edge.source.adjusted(-OFF, -OFF, OFF, OFF)
    if not sign.intersects(source):
        return sign
    ways = [
        QPointF(0.0, source.top() - sign.bottom()),
        QPointF(0.0, source.bottom() - sign.top()),
        QPointF(source.left() - sign.right(), 0.0),
        QPointF(source.right() - sign.left(), 0.0),
    ]
    moved = [sign.translated(way) for way in sorted(ways, key=QPointF.manhattanLength)]
    return next((each for each in moved if room.contains(each)), sign)


def edge_curve(a: QRectF, b: QRectF, is_across_y: bool) -> list[QPointF]:
    """Return the control points of an edge from one vertex to another, on the side where edges of cycles do not run.

    ``is_across_y`` says that the levels are columns, as in a graph with its root at the left. Between two vertices of
    one level the edge goes around them, since others may be between them.
    """
    beside = QPointF(a.left(), a.center().y()), QPointF(b.right(), b.center().y())
    below = QPointF(a.center().x(), a.top()), QPointF(b.center().x(), b.bottom())
    above = QPointF(a.center().x(), a.bottom()), QPointF(b.center().x(), b.top())
    ways = [(a.left() - b.right(), beside), (a.top() - b.bottom(), below), (b.top() - a.bottom(), above)]
    is_in_column = a.left() < b.right() and b.left() < a.right()
    if is_across_y and is_in_column:
        ways = []
    # Follow the levels if the target is in that direction, otherwise join the facing sides.
    for gap, (start, end) in ways if is_across_y else ways[1:]:
        if gap > APART:
            half = (start - end) / 2
            reach = QPointF(half.x(), 0) if start is beside[0] else QPointF(0, half.y())
            return [start, start - reach, end + reach, end]
    if is_in_column:
        start, end = QPointF(a.right(), a.center().y()), QPointF(b.right(), b.center().y())
        right = max(start.x(), end.x()) + BULGE
        return [start, QPointF(right, start.y()), QPointF(right, end.y()), end]
    start, end = QPointF(a.center().x(), a.bottom()), QPointF(b.center().x(), b.bottom())
    low = max(start.y(), end.y()) + BULGE
    return [start, QPointF(start.x(), low), QPointF(end.x(), low), end]


#: Thickness of trunks and lanes, and of what is pointed out in them.
WIDTH, MARKED_WIDTH = 1.8, 2.2
#: How much is left to see of one that does not matter now.
FAINT = 0.3
#: A dash that is shorter on the screen, in pixels, is not drawn; how much is left of such an edge by default.
LEAST_DASH, UNWRITTEN = 3.5, 0.45


class Bundles:
    """The bundled edges of one picture.

    Parameters
    ----------
    picture, colours
        What is painted, and in which colours.
    """

    def __init__(self, picture: GraphPicture, colours: GraphColours) -> None:
        self._picture, self._colours = picture, colours
        graph = picture.graph
        self._blocks = picture.layout.blocks
        written = np.zeros(len(graph), dtype=bool)
        written[graph.targets[graph.written] if graph.is_kinematic else graph.sources[graph.written]] = True
        # Of all blocks at once, each with the number of its block: there are as many blocks as models in a world.
        trunks, trunk_of = _join([block.trunks for block in self._blocks], (0, 2, 2))
        points, point_of = _join([block.lane for block in self._blocks], (0, 2))
        lanes = np.stack([points[1:], points[:-1]], axis=1)[point_of[1:] == point_of[:-1]]
        lane_of = point_of[1:][point_of[1:] == point_of[:-1]]
        self._lines, self._block_of = np.concatenate([trunks, lanes]), np.concatenate([trunk_of, lane_of])
        self._leaves, self._block_of_leaf = _join([block.leaves for block in self._blocks], (0,), dtype=np.intp)
        self._is_written = self._blocks_with(written)
        self._heads: dict[int, QPolygonF] = {}
        low, high = np.full((len(self._blocks), 2), np.inf), np.full((len(self._blocks), 2), -np.inf)
        np.minimum.at(low, self._block_of, self._lines.min(axis=1))
        np.maximum.at(high, self._block_of, self._lines.max(axis=1))
        self._extents = Extents(low, high)

    def _blocks_with(self, vertices: Bools) -> Bools:
        """Return which blocks have one of some vertices as a leaf."""
        found = np.zeros(len(self._blocks), dtype=bool)
        found[self._block_of_leaf[vertices[self._leaves]]] = True
        return found

    def way(self, edge: int) -> Floats:
        """Return the whole way (p, 2) of a bundled edge, from its leaf along the trunk to the hub."""
        block, place = self._picture.bundled[edge]
        return block.path(place, self._picture.curves[edge, 3 if self._picture.graph.is_kinematic else 0])

    def distance(self, edge: int, point: QPointF) -> float:
        """Return how far a point of the drawing is from the way of a bundled edge."""
        way, at = self.way(edge), np.array([point.x(), point.y()])
        start, along = way[:-1], np.diff(way, axis=0)
        share = ((at - start) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-9)
        nearest = start + np.clip(share, 0.0, 1.0)[:, None] * along
        return float(np.linalg.norm(nearest - at, axis=1).min())

    def paint(self, painter: QPainter, visible: QRectF, zoom: float, marks: GraphMarks, *, texts: bool) -> None:
        """Paint the trunks and lanes that reach into a rectangle of the drawing.

        Parameters
        ----------
        texts
            Whether names can be read at this zoom; then the number of edges is written beside the lane.
        """
        if not self._blocks:
            return
        colours = self._colours
        low, high = (np.array([p.x(), p.y()]) for p in (visible.topLeft(), visible.bottomRight()))
        near = np.zeros(len(self._blocks), dtype=bool)
        near[self._extents.meeting(low - 20, high + 20)] = True
        bright = np.ones(len(self._blocks), dtype=bool) if marks.bright is None else self._blocks_with(marks.bright)
        # Many at once: each call takes longer than the line.
        for is_bright, is_written in ((False, False), (False, True), (True, False), (True, True)):
            blocks = near & (bright == is_bright) & (self._is_written == is_written)
            if blocks.any():
                self._paint_alike(painter, blocks, visible, zoom, (is_bright, is_written), texts=texts)
        if texts and self._picture.layout.orientation is not Orientation.COMPACT:
            painter.setPen(QColor(colours.faint))
            for block in itertools.compress(self._blocks, near.tolist()):
                if len(block.leaves) >= BLOCK_FROM:
                    painter.drawText(QPointF(*(block.lane[1] + (8.0, -5.0)).tolist()), f"{len(block.leaves)} edges")
        for edge in marks.chain & self._picture.bundled.keys():
            self.point_out(painter, edge, zoom, colours.selection)

    def point_out(self, painter: QPainter, edge: int, zoom: float, colour: str) -> None:
        """Paint the whole way of a bundled edge in a colour."""
        way = self.way(edge)
        painter.setPen(QPen(QColor(colour), max(MARKED_WIDTH, 1.6 / zoom)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(_polygon(way))
        if not self._picture.graph.is_kinematic:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawPolygon(_head(way))

    @cached_property
    def _whole(self) -> list[QLineF]:
        """The lines as Qt has them."""
        return [QLineF(*line) for line in self._lines.reshape(-1, 4).tolist()]

    def _head(self, index: int) -> QPolygonF:
        head = self._heads.get(index)
        if head is None:
            head = self._heads[index] = _head(self._blocks[index].lane)
        return head

    def _paint_alike(
        self, painter: QPainter, blocks: Bools, visible: QRectF, zoom: float, style: tuple[bool, bool], *, texts: bool
    ) -> None:
        """Paint the bundles of some blocks that are all bright or not, and all written or not."""
        is_bright, is_written = style
        shows_dashes = texts and DEFAULT_DASHES[0] * zoom >= LEAST_DASH
        # From afar thin, so that what is pointed out is not lost among them.
        width, colour = max(WIDTH, 0.8 / zoom) if texts else 0.0, QColor(self._colours.edge)
        if not is_bright:
            colour.setAlphaF(FAINT)
        elif not is_written and not shows_dashes:
            colour.setAlphaF(UNWRITTEN)
        pen = QPen(colour, width)
        if shows_dashes and not is_written:
            pen.setDashPattern([dash / width for dash in DEFAULT_DASHES])
        painter.setPen(pen)
        if texts:
            _draw(painter, self._lines[blocks[self._block_of]], visible)
        else:
            self._draw_whole(painter, blocks, visible)
        if texts and not self._picture.graph.is_kinematic:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            for index in np.flatnonzero(blocks).tolist():
                painter.drawPolygon(self._head(index))

    def _draw_whole(self, painter: QPainter, blocks: Bools, visible: QRectF) -> None:
        """Draw the lines of some blocks that reach into a rectangle of the drawing, without dashes."""
        chosen = np.flatnonzero(blocks[self._block_of] & _reach(self._lines, visible))
        painter.drawLines([self._whole[line] for line in chosen.tolist()])


def _join(parts: Sequence[NDArray[Any]], none: tuple[int, ...], dtype: DTypeLike = float) -> tuple[NDArray[Any], Ints]:
    """Return the rows of all parts, and of each row which part it is from; ``none`` is the shape without any part."""
    counts = np.array([len(part) for part in parts], dtype=np.intp)
    return np.concatenate([np.zeros(none, dtype), *parts]), np.repeat(np.arange(len(parts)), counts)


def _draw(painter: QPainter, lines: Floats, visible: QRectF) -> None:
    painter.drawLines([QLineF(*line) for line in _clip(lines, visible).reshape(-1, 4).tolist()])


def _clip(lines: Floats, visible: QRectF) -> Floats:
    """Return the visible parts of vertical and horizontal lines (k, 2, 2): drawing dashes takes long."""
    low = np.array([visible.left(), visible.top()]) - 20
    high = np.array([visible.right(), visible.bottom()]) + 20
    shown = lines[_reach(lines, visible)]
    # Cut lines by whole dash periods, so that dashes do not crawl while panning.
    period = sum(DEFAULT_DASHES)
    start, end = shown[:, 0], shown[:, 1]
    cut = np.clip(start, low, high)
    cut = start + np.trunc((cut - start) / period) * period
    return np.stack([cut, np.clip(end, low, high)], axis=1)


def _reach(lines: Floats, visible: QRectF) -> Bools:
    """Return which lines (k, 2, 2) may be seen in a rectangle of the drawing, or just beside it."""
    around = visible.adjusted(-20, -20, 20, 20)
    (ax, ay), (bx, by) = lines[:, 0].T, lines[:, 1].T
    across: Bools = (np.maximum(ax, bx) >= around.left()) & (np.minimum(ax, bx) <= around.right())
    down: Bools = (np.maximum(ay, by) >= around.top()) & (np.minimum(ay, by) <= around.bottom())
    return across & down


def _polygon(points: Floats) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def _head(way: Floats) -> QPolygonF:
    """Return the arrow head at the end of a way (p, 2)."""
    return QPolygonF([QPointF(x, y) for x, y in arrow_head(way[-4:], 1.1)])
