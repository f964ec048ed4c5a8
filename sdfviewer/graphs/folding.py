"""Fold boxes of a graph into single vertices, or restrict the graph to some vertices."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from sdfviewer.graphs.graph_view import Graph, ScopeBox
from sdfviewer.graphs.layout import Bools, Ints


def fold(graph: Graph, names: Collection[str]) -> Graph:
    """Return the graph with some of its boxes folded: each is shown by the vertex of its model alone.

    Parameters
    ----------
    graph
        A graph with every box open.
    names
        Scoped names of the models to fold; names of no box are ignored.
    """
    n = len(graph)
    heads = _heads(graph)
    head_of = [-1] * (len(graph.boxes) + 1)  # of the outermost folded box; the extra entry serves -1
    boxes: list[ScopeBox] = []
    renumbered = {-1: -1}
    for index, box in enumerate(graph.boxes):
        hidden = head_of[box.parent] >= 0
        if hidden or (box.name in names and heads[index] >= 0):
            head_of[index] = head_of[box.parent] if hidden else heads[index]
            renumbered[index] = renumbered[box.parent]
        else:
            renumbered[index] = len(boxes)
            boxes.append(replace(box, parent=renumbered[box.parent]))
    heads_of = np.array(head_of, dtype=np.intp)[graph.box_of]
    owner = np.where(heads_of >= 0, heads_of, np.arange(n))
    old = np.flatnonzero(owner == np.arange(n))
    kept = merge(graph, old, owner)
    counts = (np.bincount(owner, minlength=n) - 1)[old]
    faulty = np.bincount(owner, weights=graph.unresolved, minlength=n)[old] > 0
    columns = [list(kept.names), list(kept.labels), list(kept.kinds)]
    rows = kept.rows.copy()
    outermost = {head: index for index, head in reversed(list(enumerate(head_of[:-1]))) if head >= 0}
    names_drawn, labels, kinds = columns
    for vertex, before in enumerate(old.tolist()):
        index = outermost.get(before, -1)
        if index >= 0:
            box = graph.boxes[index]
            names_drawn[vertex], labels[vertex], kinds[vertex] = box.name, box.label, "model"
            rows[vertex] = box.row
    return replace(
        kept,
        names=tuple(names_drawn),
        labels=tuple(labels),
        kinds=tuple(kinds),
        rows=rows,
        folded=counts,
        unresolved=kept.unresolved | faulty,
        box_of=np.array([renumbered[box] for box in graph.box_of[old].tolist()], dtype=np.intp),
        boxes=tuple(boxes),
        _index={},
    )


def _heads(graph: Graph) -> list[int]:
    """Return the vertex that represents each box when it is folded: its model's, or the first inside; -1 if empty."""
    heads = [-1] * len(graph.boxes)
    around = [box.parent for box in graph.boxes]
    for vertex, box in zip(range(len(graph) - 1, -1, -1), reversed(graph.box_of.tolist()), strict=True):
        while box >= 0:
            heads[box] = vertex
            box = around[box]  # noqa: PLW2901 -- outwards, box by box
    for index, box_drawn in enumerate(graph.boxes):
        heads[index] = graph.vertex_of(box_drawn.name, heads[index])
    return heads


def focus(graph: Graph, names: Sequence[str]) -> Graph:
    """Return the part of a graph that concerns some vertices: their chains to the root, and their neighbours."""
    chosen = [vertex for vertex in map(graph.vertex, names) if vertex >= 0]
    is_chosen = np.zeros(len(graph), dtype=bool)
    is_chosen[chosen] = True
    keep = is_chosen.copy()
    keep[graph.sources[is_chosen[graph.targets]]] = True
    keep[graph.targets[is_chosen[graph.sources]]] = True
    for start in chosen:
        vertex, seen = start, set[int]()
        while vertex >= 0 and vertex not in seen:
            seen.add(vertex)
            vertex = int(graph.parents[vertex])
        keep[list(seen)] = True
    return restrict(graph, keep)


def restrict(graph: Graph, keep: Bools) -> Graph:
    """Return the graph of the vertices to keep and the edges between them; boxes left empty vanish."""
    if keep.all():
        return graph
    kept = merge(graph, np.flatnonzero(keep), np.arange(len(graph), dtype=np.intp))
    used = set(kept.box_of.tolist())
    for index in range(len(graph.boxes) - 1, -1, -1):
        if index in used:
            used.add(graph.boxes[index].parent)
    boxes: list[ScopeBox] = []
    renumbered = {-1: -1}
    for index, box in enumerate(graph.boxes):
        if index in used:
            renumbered[index] = len(boxes)
            boxes.append(replace(box, parent=renumbered[box.parent]))
    box_of = np.array([renumbered[int(box)] for box in kept.box_of], dtype=np.intp)
    return replace(kept, boxes=tuple(boxes), box_of=box_of, _index={})


def merge(graph: Graph, keep: Ints, owner: Ints) -> Graph:
    """Return the graph of the vertices to keep, in their order, which is that of siblings in the drawing.

    Edges of the others move to their owners or are dropped.
    """
    new = np.full(len(graph) + 1, -1, dtype=np.intp)  # the extra entry serves -1
    new[keep] = np.arange(len(keep))
    sources, targets = new[owner[graph.sources]], new[owner[graph.targets]]
    was_loop = graph.sources == graph.targets
    stays = (sources >= 0) & (targets >= 0) & ((sources != targets) | was_loop)
    # Several edges may have become one.
    pairs = sources * (len(graph) + 1) + targets
    _, first = np.unique(np.where(stays, pairs, -1), return_index=True)
    picked = np.sort(first[stays[first]])
    parents = np.where(graph.parents[keep] >= 0, new[owner[graph.parents[keep]]], -1)
    inside = parents == np.arange(len(parents))
    self_named = graph.parents[keep] == keep
    parents[inside & ~self_named] = -1
    for source, target in zip(sources[picked].tolist(), targets[picked].tolist(), strict=True):
        if not graph.is_kinematic and parents[source] < 0:
            parents[source] = target
    indices = keep.tolist()
    cycles = tuple(
        tuple(dict.fromkeys(int(new[owner[v]]) for v in cycle if new[owner[v]] >= 0)) for cycle in graph.cycles
    )
    return replace(
        graph,
        names=tuple(graph.names[v] for v in indices),
        labels=tuple(graph.labels[v] for v in indices),
        kinds=tuple(graph.kinds[v] for v in indices),
        rows=graph.rows[keep],
        canonical=graph.canonical[keep],
        static=graph.static[keep],
        unresolved=graph.unresolved[keep],
        folded=graph.folded[keep],
        members=graph.members[keep],
        notes=tuple(graph.notes[v] for v in indices),
        parents=parents,
        box_of=graph.box_of[keep],
        sources=sources[picked],
        targets=targets[picked],
        written=graph.written[picked],
        cycle_of=graph.cycle_of[picked],
        cycles=cycles,
        _index={},
    )
