"""Chains of edges from vertices to their roots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdfviewer.graphs.graph_view import Graph


def edges_to_roots(graph: Graph, vertices: Iterable[int]) -> frozenset[int]:
    """Return the edges on the way from some vertices to their roots."""
    above: dict[int, int] = {}
    for start in vertices:
        vertex = start
        while vertex >= 0 and vertex not in above:
            above[vertex] = int(graph.parents[vertex])
            vertex = above[vertex]
    return _edges_between(graph, set(above.items())) if above else frozenset()


def edges_along(graph: Graph, vertices: Sequence[int]) -> frozenset[int]:
    """Return the edges between vertices that follow one another on the way from the root."""
    return _edges_between(graph, set(zip(vertices[1:], vertices, strict=False)))


def _edges_between(graph: Graph, steps: set[tuple[int, int]]) -> frozenset[int]:
    """Return the edges that join a vertex to the one above it, whichever way they lead."""
    ends = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return frozenset(edge for edge, (a, b) in enumerate(ends) if (a, b) in steps or (b, a) in steps)
