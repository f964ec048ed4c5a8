"""Graphs of hundreds of vertices, fitted or unfolded: names instead of bars, no picture full of edges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import GraphPicture, draw_graph, graph_colours
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.graphs.drawing import Extents, graph_font, text_measure
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.minimap import Minimap
from sdfviewer.gui.graphs.overview_labels import Label, place_labels
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.session.session import Session


def picture_of(text: str, kind: GraphKind = GraphKind.RELATIVE_TO) -> GraphPicture:
    model = Session(parse_document(text)).model
    assert model is not None
    return draw_graph(build_graph(model, kind), Orientation.COMPACT, text_measure(), 2.0)


def robot(count: int) -> str:
    links = "".join(f'<link name="{name}"/>' for name in (f"part_{chr(97 + n % 26)}{n}" for n in range(count)))
    return f'<sdf version="1.11"><model name="robot">{links}</model></sdf>'


def world(count: int) -> str:
    models = "".join(f'<model name="box_{n}"><link name="link"/></model>' for n in range(count))
    return f'<sdf version="1.11"><world name="w">{models}</world></sdf>'


def labels_of(picture: GraphPicture, zoom: float, metrics: QFontMetrics | None = None) -> list[Label]:
    painter = GraphPainter(picture, graph_colours(False))
    rects = [painter.rect(vertex) for vertex in range(len(picture.graph))]
    half = picture.layout.sizes / 2
    vertices = Extents(picture.layout.centres - half, picture.layout.centres + half)
    return place_labels(metrics or QFontMetrics(graph_font(zoom)), picture, rects, vertices, zoom, ())


def image_of(painter: GraphPainter, marks: GraphMarks) -> QImage:
    image = QImage(700, 500, QImage.Format.Format_RGB32)
    image.fill(QColor(painter.colours.ground))
    on_image = QPainter(image)
    painter.paint(on_image, QRectF(0, 0, 700, 500), 1.0, marks)
    on_image.end()
    return image


@pytest.mark.usefixtures("qapp")
def test_most_vertices_of_a_fitted_robot_are_named() -> None:
    labels = labels_of(picture_of(robot(150)), 0.38)
    assert len(labels) > 75
    rects = np.array([(r.left(), r.top(), r.right(), r.bottom()) for r in (label.rect for label in labels)])
    left, top, right, bottom = rects.T
    meets = (left[:, None] < right) & (right[:, None] > left) & (top[:, None] < bottom) & (bottom[:, None] > top)
    assert meets.sum() == len(labels), "no label covers another one"


@pytest.mark.usefixtures("qapp")
def test_models_are_named_all_over_an_overview() -> None:
    picture = picture_of(world(900))
    labels = labels_of(picture, 0.1)
    assert "__model__" not in {label.text for label in labels}
    assert any(label.text.startswith("box_") for label in labels)
    columns = np.array([label.rect.left() for label in labels]) / picture.layout.extent[0]
    assert columns.max() > 0.7


class CountedMetrics(QFontMetrics):
    """Metrics that count the names that they measure."""

    def __init__(self, font: QFont) -> None:
        super().__init__(font)
        self.measured = 0

    def horizontalAdvance(self, *arguments: Any) -> int:
        self.measured += 1
        return super().horizontalAdvance(*arguments)


@pytest.mark.usefixtures("qapp")
def test_names_without_room_are_not_measured() -> None:
    metrics = CountedMetrics(graph_font(0.1))
    labels = labels_of(picture_of(world(900)), 0.1, metrics)
    assert 20 < len(labels) <= metrics.measured < 3 * len(labels)


@pytest.mark.usefixtures("qapp")
def test_a_hub_of_hundreds_does_not_fill_the_picture_with_edges() -> None:
    picture = picture_of(world(900))
    painter = GraphPainter(picture, graph_colours(False))
    image = image_of(painter, GraphMarks())
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(500, image.bytesPerLine() // 4, 4)[:, :700, :3]
    edge = QColor(painter.colours.edge)
    like_edges = np.abs(pixels.astype(int) - [edge.blue(), edge.green(), edge.red()]).max(axis=-1) < 40
    assert 0.0 < like_edges.mean() < 0.1


@pytest.mark.usefixtures("qapp")
def test_the_edge_that_is_pointed_out_is_drawn_from_out_of_sight_too() -> None:
    picture = picture_of(world(900))
    painter = GraphPainter(picture, graph_colours(False))
    far = picture.graph.vertex("box_890")
    edge = int(np.flatnonzero(picture.graph.sources == far)[0])

    pointed_out = replace(GraphMarks(), chain=frozenset({edge}))
    assert bytes(image_of(painter, pointed_out).constBits()) != bytes(image_of(painter, GraphMarks()).constBits())


def test_nothing_to_show_needs_no_overview(qtbot: QtBot, settings: Settings) -> None:
    """Painting the overview of an empty drawing divided by zero."""
    context = DocumentContext(Session(parse_document(robot(3))))
    panes = GraphPanes(context, settings)
    qtbot.addWidget(panes)
    panes.resize(1400, 560)
    with qtbot.waitExposed(panes):
        panes.show()
    panes.focus_button.click()
    context.session.select(["nothing"])
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas
    qtbot.waitUntil(lambda: canvas.picture is not None and not len(canvas.picture.graph))
    panes.grab()
    assert canvas.room.width() == canvas.width()
    context.close()


def test_what_was_out_of_sight_is_shown_with_room_around_it(qtbot: QtBot, settings: Settings) -> None:
    context = DocumentContext(Session(parse_document(robot(140))))
    panes = GraphPanes(context, settings)
    qtbot.addWidget(panes)
    panes.resize(900, 300)
    with qtbot.waitExposed(panes):
        panes.show()
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas
    panes._fold_all(False)
    qtbot.waitUntil(lambda: canvas.picture is not None and len(canvas.picture.graph) > 140)
    canvas.start()
    picture = canvas.picture
    assert picture is not None
    hidden = max(range(len(picture.graph)), key=lambda vertex: canvas.screen_rect(vertex).center().x())
    assert not canvas.sees([hidden])
    canvas.reveal([hidden])
    shown = canvas.screen_rect(hidden)
    assert QRectF(canvas.rect()).adjusted(20, 20, -20, -20).contains(shown)
    overview = canvas.findChild(Minimap)
    assert overview is not None
    assert overview.isHidden() or not QRectF(overview.geometry()).intersects(shown)
    context.close()
