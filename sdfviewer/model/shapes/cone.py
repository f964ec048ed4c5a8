"""A cone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sdfviewer.model.shapes.kind import ONES, Geometry, Grip, Primitive, Size, Solid, Vector, grip
from sdfviewer.model.shapes.surface import Convex, Round, ShapeSurface, revolve


@dataclass(frozen=True, slots=True)
class Cone(Geometry):
    """A cone along z with its apex at half its length; ``radius`` is that of its base."""

    radius: float = 1.0
    length: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return math.pi * self.radius * self.radius * self.length / 3


class ConeKind(Primitive[Cone]):
    """What is known of cones."""

    record = Cone
    rank = 50
    icon = "mdi6.cone"
    is_round = True
    sizes = (
        Size("radius", "Radius at the bottom.", new="0.05"),
        Size("length", "Height along z, centred.", new="0.1"),
    )

    def drawn(self, geometry: Cone) -> tuple[Geometry, Vector]:
        """Return the cone of radius and length one, at the scale of a cone."""
        r = abs(geometry.radius)
        return Cone(), (r, r, abs(geometry.length))

    def surface(self, geometry: Cone, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of a closed cone."""
        r, length = geometry.radius, geometry.length
        h = length / 2
        slope = np.array([length, r]) / max(float(np.hypot(length, r)), 1e-30)
        # Several rings keep the shading smooth towards the tip, where all normals meet.
        t = np.linspace(0.0, 1.0, max(rings // 3, 1) + 1)
        side = np.stack([r * t, h - length * t], axis=-1)
        profile = np.concatenate([side, [(r, -h), (0.0, -h)]])
        normals = np.concatenate([np.tile(slope, (len(t), 1)), [(0.0, -1.0), (0.0, -1.0)]])
        return revolve(profile, normals, np.concatenate([1 - t, [0.001, 0.0]]), sectors)

    def grips(self, geometry: Cone) -> tuple[tuple[Grip, ...], ...]:
        """Return the tip, the bottom, and its rim."""
        half = geometry.length / 2
        ends = [grip(2, sign * half, "length", shift=0.5) for sign in (1, -1)]
        rim = [grip(axis, sign * geometry.radius, "radius", height=-half) for axis in (0, 1) for sign in (1, -1)]
        return tuple((each,) for each in (*ends, *rim))

    def solid(self, geometry: Cone) -> Solid:
        """Return centre of mass, a quarter of the length below the middle, and moments."""
        r, length = geometry.radius, geometry.length
        across = 3 / 80 * (4 * r * r + length * length)
        return Solid((across, across, 0.3 * r * r), (0.0, 0.0, -length / 4))

    def convex(self, geometry: Cone, part: float) -> Convex:
        """Return the hull of a circle and a point."""
        half = abs(geometry.length) * part / 2.0
        return Round(np.array([abs(geometry.radius) * part, 0.0]), np.array([-half, half]))

    def half_height(self, geometry: Cone) -> float:
        """Return half the length."""
        return geometry.length / 2

    def turn_in_mirror(self, axis: int) -> Vector:
        """Return a turn about x where the tip points to -z in the mirror."""
        return (1.0, -1.0, -1.0) if axis == 2 else ONES


SHAPE = ConeKind()
