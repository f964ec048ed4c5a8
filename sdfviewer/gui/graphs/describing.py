"""Tooltips and titles of the graph panes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdfviewer.graphs.graph_view import GHOST, Graph, GraphKind
from sdfviewer.gui.kit.safe_text import joined, markup, rich_tip
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.transforms import matrix_to_pose

#: So many members of a family are listed in its tooltip.
MOST_LISTED = 8


def describe_vertex(model: Model, graph: Graph, vertex: int) -> str:
    """Return the tooltip of a vertex as rich text: what it is, what it names, its raw pose and where it is written."""
    row, note = int(graph.rows[vertex]), graph.notes[vertex]
    if graph.kinds[vertex] == GHOST:
        return rich_tip(markup("<b>{label}</b><br>{note}", label=graph.labels[vertex], note=note))
    if graph.members[vertex]:
        hidden = [name for name, family in graph.hidden.items() if family == graph.names[vertex]]
        listed = hidden[:MOST_LISTED]
        if len(hidden) > MOST_LISTED:
            listed.append(f"and {len(hidden) - MOST_LISTED} more")
        count = int(graph.members[vertex])
        head = markup("<b>{name}</b> × {count}, double-click to expand", name=graph.names[vertex], count=count)
        return _tip([head, *listed])
    if row < 0:
        return rich_tip(markup("<b>{name}</b>", name=graph.names[vertex]))
    kind = model.kinds[row]
    frame = "explicit frame" if kind is Kind.FRAME else f"{kind}, implicit frame"
    lines: list[str] = [markup("<b>{name}</b> ({frame})", name=model.shown_name(row), frame=frame)]
    if graph.folded[vertex]:
        lines.append(f"folded: {int(graph.folded[vertex])} more inside, double-click to open")
    if graph.holds_joints[vertex]:
        lines.append(
            f"attached to it: {', '.join(_joints_in(graph, vertex))}; a click on the sign of the joint shows it"
        )
    if row > 0:
        lines.append(_edge(model, row, GraphKind.RELATIVE_TO))
        x, y, z, *angles = map(format_shown, matrix_to_pose(model.raw_poses[row]).tolist())
        lines.append(f"raw pose: {x} {y} {z} m, {' '.join(angles)} rad")
        if kind is not Kind.LINK:
            lines.append(_edge(model, row, GraphKind.ATTACHED_TO))
        body = int(model.bodies[row])
        if 0 <= body != row:
            lines.append(f"moves with {model.shown_name(body)}")
    if row in model.joints_by_row:
        joint = model.joints_by_row[row]
        ends = [
            model.shown_name(end) if end >= 0 else "world" if end == -1 else "?" for end in (joint.parent, joint.child)
        ]
        lines.append(f"{joint.type} joint from {ends[0]} to {ends[1]}")
    if graph.canonical[vertex]:
        lines.append("★ canonical link: its model frame is attached to it")
    if note:
        lines.append(markup("<b>✗ {note}</b>", note=note) if graph.unresolved[vertex] else note)
    document = model.document_of(row)
    line = document.span(model.elements[row]).line
    lines.append(markup("<small>{file}:{line}</small>", file=document.name, line=line))
    return _tip(lines)


def _joints_in(graph: Graph, vertex: int) -> list[str]:
    """Return the names of the joints that are folded into a link."""
    return [name.rpartition("::")[2] for name, link in graph.hidden.items() if link == graph.names[vertex]]


def _tip(lines: Sequence[str]) -> str:
    return rich_tip(markup("<p style='white-space:pre'>{lines}</p>", lines=joined("<br>", lines)))


def _edge(model: Model, row: int, kind: GraphKind) -> str:
    named, written = (
        (model.relative_to, model.relative_to_written)
        if kind is GraphKind.RELATIVE_TO
        else (model.attached_to, model.attached_to_written)
    )
    target = int(named[row])
    if target < 0:
        return f"{kind.value}: {written[row] or ''} (missing)"
    return f"{kind.value}: {model.shown_name(target)}{'' if written[row] else ' (default)'}"


def describe_graph(graph: Graph, shown: Graph | None = None) -> list[str]:
    """Return the counts of a graph in a few words, those of faults first: the last are left out where room is short.

    Where only a part of the graph is shown, they also say how much that is.
    """
    ghosts = graph.kinds.count(GHOST)
    frames = len(graph.kinds) - ghosts
    edges = len(graph.sources)
    part = graph if shown is None else shown
    parts = [
        _part(len(part) - part.kinds.count(GHOST), frames) + _count(frames, "vertex", "vertices"),
        _part(len(part.sources), edges) + _count(edges, "edge", "edges"),
    ]
    if graph.is_kinematic:
        parts.append(_count(_islands(graph), "island", "islands"))
        if graph.cycles:
            parts.append(_count(len(graph.cycles), "loop", "loops"))
        return parts
    faults: list[str] = []
    if graph.cycles:
        faults.append(_count(len(graph.cycles), "cycle", "cycles"))
    if ghosts:
        faults.append(f"{ghosts} missing")
    lost = int(graph.unresolved.sum()) - ghosts
    if lost:
        faults.append(f"{lost} unresolved")
    return faults + parts


def _part(shown: int, whole: int) -> str:
    return f"{shown} of " if shown < whole else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _islands(graph: Graph) -> int:
    """Return how many parts of a kinematic graph no edge connects."""
    island = np.arange(len(graph))
    while True:
        lowest = island.copy()
        np.minimum.at(lowest, graph.sources, island[graph.targets])
        np.minimum.at(lowest, graph.targets, island[graph.sources])
        lowest = lowest[lowest]
        if np.array_equal(lowest, island):
            return int(np.count_nonzero(island == np.arange(len(graph))))
        island = lowest
