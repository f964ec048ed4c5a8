"""Surfaces from images: ``<heightmap>`` and ``<image>`` of SDFormat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Message, message_of
from sdfviewer.scene.mesh import MeshMaterial
from sdfviewer.scene.meshes.piece import Indices, MeshFileError, Piece, check_size, unit
from sdfviewer.scene.textures import TextureError, grey, open_picture

#: Most vertices along one edge of a heightmap; finer pictures are scaled down.
MAX_SAMPLES = 1025
_RASTERS = (".dem", ".asc", ".hgt", ".img", ".nc", ".vrt")
_BOX = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
#: The sides of a box by their corners in `_BOX`, counter-clockwise seen from outside.
_BOX_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_BOX_FACES = np.array([(a, *pair) for a, b, c, d in _BOX_SIDES for pair in ((b, c), (c, d))])


def heightmap(
    path: Path,
    size: tuple[float, float, float],
    position: tuple[float, float, float],
    material: MeshMaterial | None = None,
    texture_size: float = 1.0,
) -> Piece:
    """Return the terrain that a grey picture of 8 or 16 bits describes.

    As in Gazebo the picture is spread over ``size`` about ``position``, its top row at +y; black lies at height 0 and
    the brightest pixel at ``size[2]``; a negative height swaps them. ``<sampling>`` only refines Gazebo's linear
    interpolation between pixels, which triangles do anyway.

    Raises
    ------
    MeshFileError
        Where the picture cannot be read; elevation models (DEM) need a geospatial library and are not supported.
    """
    if path.suffix.lower() in _RASTERS:
        raise MeshFileError(Message("is an elevation model, which is not supported", "convert it to a 16-bit PNG"))
    heights = _grey(path, MAX_SAMPLES)[::-1]
    rows, columns = heights.shape
    if rows < 2 or columns < 2:
        raise MeshFileError(Message(f"has {columns} × {rows} pixels", "a heightmap needs at least 2 × 2"))
    brightest = float(heights.max())
    z = heights / brightest * abs(size[2]) if brightest > 0 else heights
    if size[2] < 0:
        z = abs(size[2]) - z
    x = np.linspace(-0.5, 0.5, columns) * size[0]
    y = np.linspace(-0.5, 0.5, rows) * size[1]
    grid = np.stack([*np.meshgrid(x, y), z], axis=-1)
    slope_y, slope_x = np.gradient(z, y if size[1] else 1.0, x if size[0] else 1.0)
    normals = unit(np.stack([-slope_x, -slope_y, np.ones_like(z)], axis=-1).reshape(-1, 3))
    uvs = (grid[..., :2].reshape(-1, 2) / texture_size).astype(np.float32)
    positions = (grid.reshape(-1, 3) + position).astype(np.float32)
    return Piece("", positions, _lattice(rows, columns), normals, uvs, material)


def _lattice(rows: int, columns: int) -> Indices:
    """Return the triangles of a grid of vertices in row-major order, seen from above where rows go to +y."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    lower = np.stack([corner, corner + 1, corner + columns + 1], axis=1)
    upper = np.stack([corner, corner + columns + 1, corner + columns], axis=1)
    return np.concatenate([lower, upper]).astype(np.uint32)


def extruded_image(path: Path, scale: float, threshold: int, height: float) -> Piece:
    """Return the boxes that stand on the dark pixels of a picture, those at or below ``threshold`` of 255.

    A pixel is ``scale`` metres wide; the picture's upper left corner is the origin and its rows go to +y, as in
    Gazebo classic. Equal runs of neighbouring rows are one box, so ``<granularity>``, which allows Gazebo to merge
    boxes with an error, has nothing to add.

    Raises
    ------
    MeshFileError
        Where the picture cannot be read, or has more walls than are drawn.
    """
    occupied = _grey(path, None) * 255 <= threshold
    boxes = _rectangles(occupied)
    check_size(12 * len(boxes))
    if len(boxes) == 0:
        raise MeshFileError(f"has no pixel at or below the threshold {threshold}")
    low = np.column_stack([boxes[:, :2] * scale, np.zeros(len(boxes))])
    extent = np.column_stack([(boxes[:, 2:] - boxes[:, :2]) * scale, np.full(len(boxes), height)])
    positions = (low[:, None] + _BOX * extent[:, None]).reshape(-1, 3).astype(np.float32)
    indices = (_BOX_FACES + 8 * np.arange(len(boxes))[:, None, None]).reshape(-1, 3).astype(np.uint32)
    piece = Piece("", positions, indices)
    return piece if height >= 0 else replace(piece, indices=np.ascontiguousarray(indices[:, ::-1]))


def _rectangles(occupied: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return rectangles (k, 4) as x0, y0, x1, y1 in pixels that cover the occupied pixels exactly once."""
    edges = np.diff(np.pad(occupied, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    _, ends = np.nonzero(edges == -1)
    open_runs: dict[tuple[int, int], int] = {}
    done: list[tuple[int, int, int, int]] = []
    run = 0
    for row in range(occupied.shape[0] + 1):
        here: dict[tuple[int, int], int] = {}
        while run < len(rows) and rows[run] == row:
            key = (int(starts[run]), int(ends[run]))
            here[key] = open_runs.pop(key, row)
            run += 1
        done += [(x0, y0, x1, row) for (x0, x1), y0 in open_runs.items()]
        open_runs = here
    return np.array(done, np.float64).reshape(-1, 4)


def _grey(path: Path, edge: int | None) -> NDArray[np.float64]:
    try:
        return grey(open_picture(path, edge))
    except TextureError as error:
        raise MeshFileError(message_of(error)) from error
