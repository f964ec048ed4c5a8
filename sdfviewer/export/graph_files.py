"""A graph as a file for other programs: Graphviz DOT, node-link JSON and SVG.

DOT has nested scopes as clusters; SVG is what the window draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.display_text import json_text, visible
from sdfviewer.document.xml.parse import escape
from sdfviewer.graphs.blocks import Block
from sdfviewer.graphs.graph_view import GHOST, Graph
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import (
    CYCLE_DASHES,
    CYCLE_WIDTH,
    DEFAULT_DASHES,
    EDGE_WIDTH,
    FONTS,
    GLYPH_SIZE,
    MARGIN,
    STAR_WIDTH,
    TEXT_SIZE,
    GraphColours,
    GraphPicture,
    arrow_head,
    badge_places,
    graph_colours,
)
from sdfviewer.palette import STYLES, Glyph

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
        lines += ["  " * (depth + 1) + _dot_vertex(graph, vertex, dark) for vertex in members.get(box, [])]
        if box >= 0:
            stack.append((box, False))
        stack += [(index, True) for index in reversed(inner.get(box, []))]
    lines += ["  " + _dot_edge(graph, edge, dark) for edge in range(len(graph.sources))]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_vertex(graph: Graph, vertex: int, dark: bool) -> str:
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


def _dot_edge(graph: Graph, edge: int, dark: bool) -> str:
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


_PADDING = 24.0
BADGE_RADIUS = 8.0


def _text(text: str, quote: str = "") -> str:
    """Return a text as it is written in XML, which cannot hold controls and halves of surrogate pairs."""
    return escape(visible(text), quote)


def format_svg(picture: GraphPicture, dark: bool = False) -> str:
    """Return a picture as an SVG document with text that can be searched and selected.

    Parameters
    ----------
    picture
        The graph as laid out.
    dark
        Whether it is for dark ground.
    """
    colours = graph_colours(dark)
    low = np.minimum(picture.curves.reshape(-1, 2).min(axis=0, initial=0.0), 0.0) - _PADDING
    high = np.maximum(picture.curves.reshape(-1, 2).max(axis=0, initial=0.0), picture.layout.extent) + _PADDING
    width, height = high - low
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{low[0]:.1f} {low[1]:.1f} {width:.1f} {height:.1f}" '
        f'font-family="{FONTS}" font-size="{TEXT_SIZE:g}">',
        f"<title>{_text(picture.graph.kind.value)} graph</title>",
        f'<rect x="{low[0]:.1f}" y="{low[1]:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colours.ground}"/>',
    ]
    lines += _boxes(picture, colours)
    for block in picture.layout.blocks:
        lines += _bundle(block, colours, headed=not picture.graph.is_kinematic)
    badges = badge_places(picture, BADGE_RADIUS)
    for edge in range(len(picture.curves)):
        lines += _svg_edge(picture, edge, colours, badges.get(edge))
    lines += _titles(picture, colours)
    holds_joints = picture.graph.holds_joints
    for vertex in range(len(picture.graph)):
        lines += _svg_vertex(picture, vertex, colours, holds_joints=holds_joints[vertex])
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _boxes(picture: GraphPicture, colours: GraphColours) -> list[str]:
    lines = []
    for left, top, right, bottom in picture.layout.boxes.tolist():
        lines.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" rx="8" '
            f'fill="{colours.box}" stroke="{colours.box_border}"/>'
        )
    return lines


def _titles(picture: GraphPicture, colours: GraphColours) -> list[str]:
    """Return the titles of boxes, in front of edges and with a border that hides these."""
    return [
        f'<text x="{left + 12:.1f}" y="{top + 17:.1f}" font-size="11" fill="{colours.faint}" '
        f'stroke="{colours.box}" stroke-width="5" stroke-linejoin="round" paint-order="stroke">'
        f"{_text(box.label)}</text>"
        for box, (left, top, *_) in zip(picture.graph.boxes, picture.layout.boxes.tolist(), strict=True)
    ]


def _bundle(block: Block, colours: GraphColours, *, headed: bool) -> list[str]:
    """Return the trunks beside the columns of a block, and the lane that leads their edges to the vertex."""
    trunks = "".join(f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" for (x0, y0), (x1, y1) in block.trunks.tolist())
    lane = "L".join(f"{x:.1f} {y:.1f}" for x, y in block.lane.tolist())
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in arrow_head(block.lane))
    path = (
        f'<path class="bundle" d="{trunks}M{lane}" fill="none" stroke="{colours.edge}" stroke-width="1.8">'
        f"<title>{len(block.leaves)} edges</title></path>"
    )
    return [path, f'<polygon points="{head}" fill="{colours.edge}"/>'] if headed else [path]


def _svg_edge(picture: GraphPicture, edge: int, colours: GraphColours, badge: tuple[float, float] | None) -> list[str]:
    graph = picture.graph
    cycle = int(graph.cycle_of[edge])
    dashes: tuple[float, ...] = () if graph.written[edge] else DEFAULT_DASHES
    colour, width = colours.edge, EDGE_WIDTH
    if cycle >= 0:
        colour, width = colours.cycle(cycle, graph.is_kinematic), CYCLE_WIDTH
        dashes = CYCLE_DASHES[cycle % len(CYCLE_DASHES)]
    elif graph.kinds[graph.targets[edge]] == GHOST:
        colour = colours.kind(GHOST)
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = picture.curves[edge].tolist()
    pattern = f' stroke-dasharray="{" ".join(f"{dash:g}" for dash in dashes)}"' if dashes else ""
    names = graph.names[graph.sources[edge]], graph.names[graph.targets[edge]]
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in arrow_head(picture.curves[edge], 1.35 if cycle >= 0 else 1.0))
    lines = [
        f'<path d="M{x0:.1f} {y0:.1f}C{x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f} {x3:.1f} {y3:.1f}" fill="none" '
        f'stroke="{colour}" stroke-width="{width:g}"{pattern}><title>{_text(" → ".join(names))}</title></path>',
    ]
    if edge not in picture.bundled or graph.is_kinematic:
        lines.append(f'<polygon points="{head}" fill="{colour}"/>')
    if badge is not None:
        x, y = badge
        lines.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{BADGE_RADIUS:g}" fill="{colours.ground}" stroke="{colour}"/>'
        )
        lines.append(
            f'<text x="{x:.1f}" y="{y + 3.5:.1f}" font-size="10" font-weight="bold" text-anchor="middle" '
            f'fill="{colour}">{cycle + 1}</text>'
        )
    return lines


def _svg_vertex(picture: GraphPicture, vertex: int, colours: GraphColours, *, holds_joints: bool) -> list[str]:
    graph = picture.graph
    kind = graph.kinds[vertex]
    (x, y), (width, height) = picture.layout.centres[vertex].tolist(), picture.layout.sizes[vertex].tolist()
    left, top = x - width / 2, y - height / 2
    colour = colours.kind(kind)
    radius = {"joint": height / 2, "link": 5.0, "frame": 2.0}.get(kind, 8.0)
    pattern = ' stroke-dasharray="4 3"' if kind == GHOST else ""
    on_cycle = any(vertex in cycle for cycle in graph.cycles)
    faded = ' opacity="0.5"' if graph.unresolved[vertex] and kind != GHOST and not on_cycle else ""
    border, thickness = (colours.kind(GHOST), 2.0) if on_cycle and not graph.is_kinematic else (colour, 1.3)
    note = f"\n{graph.notes[vertex]}" if graph.notes[vertex] else ""
    lines = [
        f'<g{faded} id="{_text(graph.names[vertex], chr(34))}"><title>{_text(graph.names[vertex] + note)}</title>',
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}" '
        f'fill="{colours.fill(kind)}" stroke="{border}" stroke-width="{thickness:g}"{pattern}/>',
        _glyph(kind, left + MARGIN + GLYPH_SIZE / 2, y, colour),
        f'<text x="{left + 2 * MARGIN + GLYPH_SIZE:.1f}" y="{y + 4.2:.1f}" xml:space="preserve" '
        f'fill="{colour if kind == GHOST else colours.text}">{_text(picture.texts[vertex])}</text>',
    ]
    right = left + width - MARGIN
    if graph.canonical[vertex]:
        lines.append(f'<text x="{right:.1f}" y="{y + 4.2:.1f}" text-anchor="end" fill="{colour}">★</text>')
        right -= STAR_WIDTH
    if holds_joints:
        lines.append(_glyph("joint", right - GLYPH_SIZE / 2, y, colours.kind("joint")))
    return [*lines, "</g>"]


def _glyph(kind: str, x: float, y: float, colour: str) -> str:
    shape = Glyph.CROSS if kind == GHOST else STYLES[kind].glyph
    points = glyph_outline(shape, x, y, GLYPH_SIZE / 2)
    if points is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{GLYPH_SIZE * 0.42:.1f}" fill="{colour}"/>'
    return f'<polygon points="{" ".join(f"{px:.1f},{py:.1f}" for px, py in points)}" fill="{colour}"/>'


def glyph_outline(shape: Glyph, x: float, y: float, radius: float) -> list[tuple[float, float]] | None:
    """Return the corners of a kind's glyph around a centre, None for a disc."""
    if shape is Glyph.SQUARE:
        r = radius * 0.85
        return [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
    if shape is Glyph.CROSS:
        a, b = radius, radius * 0.35
        plus = [(-b, -a), (b, -a), (b, -b)]
        for _ in range(3):
            plus += [(-v, u) for u, v in plus[-3:]]
        return [(x + (u - v) * 0.71, y + (u + v) * 0.71) for u, v in plus]
    corners = {Glyph.DIAMOND: 4, Glyph.HEXAGON: 6, Glyph.TRIANGLE: 3, Glyph.STAR: 10}.get(shape)
    if corners is None:
        return None
    angles = np.arange(corners) * 2 * np.pi / corners - np.pi / 2
    radii = np.where(np.arange(corners) % 2 == 1, radius * 0.45, radius) if shape is Glyph.STAR else radius
    return list(zip((x + radii * np.cos(angles)).tolist(), (y + radii * np.sin(angles)).tolist(), strict=True))
