"""A graph as a file for other programs: Graphviz DOT with nested scopes as clusters, and node-link JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfviewer.display_text import json_text, visible
from sdfviewer.graphs.graph_view import GHOST, Graph
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import graph_colours

_SHAPES = {"world": "hexagon", "model": "box", "link": "box", "joint": "ellipse", "frame": "box", GHOST: "box"}


def format_dot(graph: Graph, dark: bool = False, orientation: Orientation = Orientation.LEFT_RIGHT) -> str:
    """Return a graph in the DOT language.

    Parameters
    ----------
    graph
        What to write; the vertices are named by scoped frame names.
    dark
        Whether it is for dark ground.
    orientation
        The side of the root.
    """
    colours = graph_colours(dark)
    # Edges lead to the root, so Graphviz' ranks run the other way, except in the kinematic graph.
    across = orientation is Orientation.LEFT_RIGHT
    towards, away = ("RL", "LR") if across else ("BT", "TB")
    lines = [
        f"digraph {quote(graph.kind.value)} {{",
        f"  rankdir={away if graph.is_kinematic else towards};",
        f'  bgcolor="{colours.ground}";',
        f'  node [fontname="Helvetica", fontsize=11, height=0.3, fontcolor="{colours.text}", style="rounded,filled"];',
        f'  edge [color="{colours.edge}", arrowsize=0.7];',
    ]
    members: dict[int, list[int]] = {}
    for vertex, box in enumerate(graph.box_of.tolist()):
        members.setdefault(box, []).append(vertex)
    inner: dict[int, list[int]] = {}
    for index, box_drawn in enumerate(graph.boxes):
        inner.setdefault(box_drawn.parent, []).append(index)
    # No recursion: models may be nested to any depth.
    stack: list[tuple[int, bool]] = [(-1, True)]
    depth = 0
    while stack:
        box, opening = stack.pop()
        if not opening:
            lines.append("  " * depth + "}")
            depth -= 1
            continue
        if box >= 0:
            depth += 1
            lines.append("  " * depth + f"subgraph {quote(f'cluster_{graph.boxes[box].name}')} {{")
            lines.append("  " * (depth + 1) + f'label={quote(graph.boxes[box].label)}; color="{colours.box_border}";')
            lines.append("  " * (depth + 1) + f'fontcolor="{colours.faint}"; fontname="Helvetica"; fontsize=10;')
        lines += ["  " * (depth + 1) + _vertex(graph, vertex, dark) for vertex in members.get(box, [])]
        if box >= 0:
            stack.append((box, False))
        stack += [(index, True) for index in reversed(inner.get(box, []))]
    lines += ["  " + _edge(graph, edge, dark) for edge in range(len(graph.sources))]
    return "\n".join([*lines, "}"]) + "\n"


def _vertex(graph: Graph, vertex: int, dark: bool) -> str:
    colours = graph_colours(dark)
    kind = graph.kinds[vertex]
    style = {"frame": "filled", GHOST: "dashed"}.get(kind, "rounded,filled")
    label = graph.labels[vertex] + (" ★" if graph.canonical[vertex] else "")
    if graph.folded[vertex]:
        label += f" (+{int(graph.folded[vertex])})"
    attributes = {
        "label": label,
        "shape": _SHAPES.get(kind, "box"),
        "style": style + (",dashed" if graph.unresolved[vertex] and kind != GHOST else ""),
        "color": colours.kind(kind),
        "fillcolor": colours.fill(kind),
        "tooltip": graph.notes[vertex] or graph.names[vertex],
    }
    return f"{quote(graph.names[vertex])} [{', '.join(f'{key}={quote(value)}' for key, value in attributes.items())}];"


def _edge(graph: Graph, edge: int, dark: bool) -> str:
    source, target = (quote(graph.names[vertex]) for vertex in (graph.sources[edge], graph.targets[edge]))
    attributes = {} if graph.written[edge] else {"style": "dashed"}
    cycle = int(graph.cycle_of[edge])
    if cycle >= 0:
        colour = graph_colours(dark).cycle(cycle, graph.is_kinematic)
        attributes |= {"color": colour, "fontcolor": colour, "penwidth": "3", "style": "bold"}
        attributes["label"] = f"{'loop' if graph.is_kinematic else 'cycle'} {cycle + 1}"
    elif graph.kinds[graph.targets[edge]] == GHOST:
        attributes["color"] = graph_colours(dark).kind(GHOST)
    written = ", ".join(f"{key}={quote(value)}" for key, value in attributes.items())
    return f"{source} -> {target}{f' [{written}]' if written else ''};"


def quote(text: str) -> str:
    """Return a text as a quoted DOT identifier."""
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


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
