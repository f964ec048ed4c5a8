"""Graphs from afar: names that cover no other vertex, those that matter in any case, and edges that can be seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication

from sdfviewer.document.document import parse_document
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind, edges_to_roots
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import GraphPicture, draw_graph, graph_colours
from sdfviewer.gui.graphs.drawing import Extents, graph_font, text_measure
from sdfviewer.gui.graphs.edge_painting import LEAST_DASH
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.overview_labels import MOST_POINTED_OUT, Label, place_labels, pointed_out
from sdfviewer.gui.graphs.painting import TEXT_ZOOM, GraphPainter
from sdfviewer.session.session import Session


def drawn(count: int) -> GraphPicture:
    """Return the picture of a model with many links and, on the last one, a chain of three frames."""
    links = "".join(f"<link name='gripper_finger_link_{n}'/>" for n in range(count))
    last = f"gripper_finger_link_{count - 1}"
    frames = "".join(
        f"<frame name='{name}'><pose relative_to='{base}'>0 0 1 0 0 0</pose></frame>"
        for name, base in (("mount", last), ("camera_body", "mount"), ("camera_optical", "camera_body"))
    )
    model = Session(parse_document(f"<sdf version='1.11'><model name='arm'>{links}{frames}</model></sdf>")).model
    assert model is not None
    return draw_graph(build_graph(model, GraphKind.RELATIVE_TO), Orientation.COMPACT, text_measure())


@pytest.fixture
def picture(qapp: QApplication) -> GraphPicture:
    return drawn(90)


def rects_of(picture: GraphPicture) -> list[QRectF]:
    low, sizes = picture.layout.centres - picture.layout.sizes / 2, picture.layout.sizes
    return [QRectF(*place) for place in np.concatenate([low, sizes], axis=1).tolist()]


def labels_at(picture: GraphPicture, zoom: float, first: list[int]) -> list[Label]:
    half = picture.layout.sizes / 2
    vertices = Extents(picture.layout.centres - half, picture.layout.centres + half)
    return place_labels(QFontMetrics(graph_font(zoom)), picture, rects_of(picture), vertices, zoom, first)


@pytest.mark.parametrize("zoom", [0.39, 0.35, 0.3])
def test_a_name_covers_its_own_vertex_and_no_other(picture: GraphPicture, zoom: float) -> None:
    rects = rects_of(picture)
    labels = labels_at(picture, zoom, [])
    assert labels
    for label in labels:
        own = rects[label.vertex]
        assert label.rect.left() <= own.left()
        assert label.rect.right() >= own.right() - 1e-6
        covered = [vertex for vertex, rect in enumerate(rects) if rect.intersects(label.rect)]
        assert covered == [label.vertex], label.text
    for a, b in ((a, b) for a in labels for b in labels if a is not b):
        assert not a.rect.intersects(b.rect)


@pytest.mark.parametrize("zoom", [0.24, 0.1])
def test_names_that_reach_their_neighbours_leave_most_of_them_in_sight(picture: GraphPicture, zoom: float) -> None:
    labels = labels_at(picture, zoom, [])
    assert labels
    covered = [rect for rect in rects_of(picture) if any(label.rect.contains(rect.center()) for label in labels)]
    assert len(covered) < len(picture.graph) / 2


@pytest.mark.parametrize("zoom", [0.3, 0.1, 0.03])
def test_what_is_selected_and_the_root_have_names_from_any_distance(picture: GraphPicture, zoom: float) -> None:
    graph = picture.graph
    tip, root = graph.vertex("arm::camera_optical"), int(np.flatnonzero(picture.layout.tree < 0)[0])
    chain = edges_to_roots(graph, frozenset({tip}))
    first = pointed_out(picture, GraphMarks(selected=frozenset({tip}), chain=chain))
    assert first[0] == tip
    assert set(first) >= {tip, root, *(graph.vertex(f"arm::{name}") for name in ("mount", "camera_body"))}
    labels = {label.vertex: label.text for label in labels_at(picture, zoom, first)}
    assert labels[tip] == "camera_optical"
    assert labels_at(picture, zoom, [root])[0].vertex == root


def test_a_selection_of_everything_asks_for_few_labels(picture: GraphPicture) -> None:
    everything = frozenset(range(len(picture.graph)))
    assert len(pointed_out(picture, GraphMarks(selected=everything, found=everything))) <= 3 * MOST_POINTED_OUT


class Pens:
    """A painter that remembers the pens of its lines."""

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter
        self.pens: list[QPen] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._painter, name)

    def drawLines(self, lines: list[object]) -> None:
        if lines:
            self.pens.append(QPen(self._painter.pen()))


@pytest.fixture
def painter(qapp: QApplication) -> Iterator[QPainter]:
    image = QImage(900, 700, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    yield painter
    painter.end()


@pytest.mark.parametrize("zoom", [1.0, TEXT_ZOOM, 0.3, 0.1])
def test_no_dash_is_too_short_to_be_seen(picture: GraphPicture, painter: QPainter, zoom: float) -> None:
    painter.scale(zoom, zoom)
    recorder = Pens(painter)
    shown = GraphPainter(picture, graph_colours(dark=False))
    shown.paint(recorder, shown.bounds(), zoom, GraphMarks())  # type: ignore[arg-type]
    assert recorder.pens
    dashed = [pen for pen in recorder.pens if pen.dashPattern()]
    assert bool(dashed) is (zoom == 1.0)
    assert all(pen.dashPattern()[0] * pen.widthF() * zoom >= LEAST_DASH for pen in dashed)
    if zoom < 1.0:
        edge = QColor(shown.colours.edge)
        assert any(pen.color().rgb() == edge.rgb() and pen.color().alphaF() < 1.0 for pen in recorder.pens)
