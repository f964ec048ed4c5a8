"""Edges between scopes: led around what stands in their way."""

from __future__ import annotations

import numpy as np
import pytest

import sdfviewer
from sdfviewer.scene.graph_build import build_graph
from sdfviewer.scene.graph_detours import detour
from sdfviewer.scene.graph_layout import Orientation
from sdfviewer.scene.graph_picture import GraphPicture, draw_graph, route
from sdfviewer.scene.graph_view import GraphKind

CELL = """<sdf version="1.11"><model name="cell"><link name="base"/>
  <model name="gripper">
    <link name="palm"/><link name="finger"><pose relative_to="palm"/></link>
    <frame name="a"><pose relative_to="palm"/></frame><frame name="b"><pose relative_to="a"/></frame>
  </model>
  <frame name="tool" attached_to="gripper::palm"/><frame name="tip" attached_to="gripper::palm"/>
  <joint name="j" type="fixed"><parent>base</parent><child>gripper::palm</child></joint>
</model></sdf>"""


def behind(picture: GraphPicture, curves: np.ndarray) -> int:
    """Return how often an edge runs behind a vertex that is not its own."""
    graph, layout = picture.graph, picture.layout
    low, high = layout.centres - layout.sizes / 2, layout.centres + layout.sizes / 2
    t = np.linspace(0, 1, 60)[:, None]
    weights = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
    points = np.einsum("tk,mkd->mtd", weights, curves)[:, :, None]
    hits = ((points > low) & (points < high)).all(axis=3).any(axis=1)
    edges = np.arange(len(curves))
    hits[edges, graph.sources] = hits[edges, graph.targets] = False
    return int(hits.sum())


@pytest.mark.parametrize("orientation", list(Orientation))
@pytest.mark.parametrize("kind", [GraphKind.ATTACHED_TO, GraphKind.RELATIVE_TO])
def test_fewer_edges_run_behind_vertices_and_ends_stay(kind: GraphKind, orientation: Orientation) -> None:
    picture = draw_graph(build_graph(sdfviewer.load(CELL), kind), orientation)
    straight, _ = route(picture.graph, picture.layout, picture.layout.centres)
    assert behind(picture, picture.curves) < behind(picture, straight)
    np.testing.assert_array_equal(picture.curves[:, [0, 3]], straight[:, [0, 3]])


def test_a_free_way_stays_as_it_is() -> None:
    model = sdfviewer.load(
        '<sdf version="1.11"><model name="m"><link name="a"/><model name="n"><link name="b"/></model></model></sdf>'
    )
    picture = draw_graph(build_graph(model, GraphKind.RELATIVE_TO))
    straight, _ = route(picture.graph, picture.layout, picture.layout.centres)
    graph = picture.graph
    led = detour(picture.layout, straight, np.arange(len(straight)), graph.sources, graph.targets)
    np.testing.assert_array_equal(led, straight)
