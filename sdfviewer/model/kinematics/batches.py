"""Poses at many configurations at once.

Each axis of motion has a frame N, whose z is the axis: ``X_RootN(q) = X_RootP(q) X_PN Screw(q)`` with the frame P of
the axis before it. A turn about z mixes two columns and a travel along z changes one, so that what is left for an axis
is one product with a constant matrix. Arrays are (3, 4, b) with the b configurations last: one product of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sdfviewer.model import graph
from sdfviewer.model.graph import Rows
from sdfviewer.transforms import Array, invert


class MotionTree:
    """Axes of motion as nodes of a tree, each carried by its parent.

    Attributes
    ----------
    bases
        The matrices (n, 4, 16) that weights ``1, sin q, 1 - cos q, q`` sum up to the motion of each node.
    columns
        The degree of freedom (n,) that moves each node.
    parents
        The parent (n,) of each node, negative for those that the ground carries.
    """

    def __init__(self, bases: Array, columns: Rows, parents: Rows) -> None:
        self.bases, self.columns, self.parents = bases, columns, parents
        self._product = TreeProduct(parents)

    def __call__(self, q: Array) -> Array:
        """Return the displacements (..., n + 1, 4, 4) at positions q (..., m), the identity of the ground last."""
        angles = q[..., self.columns]
        weights = np.empty((*angles.shape, 1, 4))
        weights[..., 0, 0] = 1.0
        np.sin(angles, out=weights[..., 0, 1])
        # 1 - cos q without cancellation near zero.
        weights[..., 0, 2] = 2.0 * np.sin(angles / 2.0) ** 2
        weights[..., 0, 3] = angles
        return self._product((weights @ self.bases).reshape(*angles.shape, 4, 4))

    def above(self, nodes: Rows) -> tuple[MotionTree, Rows]:
        """Return the part that moves some nodes (k,), -1 for the ground, and their numbers (k,) in it."""
        carries = np.zeros(len(self.parents) + 1, dtype=bool)  # of the ground last
        for first in nodes.tolist():
            node = int(first)
            while node >= 0 and not carries[node]:
                carries[node] = True
                node = int(self.parents[node])
        kept = np.flatnonzero(carries)
        numbers: Rows = np.full(len(carries), -1, dtype=np.int64)
        numbers[kept] = np.arange(len(kept))
        part = MotionTree(self.bases[kept], self.columns[kept], numbers[self.parents[kept]])
        return part, numbers[nodes]


class TreeProduct:
    """Multiplies poses from the roots of a forest outwards: D_i = D_parent(i) · E_i.

    Level by level that takes as many array operations as the tree is deep, and a chain of 1 000 links is deep. Here the
    levels are cut into blocks of √depth levels: products within all blocks at once, then from block to block, then both
    together: twice the multiplications, but only about 2 √depth array operations.

    Parameters
    ----------
    parents
        Parent of each of the n nodes (n,), negative for roots.
    """

    def __init__(self, parents: Rows) -> None:
        self._parents = parents
        depth = graph.depths(parents)
        height = int(depth.max(initial=-1)) + 1
        size = max(1, math.isqrt(max(height - 1, 0)) + 1)
        within = depth % size
        #: The node at the top of each node's block, on its own branch.
        heads: Rows = np.arange(len(parents))
        self._steps: list[tuple[Rows, Rows]] = []
        for number in range(1, min(size, height)):
            nodes = np.flatnonzero(within == number)
            heads[nodes] = heads[parents[nodes]]
            self._steps.append((nodes, parents[nodes]))
        self._heads = heads
        self._jumps: list[tuple[Rows, Rows]] = []
        for level in range(size, height, size):
            nodes = np.flatnonzero(depth == level)
            self._jumps.append((nodes, parents[nodes]))
        self._beyond = np.flatnonzero(depth >= size)

    def __call__(self, E: Array) -> Array:
        """Return D (..., n + 1, 4, 4) of E (..., n, 4, 4), with the identity appended for what hangs on nothing."""
        n = len(self._parents)
        D = np.empty((*E.shape[:-3], n + 1, 4, 4))
        D[..., :n, :, :] = E
        D[..., n, :, :] = np.eye(4)
        for nodes, parents in self._steps:
            D[..., nodes, :, :] = D[..., parents, :, :] @ E[..., nodes, :, :]
        if self._jumps:
            before = np.empty_like(E)  # D of the parent of each head
            before[..., :, :, :] = np.eye(4)
            for nodes, parents in self._jumps:
                before[..., nodes, :, :] = before[..., self._heads[parents], :, :] @ D[..., parents, :, :]
            beyond = self._beyond
            D[..., beyond, :, :] = before[..., self._heads[beyond], :, :] @ D[..., beyond, :, :]
        return D


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
