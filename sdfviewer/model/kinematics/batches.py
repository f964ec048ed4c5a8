"""Poses at many configurations at once.

Each axis of motion has a frame N, whose z is the axis: ``X_RootN(q) = X_RootP(q) X_PN Screw(q)`` with the frame P of
the axis before it. A turn about z mixes two columns and a travel along z changes one, so that what is left for an axis
is one product with a constant matrix. Arrays are (3, 4, b) with the b configurations last: one product of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdfviewer.model.graph import Rows
from sdfviewer.transforms import Array, invert

#: Configurations that are computed at once: their intermediate poses stay in the processor's cache.
_CHUNK = 1024


class BatchedPoses:
    """Multiplies the poses of a tree of axes of motion for many configurations.

    Parameters
    ----------
    p, u
        A point (k, 3) of each of the k axes, and its direction (k, 3), in the root.
    turn, travel
        Radians (k,) and metres (k,) for one unit of its position.
    parents
        The axis (k,) that each hangs on, an earlier one; -1 for what hangs on the ground.
    columns
        The position (k,) that each takes.
    """

    def __init__(self, p: Array, u: Array, turn: Array, travel: Array, parents: Rows, columns: Rows) -> None:
        self._turn, self._travel = turn.tolist(), travel.tolist()
        self._parents, self._columns = parents.tolist(), columns
        frames = np.concatenate([_axis_frames(p, u), np.eye(4)[np.newaxis]])  # the ground is the last one
        self._inverses = invert(frames)
        #: X_PN (k, 4, 4), transposed: it is multiplied from the left.
        self._steps = np.ascontiguousarray(np.swapaxes(self._inverses[parents] @ frames[:-1], -1, -2))

    def __call__(self, q: Array, X_RootF: Array, nodes: Rows) -> Array:
        """Return the poses (b, n, 4, 4) of n frames at configurations q (b, m).

        Parameters
        ----------
        X_RootF
            Their initial poses (n, 4, 4).
        nodes
            The last axis (n,) that moves each; -1 for what does not move.
        """
        out = np.empty((len(q), *X_RootF.shape))
        out[...] = X_RootF  # what does not move, and the last row of the rest
        wanted: dict[int, list[int]] = {}
        for row, node in enumerate(nodes.tolist()):
            if node >= 0:
                wanted.setdefault(node, []).append(row)
        needed = self._ancestors(wanted)
        #: X_NF (n, 4, 4), transposed.
        fixed = np.ascontiguousarray(np.swapaxes(self._inverses[nodes] @ X_RootF, -1, -2))
        for first in range(0, len(q), _CHUNK):
            part = np.ascontiguousarray(q[first : first + _CHUNK].T)
            moved = self._moved(part, needed)
            for node, rows in wanted.items():
                for row in rows:
                    X = fixed[row] @ moved[node]
                    out[first : first + _CHUNK, row, :3, :] = X.transpose(2, 0, 1)
        return out

    def _ancestors(self, nodes: Sequence[int] | dict[int, list[int]]) -> list[int]:
        """Return some axes and all that they hang on, in their order."""
        found: set[int] = set()
        for node in nodes:
            while node >= 0 and node not in found:
                found.add(node)
                node = self._parents[node]  # noqa: PLW2901  # up to the ground
        return sorted(found)

    def _moved(self, q: Array, needed: list[int]) -> dict[int, Array]:
        """Return X_RootN(q) (3, 4, b) of some axes at configurations q (m, b)."""
        ground = np.zeros((3, 4, q.shape[1]))
        for axis in range(3):
            ground[axis, axis] = 1.0
        moved = {-1: ground}
        for node in needed:
            X = self._steps[node] @ moved[self._parents[node]]
            position = q[self._columns[node]]
            if self._travel[node]:
                X[:, 3] += X[:, 2] * (self._travel[node] * position)
            if self._turn[node]:
                angle = self._turn[node] * position
                sine, cosine = np.sin(angle), np.cos(angle)
                x = X[:, 0] * cosine
                x += X[:, 1] * sine
                X[:, 1] *= cosine
                X[:, 1] -= X[:, 0] * sine
                X[:, 0] = x
            moved[node] = X
        return moved


def _axis_frames(p: Array, u: Array) -> Array:
    """Return frames (k, 4, 4) at points p (k, 3) whose z axes are the directions u (k, 3)."""
    X = np.zeros((len(p), 4, 4))
    aside = np.eye(3)[np.argmin(np.abs(u), axis=1)] if len(u) else np.zeros((0, 3))
    x = np.cross(aside, u)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    X[:, :3, 0], X[:, :3, 1], X[:, :3, 2], X[:, :3, 3] = x, np.cross(u, x), u, p
    X[:, 3, 3] = 1.0
    return X
