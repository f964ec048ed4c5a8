"""The overview of a graph that is much longer than broad."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Ints, Orientation
from sdfviewer.graphs.picture import draw_graph, graph_colours
from sdfviewer.gui.graphs.drawing import Viewport, text_measure
from sdfviewer.gui.graphs.minimap import BLANK, CROWDED_LEAST, CROWDED_SHARE, THINNEST, Minimap, size_of_overview
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.session.session import Session

SIZE = QSizeF(600, 250)


@pytest.fixture
def canvas(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(SIZE.toSize())
    widget.show()
    return widget


@pytest.fixture
def overview(canvas: QWidget) -> Minimap:
    return Minimap(canvas)


def painter_of_chain() -> GraphPainter:
    frames = "".join(
        f'<frame name="step_{n}"><pose relative_to="{base}"/></frame>'
        for n, base in enumerate(["l", *(f"step_{n}" for n in range(119))])
    )
    text = f'<sdf version="1.11"><model name="m"><link name="l"/>{frames}</model></sdf>'
    model = Session(parse_document(text)).model
    assert model is not None
    picture = draw_graph(build_graph(model, GraphKind.RELATIVE_TO), Orientation.TOP_DOWN, text_measure())
    return GraphPainter(picture, graph_colours(dark=False))


@pytest.mark.parametrize("drawing", [QSizeF(300, 9000), QSizeF(20_000, 150)])
def test_the_overview_of_a_long_drawing_is_broad_enough_to_be_read(drawing: QSizeF) -> None:
    box = size_of_overview(SIZE, drawing)
    assert box is not None
    assert min(box.width(), box.height()) >= THINNEST


def test_a_long_graph_fills_its_overview_and_a_click_leads_to_what_is_seen_there(
    overview: Minimap, qtbot: QtBot
) -> None:
    graph = painter_of_chain()
    bounds = graph.bounds()
    assert bounds.height() > 10 * bounds.width(), "the graph is long"
    overview.follow(graph, Viewport(), SIZE)
    assert overview.isVisible()

    def columns() -> Ints:
        image: QImage = overview.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1, 4)
        ground = QColor(graph.colours.ground)
        away = np.abs(pixels[:, : image.width(), :3].astype(int) - [ground.blue(), ground.green(), ground.red()])
        found: Ints = np.flatnonzero((away.max(axis=-1) > 12)[10:-10, 2:-2].mean(axis=0) > 0.1)
        return found

    qtbot.waitUntil(lambda: len(columns()) > 0)
    assert np.ptp(columns()) > 0.6 * (overview.width() - 2 * BLANK)
    clicked: list[QPointF] = []
    overview.clicked.connect(clicked.append)
    middle = QPoint(overview.width() // 2, overview.height() // 2)
    QTest.mouseClick(overview, Qt.MouseButton.LeftButton, pos=middle)
    assert abs(clicked[0].x() - bounds.center().x()) < 0.05 * bounds.width()
    assert abs(clicked[0].y() - bounds.center().y()) < 0.05 * bounds.height()


def test_the_overview_is_in_a_free_corner_and_stays_there(overview: Minimap) -> None:
    graph = painter_of_chain()
    # The graph is one column: here it is at the right edge of the canvas.
    at_right = Viewport(0.75, QPointF(SIZE.width() - graph.bounds().width() * 0.75, 0.0))
    overview.follow(graph, at_right, SIZE)
    assert overview.geometry().left() == 0
    assert overview.geometry().bottom() == SIZE.height() - 1
    overview.follow(graph, at_right.panned(QPointF(-400.0, 0.0)), SIZE)
    assert overview.geometry().left() == 0, "it does not jump while the graph is panned"
    parts = overview.free_parts(SIZE)
    assert len(parts) == 2
    assert not any(part.intersects(QRectF(overview.geometry())) for part in parts)


def test_the_overview_goes_to_a_free_corner_when_the_graph_comes_to_rest_below_it(
    overview: Minimap, qtbot: QtBot
) -> None:
    graph = painter_of_chain()
    at_right = Viewport(0.75, QPointF(SIZE.width() - graph.bounds().width() * 0.75, 0.0))
    overview.follow(graph, at_right, SIZE)
    at_left = at_right.panned(QPointF(-at_right.offset.x(), 0.0))
    overview.follow(graph, at_left, SIZE)
    assert overview.geometry().left() == 0
    qtbot.waitUntil(lambda: overview.geometry().right() == SIZE.width() - 1)
    assert not len(graph.vertices_in(at_left.visible(QRectF(overview.geometry()))))


@pytest.fixture
def crowd() -> GraphPainter:
    """A graph with vertices everywhere."""
    text = "".join(f'<model name="box_{n}"><link name="link"/></model>' for n in range(400))
    model = Session(parse_document(f'<sdf version="1.11"><world name="w">{text}</world></sdf>')).model
    assert model is not None
    picture = draw_graph(build_graph(model, GraphKind.ATTACHED_TO), Orientation.COMPACT, text_measure(), 2.0)
    return GraphPainter(picture, graph_colours(dark=False))


def test_where_vertices_are_in_all_corners_a_small_overview_is_there_while_the_graph_moves(
    overview: Minimap, crowd: GraphPainter, qtbot: QtBot
) -> None:
    """It was a strip across the canvas, and covered vertices at rest."""
    overview.follow(crowd, Viewport(0.6, QPointF(-300.0, -300.0)), SIZE)
    assert overview.isHidden()
    overview.follow(crowd, Viewport(0.6, QPointF(-310.0, -300.0)), SIZE)
    assert overview.isVisible()
    shown = QRectF(overview.geometry())
    assert shown.width() <= CROWDED_SHARE * SIZE.width()
    assert shown.height() <= CROWDED_SHARE * SIZE.height() + 1
    assert not any(part.intersects(shown) for part in overview.free_parts(SIZE))
    qtbot.waitUntil(overview.isHidden)


def test_the_overview_covers_no_title_of_a_box(overview: Minimap, crowd: GraphPainter) -> None:
    just_titles = Viewport(0.6, QPointF(-300.0, SIZE.height() - 14.0))
    corner = just_titles.visible(QRectF(SIZE.width() - 150.0, SIZE.height() - 48.0, 150.0, 48.0))
    assert not len(crowd.vertices_in(corner)), "no vertex is in the lower corner"
    assert len(crowd.box_titles_in(corner))
    overview.follow(crowd, just_titles, SIZE)
    assert overview.isVisible()
    assert overview.geometry().top() == 0


def test_an_overview_below_which_vertices_come_stays_a_moment(
    overview: Minimap, crowd: GraphPainter, qtbot: QtBot
) -> None:
    overview.follow(crowd, Viewport(0.6, QPointF(-300.0, 100.0)), SIZE)
    assert overview.isVisible(), "its corner is free"
    overview.follow(crowd, Viewport(0.6, QPointF(-300.0, -300.0)), SIZE)
    qtbot.waitUntil(lambda: overview.width() <= CROWDED_SHARE * SIZE.width())
    assert overview.isVisible()
    qtbot.waitUntil(overview.isHidden)


def test_no_overview_covers_the_rows_of_a_low_canvas(overview: Minimap, crowd: GraphPainter) -> None:
    low = QSizeF(SIZE.width(), CROWDED_LEAST - 10)
    for left in (-300.0, -310.0):
        overview.follow(crowd, Viewport(0.6, QPointF(left, -300.0)), low)
        assert overview.isHidden()
    overview.follow(crowd, Viewport(0.6, QPointF(-300.0, 100.0)), low)
    assert overview.isVisible(), "its corner is free"


def test_the_overview_covers_no_border_of_a_box(overview: Minimap, crowd: GraphPainter) -> None:
    """It lay over the lower ends of models, below their last vertices."""
    box = size_of_overview(SIZE, crowd.bounds().size())
    assert box is not None
    top = SIZE.height() - box.height()
    seen = crowd.boxes[(crowd.boxes[:, 0] > 500.0) & (crowd.boxes[:, 2] < 1500.0)]
    ends = Viewport(0.6, QPointF(-300.0, top + 2.0 - seen[:, 3].max() * 0.6))
    corner = ends.visible(QRectF(0.0, top, SIZE.width(), box.height()))
    assert not len(crowd.vertices_in(corner))
    assert len(crowd.box_borders_in(corner))
    overview.follow(crowd, ends, SIZE)
    assert overview.isHidden(), "vertices are in the other corners"
