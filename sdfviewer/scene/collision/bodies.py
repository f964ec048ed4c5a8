"""The collisions of a model as shapes to be tested: convex ones exactly, meshes as triangles or as their hulls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sdfviewer.formats.contents import read_collision
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.tree import GROUND, NOWHERE, body_of
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Geometry, ShapeKind, Vector
from sdfviewer.model.shapes.surface import Convex, Points
from sdfviewer.scene.collision.convex import SHRINK
from sdfviewer.scene.geometry import primitive_mesh, shape_of
from sdfviewer.scene.loader import MeshLoader, MeshProblem
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Floats

_LESS = 1.0 - SHRINK
_MOST_VERTICES = 1500
"""A hull of more vertices is that of those that reach farthest along as many directions."""


@dataclass(frozen=True, eq=False)
class CollisionShape:
    """One collision.

    Attributes
    ----------
    row
        Its row, at whose pose it is.
    body
        The row of its link, GROUND for what is fixed to the world.
    convex
        The shape where it is convex, or counts as its hull; None for a mesh of triangles.
    mesh, scale
        Its triangles, and what they are scaled by (3,).
    bounds
        The box (2, 3) around it in its own frame.
    bitmask
        Its ``<collide_bitmask>``: two shapes can collide where they have a bit in common.
    """

    row: int
    body: int
    convex: Convex | None
    mesh: TriangleMesh
    scale: Floats
    bounds: Floats
    bitmask: int

    @property
    def triangles(self) -> Floats:
        """The triangles (m, 3, 3) in its own frame."""
        return np.asarray(self.mesh.positions[self.mesh.indices].astype(np.float64) * self.scale)


def collision_shapes(
    model: Model, loader: MeshLoader, *, hulls: bool
) -> tuple[list[CollisionShape], list[MeshProblem]]:
    """Return all collisions of a model that have a place, and what is wrong with the files of those left out.

    Parameters
    ----------
    model
        The model.
    loader
        Reads meshes; what cannot be read collides with nothing.
    hulls
        Whether a mesh counts as its convex hull.
    """
    shapes: list[CollisionShape] = []
    problems: list[MeshProblem] = []
    hulls_of: dict[tuple[int, Vector], Points] = {}
    for row, kind_of_row in enumerate(model.kinds):
        if kind_of_row is not Kind.COLLISION or not np.isfinite(model.X_RootF[row]).all():
            continue
        contents = read_collision(model, row)
        geometry = contents.geometry
        shape, body = shape_of(geometry), body_of(model, row)
        kind = kind_of(geometry)
        if shape is None or kind is None or body == NOWHERE:
            continue
        scale = np.array(shape.scale)
        if shape.is_loaded:
            loaded = loader.load(shape)
            if loaded.is_placeholder or not len(loaded.mesh.indices):
                problems += loaded.problems
                continue
            mesh = loaded.mesh
        else:
            mesh = _collision_mesh(kind, geometry) or primitive_mesh(shape)
        convex = kind.convex(geometry, _LESS)
        if convex is None and hulls:
            key = (id(mesh), shape.scale)
            convex = hulls_of.get(key) or hulls_of.setdefault(key, _hull(mesh, scale))
        ends = mesh.bounds.astype(np.float64) * scale
        bounds = np.sort(ends, axis=0) if convex is None else convex.bounds
        shapes.append(CollisionShape(row, body, convex, mesh, scale, bounds, contents.surface.collide_bitmask))
    return shapes, problems


def _collision_mesh(kind: ShapeKind[Any], geometry: Geometry) -> TriangleMesh | None:
    """Return the triangles that collide in place of those that are drawn; None for most shapes."""
    for surface in kind.collision_surfaces(geometry):
        return TriangleMesh(surface.positions, None, None, surface.indices, solid=True)
    return None


def _hull(mesh: TriangleMesh, scale: Floats) -> Points:
    """Return the convex hull of a mesh, a little smaller."""
    vertices = np.unique(mesh.positions, axis=0).astype(np.float64)
    if len(vertices) > _MOST_VERTICES:
        vertices = vertices[np.unique(np.argmax(vertices @ _directions(_MOST_VERTICES).T, axis=0))]
    vertices = vertices * scale
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2.0
    return Points(middle + (vertices - middle) * _LESS)


def _directions(count: int) -> Floats:
    """Return directions (count, 3) spread evenly over the sphere: a spiral of golden angles."""
    z = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turn = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    r = np.sqrt(1.0 - z * z)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], axis=1)


def has_shape(shapes: list[CollisionShape]) -> set[int]:
    """Return the bodies that have a shape, the ground always among them."""
    return {GROUND, *(shape.body for shape in shapes)}
