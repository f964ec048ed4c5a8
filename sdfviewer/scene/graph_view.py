"""What to draw of a model's graphs: vertices, edges and boxes as plain columns, folded or restricted on request.

Three graphs: ``attached_to`` and ``relative_to`` with an edge from a frame to what it names, and the kinematic
graph with an edge from a joint's parent to the joint and on to its child. They are made of a model by
:mod:`sdfviewer.scene.graph_build`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from sdfviewer.scene.graph_layout import Bools, Ints

#: The kind of a vertex that stands for a name that nothing has.
GHOST = "ghost"


class GraphKind(str, Enum):
    """Which of the three graphs."""

    ATTACHED_TO = "attached_to"
    RELATIVE_TO = "relative_to"
    KINEMATIC = "kinematic"


@dataclass(frozen=True, slots=True)
class Box:
    """A nested scope, drawn around its vertices.

    Attributes
    ----------
    name, label, row
        Scoped name, local name and row of the model.
    parent
        Index of the box around it, or -1.
    """

    name: str
    label: str
    row: int
    parent: int


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A graph as columns over its vertices and its edges.

    Attributes
    ----------
    kind
        Which graph.
    names
        Scoped name of each vertex; that of a ghost starts with ``"?"``.
    labels
        What is written on each vertex.
    kinds
        ``"world"``, ``"model"``, ``"link"``, ``"joint"``, ``"frame"`` or ``"ghost"``.
    rows
        Row in the model's frame table, -1 for ghosts.
    canonical, static, unresolved
        Is a canonical link; belongs to a static model; leads to no root (or is the ghost itself).
    folded
        How many other vertices a folded box hides behind this one, else 0.
    notes
        Why something is wrong with a vertex, or an empty text.
    parents
        The vertex that each vertex hangs on, -1 for roots. May hold cycles.
    box_of, boxes
        Innermost box of each vertex or -1; the boxes, outer before inner.
    sources, targets
        Ends of each edge.
    written
        Whether the file says so; otherwise it is a default.
    cycle_of
        The cycle that each edge takes part in, or -1.
    cycles
        Vertices of each cycle along its edges. In the kinematic graph these are loops, which are no faults.
    """

    kind: GraphKind
    names: tuple[str, ...]
    labels: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: Ints
    canonical: Bools
    static: Bools
    unresolved: Bools
    folded: Ints
    notes: tuple[str, ...]
    parents: Ints
    box_of: Ints
    boxes: tuple[Box, ...]
    sources: Ints
    targets: Ints
    written: Bools
    cycle_of: Ints
    cycles: tuple[tuple[int, ...], ...]
    _index: dict[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        # Where names clash the first holder counts, as everywhere.
        self._index.update((name, vertex) for vertex, name in reversed(list(enumerate(self.names))))

    def __len__(self) -> int:
        return len(self.names)

    def vertex_of(self, name: str, default: int = -1) -> int:
        """Return the vertex of exactly this scoped name, or ``default``."""
        return self._index.get(name, default)

    def vertex(self, name: str) -> int:
        """Return the vertex of a scoped name, or of the innermost folded box that hides it, or -1."""
        while name:
            found = self._index.get(name, -1)
            if found >= 0:
                return found
            name = name.rpartition("::")[0]
        return -1

    def is_drawn_like(self, other: Graph) -> bool:
        """Return whether both graphs make the same picture, and the same frames stand behind it."""
        texts = ("kind", "names", "labels", "kinds", "notes", "boxes", "cycles")
        of_vertices = ("rows", "canonical", "static", "unresolved", "folded", "parents", "box_of")
        of_edges = ("sources", "targets", "written", "cycle_of")
        return all(getattr(self, name) == getattr(other, name) for name in texts) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in of_vertices + of_edges
        )

    @property
    def box_parents(self) -> Ints:
        """Return the box around each box, or -1."""
        return np.array([box.parent for box in self.boxes], dtype=np.intp)

    @property
    def is_kinematic(self) -> bool:
        """Whether its edges lead away from the root and its cycles, the loops of a mechanism, are no faults."""
        return self.kind is GraphKind.KINEMATIC


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
    head_of = np.full(len(graph.boxes) + 1, -1, dtype=np.intp)  # of the outermost folded box; the extra entry serves -1
    boxes: list[Box] = []
    renumbered = {-1: -1}
    for index, box in enumerate(graph.boxes):
        hidden = head_of[box.parent] >= 0
        if hidden or (box.name in names and heads[index] >= 0):
            head_of[index] = head_of[box.parent] if hidden else heads[index]
            renumbered[index] = renumbered[box.parent]
        else:
            renumbered[index] = len(boxes)
            boxes.append(replace(box, parent=renumbered[box.parent]))
    owner = np.where(head_of[graph.box_of] >= 0, head_of[graph.box_of], np.arange(n))
    kept = _restrict(graph, owner == np.arange(n), owner)
    old = np.flatnonzero(owner == np.arange(n))
    counts = (np.bincount(owner, minlength=n) - 1)[old]
    faulty = np.bincount(owner, weights=graph.unresolved, minlength=n)[old] > 0
    columns = [list(kept.names), list(kept.labels), list(kept.kinds)]
    rows = kept.rows.copy()
    outermost = {int(head): index for index, head in reversed(list(enumerate(head_of[:-1]))) if head >= 0}
    for vertex, before in enumerate(old.tolist()):
        if before in outermost:
            box = graph.boxes[outermost[before]]
            for column, value in zip(columns, (box.name, box.label, "model"), strict=True):
                column[vertex] = value
            rows[vertex] = box.row
    return replace(
        kept,
        names=tuple(columns[0]),
        labels=tuple(columns[1]),
        kinds=tuple(columns[2]),
        rows=rows,
        folded=counts,
        unresolved=kept.unresolved | faulty,
        box_of=np.array([renumbered[int(box)] for box in graph.box_of[old]], dtype=np.intp),
        boxes=tuple(boxes),
        _index={},
    )


