"""Triangle meshes of primitive shapes: box, sphere, cylinder, capsule, ellipsoid, cone, plane.

All are centred as the specification says, with z as the axis of round shapes. Seams repeat their vertices so that
normals and texture coordinates stay sharp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.scene.mesh import TriangleMesh

_LEVELS = ((48, 24), (12, 6), (4, 2))
"""Sectors and rings of round shapes: in full, for those that are small on screen, and for specks."""


def _mesh(positions: ArrayLike, normals: ArrayLike, uvs: ArrayLike, indices: ArrayLike) -> TriangleMesh:
    return TriangleMesh(
        np.ascontiguousarray(positions, np.float32),
        np.ascontiguousarray(normals, np.float32),
        np.ascontiguousarray(uvs, np.float32),
        np.ascontiguousarray(indices, np.uint32).reshape(-1, 3),
    )


def _grid_triangles(rows: int, columns: int) -> NDArray[np.uint32]:
    """Return the triangles (m, 3) of a rows x columns lattice of vertices in row-major order.

    They turn counter-clockwise where columns grow to the right and rows downwards, seen from the front.
    """
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = corner, corner + columns, corner + columns + 1, corner + 1
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.uint32)


def _revolve(profile: ArrayLike, profile_normals: ArrayLike, v: ArrayLike, sectors: int) -> TriangleMesh:
    """Return the surface that a profile of (radius, z) points, from top to bottom, sweeps about z.

    Repeated points with different normals make a sharp edge; triangles of no area (at the poles) are dropped.
    """
    points, slopes = np.asarray(profile, np.float64), np.asarray(profile_normals, np.float64)
    u = np.linspace(0.0, 1.0, sectors + 1)
    cos, sin = np.cos(2 * np.pi * u), np.sin(2 * np.pi * u)
    around = np.stack([cos, sin], axis=-1)
    positions = np.empty((len(points), len(u), 3))
    positions[..., :2] = points[:, None, :1] * around
    positions[..., 2] = points[:, None, 1]
    normals = np.empty_like(positions)
    normals[..., :2] = slopes[:, None, :1] * around
    normals[..., 2] = slopes[:, None, 1]
    uvs = np.stack(np.broadcast_arrays(u[None, :], np.asarray(v, np.float64)[:, None]), axis=-1)
    flat = positions.reshape(-1, 3)
    triangles = _grid_triangles(len(points), len(u))
    a, b, c = (flat[triangles[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    solid = area > 1e-12 * np.square(max(float(np.abs(flat).max()), 1e-30))
    return _mesh(flat, normals.reshape(-1, 3), uvs.reshape(-1, 2), triangles[solid])


def _levels(shape: Callable[[int, int], TriangleMesh]) -> TriangleMesh:
    """Return a round shape of so many sectors and rings in full, with its coarse versions."""
    mesh: TriangleMesh | None = None
    for sectors, rings in reversed(_LEVELS):
        mesh = replace(shape(sectors, rings), coarse=mesh)
    assert mesh is not None
    return mesh


def box(size: ArrayLike = (1.0, 1.0, 1.0)) -> TriangleMesh:
    """Return a box of the given edge lengths (3,) about the origin; each face carries the whole texture."""
    half = np.asarray(size, np.float64) / 2
    positions, normals = [], []
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            # The texture is upright (z up) on the side faces; on top and bottom x points right.
            across = np.cross([0.0, 0.0, 1.0], normal) if axis < 2 else np.array([1.0, 0.0, 0.0])
            upwards = np.cross(normal, across)
            positions += [normal - across - upwards, normal + across - upwards]
            positions += [normal + across + upwards, normal - across + upwards]
            normals += [normal] * 4
    uvs = np.tile([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], (6, 1))
    quads = np.arange(0, 24, 4)[:, None]
    return _mesh(np.array(positions) * half, normals, uvs, quads + np.array([0, 1, 2, 0, 2, 3]))


def ellipsoid(radii: ArrayLike = (1.0, 1.0, 1.0)) -> TriangleMesh:
    """Return an ellipsoid of the given radii (3,) along x, y, z about the origin."""
    return _levels(lambda sectors, rings: _ellipsoid(radii, sectors, rings))


def _ellipsoid(radii: ArrayLike, sectors: int, rings: int) -> TriangleMesh:
    angle = np.linspace(0.0, np.pi, rings + 1)
    profile = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    unit = _revolve(profile, profile, 1 - angle / np.pi, sectors)
    r = np.asarray(radii, np.float64)
    assert unit.normals is not None
    normals = unit.normals / np.where(r > 0, r, 1.0)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    assert unit.uvs is not None
    return _mesh(unit.positions * r, normals, unit.uvs, unit.indices)


def sphere(radius: float = 1.0) -> TriangleMesh:
    """Return a sphere about the origin."""
    return ellipsoid((radius, radius, radius))


def cylinder(radius: float = 1.0, length: float = 1.0) -> TriangleMesh:
    """Return a closed cylinder along z, centred on the origin."""
    h = length / 2
    profile = [(0, h), (radius, h), (radius, h), (radius, -h), (radius, -h), (0, -h)]
    normals = [(0, 1), (0, 1), (1, 0), (1, 0), (0, -1), (0, -1)]
    return _levels(lambda sectors, _rings: _revolve(profile, normals, [1, 0.999, 1, 0, 0.001, 0], sectors))


def cone(radius: float = 1.0, length: float = 1.0) -> TriangleMesh:
    """Return a closed cone along z, centred on the origin, with its tip at +length / 2."""
    h = length / 2
    slope = np.array([length, radius]) / max(float(np.hypot(length, radius)), 1e-30)

    def surface(sectors: int, rings: int) -> TriangleMesh:
        # Several rings keep the shading smooth towards the tip, where all normals meet.
        t = np.linspace(0.0, 1.0, max(rings // 3, 1) + 1)
        side = np.stack([radius * t, h - length * t], axis=-1)
        profile = np.concatenate([side, [(radius, -h), (0.0, -h)]])
        normals = np.concatenate([np.tile(slope, (len(t), 1)), [(0.0, -1.0), (0.0, -1.0)]])
        return _revolve(profile, normals, np.concatenate([1 - t, [0.001, 0.0]]), sectors)

    return _levels(surface)


def capsule(radius: float = 1.0, length: float = 1.0) -> TriangleMesh:
    """Return a capsule along z: a cylinder of `length` between two half spheres, centred on the origin."""
    return _levels(lambda sectors, rings: _capsule(radius, length, sectors, rings))


def _capsule(radius: float, length: float, sectors: int, rings: int) -> TriangleMesh:
    h = length / 2
    angle = np.linspace(0.0, np.pi / 2, rings // 2 + 1)
    cap = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    upper = cap * radius + [0.0, h]
    lower = cap[::-1] * [radius, -radius] - [0.0, h]
    profile = np.concatenate([upper, lower])
    normals = np.concatenate([cap, cap[::-1] * [1.0, -1.0]])
    total = max(2 * h + 2 * radius, 1e-30)
    return _revolve(profile, normals, (profile[:, 1] + total / 2) / total, sectors)


def plane(size: ArrayLike = (1.0, 1.0), normal: ArrayLike = (0.0, 0.0, 1.0)) -> TriangleMesh:
    """Return a rectangle of the given size (2,) through the origin, facing `normal` (3,)."""
    n = np.asarray(normal, np.float64)
    length = float(np.linalg.norm(n))
    n = n / length if length > 0 else np.array([0.0, 0.0, 1.0])
    # The shortest rotation from z to the normal, as Gazebo turns its planes; x keeps its place for a horizontal one.
    across = np.array([1.0, 0.0, 0.0])
    if n[2] > -1 + 1e-9:
        across = np.array([1 - n[0] * n[0] / (1 + n[2]), -n[0] * n[1] / (1 + n[2]), -n[0]])
    upwards = np.cross(n, across)
    half = np.asarray(size, np.float64) / 2
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    positions = signs[:, :1] * half[0] * across + signs[:, 1:] * half[1] * upwards
    return _mesh(positions, np.tile(n, (4, 1)), (signs + 1) / 2, [[0, 1, 2], [0, 2, 3]])
