"""The orders of the model tree: below what each row of the frame table is listed, and what is left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.tree import body_of, span
from sdfviewer.model.model import Model

TOP, LEFT_OUT = -1, -2
"""Instead of the row that another is below: it is below none, or it is not in the tree."""


class TreeOrder(str, Enum):
    """What is below what."""

    WRITTEN = "As Written"
    KINEMATIC = "Kinematic"
    RELATIVE_TO = "relative_to"
    ATTACHED_TO = "attached_to"
    KIND = "By Kind and Name"


@dataclass(frozen=True, eq=False)
class TreeArrangement:
    """Below what each row of a frame table is.

    Attributes
    ----------
    parents
        Row (n,) of what each is below, `TOP` or `LEFT_OUT`.
    ranks
        Numbers (n,) by which the rows below one are sorted, None for the order of the rows.
    """

    parents: Rows
    ranks: NDArray[np.float64] | None = None

    def is_as(self, other: TreeArrangement) -> bool:
        """Return whether all rows are in the same places."""
        if (self.ranks is None) != (other.ranks is None) or not np.array_equal(self.parents, other.parents):
            return False
        return self.ranks is None or other.ranks is None or np.array_equal(self.ranks, other.ranks)


def arrange(model: Model, order: TreeOrder, kinds: Iterable[Kind] | None = None) -> TreeArrangement:
    """Return the rows of a model in an order; only those of some kinds, and what is around all others.

    Without `kinds` everything is listed as it is written; in the other orders, what can be named.
    """
    if order is TreeOrder.WRITTEN and kinds is None:
        return TreeArrangement(model.owners, _as_written(model))
    shown = frozenset(kinds) if kinds is not None else frozenset(kind for kind in Kind if kind.is_vertex)
    ranks = None
    if order is TreeOrder.WRITTEN:
        parents, ranks = model.owners.copy(), _as_written(model)
    elif order is TreeOrder.KINEMATIC:
        parents, ranks = _kinematic(model)
    elif order is TreeOrder.KIND:
        parents = np.full(len(model), TOP)
        numbers = {kind: number for number, kind in enumerate(Kind)}
        names = sorted(range(len(model)), key=lambda row: (numbers[model.kinds[row]], model.names[row].casefold()))
        ranks = np.empty(len(model))
        ranks[names] = np.arange(len(model))
    else:
        parents = _by_reference(model, model.relative_to if order is TreeOrder.RELATIVE_TO else model.attached_to)
    is_shown = np.array([kind in shown for kind in model.kinds])
    is_shown[0] = True
    return TreeArrangement(_only(parents, is_shown), ranks)


def _as_written(model: Model) -> NDArray[np.float64] | None:
    """Return the order in which things are written; None for that of the rows.

    Includes that bring nothing have the last rows of what they are in: a model would change its place as it is found.
    """
    if not model.failed_includes:
        return None
    ranks = np.arange(len(model), dtype=float)
    for owner in {int(model.owners[row]) for row in model.failed_includes if model.owners[row] >= 0}:
        places = {id(child): place for place, child in enumerate(model.elements[owner].children)}
        # What is merged has its elements in the other file: it stays behind what brings it.
        inside = [row for row in model.rows_in(owner) if id(model.elements[row]) in places]
        ranks[sorted(inside, key=lambda row: places[id(model.elements[row])])] = inside
    return ranks


def _kinematic(model: Model) -> tuple[Rows, NDArray[np.float64]]:
    """Return each link below the one that carries it, behind the joint between them; frames below their bodies."""
    parents, ranks = model.owners.copy(), np.arange(len(model), dtype=float)
    forest = span(model, list(model.joints))
    for joint in model.joints:
        body = body_of(model, joint.parent)
        if body >= 0:
            parents[joint.row] = body
    for carried, carrier in forest.carriers.items():
        if carried >= 0:
            ranks[carried] = carrier.joint.row + 0.5
            if carrier.body >= 0:
                parents[carried] = parents[carrier.joint.row] = carrier.body
    frames = np.flatnonzero(model.kinds_are(Kind.FRAME) & (model.bodies >= 0))
    parents[frames] = model.bodies[frames]
    return parents, ranks


def _by_reference(model: Model, references: Rows) -> Rows:
    """Return each row below the one that it names; what names nothing that is found is where it is written.

    Rows on a cycle, and all that lead there, are where they are written, too.
    """
    ends = references.copy()
    for _ in range(len(model).bit_length()):
        ends = np.where(ends >= 0, ends[np.maximum(ends, 0)], ends)
    is_vertex = np.array([kind.is_vertex for kind in model.kinds])
    return np.where(is_vertex & (ends == TOP), references, model.owners)


def _only(parents: Rows, shown: NDArray[np.bool_]) -> Rows:
    """Return the parents of the rows that are shown: of those around them the nearest that is shown."""
    found = parents.copy()
    while True:
        is_beyond = (found >= 0) & ~shown[np.maximum(found, 0)]
        if not is_beyond.any():
            break
        found = np.where(is_beyond, parents[np.maximum(found, 0)], found)
    return np.where(shown, found, LEFT_OUT)
