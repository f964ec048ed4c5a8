"""A world of 3000 models in the graph panes: a key, a click or an edit does little work, and never all at once."""

from __future__ import annotations

from collections.abc import Iterator
from threading import current_thread, main_thread
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.graphs.graph_view import Graph, GraphKind
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.graphs import edge_painting, painting, pane_layout
from sdfviewer.gui.graphs import pane as pane_module
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.gui.kit.search import SLICE
from sdfviewer.language.fuzzy import FuzzyQuery
from sdfviewer.refactoring.pose_writing import set_pose_component
from sdfviewer.session.session import Session

MODELS = 3000


class Counted:
    """The panes of a large world, and how much work they do.

    Attributes
    ----------
    built, drawn
        The number of vertices of each graph that was built, and of each that was laid out.
    matched
        How many names were compared with the query at each turn of the event loop.
    beside, built_beside
        Of each layout and of each graph whether it was made in another thread than the window's.
    """

    def __init__(self, qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        models = "".join(f'<model name="box_{n}"><link name="link"/></model>' for n in range(MODELS))
        text = f'<sdf version="1.11"><world name="w">{models}</world></sdf>'
        self.built: list[int] = []
        self.drawn: list[int] = []
        self.matched = 0
        self.beside: list[bool] = []
        self.built_beside: list[bool] = []
        self._count(monkeypatch, "build_graph", self.built)
        self._count(monkeypatch, "draw_graph", self.drawn)
        match = FuzzyQuery.match

        def counted(query: FuzzyQuery, *arguments: Any) -> Any:
            self.matched += 1
            return match(query, *arguments)

        monkeypatch.setattr(FuzzyQuery, "match", counted)
        self.context = DocumentContext(Session(parse_document(text)))
        self.panes = GraphPanes(self.context, settings)
        qtbot.addWidget(self.panes)
        self.panes.resize(1180, 290)
        with qtbot.waitExposed(self.panes):
            self.panes.show()
        qtbot.waitUntil(lambda: all(pane.picture is not None for pane in self.panes.shown))

    def _count(self, monkeypatch: pytest.MonkeyPatch, name: str, sizes: list[int]) -> None:
        made = getattr(pane_layout if name == "draw_graph" else pane_module, name)

        def count(*arguments: Any, **options: Any) -> Any:
            beside = self.beside if name == "draw_graph" else self.built_beside
            beside.append(current_thread() is not main_thread())
            result = made(*arguments, **options)
            sizes.append(len(result.graph if name == "draw_graph" else result))
            return result

        for module in (pane_module, pane_layout):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, count)

    def reset(self) -> None:
        self.built.clear()
        self.drawn.clear()
        self.beside.clear()
        self.matched = 0

    @property
    def session(self) -> Session:
        return self.context.session

    def names(self) -> tuple[str, ...]:
        picture = self.panes.panes[GraphKind.RELATIVE_TO].picture
        assert picture is not None
        return picture.graph.names


