"""Mass, centre of mass and inertia of solid shapes.

Source: gz-math, the mass matrix of each shape. All shapes are centred in their frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.transforms import Array


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
    with np.errstate(over="ignore", invalid="ignore"):  # a pose may be as large as a float can be
        return _combined(bodies, mass)


def _combined(bodies: Sequence[Body], mass: float) -> Body:
    centre: Array = np.sum([body.mass * body.p_FB for body in bodies], axis=0) / mass
    d = np.array([body.p_FB for body in bodies]) - centre
    moved = np.array([body.I_B for body in bodies])  # by the parallel axis theorem
    about = np.sum(d * d, axis=1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :]
    inertia: Array = np.sum(moved + np.array([body.mass for body in bodies])[:, None, None] * about, axis=0)
    return Body(float(mass), centre, inertia)


def solid_body(geometry: Geometry, density: float) -> Body | None:
    """Return the body of a shape of a density in kg/m³, None for a shape of which it is not known or not finite."""
    kind = kind_of(geometry)
    solid = None if kind is None else kind.solid(geometry)
    if solid is None or geometry.volume is None:
        return None
    mass = density * geometry.volume
    xx, yy, zz, xy, xz, yz = (mass * each for each in (*solid.moments, *solid.products))
    if not all(map(math.isfinite, (mass, *solid.centre, xx, yy, zz, xy, xz, yz))):
        return None
    return Body(mass, np.array(solid.centre), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
