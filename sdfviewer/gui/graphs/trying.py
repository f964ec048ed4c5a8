"""An edit that the user only looks at, in a graph: edges that it would draw, edges that it would take away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from sdfviewer.scene.graph_layout import Orientation
from sdfviewer.scene.graph_picture import arrow_head
from sdfviewer.scene.graph_view import Graph

if TYPE_CHECKING:
    from sdfviewer.gui.graphs.painting import GraphPainter

#: The colour of what an edit would bring, here as of what may be dropped on.
GOOD = "#35B57C"
#: Dashes of an edge that is not there yet, in pixels, and its width.
DASHES, WIDTH = (7.0, 4.0), 2.6
#: How far it bulges to the side where no other edge runs.
BULGE = 34.0
#: How far apart facing sides must be for an edge to join them.
APART = 8.0


@dataclass(frozen=True, slots=True)
class Tried:
    """What an edit would change in a graph.

    Attributes
    ----------
    drawn
        Source and target of each edge that it would draw.
    taken
        Edges that it would take away.
    mended
        Vertices that would lead to a root again.
    """

    drawn: tuple[tuple[int, int], ...] = ()
    taken: frozenset[int] = frozenset()
    mended: tuple[int, ...] = ()


def compare(graph: Graph, after: Graph) -> Tried:
    """Return what changes from a graph as it is shown, perhaps folded, to the whole graph after an edit."""
    # An edit that is tried adds and removes nothing, so rows stay, while names may change.
    of_row = {row: vertex for vertex, row in enumerate(graph.rows.tolist()) if row >= 0}
    rows = after.rows.tolist()
    shown = [of_row.get(row, graph.vertex(name)) for row, name in zip(rows, after.names, strict=True)]
    ends = zip(after.sources.tolist(), after.targets.tolist(), strict=True)
    wanted = dict.fromkeys((shown[source], shown[target]) for source, target in ends)
    present = {pair: edge for edge, pair in enumerate(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))}
    drawn = [pair for pair in wanted if pair not in present and min(pair) >= 0 and pair[0] != pair[1]]
    taken = [edge for pair, edge in present.items() if pair not in wanted]
    lost = {shown[vertex] for vertex in np.flatnonzero(after.unresolved).tolist()}
    known = set(shown)
    mended = [v for v in np.flatnonzero(graph.unresolved).tolist() if v in known and v not in lost]
    return Tried(tuple(drawn), frozenset(taken), tuple(mended))


def paint_tried(painter: QPainter, shown: GraphPainter, tried: Tried, zoom: float) -> None:
    """Paint over a graph what an edit would change in it."""
    colour = QColor(GOOD)
    width = max(WIDTH, 1.6 / zoom)
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([dash / width for dash in DASHES])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    for vertex in tried.mended:
        painter.drawRoundedRect(shown.rect(vertex).adjusted(-4, -4, 4, 4), 8, 8)
    is_across_y = shown.picture.layout.orientation is Orientation.LEFT_RIGHT
    for source, target in tried.drawn:
        curve = _curve(shown.rect(source), shown.rect(target), is_across_y)
        path = QPainterPath(curve[0])
        path.cubicTo(*curve[1:])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        points = np.array([[point.x(), point.y()] for point in curve])
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in arrow_head(points, 0.7 + 0.22 * width)]))


def _curve(a: QRectF, b: QRectF, is_across_y: bool) -> list[QPointF]:
    """Return the control points of an edge from one vertex to another, on the side where edges of cycles do not run."""
    beside = QPointF(a.left(), a.center().y()), QPointF(b.right(), b.center().y())
    below = QPointF(a.center().x(), a.top()), QPointF(b.center().x(), b.bottom())
    above = QPointF(a.center().x(), a.bottom()), QPointF(b.center().x(), b.top())
    ways = [(a.left() - b.right(), beside), (a.top() - b.bottom(), below), (b.top() - a.bottom(), above)]
    # Along the levels where the target lies that way, else from one facing side to the other.
    for gap, (start, end) in ways if is_across_y else ways[1:]:
        if gap > APART:
            half = (start - end) / 2
            reach = QPointF(half.x(), 0) if start is beside[0] else QPointF(0, half.y())
            return [start, start - reach, end + reach, end]
    if is_across_y:
        start, end = QPointF(a.center().x(), a.bottom()), QPointF(b.center().x(), b.bottom())
        low = max(start.y(), end.y()) + BULGE
        return [start, QPointF(start.x(), low), QPointF(end.x(), low), end]
    start, end = QPointF(a.right(), a.center().y()), QPointF(b.right(), b.center().y())
    right = max(start.x(), end.x()) + BULGE
    return [start, QPointF(right, start.y()), QPointF(right, end.y()), end]