@pytest.fixture
def counted(qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    counted = Counted(qtbot, settings, monkeypatch)
    yield counted
    counted.context.close()


def test_it_opens_as_two_vertices_and_a_selection_builds_nothing_and_draws_a_few(
    counted: Counted, qtbot: QtBot
) -> None:
    assert counted.names() == ("world", "box_#")
    assert len(counted.built) == 2, "one for each graph in sight"
    assert max(counted.drawn) <= 3

    counted.reset()
    for number in range(20):  # somebody walks through the tree with the arrow keys
        counted.session.select([f"box_{number}"])
    assert not counted.drawn
    qtbot.waitUntil(lambda: "box_19" in counted.names())
    assert not counted.built
    assert len(counted.drawn) <= 2
    assert max(counted.drawn) <= 4


def test_a_model_that_is_added_is_drawn_once_in_each_graph(counted: Counted, qtbot: QtBot) -> None:
    counted.reset()
    document = counted.session.document
    at = document.text.index("</world>")
    added = '<model name="robot"><link name="base"/></model>'
    counted.session.apply(Edit("Add robot", document, (Replacement(at, at, added),)))
    assert not counted.built, "what was edited is shown first"
    qtbot.waitUntil(lambda: "robot" in counted.names())
    qtbot.waitUntil(lambda: len(counted.drawn) == 2)
    assert len(counted.built) == 2
    assert max(counted.drawn) <= 4, "the new model is folded as well"


def test_each_letter_of_a_search_compares_a_slice_at_once_and_enter_leads_to_what_a_fold_hides(
    counted: Counted, qtbot: QtBot
) -> None:
    counted.reset()
    for query in ("b", "bo", "box", "box_2999"):
        counted.matched = 0
        counted.panes.search_field.setText(query)
        assert counted.matched <= 2 * SLICE, "a slice in each graph in sight"
    qtbot.waitUntil(lambda: counted.panes.count.text().endswith("found"))
    assert not counted.built
    assert not counted.drawn
    counted.panes.search_field.setText("nothing_like_it")
    qtbot.waitUntil(lambda: counted.panes.count.text() == "No match")

    counted.panes.search_field.setText("box_2999")
    counted.panes.search_field.returnPressed.emit()  # before anything is found
    qtbot.waitUntil(lambda: "box_2999" in counted.names())
    assert counted.session.selection == ("box_2999",)


def test_thousands_of_vertices_are_laid_out_beside_the_window(counted: Counted, qtbot: QtBot) -> None:
    counted.reset()
    pane = counted.panes.panes[GraphKind.RELATIVE_TO]
    pane.toggle_fold("box_#")
    assert counted.names() == ("world", "box_#"), "until the layout is there"
    pane.fold_all(False)  # the user has changed her mind
    qtbot.waitUntil(lambda: len(counted.names()) == 2 * MODELS + 1)
    assert all(counted.beside)
    assert len(counted.drawn) <= 2
    counted.reset()
    pane.fold_all(True)
    qtbot.waitUntil(lambda: counted.names() == ("world", "box_#"))


def test_a_large_graph_after_an_edit_of_a_pose_is_compared_beside_the_window(
    counted: Counted, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bool] = []
    is_drawn_like = Graph.is_drawn_like

    def compare(self: Graph, other: Graph) -> bool:
        compared.append(current_thread() is not main_thread())
        return is_drawn_like(self, other)

    monkeypatch.setattr(Graph, "is_drawn_like", compare)
    counted.drawn.clear()
    model = counted.context.session.model
    assert model is not None
    assert counted.context.edits.make(lambda: set_pose_component(model, [1], 0, 5.0))
    panes = counted.panes.shown
    qtbot.waitUntil(lambda: len(compared) == len(panes))
    qtbot.waitUntil(lambda: all(pane.canvas.refusal(0, 0) != "the graph is being laid out" for pane in panes))
    assert compared == [True] * len(panes)
    assert not counted.drawn


def test_a_large_graph_is_built_and_folded_beside_the_window(counted: Counted, qtbot: QtBot) -> None:
    canvas = counted.panes.panes[GraphKind.RELATIVE_TO].canvas
    document = counted.session.document
    first, last = (document.text.index(f'<model name="box_{n}">') for n in (0, 2000))
    counted.session.apply(Edit("Remove", document, (Replacement(first, last, ""),)))
    # The picture before stays until the next one is there: it speaks of its own model.
    assert "box_0" in canvas.tip(1)
    assert canvas.refusal(0, 0) == "the graph is being laid out"
    qtbot.waitUntil(lambda: "box_0" not in canvas.tip(1))
    assert all(counted.built_beside)


def test_an_unfolded_world_is_painted_in_few_layers_from_lines_that_are_kept_and_its_overview_in_a_turn_of_its_own(
    counted: Counted, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = counted.panes.panes[GraphKind.RELATIVE_TO]
    pane.fold_all(False)
    qtbot.waitUntil(lambda: len(counted.names()) == 2 * MODELS + 1)
    canvas, drawn = pane.canvas, []
    painted: list[bool] = []
    paint = GraphPainter.paint

    def count(self: GraphPainter, painter: QPainter, *arguments: Any, **options: Any) -> None:
        painted.append(not options.get("texts", True))
        paint(self, painter, *arguments, **options)

    canvas.show_picture(pane.picture)
    canvas.look_at(canvas.viewport.panned(QPointF(-5.0, 0.0)))
    monkeypatch.setattr(GraphPainter, "paint", count)
    canvas.grab()
    assert painted == [False], "the graph, but not its overview"
    qtbot.waitUntil(lambda: True in painted)

    reach = edge_painting._reach
    monkeypatch.setattr(
        edge_painting, "_reach", lambda lines, visible: drawn.append(len(lines)) or reach(lines, visible)
    )
    canvas.fit()
    plain = canvas.grab()
    assert max(drawn) >= MODELS
    drawn.clear()
    canvas.mark(GraphMarks(bright=np.arange(2 * MODELS + 1) == MODELS))
    dimmed = canvas.grab()
    assert 1 <= len(drawn) <= 4, "once what is found, and once what is not, in as few layers as the picture has"
    assert dimmed.toImage() != plain.toImage()

    canvas.mark(GraphMarks())
    canvas.grab()
    made: list[tuple[float, ...]] = []
    for module in (edge_painting, painting):
        monkeypatch.setattr(module, "QLineF", lambda *line: made.append(line) or QLineF(*line))
    before = canvas.grab().toImage()
    canvas.mark(GraphMarks(selected=frozenset({MODELS})))
    assert canvas.grab().toImage() != before
    assert not made
