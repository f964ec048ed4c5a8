"""Simple shapes around the triangles of a mesh: the smallest box, cylinder, capsule and sphere that hold all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.capsule import Capsule
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.number_text import in_millimetres
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.transforms import Array

FITTED = ("box", "cylinder", "capsule", "sphere")
_DECIMALS = 6
_ROUNDS, _DIRECTIONS = 800, 600
"""Steps towards the middle of the smallest ball, and the directions in which points are outermost."""
_BETTER = 0.99
"""A turned shape is taken where its volume is less than so much of that along the axes of the mesh."""


@dataclass(frozen=True)
class FittedShape:
    """A shape G around a mesh in its frame S.

    Attributes
    ----------
    geometry, X_SG
        The shape, and its pose (4, 4).
    volume, of_mesh
        Its volume and that of the mesh in m³; NaN for a mesh that encloses none.
    gap
        How far the vertex that is deepest in the shape is from its surface, in metres.
    """

    geometry: Geometry
    X_SG: Array
    volume: float
    of_mesh: float
    gap: float

    @property
    def remark(self) -> str:
        """What it costs, in a sentence."""
        factor, unit = (1.0, "m³") if self.volume >= 1.0 else (1000.0, "l")
        volumes = f"{self.geometry.kind} of {factor * self.volume:.3g} {unit}"
        if np.isfinite(self.of_mesh):
            volumes += f" around {factor * self.of_mesh:.3g} {unit}, {self.volume / self.of_mesh - 1:+.0%}"
        return f"{volumes}; its surface is at most {in_millimetres(self.gap, 3)} away from a vertex of the mesh"


def fit(shape: str, triangles: Array) -> FittedShape:
    """Return the smallest shape of a kind that is found around triangles (m, 3, 3).

    Raises
    ------
    RefactoringError
        If there is no such kind, or the triangles have no extent.
    """
    if shape not in FITTED:
        raise RefactoringError(f"no {shape} is fitted to a mesh: use {', '.join(FITTED)}")
    points = np.unique(triangles.reshape(-1, 3), axis=0)
    if not len(points) or not np.isfinite(points).all() or not np.ptp(points, axis=0).any():
        raise RefactoringError("the mesh has no extent")
    found: list[tuple[Geometry, Array]] = []
    for R_SG in [np.eye(3)] if shape == "sphere" else _orientations(points):
        geometry, centre = _FITS[shape](points @ R_SG)
        X_SG = np.eye(4)
        X_SG[:3, :3], X_SG[:3, 3] = R_SG, R_SG @ centre
        if not found or (geometry.volume or 0.0) < _BETTER * (found[-1][0].volume or 0.0):
            found.append((geometry, X_SG))
    geometry, X_SG = found[-1]
    a, b, c = (triangles[:, corner] - points.mean(axis=0) for corner in range(3))
    of_mesh = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6
    gap = float(_depths(geometry, (points - X_SG[:3, 3]) @ X_SG[:3, :3]).max())
    return FittedShape(geometry, X_SG, geometry.volume or 0.0, of_mesh if of_mesh > 0 else np.nan, max(gap, 0.0))


def _orientations(points: Array) -> Iterator[Array]:
    """Yield rotations (3, 3) whose z is an axis of the mesh, then one of its principal axes."""
    _, axes = np.linalg.eigh(np.cov(points.T))
    principal = axes if np.linalg.det(axes) > 0 else axes * [1, 1, -1]
    for axes in (np.eye(3), principal):
        for first in range(3):
            yield axes[:, [(first + 1) % 3, (first + 2) % 3, first]] if first != 2 else axes


def _box(points: Array) -> tuple[Geometry, Array]:
    low, high = points.min(axis=0), points.max(axis=0)
    x, y, z = np.maximum(_rounded(high - low), 10.0**-_DECIMALS).tolist()
    return Box((x, y, z)), (low + high) / 2


def _sphere(points: Array) -> tuple[Geometry, Array]:
    centre, radius = _ball(points)
    return Sphere(radius), centre


def _cylinder(points: Array) -> tuple[Geometry, Array]:
    middle, radius = _ball(points[:, :2])
    low, high = points[:, 2].min(), points[:, 2].max()
    length = max(float(_rounded(high - low)), 10.0**-_DECIMALS)
    return Cylinder(radius, length), np.array([*middle, (low + high) / 2])


def _capsule(points: Array) -> tuple[Geometry, Array]:
    middle, radius = _ball(points[:, :2])
    # At its distance from the axis each point may be so far above the straight part, in the round end.
    above = np.sqrt(np.maximum(radius**2 - ((points[:, :2] - middle) ** 2).sum(axis=1), 0.0))
    high, low = float((points[:, 2] - above).max()), float((points[:, 2] + above).min())
    length = float(_rounded(max(high - low, 0.0)))
    return Capsule(radius, max(length, 10.0**-_DECIMALS)), np.array([*middle, (low + high) / 2])


_FITS = {"box": _box, "cylinder": _cylinder, "capsule": _capsule, "sphere": _sphere}


def _ball(points: Array) -> tuple[Array, float]:
    """Return centre and radius of nearly the smallest ball around points (n, 2) or (n, 3).

    Source: M. Badoiu, K. Clarkson, Optimal core-sets for balls, 2008: step by step towards the farthest point.
    """
    angles = np.random.default_rng(0).normal(size=(_DIRECTIONS, points.shape[1]))
    outer = points[np.unique((points @ angles.T).argmax(axis=0))]  # the others hardly count
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    best, least = centre, float("inf")
    for step in range(1, _ROUNDS):
        away = ((outer - centre) ** 2).sum(axis=1)
        farthest = int(away.argmax())
        if away[farthest] < least:
            best, least = centre, float(away[farthest])
        centre = centre + (outer[farthest] - centre) / (step + 1)
    return best, float(_rounded(np.linalg.norm(points - best, axis=1).max()))


def _rounded(length: Array | float) -> Array:
    """Return lengths that are written with few digits and are not shorter."""
    return np.asarray(np.ceil(np.round(np.asarray(length) * 10**_DECIMALS, 3)) / 10**_DECIMALS)


def _depths(geometry: Geometry, points: Array) -> Array:
    """Return how deep points (n, 3) in the frame of a shape are below its surface, in metres."""
    if isinstance(geometry, Box):
        return np.asarray((np.array(geometry.size) / 2 - np.abs(points)).min(axis=1))
    if isinstance(geometry, Sphere):
        return np.asarray(geometry.radius - np.linalg.norm(points, axis=1))
    across = np.linalg.norm(points[:, :2], axis=1)
    if isinstance(geometry, Cylinder):
        return np.asarray(np.minimum(geometry.radius - across, geometry.length / 2 - np.abs(points[:, 2])))
    assert isinstance(geometry, Capsule)
    beyond = np.maximum(np.abs(points[:, 2]) - geometry.length / 2, 0.0)
    return np.asarray(geometry.radius - np.hypot(across, beyond))
