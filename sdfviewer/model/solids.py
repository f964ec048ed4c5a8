"""Mass, centre of mass and inertia of solid shapes.

Source: gz-math, the mass matrix of each shape. All shapes are centred in their frame; the centre of mass of a cone
lies a quarter of its length below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from sdfviewer.model.geometry import Box, Capsule, Cone, Cylinder, Ellipsoid, Geometry, Sphere
from sdfviewer.transforms import Array

#: Height of the centre of mass, and moments of one kilogram.
_Solid: TypeAlias = tuple[float, tuple[float, float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A rigid body B in a frame F.

    Attributes
    ----------
    mass
        In kg.
    p_FB
        Centre of mass (3,) in metres.
    I_B
        Inertia (3, 3) about the centre of mass in the axes of F, in kg m².
    """

    mass: float
    p_FB: Array
    I_B: Array

    def moved(self, X_GF: Array) -> Body:
        """Return this body in another frame G, of which X_GF (4, 4) is the pose of F."""
        R_GF = X_GF[:3, :3]
        return Body(self.mass, R_GF @ self.p_FB + X_GF[:3, 3], R_GF @ self.I_B @ R_GF.T)


def combine(bodies: Iterable[Body]) -> Body:
    """Return bodies of one frame as one; without mass it lies at the origin."""
    bodies = list(bodies)
    mass = sum(body.mass for body in bodies)
    if mass == 0:
        return Body(0.0, np.zeros(3), np.sum([body.I_B for body in bodies] or [np.zeros((3, 3))], axis=0))
    centre: Array = np.sum([body.mass * body.p_FB for body in bodies], axis=0) / mass
    d = np.array([body.p_FB for body in bodies]) - centre
    moved = np.array([body.I_B for body in bodies])  # by the parallel axis theorem
    about = np.sum(d * d, axis=1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :]
    inertia: Array = np.sum(moved + np.array([body.mass for body in bodies])[:, None, None] * about, axis=0)
    return Body(float(mass), centre, inertia)


def solid_body(geometry: Geometry, density: float) -> Body | None:
    """Return the body of a shape of a density in kg/m³, None for a shape of which it is not known or not finite."""
    compute = _SOLIDS.get(type(geometry))
    if compute is None or geometry.volume is None:
        return None
    height, unit = compute(geometry)
    mass = density * geometry.volume
    moments = [mass * each for each in unit]
    if not all(map(math.isfinite, (mass, height, *moments))):
        return None
    return Body(mass, np.array([0.0, 0.0, height]), np.diag(moments))


def _box(box: Box) -> _Solid:
    x, y, z = box.size
    return 0.0, ((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)


def _sphere(sphere: Sphere) -> _Solid:
    r = sphere.radius
    return 0.0, (0.4 * r * r,) * 3


def _ellipsoid(ellipsoid: Ellipsoid) -> _Solid:
    a, b, c = ellipsoid.radii
    return 0.0, ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)


def _cylinder(cylinder: Cylinder) -> _Solid:
    r, length = cylinder.radius, cylinder.length
    across = (3 * r * r + length * length) / 12
    return 0.0, (across, across, r * r / 2)


def _cone(cone: Cone) -> _Solid:
    r, length = cone.radius, cone.length
    across = 3 / 80 * (4 * r * r + length * length)
    return -length / 4, (across, across, 0.3 * r * r)


def _capsule(capsule: Capsule) -> _Solid:
    r, length = capsule.radius, capsule.length
    middle, ends = math.pi * r * r * length, 4 / 3 * math.pi * r * r * r
    across = middle * (length * length / 12 + r * r / 4)
    across += ends * (0.4 * r * r + length * length / 4 + 3 / 8 * length * r)
    along = middle * r * r / 2 + ends * 0.4 * r * r
    volume = middle + ends
    return 0.0, (across / volume, across / volume, along / volume) if volume else (0.0, 0.0, 0.0)


_SOLIDS: dict[type[Geometry], Callable[[Any], _Solid]] = {
    Box: _box,
    Capsule: _capsule,
    Cone: _cone,
    Cylinder: _cylinder,
    Ellipsoid: _ellipsoid,
    Sphere: _sphere,
}
