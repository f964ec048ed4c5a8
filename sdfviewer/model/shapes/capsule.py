"""A capsule."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.model.shapes.kind import ONES, Geometry, Grip, OlderPart, Primitive, Size, Solid, Vector, grip
from sdfviewer.model.shapes.surface import Convex, Points, ShapeSurface, revolve
from sdfviewer.model.values import parse_numbers


@dataclass(frozen=True, slots=True)
class Capsule(Geometry):
    """A cylinder of ``length`` along z with half a sphere at either end, its centre at the origin."""

    radius: float = 0.5
    length: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return math.pi * self.radius * self.radius * (self.length + 4 / 3 * self.radius)


class CapsuleKind(Primitive[Capsule]):
    """What is known of capsules."""

    record = Capsule
    rank = 40
    icon = "mdi6.pill"
    is_round = True
    sizes = (
        Size("radius", "Radius of the round ends.", new="0.05"),
        Size("length", "Length of the straight part along z, without the round ends.", new="0.1"),
    )
    urdf_since = (1, 1)

    def drawn(self, geometry: Capsule) -> tuple[Geometry, Vector]:
        """Return the capsule itself: a scale would change its round ends."""
        return Capsule(abs(geometry.radius), abs(geometry.length)), ONES

    def surface(self, geometry: Capsule, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of a capsule."""
        r, h = geometry.radius, geometry.length / 2
        angle = np.linspace(0.0, np.pi / 2, rings // 2 + 1)
        cap = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        upper = cap * r + [0.0, h]
        lower = cap[::-1] * [r, -r] - [0.0, h]
        profile = np.concatenate([upper, lower])
        normals = np.concatenate([cap, cap[::-1] * [1.0, -1.0]])
        total = max(2 * h + 2 * r, 1e-30)
        return revolve(profile, normals, (profile[:, 1] + total / 2) / total, sectors)

    def grips(self, geometry: Capsule) -> tuple[tuple[Grip, ...], ...]:
        """Return the ends and the side."""
        reach = geometry.length / 2 + geometry.radius
        ends = [grip(2, sign * reach, "length", shift=0.5) for sign in (1, -1)]
        sides = [grip(axis, sign * geometry.radius, "radius") for axis in (0, 1) for sign in (1, -1)]
        return tuple((each,) for each in (*ends, *sides))

    def solid(self, geometry: Capsule) -> Solid:
        """Return centre of mass and moments."""
        r, length = geometry.radius, geometry.length
        middle, ends = math.pi * r * r * length, 4 / 3 * math.pi * r * r * r
        across = middle * (length * length / 12 + r * r / 4)
        across += ends * (0.4 * r * r + length * length / 4 + 3 / 8 * length * r)
        along = middle * r * r / 2 + ends * 0.4 * r * r
        volume = middle + ends
        return Solid((across / volume, across / volume, along / volume) if volume else (0.0, 0.0, 0.0))

    def convex(self, geometry: Capsule, part: float) -> Convex:
        """Return the points around the segment between the middles of the round ends."""
        half = abs(geometry.length) / 2.0
        return Points(np.array([[0.0, 0.0, -half], [0.0, 0.0, half]]), abs(geometry.radius) * part)

    def in_older_urdf(self, values: Mapping[str, str]) -> Sequence[OlderPart]:
        """Return a cylinder with a sphere at either end: few programs read a capsule."""
        half = (parse_numbers(values["length"]) or (1.0,))[0] / 2
        ball = {"radius": values["radius"]}
        return (
            OlderPart("", "cylinder", values),
            OlderPart("_top", "sphere", ball, half),
            OlderPart("_bottom", "sphere", ball, -half),
        )

    def half_height(self, geometry: Capsule) -> float:
        """Return half the length, with a round end."""
        return geometry.length / 2 + geometry.radius

    def mujoco_size(self, geometry: Capsule) -> Sequence[float]:
        """Return the radius and half the length."""
        return [abs(geometry.radius), abs(geometry.length) / 2]


SHAPE = CapsuleKind()
