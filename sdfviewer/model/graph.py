"""Frame graphs as parent vectors.

In both graphs every frame points to at most one other, so a graph over n frames is a vector of n integers: the row
that each frame points to, :data:`ROOT` for the root, :data:`UNRESOLVED` where the name that is written finds nothing.
All functions are linear in n, or n log depth, whatever the shape of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.transforms import Array

#: The target of the root of a graph.
ROOT = -1
#: The target of a frame that points to something that does not exist.
UNRESOLVED = -2
#: What :func:`sinks` says of frames from which no end is reached.
CYCLE = -3

Rows = NDArray[np.int64]


def sinks(parents: Rows) -> Rows:
    """Return for each row where following ``parents`` ends.

    The end is a row whose target is :data:`ROOT`, or :data:`UNRESOLVED` where the way ends at a missing name, or
    :data:`CYCLE` where it never ends because it runs into a cycle.
    """
    n = len(parents)
    ends = np.append(np.where(parents == ROOT, np.arange(n), np.where(parents < 0, n, parents)), n)
    for _ in range(max(1, n.bit_length())):  # each round doubles the distance looked ahead
        ahead = ends[ends]
        if np.array_equal(ahead, ends):
            break
        ends = ahead
    ends = ends[:n]
    is_end = np.append(parents == ROOT, True)
    return np.where(is_end[ends], np.where(ends == n, UNRESOLVED, ends), CYCLE)


def cycles(parents: Rows) -> list[list[int]]:
    """Return each cycle as the rows along it, in the direction of the edges, starting at its smallest row."""
    found: list[list[int]] = []
    suspects = np.flatnonzero(sinks(parents) == CYCLE)
    visited_by: dict[int, int] = {}
    for start in suspects.tolist():
        path: list[int] = []
        row = start
        while row not in visited_by:
            visited_by[row] = start
            path.append(row)
            row = int(parents[row])
        if visited_by[row] == start:
            cycle = path[path.index(row) :]
            first = cycle.index(min(cycle))
            found.append(cycle[first:] + cycle[:first])
    return sorted(found)


def chain(parents: Rows, row: int) -> list[int]:
    """Return the rows from ``row`` along its edges to the end; a row that comes up again, closing a cycle, is last."""
    path = [row]
    seen = {row}
    while (row := int(parents[row])) >= 0:
        path.append(row)
        if row in seen:
            break
        seen.add(row)
    return path


def dependents(parents: Rows, row: int | Sequence[int]) -> Rows:
    """Return the rows from which ``row``, or one of several rows, can be reached, itself included."""
    n = len(parents)
    reaches = np.zeros(n + 1, dtype=bool)
    reaches[row] = True
    ahead = np.append(np.where(parents < 0, n, parents), n)
    for _ in range(max(1, n.bit_length()) + 1):
        reaches |= reaches[ahead]
        ahead = ahead[ahead]
    return np.flatnonzero(reaches[:n])


def resolve(parents: Rows, X_PF: Array) -> Array:
    """Return the pose of every frame in the root, X_RootF (n, 4, 4).

    Parameters
    ----------
    parents
        Graph over the n frames; poses are relative to the frame pointed to.
    X_PF
        Raw poses (n, 4, 4): frame F in the frame P that it points to. Those of roots are taken as the identity.

    Returns
    -------
    numpy.ndarray
        Poses; NaN for frames from which no root can be reached.

    Notes
    -----
    Pointer doubling: after k rounds each frame's pose is known relative to the frame 2^k steps on, so a chain of
    3 000 frames takes twelve batched products, where following it frame by frame takes 3 000.
    """
    n = len(parents)
    X = np.array(X_PF, dtype=np.float64)
    X[parents == ROOT] = np.eye(4)
    X[parents == UNRESOLVED] = np.nan
    ahead = np.where(parents < 0, n, parents)
    # Most visuals and collisions have the pose of their link, and multiplying by the identity is most of the work.
    is_identity = (np.eye(4) == X).all(axis=(1, 2))
    for _ in range(n.bit_length() + 1):
        active = np.flatnonzero(ahead < n)
        if not len(active):
            break
        via = ahead[active]
        stays, moves = is_identity[active], ~is_identity[via]
        products = np.flatnonzero(~stays & moves)
        copies = np.flatnonzero(stays & moves)
        moved = X[via[products]] @ X[active[products]]
        X[active[copies]] = X[via[copies]]
        X[active[products]] = moved
        is_identity[active[stays & moves]] = False
        ahead[active] = ahead[via]
    X[ahead < n] = np.nan
    return X


def depths(parents: Rows) -> Rows:
    """Return the number of edges from each row to the end of its way, -1 where it runs into a cycle."""
    n = len(parents)
    distance = np.append((parents >= 0).astype(np.int64), 0)
    ahead = np.append(np.where(parents < 0, n, parents), n)
    for _ in range(n.bit_length() + 1):
        if (ahead == n).all():
            break
        distance += distance[ahead]
        ahead = ahead[ahead]
    return np.where(ahead[:n] == n, distance[:n], -1)


def with_contents(owners: NDArray[np.signedinteger[Any]], mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rows of a mask (n,) and all that is written in them."""
    inside = np.where(owners < 0, np.arange(len(mask)), owners)
    while True:  # each pass reaches one level deeper; models nest a few levels
        grown = mask | mask[inside]
        if np.array_equal(grown, mask):
            return mask
        mask = grown
