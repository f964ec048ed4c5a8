"""How a previewed edge runs between two vertices."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainterPath

from sdfviewer.gui.graphs.edge_painting import LeavingEdge, edge_curve, place_sign

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


@pytest.mark.parametrize(
    ("at", "arrow"),
    [((0, 110), "←"), ((0, 130), "←"), ((150, 0), "↑"), ((170, 100), "↑"), ((460, 110), "→")],
    ids=str,
)
@pytest.mark.parametrize("source", [BOX, BOX.translated(-60, -90), BOX.translated(230, 60)], ids=["a", "b", "c"])
def test_a_sign_does_not_cover_the_vertex_at_which_its_edge_begins(
    source: QRectF, at: tuple[int, int], arrow: str
) -> None:
    """It covered the name of the selected frame in a narrow pane."""
    room = QRectF(4, 4, 455, 220)
    sign = place_sign(QSizeF(180, 22), LeavingEdge(0, source, QPointF(*at), arrow), room)
    assert not sign.intersects(source)
    assert room.contains(sign)
    assert abs(sign.center().y() - at[1]) <= 60, "near the place where the edge leaves"


def _distance(point: QPointF, rect: QRectF) -> float:
    """Return how far a point is from the border of a rectangle, 0 on it."""
    dx = min(abs(point.x() - rect.left()), abs(point.x() - rect.right()))
    dy = min(abs(point.y() - rect.top()), abs(point.y() - rect.bottom()))
    return min(dx, dy)
