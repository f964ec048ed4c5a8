"""Edges between scopes and those that close loops: led around what stands in their way."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import GraphPicture, draw_graph
from sdfviewer.graphs.routing import OUTSIDE, detour, route

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


LOOP = """<sdf version="1.11"><model name="hand">
  <link name="palm"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
  <joint name="pa" type="revolute"><parent>palm</parent><child>a</child><axis/></joint>
  <joint name="ab" type="revolute"><parent>a</parent><child>b</child><axis/></joint>
  <joint name="pc" type="revolute"><parent>palm</parent><child>c</child><axis/></joint>
  <joint name="cd" type="revolute"><parent>c</parent><child>d</child><axis/></joint>
  <joint name="pe" type="revolute"><parent>palm</parent><child>e</child><axis/></joint>
  <joint name="be" type="revolute"><parent>b</parent><child>e</child><axis/></joint>
</model></sdf>"""


@pytest.mark.parametrize("orientation", list(Orientation))
@pytest.mark.parametrize(
    ("text", "kind"), [(CELL, GraphKind.ATTACHED_TO), (CELL, GraphKind.RELATIVE_TO), (LOOP, GraphKind.KINEMATIC)]
)
def test_edges_are_led_around_vertices_and_end_at_their_own(
    text: str, kind: GraphKind, orientation: Orientation
) -> None:
    picture = draw_graph(build_graph(load_model(text), kind), orientation)
    straight, _ = route(picture.graph, picture.layout, picture.layout.centres)
    assert orientation is Orientation.COMPACT or behind(picture, straight)
    assert not behind(picture, picture.curves)
    layout = picture.layout
    for end, vertices in ((0, picture.graph.sources), (3, picture.graph.targets)):
        beside = np.abs(picture.curves[:, end] - layout.centres[vertices]) / (layout.sizes[vertices] / 2)
        alone = [edge for edge in range(len(beside)) if edge not in picture.bundled]
        np.testing.assert_allclose(beside[alone].max(axis=1), 1.0)
    assert (picture.curves >= -4 * OUTSIDE).all()


def test_a_free_way_stays_as_it_is() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="m"><link name="a"/><model name="n"><link name="b"/></model></model></sdf>'
    )
    picture = draw_graph(build_graph(model, GraphKind.RELATIVE_TO))
    straight, _ = route(picture.graph, picture.layout, picture.layout.centres)
    graph = picture.graph
    led = detour(picture.layout, straight, np.arange(len(straight)), graph.sources, graph.targets)
    np.testing.assert_array_equal(led, straight)
