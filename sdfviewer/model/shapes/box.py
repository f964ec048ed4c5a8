"""A box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.model.shapes.kind import ONES, Geometry, Grip, Primitive, Size, Solid, Vector, grip, with_edges
from sdfviewer.model.shapes.surface import Convex, Points, ShapeSurface, surface_of


@dataclass(frozen=True, slots=True)
class Box(Geometry):
    """A box with its centre at the origin; ``size`` along x, y, z."""

    size: Vector = ONES

    @property
    def volume(self) -> float:
        """The volume in m³."""
        x, y, z = self.size
        return x * y * z


class BoxKind(Primitive[Box]):
    """What is known of boxes."""

    record = Box
    rank = 10
    icon = "mdi6.cube-outline"
    sizes = (Size("size", "Lengths of the edges along x, y and z.", new="0.1 0.1 0.1"),)
    urdf_since = (1, 0)

    def drawn(self, geometry: Box) -> tuple[Geometry, Vector]:
        """Return the box of one metre, at the scale of a box."""
        x, y, z = geometry.size
        return Box(), (abs(x), abs(y), abs(z))

    def surface(self, geometry: Box, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of a box; each face carries the whole texture."""
        return box_surface(geometry.size)

    def grips(self, geometry: Box) -> tuple[tuple[Grip, ...], ...]:
        """Return the faces and the edges."""
        half = [edge / 2 for edge in geometry.size]
        return with_edges([grip(axis, sign * half[axis], "size", axis, 0.5) for axis in range(3) for sign in (1, -1)])

    def solid(self, geometry: Box) -> Solid:
        """Return centre of mass and moments."""
        x, y, z = geometry.size
        return Solid(((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12))

    def convex(self, geometry: Box, part: float) -> Convex:
        """Return the corners."""
        corners = np.stack(np.meshgrid(*([-1.0, 1.0],) * 3, indexing="ij"), axis=-1).reshape(8, 3)
        return Points(corners * (np.abs(geometry.size) * (part / 2.0)))

    def half_height(self, geometry: Box) -> float:
        """Return half the height."""
        return geometry.size[2] / 2

    def mujoco_size(self, geometry: Box) -> Sequence[float]:
        """Return half the edges."""
        return [abs(edge) / 2 for edge in geometry.size]


def box_surface(size: ArrayLike) -> ShapeSurface:
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
    return surface_of(np.array(positions) * half, normals, uvs, quads + np.array([0, 1, 2, 0, 2, 3]))


SHAPE = BoxKind()
