"""Give flat meshes a back: programs that compute a volume or a convex hull refuse them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdfviewer.scene.mesh import MeshPart, TriangleMesh

#: A mesh thinner than this part of its size counts as flat.
_FLAT = 1e-5
#: The thickness that a flat mesh gets, as a part of its size.
_THICKNESS = 1e-4


def with_back(mesh: TriangleMesh) -> TriangleMesh:
    """Return a mesh; a flat one with the same triangles again behind it, seen from the other side.

    Notes
    -----
    MuJoCo refuses coplanar vertices, and meshes without volume in a URDF.
    """
    if not len(mesh.indices):
        return mesh
    points = mesh.positions.astype(np.float64)
    spread = points - points.mean(axis=0)
    axes = np.linalg.eigh(spread.T @ spread)[1].T  # the thinnest first
    thickness, width, size = np.ptp(spread @ axes.T, axis=0)
    if thickness > _FLAT * size or width <= _FLAT * size:
        return mesh
    normal = axes[0]
    first = points[mesh.indices[0].astype(np.int64)]
    if np.cross(first[1] - first[0], first[2] - first[0]) @ normal < 0:
        normal = -normal
    back = (points - normal * _THICKNESS * size).astype(np.float32)
    parts = mesh.parts or (MeshPart(0, len(mesh.indices)),)
    count = len(mesh.indices)
    return replace(
        mesh,
        positions=np.concatenate([mesh.positions, back]),
        normals=None if mesh.normals is None else np.concatenate([mesh.normals, -mesh.normals]),
        uvs=None if mesh.uvs is None else np.concatenate([mesh.uvs, mesh.uvs]),
        indices=np.concatenate([mesh.indices, mesh.indices[:, ::-1] + np.uint32(len(points))]),
        parts=(*parts, *(replace(part, start=part.start + count) for part in parts)),
        coarse=None,
        colours=None if mesh.colours is None else np.concatenate([mesh.colours, mesh.colours]),
    )
