"""The mark in place of a shape that cannot be drawn."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.meshes.piece import Piece, joined

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
