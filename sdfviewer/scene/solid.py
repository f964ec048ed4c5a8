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
    corners = inverse.astype(np.int64)[np.ascontiguousarray(mesh.indices.T)]
    a, b, c = corners
    corners = corners[:, (a != b) & (b != c) & (c != a)]
    if not _is_balanced(corners, len(first)):
        return False
    shells = _shells(corners, len(first))[corners[0]]
    p = np.ascontiguousarray((mesh.positions[first] - low).astype(np.float64).T)
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = p[:, corners]
    volumes = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    of_shells = np.bincount(shells, volumes, len(first))
    return bool((of_shells[shells] > 0).all())


def _is_balanced(corners: NDArray[np.int64], count: int) -> bool:
    """Return whether triangles walk each edge as often in one direction as in the other.

    Their corners (3, m) are among `count` vertices. The sums of 64-bit hashes of all edges and of all reversed edges
    are compared: a sixth of the work of sorting them.
    """
    starts, ends = (side.ravel().astype(np.uint64) for side in (corners, corners[[1, 2, 0]]))
    there, back = (_hashed(a * np.uint64(count) + b).sum() for a, b in ((starts, ends), (ends, starts)))
    return bool(there == back)


def _hashed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return 64-bit hashes of keys (k,): the finalizer of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _shells(corners: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the lowest vertex that each of `count` hangs together with, over triangles with corners (3, m)."""
    labels = np.arange(count)
    while corners.size:
        of_corners = labels[corners]
        lowest = of_corners.min(axis=0)
        # What hangs together already needs no further look.
        apart = (of_corners != lowest).any(axis=0)
        corners, of_corners, lowest = corners[:, apart], of_corners[:, apart], lowest[apart]
        for label in of_corners:
            np.minimum.at(labels, label, lowest)
        while not np.array_equal(further := labels[labels], labels):
            labels = further
    return labels
