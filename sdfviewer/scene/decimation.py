"""Coarse versions of heavy meshes by merging close vertices."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sdfviewer.scene.mesh import MeshPart, TriangleMesh
from sdfviewer.scene.meshes.piece import weld

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
