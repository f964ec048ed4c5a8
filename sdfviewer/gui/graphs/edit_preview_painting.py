"""Paints the preview of an edit in a graph: added edges and what they lead to, resolved vertices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from sdfviewer.graphs.graph_view import EdgeChanges
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import arrow_head

#: The colour of what an edit would bring, here as of what may be dropped on.
GOOD = "#35B57C"
#: Dashes of an edge that is not there yet, in pixels, and its width.
DASHES, WIDTH = (7.0, 4.0), 2.6
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
    painter: QPainter,
    rect_of: Callable[[int], QRectF],
    orientation: Orientation,
    changes: EdgeChanges,
    zoom: float,
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
    width = max(WIDTH, 1.6 / zoom)
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
