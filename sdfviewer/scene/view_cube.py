"""The view cube: faces, edges and corners that rotate the camera."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.tools.picking import intersect_triangles

SIZE = 92.0
"""Side of the square that the cube turns in, logical pixels."""
MARGIN = 10.0
_FLAT = 0.70
"""Half side of the flat part of each face; the rest is chamfer."""

FACES = ("FRONT", "LEFT", "TOP", "BACK", "RIGHT", "BOTTOM")
"""Texts of the faces +x, +y, +z, -x, -y, -z."""

_REACH = 1.75
"""Half side of the shown square in cube units; the corners just fit."""


@dataclass(frozen=True, eq=False)
class CubeMesh:
    """The cube's triangles, three vertices each, and the region (face, edge, corner) that each belongs to."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uvs: NDArray[np.float32]
    """(n, 3): place in an atlas of six pictures side by side in the order of `FACES`; z is 1 on faces."""
    regions: NDArray[np.int32]


REGIONS: tuple[tuple[int, int, int], ...] = tuple(
    (x, y, z) for x, y, z in product((-1, 0, 1), repeat=3) if (x, y, z) != (0, 0, 0)
)
"""The directions that a click may turn the camera to: 6 faces, 12 edges, 8 corners."""


def name_of_region(region: int) -> str:
    """Return where a region lies, by its place in `REGIONS`: ``top``, ``front left``, ``front left top``."""
    sides = [FACES[axis if side > 0 else axis + 3] for axis, side in enumerate(REGIONS[region]) if side]
    return " ".join(sides).lower()


@cache
def cube_mesh() -> CubeMesh:
    """Return the mesh of the cube, with faces of half side one and its edges cut."""
    positions, normals, uvs, regions = [], [], [], []
    for region, d in enumerate(REGIONS):
        direction = np.array(d, np.float64)
        if np.abs(direction).sum() == 1:
            axis = int(np.argmax(np.abs(direction)))
            if axis < 2:
                across, up = np.cross([0.0, 0.0, 1.0], direction), np.array([0.0, 0.0, 1.0])
            else:
                across, up = np.array([1.0, 0.0, 0.0]), np.array([0.0, direction[2], 0.0])
            face = axis if direction[axis] > 0 else axis + 3
            corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
            polygon = [direction + _FLAT * (x * across + y * up) for x, y in corners]
            pictures = [((face + (x + 1) / 2) / 6, (y + 1) / 2, 1.0) for x, y in corners]
        else:
            ones = [axis for axis in range(3) if direction[axis]]
            free = [axis for axis in range(3) if not direction[axis]]
            polygon = []
            for sign in (-1, 1) if free else (0,):
                order = ones if sign <= 0 else ones[::-1]
                for axis in order:
                    point = direction * _FLAT
                    point[axis] = direction[axis]
                    if free:
                        point[free[0]] = sign * _FLAT
                    polygon.append(point)
            pictures = [(0.0, 0.0, 0.0)] * len(polygon)
        normal = direction / np.linalg.norm(direction)
        if np.cross(polygon[1] - polygon[0], polygon[2] - polygon[0]) @ normal < 0:
            polygon, pictures = polygon[::-1], pictures[::-1]
        for k in range(1, len(polygon) - 1):
            positions += [polygon[0], polygon[k], polygon[k + 1]]
            uvs += [pictures[0], pictures[k], pictures[k + 1]]
            normals += [normal] * 3
            regions += [region] * 3
    return CubeMesh(
        np.array(positions, np.float32), np.array(normals, np.float32), np.array(uvs, np.float32), np.array(regions)
    )


def cube_rectangle(width: float, ratio: float = 1.0) -> tuple[float, float, float]:
    """Return left, top and side of the cube's square in device pixels for a picture of that width."""
    side = SIZE * ratio
    return width - side - MARGIN * ratio, MARGIN * ratio, side


def cube_projection(camera: Camera) -> NDArray[np.float64]:
    """Return the matrix (4, 4) that shows the cube in its square as the camera sees the world."""
    P = np.eye(4)
    P[:3, :3] = np.diag([1 / _REACH, 1 / _REACH, -1 / 4]) @ camera.axes
    return P


def pick_view_cube(camera: Camera, x: float, y: float, width: float) -> int | None:
    """Return the region under a pixel as its place in `REGIONS`, None beside the cube.

    `camera.seen_along(REGIONS[region])` is the view that a click there asks for.
    """
    left, top, side = cube_rectangle(width)
    u, v = ((x - left) / side * 2 - 1) * _REACH, (1 - (y - top) / side * 2) * _REACH
    if max(abs(u), abs(v)) > _REACH:
        return None
    right, up, back = camera.axes
    mesh = cube_mesh()
    distance, triangle = intersect_triangles(
        u * right + v * up + 4 * back, -back, mesh.positions.reshape(-1, 3, 3).astype(np.float64)
    )
    return int(mesh.regions[triangle * 3]) if np.isfinite(distance) else None
