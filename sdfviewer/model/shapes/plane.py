"""A plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.model.shapes.box import box_surface
from sdfviewer.model.shapes.kind import Geometry, Grip, Numbers, Primitive, Size, Vector
from sdfviewer.model.shapes.surface import Convex, Points, ShapeSurface, surface_of
from sdfviewer.transforms import Array

_SLAB = 1e3
"""Metres from the middle of a plane to the end of the slab that represents it."""
_BELOW = 1e-6
"""Metres from a plane down to the slab: what rests on a plane does not collide with it."""


@dataclass(frozen=True, slots=True)
class Plane(Geometry):
    """A plane through the origin; ``size`` counts for what is drawn, a plane collides everywhere."""

    normal: Vector = (0.0, 0.0, 1.0)
    size: tuple[float, float] = (1.0, 1.0)


class PlaneKind(Primitive[Plane]):
    """What is known of planes."""

    record = Plane
    rank = 70
    icon = "mdi6.square-outline"
    is_weighed_by_libsdformat = False
    sizes = (
        Size("normal", "Normal of the plane.", unit="", new="0 0 1"),
        Size("size", "Lengths of the two edges.", new="1 1"),
    )

    def surface(self, geometry: Plane, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of a rectangle through the origin that faces along the normal."""
        across, upwards, n = _axes(geometry.normal)
        half = np.asarray(geometry.size, np.float64) / 2
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
        positions = signs[:, :1] * half[0] * across + signs[:, 1:] * half[1] * upwards
        return surface_of(positions, np.tile(n, (4, 1)), (signs + 1) / 2, [[0, 1, 2], [0, 2, 3]])

    def grips(self, geometry: Plane) -> tuple[tuple[Grip, ...], ...]:
        """Return the edges and the corners."""
        edges = []
        for index, axis in enumerate(_axes(geometry.normal)[:2]):
            for sign in (1.0, -1.0):
                x, y, z = (sign * axis).tolist()
                half = geometry.size[index] / 2
                edges.append(Grip((half * x, half * y, half * z), (x, y, z), "size", index, 0.5))
        corners = ((a, b) for a in edges[:2] for b in edges[2:])
        return (*((each,) for each in edges), *corners)

    def convex(self, geometry: Plane, part: float) -> Convex:
        """Return the slab below the plane."""
        return Points(self.collision_surfaces(geometry)[0].positions.astype(np.float64))

    def collision_surfaces(self, geometry: Plane) -> list[ShapeSurface]:
        """Return the slab that represents a plane, which collides everywhere and with all below it."""
        axes = np.stack(_axes(geometry.normal))
        box = box_surface((2.0 * _SLAB, 2.0 * _SLAB, _SLAB))
        turned = box.positions.astype(np.float64) @ axes - axes[2] * (_SLAB / 2.0 + _BELOW)
        return [surface_of(turned, box.normals @ axes, box.uvs, box.indices)]

    def mujoco_size(self, geometry: Plane) -> Sequence[float]:
        """Return half the edges, and the distance of the lines of its grid."""
        return [geometry.size[0] / 2, geometry.size[1] / 2, 0.1]

    def mirrored_numbers(self) -> Mapping[str, Numbers]:
        """Return the normal."""
        return {"normal": (0.0, 0.0, 1.0)}


def _axes(normal: ArrayLike) -> tuple[Array, Array, Array]:
    """Return the two edges and the normal of a plane, each (3,) of length 1."""
    n = np.asarray(normal, np.float64)
    length = float(np.linalg.norm(n))
    n = n / length if length > 0 else np.array([0.0, 0.0, 1.0])
    # The shortest rotation from z to the normal, as Gazebo turns its planes; x keeps its place for a horizontal one.
    across = np.array([1.0, 0.0, 0.0])
    if n[2] > -1 + 1e-9:
        across = np.array([1 - n[0] * n[0] / (1 + n[2]), -n[0] * n[1] / (1 + n[2]), -n[0]])
    return across, np.cross(n, across), n


SHAPE = PlaneKind()
