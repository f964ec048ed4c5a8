"""A cylinder."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.model.shapes.kind import Geometry, Grip, Primitive, Size, Solid, Vector, grip, with_edges
from sdfviewer.model.shapes.surface import Convex, Round, ShapeSurface, revolve


@dataclass(frozen=True, slots=True)
class Cylinder(Geometry):
    """A cylinder along z with its centre at the origin."""

    radius: float = 1.0
    length: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return math.pi * self.radius * self.radius * self.length


class CylinderKind(Primitive[Cylinder]):
    """What is known of cylinders."""

    record = Cylinder
    rank = 20
    icon = "mdi6.cylinder"
    is_round = True
    sizes = (
        Size("radius", "Radius of the cylinder.", new="0.05"),
        Size("length", "Length along z, centred.", new="0.1"),
    )
    urdf_since = (1, 0)

    def drawn(self, geometry: Cylinder) -> tuple[Geometry, Vector]:
        """Return the cylinder of radius and length one, at the scale of a cylinder."""
        r = abs(geometry.radius)
        return Cylinder(), (r, r, abs(geometry.length))

    def surface(self, geometry: Cylinder, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of a closed cylinder."""
        r, h = geometry.radius, geometry.length / 2
        profile = [(0, h), (r, h), (r, h), (r, -h), (r, -h), (0, -h)]
        normals = [(0, 1), (0, 1), (1, 0), (1, 0), (0, -1), (0, -1)]
        return revolve(profile, normals, [1, 0.999, 1, 0, 0.001, 0], sectors)

    def grips(self, geometry: Cylinder) -> tuple[tuple[Grip, ...], ...]:
        """Return the ends, the side, and the rims between them."""
        ends = [grip(2, sign * geometry.length / 2, "length", shift=0.5) for sign in (1, -1)]
        sides = [grip(axis, sign * geometry.radius, "radius") for axis in (0, 1) for sign in (1, -1)]
        return with_edges([*ends, *sides])

    def solid(self, geometry: Cylinder) -> Solid:
        """Return centre of mass and moments."""
        r, length = geometry.radius, geometry.length
        across = (3 * r * r + length * length) / 12
        return Solid((across, across, r * r / 2))

    def convex(self, geometry: Cylinder, part: float) -> Convex:
        """Return the hull of two circles."""
        r, half = abs(geometry.radius) * part, abs(geometry.length) * part / 2.0
        return Round(np.array([r, r]), np.array([-half, half]))

    def half_height(self, geometry: Cylinder) -> float:
        """Return half the length."""
        return geometry.length / 2

    def mujoco_size(self, geometry: Cylinder) -> Sequence[float]:
        """Return the radius and half the length."""
        return [abs(geometry.radius), abs(geometry.length) / 2]


SHAPE = CylinderKind()
