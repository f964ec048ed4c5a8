"""Products of motions along a tree: where each axis of motion takes what it carries."""

from __future__ import annotations

import math

import numpy as np

from sdfviewer.model import graph
from sdfviewer.model.graph import Rows
from sdfviewer.transforms import Array


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
