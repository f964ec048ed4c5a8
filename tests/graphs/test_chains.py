"""Chains of edges: to the root and along a walk, however the edges point."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import load_model
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import Graph, GraphKind, edges_along, edges_to_roots
from sdfviewer.session.session import Session

TEXT = """<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis/></joint>
  <frame name="f" attached_to="b"/><frame name="g" attached_to="f"/></model></sdf>"""
CYCLE = """<sdf version="1.11"><model name="m"><link name="L"/>
  <frame name="f"><pose relative_to="g"/></frame><frame name="g"><pose relative_to="f"/></frame></model></sdf>"""


def ends(graph: Graph, edges: frozenset[int]) -> set[tuple[str, str]]:
    return {(graph.labels[graph.sources[e]], graph.labels[graph.targets[e]]) for e in edges}


@pytest.mark.parametrize(
    ("kind", "label", "chain"),
    [
        (GraphKind.RELATIVE_TO, "g", {("g", "f"), ("f", "b"), ("b", "m")}),
        (GraphKind.KINEMATIC, "b", {("a", "j"), ("j", "b")}),
    ],
)
def test_a_chain_leads_to_the_root(kind: GraphKind, label: str, chain: set[tuple[str, str]]) -> None:
    graph = build_graph(load_model(TEXT), kind)
    assert ends(graph, edges_to_roots(graph, [graph.labels.index(label)])) == chain
    assert edges_to_roots(graph, []) == frozenset()


def test_a_chain_into_a_cycle_ends() -> None:
    model = Session(parse_document(CYCLE)).model
    assert model is not None
    graph = build_graph(model, GraphKind.RELATIVE_TO)
    assert ends(graph, edges_to_roots(graph, [graph.labels.index("f")])) == {("f", "g"), ("g", "f")}


def test_stepping_follows_its_own_vertices_only() -> None:
    graph = build_graph(load_model(TEXT), GraphKind.RELATIVE_TO)
    walk = [graph.labels.index(label) for label in ("m", "b", "f")]
    assert ends(graph, edges_along(graph, walk)) == {("b", "m"), ("f", "b")}
