"""What a window waits for when it shows a graph: from a model to the places of its vertices."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.formats.load import load_model
from sdfviewer.graphs.folding import ShownPart, fold
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import Graph, GraphKind
from sdfviewer.graphs.layout import Orientation, lay_out
from sdfviewer.graphs.picture import GraphPicture, draw_graph
from sdfviewer.model.model import Model


def parents_of(n: int) -> np.ndarray:
    """Return a tree in which every vertex hangs on one of the ten before it: as deep and as bushy as robots are."""
    random = np.random.default_rng(0)
    return np.array([-1] + [random.integers(max(0, i - 10), i) for i in range(1, n)])


@pytest.mark.parametrize("n", [5_000, 10_000, 20_000])
def test_lay_a_graph_out(benchmark: BenchmarkFixture, n: int) -> None:
    benchmark.extra_info["on"] = f"{n} vertices"
    benchmark(lay_out, parents_of(n), np.tile([110.0, 26.0], (n, 1)))


def tree_of(n: int) -> Model:
    """Return a model of n frames whose poses hang on one another as in `parents_of`."""
    frames = "".join(
        f'<frame name="f{i}"><pose relative_to="{f"f{parent}" if parent >= 0 else "L"}"/></frame>'
        for i, parent in enumerate(parents_of(n).tolist())
    )
    return load_model(f'<sdf version="1.11"><model name="m"><link name="L"/>{frames}</model></sdf>')


@pytest.mark.parametrize("n", [5_000, 20_000])
def test_graph_from_model_to_picture(benchmark: BenchmarkFixture, n: int) -> None:
    benchmark.extra_info["on"] = f"{n} vertices"
    model = tree_of(n)
    benchmark(lambda: draw_graph(build_graph(model, GraphKind.RELATIVE_TO)))


def world_of(n: int) -> Model:
    """Return a world of n models and nothing between them: one vertex on which all others hang."""
    models = "".join(f'<model name="m{i}"><link name="l"/></model>' for i in range(n))
    return load_model(f'<sdf version="1.11"><world name="w">{models}</world></sdf>')


def folded(model: Model) -> Graph:
    graph = build_graph(model, GraphKind.RELATIVE_TO)
    return fold(graph, {box.name for box in graph.boxes})


@pytest.mark.parametrize("n", [3_000, 20_000])
def test_first_sight_of_a_world(benchmark: BenchmarkFixture, n: int) -> None:
    benchmark.extra_info["on"] = f"a world of {n} models, models and families folded"
    model = world_of(n)

    def first_sight() -> GraphPicture:
        graph, part = build_graph(model, GraphKind.RELATIVE_TO), ShownPart()
        part.update(graph, None)
        return draw_graph(part.of(graph, ()), Orientation.COMPACT)

    assert len(benchmark(first_sight).graph) == 2


@pytest.mark.parametrize("n", [5_000, 20_000])
def test_lay_a_tree_out_in_columns(benchmark: BenchmarkFixture, n: int) -> None:
    benchmark.extra_info["on"] = f"{n} vertices"
    benchmark(lay_out, parents_of(n), np.tile([110.0, 26.0], (n, 1)), Orientation.COMPACT)


@pytest.mark.parametrize("n", [5_000, 20_000])
def test_lay_one_hub_out(benchmark: BenchmarkFixture, n: int) -> None:
    benchmark.extra_info["on"] = f"{n} leaves of one vertex"
    benchmark(draw_graph, folded(world_of(n)))


@pytest.mark.target(0.016)
@pytest.mark.parametrize("zoom", [0.8, None], ids=["readable", "all"])
@pytest.mark.parametrize("n", [5_000, 20_000])
@pytest.mark.parametrize("shape", ["tree", "hub"])
def test_pan_a_graph(benchmark: BenchmarkFixture, shape: str, n: int, zoom: float | None) -> None:
    """One step of panning a pane of 1000 by 700 pixels, at a readable size or with all of the graph in sight."""
    widgets = pytest.importorskip("PySide6.QtWidgets")
    from PySide6.QtCore import QPointF, QRectF
    from PySide6.QtGui import QImage

    from sdfviewer.gui.graphs.drawing import Viewport
    from sdfviewer.gui.graphs.graph_widget import GraphView

    benchmark.extra_info["on"] = f"{n} vertices, {shape}, {'readable' if zoom else 'all in sight'}"
    application = widgets.QApplication.instance() or widgets.QApplication(["sdfviewer", "-platform", "offscreen"])
    picture = draw_graph(build_graph(tree_of(n), GraphKind.RELATIVE_TO) if shape == "tree" else folded(world_of(n)))
    image = QImage(1000, 700, QImage.Format.Format_RGB32)
    view = GraphView()
    view.resize(1000, 700)
    view.show_picture(picture)
    view.show()
    view.fit()
    if zoom is not None:
        middle = QPointF(picture.layout.extent[0] / 2, picture.layout.extent[1] / 2)
        view.set_viewport(Viewport(zoom).centred(middle, QRectF(view.rect())))

    def pan() -> None:
        view.look_at(view.viewport.panned(QPointF(5, 3)))
        view.render(image)

    benchmark.pedantic(pan, rounds=40, warmup_rounds=1)
    view.close()
    assert application is not None
