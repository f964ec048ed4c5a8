"""Detect solid meshes: closed shells whose triangles face outwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.meshes.piece import weld

_CELLS = 1 << 20
"""Vertices closer together than this part of the mesh's size are one: seams repeat them, with rounding."""


def is_solid(mesh: TriangleMesh) -> bool:
    """Return whether a mesh consists of closed shells that face outwards.

    Each edge must be walked as often in one direction as in the other, and each shell must enclose a positive volume.
    A mesh with a cavity does not count: its inner shell faces inwards.
    """
    if not len(mesh.indices):
        return False
    low, high = mesh.bounds
    size = max(float((high - low).max()), 1e-12)
    first, inverse = weld(*np.rint((mesh.positions - low) * (_CELLS / size)).astype(np.int64).T)
    triangles = inverse[mesh.indices].astype(np.int64)
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    starts, ends = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    count = len(first)
    if not np.array_equal(np.sort(starts * count + ends), np.sort(ends * count + starts)):
        return False
    shells = _shells(triangles, count)
    p = (mesh.positions[first] - low).astype(np.float64)
    a, b, c = triangles.T
    volumes = np.einsum("ij,ij->i", p[a], np.cross(p[b], p[c]))
    of_shells = np.bincount(shells[a], volumes, count)
    return bool((of_shells[np.unique(shells[a])] > 0).all())


def _shells(triangles: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the lowest vertex that each of `count` vertices hangs together with, over triangles (m, 3)."""
    labels = np.arange(count)
    while True:
        lowest = labels[triangles].min(axis=1)
        grown = labels.copy()
        np.minimum.at(grown, triangles.ravel(), np.repeat(lowest, 3))
        # Following the labels of labels reaches twice as far in each round.
        grown = grown[grown]
        if np.array_equal(grown, labels):
            return labels
        labels = grown
