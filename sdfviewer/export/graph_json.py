"""A graph as JSON in the node-link form that networkx, D3 and others read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfviewer.display_text import json_text
from sdfviewer.graphs.graph_view import Graph

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(graph: Graph) -> nx.MultiDiGraph:
    """Return a graph for networkx: vertices by scoped name, with what is known of them as attributes."""
    import networkx as nx  # noqa: PLC0415  # takes longer to import than most programs take to start

    result = nx.MultiDiGraph(
        kind=graph.kind.value, cycles=[[graph.names[vertex] for vertex in cycle] for cycle in graph.cycles]
    )
    for vertex, name in enumerate(graph.names):
        box = int(graph.box_of[vertex])
        result.add_node(
            name,
            label=graph.labels[vertex],
            kind=graph.kinds[vertex],
            scope=graph.boxes[box].name if box >= 0 else None,
            canonical=bool(graph.canonical[vertex]),
            static=bool(graph.static[vertex]),
            resolved=not graph.unresolved[vertex],
            note=graph.notes[vertex] or None,
        )
    for edge in range(len(graph.sources)):
        cycle = int(graph.cycle_of[edge])
        result.add_edge(
            graph.names[graph.sources[edge]],
            graph.names[graph.targets[edge]],
            written=bool(graph.written[edge]),
            cycle=cycle if cycle >= 0 else None,
        )
    return result


def format_graph_json(graph: Graph) -> str:
    """Return a graph as a JSON text."""
    made = to_networkx(graph)
    # Written by hand: networkx renamed the key of the edges between its versions.
    content = {
        "directed": True,
        "multigraph": True,
        "graph": made.graph,
        "nodes": [{"id": name, **attributes} for name, attributes in made.nodes(data=True)],
        "edges": [{"source": a, "target": b, **attributes} for a, b, attributes in made.edges(data=True)],
    }
    return json_text(content, indent=1) + "\n"
