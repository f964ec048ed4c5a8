"""Whether the triangles of a mesh close a solid and face outwards, and coarse versions of heavy meshes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.mesh import MeshPart, TriangleMesh
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


# --- coarse versions ----------------------------------------------------------------------------------------------


#: From so many triangles on, a mesh has a coarse version to draw while the camera moves.
HEAVY = 50_000
#: Most triangles of a coarse version, and how many times fewer they are at least.
_MOST, _LESS = 60_000, 5
#: Triangles of a closed surface to the square of the number of cells along its longest side, as measured on a sphere.
_PER_CELLS_SQUARED = 10.8


def with_coarse(mesh: TriangleMesh) -> TriangleMesh:
    """Return a mesh with a coarse version, part for part, where it has `HEAVY` triangles or more.

    Its box is divided into cubes; of the vertices in one cube that face the same octant the middle is kept. Normals,
    texture coordinates and colours are those of one of them, for in between nothing sensible may be found.
    """
    if len(mesh.indices) < HEAVY:
        return mesh
    target = min(len(mesh.indices) / _LESS, _MOST)
    low, high = mesh.bounds
    cell = max(float((high - low).max()), 1e-9) / math.sqrt(target / _PER_CELLS_SQUARED)
    columns = list(((mesh.positions - low) / cell).astype(np.int64).T)
    if mesh.normals is not None:
        columns.append((mesh.normals >= 0) @ np.array([1, 2, 4]))
    first, inverse = weld(*columns)
    counts = np.bincount(inverse)
    middles = np.stack([np.bincount(inverse, axis) / counts for axis in mesh.positions.T], axis=1)

    runs, parts = [], []
    start = 0
    for part in mesh.parts or (MeshPart(0, len(mesh.indices)),):
        corners = inverse[mesh.indices[part.start : part.start + part.count]]
        a, b, c = corners.T
        kept = corners[(a != b) & (b != c) & (c != a)]
        runs.append(kept)
        parts.append(replace(part, start=start, count=len(kept)))
        start += len(kept)
    coarse = TriangleMesh(
        middles.astype(np.float32),
        None if mesh.normals is None else mesh.normals[first],
        None if mesh.uvs is None else mesh.uvs[first],
        np.concatenate(runs),
        tuple(parts) if mesh.parts else (),
        colours=None if mesh.colours is None else mesh.colours[first],
    )
    # Thin structures keep most of their triangles, which is not worth the memory.
    return replace(mesh, coarse=coarse) if 2 * len(coarse.indices) < len(mesh.indices) else mesh
