"""The changes of an edit to a graph: added and removed edges, resolved vertices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.graphs.graph_view import Graph


@dataclass(frozen=True, slots=True)
class EdgeChanges:
    """The changes that an edit makes in a graph.

    Attributes
    ----------
    added
        Source and target of each edge that it adds.
    removed
        Edges that it removes.
    resolved
        Vertices that lead to a root again.
    """

    added: tuple[tuple[int, int], ...] = ()
    removed: frozenset[int] = frozenset()
    resolved: tuple[int, ...] = ()


def compare_edges(graph: Graph, after: Graph) -> EdgeChanges:
    """Return the changes from a graph as shown, perhaps folded, to the whole graph after an edit."""
    # A previewed edit adds and removes no rows, while names may change.
    of_row = {row: vertex for vertex, row in enumerate(graph.rows.tolist()) if row >= 0}
    rows = after.rows.tolist()
    shown = [of_row.get(row, graph.vertex(name)) for row, name in zip(rows, after.names, strict=True)]
    ends = zip(after.sources.tolist(), after.targets.tolist(), strict=True)
    wanted = dict.fromkeys((shown[source], shown[target]) for source, target in ends)
    present = {pair: edge for edge, pair in enumerate(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))}
    added = [pair for pair in wanted if pair not in present and min(pair) >= 0 and pair[0] != pair[1]]
    removed = [edge for pair, edge in present.items() if pair not in wanted]
    lost = {shown[vertex] for vertex in np.flatnonzero(after.unresolved).tolist()}
    known = set(shown)
    resolved = [v for v in np.flatnonzero(graph.unresolved).tolist() if v in known and v not in lost]
    return EdgeChanges(tuple(added), frozenset(removed), tuple(resolved))
