"""The vertices, edges and boxes of a graph to draw, folded or restricted on request.

Three graphs: ``attached_to`` and ``relative_to`` with an edge from a frame to what it names, and the kinematic
graph with an edge from a joint's parent to the joint and on to its child. They are made of a model by
:mod:`sdfviewer.graphs.graph_build`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from sdfviewer.graphs.layout import Bools, Ints

#: The kind of a vertex for a name that does not exist.
GHOST = "ghost"


class GraphKind(str, Enum):
    """Which of the three graphs."""

    ATTACHED_TO = "attached_to"
    RELATIVE_TO = "relative_to"
    KINEMATIC = "kinematic"


@dataclass(frozen=True, slots=True)
class ScopeBox:
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
        How many other vertices a folded box, or a folded family, hides behind this one, else 0.
    members
        How many vertices of like names this one is drawn for, else 0.
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
    hidden
        Scoped names of the vertices that folded families and links hide, each with that of its family or link.
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
    members: Ints
    notes: tuple[str, ...]
    parents: Ints
    box_of: Ints
    boxes: tuple[ScopeBox, ...]
    sources: Ints
    targets: Ints
    written: Bools
    cycle_of: Ints
    cycles: tuple[tuple[int, ...], ...]
    hidden: Mapping[str, str] = field(default_factory=dict, repr=False)
    _index: dict[str, int] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def _vertices(self) -> dict[str, int]:
        """The vertex of each name, made when it is first requested: not every step of folding needs it."""
        if len(self._index) == 0 and self.names:
            # Of equal names the first one counts, as everywhere.
            self._index.update(zip(reversed(self.names), range(len(self.names) - 1, -1, -1), strict=True))
        return self._index

    def vertex_of(self, name: str, default: int = -1) -> int:
        """Return the vertex of exactly this scoped name, or ``default``."""
        return self._vertices.get(name, default)

    def vertex(self, name: str) -> int:
        """Return the vertex of a scoped name, or of the folded box or family that hides it, or -1."""
        while name:
            found = self._vertices.get(self.hidden.get(name, name), -1)
            if found >= 0:
                return found
            name = name.rpartition("::")[0]
        return -1

    def is_drawn_like(self, other: Graph) -> bool:
        """Return whether both graphs make the same picture of the same frames."""
        texts = ("kind", "names", "labels", "kinds", "notes", "boxes", "cycles")
        of_vertices = ("rows", "canonical", "static", "unresolved", "folded", "members", "parents", "box_of")
        of_edges = ("sources", "targets", "written", "cycle_of")
        return all(getattr(self, name) == getattr(other, name) for name in texts) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in of_vertices + of_edges
        )

    @property
    def holds_joints(self) -> Bools:
        """Return which links are drawn for their joints, too."""
        holds = np.zeros(len(self), dtype=bool)
        if self.hidden:
            drawn_for = set(self.hidden.values())
            holds[:] = [name in drawn_for for name in self.names]
            holds[self.members > 0] = False
        return holds

    @property
    def box_parents(self) -> Ints:
        """Return the box around each box, or -1."""
        return np.array([box.parent for box in self.boxes], dtype=np.intp)

    @property
    def is_kinematic(self) -> bool:
        """Whether its edges lead away from the root and its cycles, the loops of a mechanism, are no faults."""
        return self.kind is GraphKind.KINEMATIC


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
