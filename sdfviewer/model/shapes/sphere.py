"""A sphere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.model.shapes.ellipsoid import ellipsoid_surface
from sdfviewer.model.shapes.kind import Geometry, Grip, Primitive, Size, Solid, Vector, grip
from sdfviewer.model.shapes.surface import Convex, Points, ShapeSurface


@dataclass(frozen=True, slots=True)
class Sphere(Geometry):
    """A sphere with its centre at the origin."""

    radius: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return 4 / 3 * math.pi * self.radius * self.radius * self.radius  # a power of a large float raises


class SphereKind(Primitive[Sphere]):
    """What is known of spheres."""

    record = Sphere
    rank = 30
    icon = "mdi6.circle-outline"
    is_round = True
    sizes = (Size("radius", "Radius of the sphere.", new="0.05"),)
    urdf_since = (1, 0)

    def drawn(self, geometry: Sphere) -> tuple[Geometry, Vector]:
        """Return the sphere of radius one, at the scale of a sphere."""
        r = abs(geometry.radius)
        return Sphere(), (r, r, r)

    def surface(self, geometry: Sphere, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of a sphere."""
        return ellipsoid_surface((geometry.radius,) * 3, sectors, rings)

    def grips(self, geometry: Sphere) -> tuple[tuple[Grip, ...], ...]:
        """Return where the axes leave the sphere."""
        r = geometry.radius
        return tuple((grip(axis, sign * r, "radius"),) for axis in range(3) for sign in (1, -1))

    def solid(self, geometry: Sphere) -> Solid:
        """Return centre of mass and moments."""
        moment = 0.4 * geometry.radius * geometry.radius
        return Solid((moment, moment, moment))

    def convex(self, geometry: Sphere, part: float) -> Convex:
        """Return the points around the origin."""
        return Points(np.zeros((1, 3)), abs(geometry.radius) * part)

    def half_height(self, geometry: Sphere) -> float:
        """Return the radius."""
        return geometry.radius

    def mujoco_size(self, geometry: Sphere) -> Sequence[float]:
        """Return the radius."""
        return [abs(geometry.radius)]


SHAPE = SphereKind()
