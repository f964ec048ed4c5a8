"""The triangles of a geometry.

A shape is drawn as a mesh at a scale: all boxes are one mesh, and all uses of a mesh file share its triangles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sdfviewer.document.element import Element
from sdfviewer.garbage_collection import remembered
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import ONES, FileGeometry, Geometry, Primitive, Vector
from sdfviewer.model.shapes.surface import ShapeSurface
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.meshes.piece import Piece, joined


@dataclass(frozen=True, slots=True)
class Shape:
    """What is drawn for one geometry.

    Attributes
    ----------
    geometry
        What the triangles depend on: the same box for all boxes, a mesh with the signs of its scale.
    scale
        What they are scaled by along x, y, z; never negative.
    source
        The element to name when something is wrong with it: the ``<uri>``, else the geometry.
    """

    geometry: Geometry
    scale: Vector = ONES
    source: Element | None = field(default=None, compare=False)

    @property
    def is_loaded(self) -> bool:
        """Whether the triangles take time to make or may fail, and so come from a loader."""
        return not isinstance(kind_of(self.geometry), Primitive)

    @property
    def uri(self) -> str:
        """The URI as written; empty where the triangles are in no file."""
        return self.geometry.uri if isinstance(self.geometry, FileGeometry) else ""

    @property
    def file(self) -> Path | None:
        """The file that the URI is written in."""
        return self.geometry.file if isinstance(self.geometry, FileGeometry) else None


def shape_of(geometry: Geometry) -> Shape | None:
    """Return the shape drawn for a geometry, None for one that is empty."""
    kind, element = kind_of(geometry), geometry.element
    if kind is None:
        return None
    if element is not None and isinstance(geometry, FileGeometry):
        element = element.find("uri") or element
    return Shape(*kind.drawn(geometry), element)


def primitive_mesh(shape: Shape) -> TriangleMesh:
    """Return the triangles of a shape that is not loaded, to be drawn scaled by `Shape.scale`.

    Equal shapes give the same object, so that what is uploaded once serves them all.
    """
    return _primitive(shape.geometry)


def own_mesh(geometry: Geometry) -> TriangleMesh:
    """Return the triangles of a shape that is not loaded, at its own size and with its coarse versions.

    Unlike :func:`primitive_mesh` it does not say that they are closed.
    """
    kind = kind_of(geometry)
    assert kind is not None
    return mesh_of_surfaces(kind.surfaces(geometry))


@remembered(1024)
def _primitive(geometry: Geometry) -> TriangleMesh:
    mesh, kind = own_mesh(geometry), kind_of(geometry)
    # What has a volume is closed.
    is_closed = kind is not None and kind.solid(geometry) is not None
    return mesh.at_all_levels(lambda each: replace(each, solid=True)) if is_closed else mesh


def mesh_of_surfaces(surfaces: Sequence[ShapeSurface]) -> TriangleMesh:
    """Return a mesh from its surface and those of its coarse versions, the finest first."""
    mesh: TriangleMesh | None = None
    for surface in reversed(surfaces):
        mesh = TriangleMesh(*surface, coarse=mesh)
    assert mesh is not None
    return mesh


# --- what cannot be drawn -----------------------------------------------------------------------------------------


Point = NDArray[np.float64]

#: Edge of the mark in metres: small against a robot, large enough to be found.
EDGE = 0.1
_THICKNESS = 0.0022
#: A muted version of the colour of errors; the shape, an empty crate with crossed faces, is recognizable too.
_MATERIAL = MeshMaterial(diffuse=(0.66, 0.52, 0.43, 1.0), roughness=0.9, double_sided=True)
_SIDES = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])


@cache
def placeholder() -> TriangleMesh:
    """Return the mark: the edges of a cube with both diagonals on each face, about the origin."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64) * EDGE / 2
    bars = {tuple(sorted(pair)) for side in _SIDES.tolist() for pair in _pairs(side)}
    mesh = joined([_bar(corners[a], corners[b]) for a, b in sorted(bars)])
    parts = (MeshPart(0, len(mesh.indices), _MATERIAL),)
    # A shadow would say that something is there.
    return TriangleMesh(mesh.positions, None, None, mesh.indices, parts, casts_shadow=False)


def _pairs(side: list[int]) -> list[tuple[int, int]]:
    a, b, c, d = side
    return [(a, b), (b, c), (c, d), (d, a), (a, c), (b, d)]


def _bar(start: Point, end: Point) -> Piece:
    """Return a square bar between two points."""
    along = (end - start) / np.linalg.norm(end - start)
    aside = np.cross(along, [0.0, 0.0, 1.0] if abs(along[2]) < 0.9 else [1.0, 0.0, 0.0])
    aside /= np.linalg.norm(aside)
    above = np.cross(along, aside)
    half = _THICKNESS / 2
    ring = [half * (s * aside + t * above) for s in (-1, 1) for t in (-1, 1)]
    positions = np.array([point + offset for point in (start, end) for offset in ring], np.float32)
    indices = np.array([(a, *pair) for a, b, c, d in _SIDES.tolist() for pair in ((b, c), (c, d))], np.uint32)
    return Piece("", positions, indices)
