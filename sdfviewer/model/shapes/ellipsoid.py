"""An ellipsoid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.model.shapes.kind import ONES, Geometry, Grip, Primitive, Size, Solid, Vector, grip
from sdfviewer.model.shapes.surface import Convex, ConvexEllipsoid, ShapeSurface, revolve, surface_of


@dataclass(frozen=True, slots=True)
class Ellipsoid(Geometry):
    """An ellipsoid with its centre at the origin; ``radii`` along x, y, z."""

    radii: Vector = ONES

    @property
    def volume(self) -> float:
        """The volume in m³."""
        a, b, c = self.radii
        return 4 / 3 * math.pi * a * b * c


class EllipsoidKind(Primitive[Ellipsoid]):
    """What is known of ellipsoids."""

    record = Ellipsoid
    rank = 60
    icon = "mdi6.ellipse-outline"
    is_round = True
    sizes = (Size("radii", "Half axes along x, y and z.", new="0.05 0.05 0.1"),)

    def drawn(self, geometry: Ellipsoid) -> tuple[Geometry, Vector]:
        """Return the ball of radius one, at the scale of an ellipsoid."""
        x, y, z = geometry.radii
        return Ellipsoid(), (abs(x), abs(y), abs(z))

    def surface(self, geometry: Ellipsoid, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of an ellipsoid."""
        return ellipsoid_surface(geometry.radii, sectors, rings)

    def grips(self, geometry: Ellipsoid) -> tuple[tuple[Grip, ...], ...]:
        """Return the ends of the axes."""
        radii = geometry.radii
        return tuple((grip(axis, sign * radii[axis], "radii", axis),) for axis in range(3) for sign in (1, -1))

    def solid(self, geometry: Ellipsoid) -> Solid:
        """Return centre of mass and moments."""
        a, b, c = geometry.radii
        return Solid(((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5))

    def convex(self, geometry: Ellipsoid, part: float) -> Convex:
        """Return the ellipsoid."""
        return ConvexEllipsoid(np.abs(geometry.radii) * part)

    def half_height(self, geometry: Ellipsoid) -> float:
        """Return the radius along z."""
        return geometry.radii[2]

    def mujoco_size(self, geometry: Ellipsoid) -> Sequence[float]:
        """Return the radii."""
        return [abs(radius) for radius in geometry.radii]


def ellipsoid_surface(radii: ArrayLike, sectors: int, rings: int) -> ShapeSurface:
    """Return an ellipsoid of the given radii (3,) along x, y, z about the origin."""
    angle = np.linspace(0.0, np.pi, rings + 1)
    profile = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    unit = revolve(profile, profile, 1 - angle / np.pi, sectors)
    r = np.asarray(radii, np.float64)
    normals = unit.normals / np.where(r > 0, r, 1.0)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return surface_of(unit.positions * r, normals, unit.uvs, unit.indices)


SHAPE = EllipsoidKind()
