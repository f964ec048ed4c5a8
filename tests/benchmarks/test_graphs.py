"""What a window waits for when it shows a graph: from a model to the places of its vertices."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import sdfviewer
from sdfviewer.scene.graph_build import build_graph
from sdfviewer.scene.graph_layout import lay_out
from sdfviewer.scene.graph_picture import draw_graph
from sdfviewer.scene.graph_view import GraphKind


def parents_of(n: int) -> np.ndarray:
    """Return a tree in which every vertex hangs on one of the ten before it: as deep and as bushy as robots are."""
    random = np.random.default_rng(0)
    return np.array([-1] + [random.integers(max(0, i - 10), i) for i in range(1, n)])


@pytest.mark.parametrize("n", [5_000, 10_000, 20_000])
def test_lay_a_graph_out(benchmark: BenchmarkFixture, n: int) -> None:
    benchmark.extra_info["on"] = f"{n} vertices"
    benchmark(lay_out, parents_of(n), np.tile([110.0, 26.0], (n, 1)))


@pytest.mark.parametrize("n", [5_000, 20_000])
def test_graph_from_model_to_picture(benchmark: BenchmarkFixture, n: int) -> None:
    benchmark.extra_info["on"] = f"{n} vertices"
    frames = "".join(
        f'<frame name="f{i}"><pose relative_to="{f"f{parent}" if parent >= 0 else "L"}"/></frame>'
        for i, parent in enumerate(parents_of(n).tolist())
    )
    model = sdfviewer.load(f'<sdf version="1.11"><model name="m"><link name="L"/>{frames}</model></sdf>')
    benchmark(lambda: draw_graph(build_graph(model, GraphKind.RELATIVE_TO)))
