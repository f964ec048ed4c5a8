"""What shapes are made of: triangles as plain arrays, surfaces that a line sweeps about z, and supports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.transforms import Array


class ShapeSurface(NamedTuple):
    """Triangles of one shape.

    Attributes
    ----------
    positions
        Vertices (n, 3) in metres.
    normals
        Directions (n, 3) of length 1, outwards.
    uvs
        Texture coordinates (n, 2); the origin is the lower left corner of the picture.
    indices
        Vertices (m, 3) of each triangle, counter-clockwise seen from outside.
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uvs: NDArray[np.float32]
    indices: NDArray[np.uint32]


def surface_of(positions: ArrayLike, normals: ArrayLike, uvs: ArrayLike, indices: ArrayLike) -> ShapeSurface:
    """Return a surface from arrays of any type."""
    return ShapeSurface(
        np.ascontiguousarray(positions, np.float32),
        np.ascontiguousarray(normals, np.float32),
        np.ascontiguousarray(uvs, np.float32),
        np.ascontiguousarray(indices, np.uint32).reshape(-1, 3),
    )


def revolve(profile: ArrayLike, profile_normals: ArrayLike, v: ArrayLike, sectors: int) -> ShapeSurface:
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
    return surface_of(flat, normals.reshape(-1, 3), uvs.reshape(-1, 2), triangles[solid])


def _grid_triangles(rows: int, columns: int) -> NDArray[np.uint32]:
    """Return the triangles (m, 3) of a rows x columns lattice of vertices in row-major order.

    They turn counter-clockwise where columns grow to the right and rows downwards, seen from the front.
    """
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = corner, corner + columns, corner + columns + 1, corner + 1
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.uint32)


# --- supports -----------------------------------------------------------------------------------------------------


_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Points:
    """All points within a distance of the convex hull of vertices (n, 3): hulls, boxes, spheres, capsules."""

    vertices: Array
    margin: float = 0.0

    @property
    def bounds(self) -> Array:
        """The box (2, 3) around it."""
        return np.stack([self.vertices.min(axis=0) - self.margin, self.vertices.max(axis=0) + self.margin])

    def support(self, directions: Array) -> Array:
        """Return the vertices (b, 3) that reach farthest along directions (b, 3)."""
        return np.asarray(self.vertices[np.argmax(directions @ self.vertices.T, axis=1)])


@dataclass(frozen=True, eq=False)
class Round:
    """A solid of revolution about z: the convex hull of circles of radii (n,) at heights (n,)."""

    radii: Array
    heights: Array
    margin: float = 0.0

    @property
    def bounds(self) -> Array:
        """The box (2, 3) around it."""
        r, low, high = float(self.radii.max()), float(self.heights.min()), float(self.heights.max())
        return np.array([[-r, -r, low], [r, r, high]])

    def support(self, directions: Array) -> Array:
        """Return the points (b, 3) that reach farthest along directions (b, 3)."""
        across = np.hypot(directions[:, 0], directions[:, 1])
        which = np.argmax(across[:, None] * self.radii + directions[:, 2:] * self.heights, axis=1)
        outwards = directions[:, :2] / np.maximum(across, _TINY)[:, None]
        return np.column_stack([outwards * self.radii[which, None], self.heights[which]])


@dataclass(frozen=True, eq=False)
class ConvexEllipsoid:
    """An ellipsoid of radii (3,) about the origin."""

    radii: Array
    margin: float = 0.0

    @property
    def bounds(self) -> Array:
        """The box (2, 3) around it."""
        return np.stack([-self.radii, self.radii])

    def support(self, directions: Array) -> Array:
        """Return the points (b, 3) that reach farthest along directions (b, 3)."""
        scaled = directions * self.radii
        length = np.maximum(np.linalg.norm(scaled, axis=1, keepdims=True), _TINY)
        return np.asarray(self.radii * scaled / length)


Convex: TypeAlias = Points | Round | ConvexEllipsoid