def _heads(graph: Graph) -> list[int]:
    """Return the vertex that stands for each box when it is folded: its model's, or the first inside; -1 if empty."""
    heads = [-1] * len(graph.boxes)
    for vertex in range(len(graph) - 1, -1, -1):
        box = int(graph.box_of[vertex])
        while box >= 0:
            heads[box] = vertex
            box = graph.boxes[box].parent
    for index, box_drawn in enumerate(graph.boxes):
        heads[index] = graph.vertex_of(box_drawn.name, heads[index])
    return heads


def focus(graph: Graph, names: Sequence[str]) -> Graph:
    """Return the part of a graph that concerns some vertices: their chains to the root and what hangs on them."""
    chosen = [vertex for vertex in map(graph.vertex, names) if vertex >= 0]
    keep = np.zeros(len(graph), dtype=bool)
    keep[chosen] = True
    # What hangs on them, level by level.
    away, towards = (graph.sources, graph.targets) if graph.is_kinematic else (graph.targets, graph.sources)
    hanging: dict[int, list[int]] = {}
    for near, far in zip(away.tolist(), towards.tolist(), strict=True):
        hanging.setdefault(near, []).append(far)
    front = list(chosen)
    while front:
        front = [far for near in front for far in hanging.get(near, ()) if not keep[far]]
        keep[front] = True
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
    kept = _restrict(graph, keep, np.arange(len(graph), dtype=np.intp))
    used = set(kept.box_of.tolist())
    for index in range(len(graph.boxes) - 1, -1, -1):
        if index in used:
            used.add(graph.boxes[index].parent)
    boxes: list[Box] = []
    renumbered = {-1: -1}
    for index, box in enumerate(graph.boxes):
        if index in used:
            renumbered[index] = len(boxes)
            boxes.append(replace(box, parent=renumbered[box.parent]))
    box_of = np.array([renumbered[int(box)] for box in kept.box_of], dtype=np.intp)
    return replace(kept, boxes=tuple(boxes), box_of=box_of, _index={})


def _restrict(graph: Graph, keep: Bools, owner: Ints) -> Graph:
    """Return the graph of the vertices to keep; edges of the others move to their owners or are dropped."""
    new = np.full(len(graph) + 1, -1, dtype=np.intp)  # the extra entry serves -1
    new[:-1][keep] = np.arange(int(keep.sum()))
    sources, targets = new[owner[graph.sources]], new[owner[graph.targets]]
    was_loop = graph.sources == graph.targets
    stays = (sources >= 0) & (targets >= 0) & ((sources != targets) | was_loop)
    # Several edges may have become one.
    pairs = sources * (len(graph) + 1) + targets
    _, first = np.unique(np.where(stays, pairs, -1), return_index=True)
    picked = np.sort(first[stays[first]])
    parents = np.where(graph.parents[keep] >= 0, new[owner[graph.parents[keep]]], -1)
    inside = parents == np.arange(len(parents))
    self_named = graph.parents[keep] == np.flatnonzero(keep)
    parents[inside & ~self_named] = -1
    for source, target in zip(sources[picked].tolist(), targets[picked].tolist(), strict=True):
        if not graph.is_kinematic and parents[source] < 0:
            parents[source] = target
    indices = np.flatnonzero(keep).tolist()
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
