"""Fold boxes or families of similar vertices into single vertices, or restrict the graph to some vertices.

:class:`.ShownPart` is what of a graph is visible: folded models, joints and families, and the restriction to the
selection.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdfviewer.graphs.graph_view import GHOST, Graph, GraphKind, ScopeBox
from sdfviewer.graphs.layout import Bools, Ints, cut_cycles
from sdfviewer.graphs.tidy_trees import breadth_first


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


# --- families -----------------------------------------------------------------------------------------------------


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


def fold_joints(graph: Graph, apart: Collection[str] = (), opened: Collection[str] = ()) -> Graph:
    """Return the ``attached_to`` graph with each joint in its child link where the joint says nothing else.

    A joint is always attached to its child, so its edge is news only where something is attached to the joint, where
    the child is a frame or in another model, or where something is wrong.

    Parameters
    ----------
    graph
        What to draw, perhaps with folded models; other graphs are returned as they are.
    apart
        Scoped names of joints that are drawn for themselves, such as those of the selection.
    opened
        Scoped names of links whose joints are drawn for themselves.
    """
    if graph.kind is not GraphKind.ATTACHED_TO or not len(graph):
        return graph
    kinds = np.array(graph.kinds)
    leads_on = graph.parents >= 0
    folds = (kinds == "joint") & leads_on & ~graph.unresolved & (kinds[graph.parents] == "link")
    folds &= graph.box_of == graph.box_of[graph.parents]
    folds[graph.targets] = False
    folds[[vertex for vertex in map(graph.vertex_of, apart) if vertex >= 0]] = False
    for link in map(graph.vertex_of, opened):
        folds[graph.parents == link] &= link < 0
    joints = np.flatnonzero(folds)
    if not len(joints):
        return graph
    owner = np.arange(len(graph))
    owner[joints] = graph.parents[joints]
    hidden = {graph.names[joint]: graph.names[link] for joint, link in zip(joints, owner[joints], strict=True)}
    return replace(merge(graph, np.flatnonzero(~folds), owner), hidden={**graph.hidden, **hidden}, _index={})


#: Graphs with more vertices open with their outermost models folded, and with one vertex for each family.
MOST_OPEN = 60
#: Maximum number of selected frames that are drawn as vertices even if their family is folded.
MOST_APART = 12
#: Number of vertices above which a graph has families to fold without a search.
MOST_COMPARED = 2000


@dataclass(slots=True)
class ShownPart:
    """Which part of one graph is shown, while the graph itself changes.

    Attributes
    ----------
    models
        Scoped names of the models that are folded; None until a graph has been seen.
    folds_families
        Whether families are folded; None: where there are too many vertices.
    folds_joints
        Whether joints that are only attached to their child link are folded into it.
    opened
        Names of the families, and of the links with folded joints, that the user has opened.
    apart
        Selected frames that are drawn for themselves although they are folded otherwise.
    focused
        Whether only the selection, its chains and its neighbors are shown.
    """

    models: frozenset[str] | None = None
    folds_families: bool | None = None
    folds_joints: bool = True
    opened: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    focused: bool = False

    def update(self, graph: Graph, before: Graph | None, most_open: int = MOST_OPEN) -> None:
        """Fold the models that were not in the graph before, where there is more than is shown at once.

        The box around a model takes as much room as a vertex.
        """
        if self.models is not None and not self.models and before is not None:
            return  # all are open
        known = frozenset(box.name for box in before.boxes) if before is not None else frozenset[str]()
        new = (box.name for box in graph.boxes if box.parent < 0 and box.name not in known)
        is_large = len(graph) + len(graph.boxes) > most_open
        self.models = (self.models or frozenset()) | (frozenset(new) if is_large else frozenset())

    def toggle(self, shown: Graph, name: str) -> None:
        """Fold a model or a family, or open it.

        Parameters
        ----------
        shown
            The graph as it is shown.
        name
            Scoped name of the model, or of the link with joints, or name of the family.
        """
        vertex = shown.vertex_of(name)
        if name in self.opened or (vertex >= 0 and (shown.members[vertex] or shown.holds_joints[vertex])):
            self.opened ^= {name}
        else:
            self.models = (self.models or frozenset()) ^ {name}

    def fold_all(self, graph: Graph) -> None:
        """Fold all models, joints and families."""
        self.models = frozenset(box.name for box in graph.boxes)
        self.folds_families, self.folds_joints, self.opened = True, True, frozenset()

    def open_all(self) -> None:
        """Open all models, joints and families."""
        self.models, self.folds_families, self.opened = frozenset(), False, frozenset()
        self.folds_joints = False

    def show_joints(self, shown: bool) -> None:
        """Draw every joint for itself, or fold each into its link where it says nothing else."""
        self.folds_joints, self.opened = not shown, frozenset()

    def can_fold(self, shown: Graph, selection: Sequence[str]) -> bool:
        """Return whether a model or a family of the graph as it is shown can be folded."""
        around = _around(selection) if self.focused else frozenset[str]()
        boxes = [shown.boxes[box].name for box in set(shown.box_of.tolist()) if box >= 0]
        if any(name not in around for name in boxes) or len(shown) > MOST_COMPARED:
            return True
        if fold_joints(shown, self.apart) is not shown:
            return True
        folds = bool(shown.members.any()) if self.folds_families is None else self.folds_families
        return not (folds and not self.opened) and fold_families(shown, self.apart) is not shown

    def can_open(self, shown: Graph) -> bool:
        """Return whether a model, a joint or a family of the graph as it is shown is folded."""
        opened = {box.name for box in shown.boxes}
        folded = (name for name in self.models or () if name not in opened and shown.vertex_of(name) >= 0)
        return bool(shown.members.any() or shown.hidden) or any(folded)

    def wanted_apart(self, shown: Graph, selection: Sequence[str]) -> frozenset[str]:
        """Return the value of `apart` for a selection."""
        if len(selection) > MOST_APART:
            return frozenset()
        around = (_drawn_around(name, shown, self.apart) for name in selection)
        return frozenset(name for name in around if name)

    def of(self, graph: Graph, selection: Sequence[str]) -> Graph:
        """Return the part of a graph that is shown while some frames are selected."""
        models = self.models or frozenset()
        if self.focused and selection:
            shown = focus(fold(graph, models - _around(selection)), selection)
        else:
            shown = fold(graph, models)
        if self.folds_joints:
            shown = fold_joints(shown, {*self.apart, *(selection if self.focused else ())}, self.opened)
        folds = len(shown) > MOST_OPEN if self.folds_families is None else self.folds_families
        return fold_families(shown, self.apart, self.opened) if folds else shown


def _around(selection: Sequence[str]) -> frozenset[str]:
    """Return some frames and all scopes around them, which are open while only what concerns them is shown."""
    return frozenset(name[: match.start()] for name in selection for match in re.finditer("::|$", name))


def _drawn_around(name: str, shown: Graph, apart: frozenset[str]) -> str:
    """Return what a frame is drawn by that is, or can be, apart: itself or the folded model around it, else nothing."""
    while name and name not in shown.hidden and name not in apart:
        name = "" if shown.vertex_of(name) >= 0 else name.rpartition("::")[0]
    return name
