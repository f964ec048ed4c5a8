"""Families: vertices with similar names and subtrees, drawn as one vertex with their number."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from sdfviewer.graphs.folding import merge
from sdfviewer.graphs.graph_view import GHOST, Graph
from sdfviewer.graphs.layout import Bools, Ints, cut_cycles
from sdfviewer.graphs.tidy_trees import breadth_first

#: Fewer vertices of like names than this are each drawn.
SMALLEST = 3

_NUMBER = re.compile(r"\d+")


def family_name(name: str) -> str:
    """Return the family of a name: ``box_#`` for ``box_12``."""
    return _NUMBER.sub("#", name)


def fold_families(graph: Graph, shown: Collection[str] = (), opened: Collection[str] = ()) -> Graph:
    """Return the graph with each family of vertices drawn as one vertex.

    Members of a family are roots or hang on one parent, are in one box, and their names differ only in numbers, as do
    the names in their subtrees. A vertex that takes part in a fault, or in an edge beside the tree, is in no family.
    A family and the members that are drawn for themselves are together, at the place of the first member.

    Parameters
    ----------
    graph
        What to draw, perhaps with folded boxes.
    shown
        Scoped names of vertices that are drawn for themselves wherever they are, such as those of the selection.
    opened
        Names of families not to fold, as in `Graph.names` of a graph where they are folded.
    """
    n = len(graph)
    tree = cut_cycles(graph.parents)
    families = _find_families(graph, tree, shown)
    # Where a member goes apart, neither its family nor others change places.
    place = np.arange(n)
    for members in _find_families(graph, tree) if shown else families:
        if len(members) >= SMALLEST:
            place[members] = members[0]
    families.sort(key=lambda members: int(place[members[0]]))

    owner = np.arange(n)
    family_of: dict[int, tuple[str, str, int]] = {}  # by its first member: name, label, number of members
    taken = set(graph.names)
    for members in families:
        if len(members) < SMALLEST:
            continue
        head = members[0]
        label = family_name(graph.labels[head])
        scope = graph.names[head].removesuffix(graph.labels[head])
        name = next(name for i in range(n) if (name := f"{scope}{label}" + f" ({i + 1})" * (i > 0)) not in taken)
        taken.add(name)
        if name not in opened:
            owner[members] = head
            family_of[head] = name, label, len(members)
    if not family_of:
        return graph
    order, _ = breadth_first(tree)
    for vertex in order:  # what hangs on a member goes with it; a family in a hidden subtree is hidden too
        parent = int(tree[vertex])
        if parent >= 0 and (owner[parent] != parent or parent in family_of):
            owner[vertex] = owner[parent]
    heads = np.flatnonzero(owner == np.arange(n))
    heads = heads[np.lexsort((heads, ~np.isin(heads, list(family_of)), place[heads]))]
    names, labels, rows = list(graph.names), list(graph.labels), graph.rows.copy()
    counts = np.zeros(n, dtype=np.intp)
    for head, (name, label, count) in family_of.items():
        if owner[head] == head:
            names[head], labels[head], rows[head], counts[head] = name, label, -1, count
    hidden = {graph.names[vertex]: names[owner[vertex]] for vertex in np.flatnonzero(counts[owner] > 0).tolist()}
    hidden |= {name: hidden.get(link, link) for name, link in graph.hidden.items()}  # joints go with their links
    folded = np.bincount(owner, weights=graph.folded + 1, minlength=n).astype(np.intp) - 1
    named = replace(
        graph,
        names=tuple(names),
        labels=tuple(labels),
        rows=rows,
        folded=np.where(counts > 0, folded, graph.folded),
        members=counts,
        _index={},
    )
    return replace(merge(named, heads, owner), hidden=hidden, _index={}) if len(heads) < n else named


def _find_families(graph: Graph, tree: Ints, shown: Collection[str] = ()) -> list[list[int]]:
    """Return the members of each family, also of such that are too small to be folded."""
    likeness = _likenesses(graph, tree, _is_alone(graph, shown))
    families: dict[tuple[int, int, int], list[int]] = {}
    for vertex in np.flatnonzero(likeness >= 0).tolist():
        if _NUMBER.search(graph.labels[vertex]):
            key = int(tree[vertex]), int(graph.box_of[vertex]), int(likeness[vertex])
            families.setdefault(key, []).append(vertex)
    return list(families.values())


def family_of(graph: Graph, vertex: int) -> str:
    """Return the name that the family of a vertex has where it is folded, if the vertex has one."""
    label = graph.labels[vertex]
    return graph.names[vertex].removesuffix(label) + family_name(label)


def _is_alone(graph: Graph, shown: Collection[str]) -> Bools:
    """Return which vertices are in no family, and so are those that they hang on."""
    alone = graph.unresolved.copy()
    for cycle in graph.cycles:
        alone[list(cycle)] = True
    alone |= np.array([kind == GHOST or bool(note) for kind, note in zip(graph.kinds, graph.notes, strict=True)])
    alone[[vertex for vertex in map(graph.vertex, shown) if vertex >= 0]] = True
    # Every vertex but a root has one edge in the tree; one with more edges is not in a family.
    ends = graph.targets if graph.is_kinematic else graph.sources
    others = graph.sources if graph.is_kinematic else graph.targets
    beside = graph.parents[ends] != others
    alone[ends[beside]] = True
    alone[others[beside]] = True
    return alone


def _likenesses(graph: Graph, tree: Ints, alone: Bools) -> Ints:
    """Return a number for each vertex that is equal for similar subtrees, -1 for a unique subtree."""
    order, children = breadth_first(tree)
    boxes = graph.box_of.tolist()
    is_written = np.zeros(len(graph), dtype=bool)
    is_written[graph.targets if graph.is_kinematic else graph.sources] = graph.written
    styles = list(
        zip(graph.kinds, graph.static.tolist(), graph.canonical.tolist(), is_written.tolist(), boxes, strict=True)
    )
    patterns = {label: family_name(label) for label in graph.labels}
    numbers: dict[tuple[object, ...], int] = {}
    likeness = [-1] * len(order)
    for vertex in reversed(order):
        below = [likeness[child] for child in children[vertex]]
        same_box = all(boxes[child] == boxes[vertex] for child in children[vertex])
        if not alone[vertex] and same_box and -1 not in below:
            alike = (patterns[graph.labels[vertex]], *styles[vertex], *sorted(below))
            likeness[vertex] = numbers.setdefault(alike, len(numbers))
    return np.array(likeness, dtype=np.intp)
