"""The visible part of a graph: folded models, joints and families, and the restriction to the selection."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdfviewer.graphs.folding import focus, fold, fold_families, merge
from sdfviewer.graphs.graph_view import Graph, GraphKind


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
