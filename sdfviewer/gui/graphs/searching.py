"""Which vertices a search means."""

from __future__ import annotations

import numpy as np

from sdfviewer.scene.graph_view import Graph


def matches(graph: Graph, query: str) -> list[int]:
    """Return the vertices that match every word of a query.

    Parameters
    ----------
    graph
        Where to search.
    query
        Parts of scoped names; ``kind:joint`` means a kind, ``model:arm`` everything in models whose name has ``arm``,
        ``is:unresolved``, ``is:default`` and ``is:canonical`` what they say. Nothing matches an empty query.
    """
    words = query.lower().split()
    if not words:
        return []
    chosen = list(range(len(graph)))
    sets = {
        "default": frozenset(graph.sources[~graph.written].tolist()),
        "unresolved": frozenset(np.flatnonzero(graph.unresolved).tolist()),
        "canonical": frozenset(np.flatnonzero(graph.canonical).tolist()),
        "static": frozenset(np.flatnonzero(graph.static).tolist()),
    }
    for word in words:
        key, colon, value = word.partition(":")
        if colon and key == "kind":
            chosen = [v for v in chosen if graph.kinds[v].startswith(value)]
        elif colon and key == "model":
            chosen = [v for v in chosen if value in graph.names[v].lower().rpartition("::")[0]]
        elif colon and key == "is":
            kept = sets.get(value, frozenset())
            chosen = [v for v in chosen if v in kept]
        else:
            chosen = [v for v in chosen if word in graph.names[v].lower()]
    return chosen
