"""How a previewed edge runs between two vertices."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from sdfviewer.gui.graphs.edit_preview_painting import edge_curve

BOX = QRectF(100, 100, 120, 28)


@pytest.mark.parametrize("is_across_y", [True, False], ids=["columns", "rows"])
@pytest.mark.parametrize(
    "moved",
    [(0, 32), (0, -32), (4, 100), (-200, 0), (200, 0), (-200, 60), (200, 60), (124, 0), (-124, 0)],
    ids=lambda moved: f"{moved[0]},{moved[1]}",
)
def test_an_edge_runs_between_its_vertices_and_not_through_them(moved: tuple[int, int], is_across_y: bool) -> None:
    a, b = BOX, BOX.translated(*moved)
    path = QPainterPath((curve := edge_curve(a, b, is_across_y))[0])
    path.cubicTo(*curve[1:])
    points = [path.pointAtPercent(part / 50) for part in range(51)]
    for rect in (a, b):
        inside = rect.adjusted(3, 3, -3, -3)
        assert not any(inside.contains(point) for point in points)
    assert _distance(points[0], a) <= 1
    assert _distance(points[-1], b) <= 1


def _distance(point: QPointF, rect: QRectF) -> float:
    """Return how far a point is from the border of a rectangle, 0 on it."""
    dx = min(abs(point.x() - rect.left()), abs(point.x() - rect.right()))
    dy = min(abs(point.y() - rect.top()), abs(point.y() - rect.bottom()))
    return min(dx, dy)
