"""Convex shapes by what they reach farthest along a direction: their supports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sdfviewer.transforms import Array

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
