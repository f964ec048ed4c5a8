"""What is in front of what in a painted graph."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from sdfviewer.document.document import parse_document
from sdfviewer.graphs.folding import fold
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import EdgeChanges, Graph, GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import draw_graph, graph_colours
from sdfviewer.gui.graphs.drawing import text_measure
from sdfviewer.gui.graphs.edge_painting import GOOD
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.painting import STACK, GraphPainter
from sdfviewer.palette import parse_hex
from sdfviewer.session.session import Session


@pytest.fixture(scope="module", autouse=True)
def _application(qapp: object) -> None:
    """Text needs an application."""


def painter_of(body: str, folded: str = "") -> GraphPainter:
    model = Session(parse_document(f'<sdf version="1.11"><model name="m">{body}</model></sdf>')).model
    assert model is not None
    graph: Graph = build_graph(model, GraphKind.RELATIVE_TO)
    if folded:
        graph = fold(graph, frozenset({folded}))
    return GraphPainter(draw_graph(graph, Orientation.LEFT_RIGHT, text_measure()), graph_colours(dark=False))


def painted(shown: GraphPainter, marks: GraphMarks) -> tuple[QImage, QPointF]:
    """Return the picture of a graph, and where its origin is there."""
    bounds = shown.bounds().adjusted(-20, -20, 20, 20)
    image = QImage(bounds.size().toSize(), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.translate(-bounds.topLeft())
    shown.paint(painter, bounds, 1.0, marks)
    painter.end()
    return image, -bounds.topLeft()


def pixels_of(image: QImage, colour: str, area: QRectF) -> int:
    """Return how many pixels of an area have about a colour."""
    part = image.copy(area.toRect()).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(part.constBits(), dtype=np.uint8).reshape(part.height(), -1, 4)
    found = pixels[:, : part.width(), 2::-1].astype(int)
    return int((np.abs(found - np.array(parse_hex(colour))).max(axis=-1) < 18).sum())


def test_the_ring_of_a_folded_vertex_is_around_both_of_its_cards() -> None:
    shown = painter_of('<link name="l"/><model name="n"><link name="a"/><link name="b"/></model>', "m::n")
    vertex = shown.picture.graph.vertex("m::n")
    image, origin = painted(shown, GraphMarks(selected=frozenset({vertex})))
    rect = shown.rect(vertex).translated(origin)
    below = QRectF(rect.left() + 20, rect.bottom() + STACK + 1.0, rect.width() - 40, 1.0)
    assert pixels_of(image, shown.colours.selection, below) >= below.width() - 2


def test_the_edge_of_a_previewed_edit_crosses_no_name() -> None:
    frames = "".join(
        f'<frame name="frame_{n}"><pose relative_to="{b}"/></frame>' for n, b in enumerate(["l", "frame_0"])
    )
    shown = painter_of(f'<link name="l"/>{frames}')
    graph = shown.picture.graph
    first, last = graph.vertex("m::frame_1"), graph.vertex("m")
    between = graph.vertex("m::frame_0")
    image, origin = painted(shown, GraphMarks(preview=EdgeChanges(added=((first, last),))))
    assert pixels_of(image, GOOD, QRectF(image.rect())) > 50
    assert not pixels_of(image, GOOD, shown.rect(between).translated(origin).adjusted(3, 3, -3, -3))
