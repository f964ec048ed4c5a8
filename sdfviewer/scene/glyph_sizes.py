"""The size of frames and joints in the picture, by distance and density."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyphs import crowding
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.tools.picking import points_around

DENSE = 24
"""With more frames than this in different places of the picture, all but those that matter now become points."""
_SMALLEST, _LARGEST = 0.6, 1.25
"""Bounds of what the distance does to a size; 1 is the size at the distance of the camera's focus."""
_CELL, _TINY = 3.0, 80.0
"""Frames within so many logical pixels count as one place. A robot that is smaller than so many has as many places as
if it were as large: it would be hidden.
"""
_APART = 28.0
"""Pixels between frames near the mouse from which on each has its axes: about their length."""
_APART_ALONG = 48.0
"""The same for frames of a chain, whose axes and arcs often have one direction."""
_ROOTS = ("world", "model")
_MIXED = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64).astype(
    np.int64
)
"""Odd factors that hash a cell of a 3D grid and its size."""


@dataclass(frozen=True, eq=False)
class GlyphSizes:
    """Sizes of the triads (k,) and joint glyphs (j,) of a picture as parts of the full size; 0 leaves only a point.

    `dense` says whether there is more in the picture than can be drawn in full, `width` by how much lines are thinner.
    """

    triads: Floats
    joints: Floats
    dense: bool
    width: float


def glyph_sizes(
    scene: Scene,
    camera: Camera,
    pixels: Floats,
    depth: Floats,
    size: tuple[int, int],
    ratio: float,
    attended: NDArray[np.bool_],
    along: NDArray[np.bool_] | None = None,
) -> GlyphSizes:
    """Return how large the frames of a picture are drawn.

    Parameters
    ----------
    scene, camera
        What is seen from where.
    pixels, depth
        Where the origins of the scene's triads are in the picture, (k, 2) and (k,).
    size, ratio
        Width and height of the picture in device pixels, and how many of them make a logical one.
    attended
        The rows (n,) that are drawn in full in any case.
    along
        The rows (n,) that are drawn in full as long as their axes are not a bundle: those of a chain.
    """
    rows, joints = scene.triads.rows, scene.joints.rows
    with np.errstate(invalid="ignore"):
        inside = ((pixels >= 0) & (pixels < np.asarray(size))).all(axis=1) & (depth > 0)
    of_row = _by_distance(scene.X_RootF[:, :3, 3], camera)
    if not _is_dense(pixels[inside], ratio):
        factor = crowding(pixels[depth > 0], *size, ratio)
        return GlyphSizes(of_row[rows] * factor, of_row[joints] * max(factor, 0.3), False, max(factor, 0.5))
    full = attended.copy()
    if along is not None:
        full[rows[_apart(pixels, attended[rows], along[rows], ratio)]] = True
    roots = rows[np.isin(scene.triads.tokens, [TOKENS.index(kind) for kind in _ROOTS])]
    # Show the model frame of a single robot; in a world of a thousand models it would only be clutter.
    if len(roots) <= DENSE // 10:
        full[roots] = True
    return GlyphSizes(of_row[rows] * full[rows], of_row[joints] * full[joints], True, 1.0)


def spread(points: Floats, metres_per_pixel: Floats, room: float) -> NDArray[np.bool_]:
    """Return which of very many points (k, 3) are drawn so that they do not hide what they stand on: one a place.

    Places are cells of space about `room` pixels wide, so that the same points stay while the camera turns.

    Parameters
    ----------
    metres_per_pixel : (k,)
        The size of a pixel at each point.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        level = np.round(np.log2(room * metres_per_pixel))
        cells = np.floor(points / np.exp2(level)[:, None])
    known = np.isfinite(cells).all(axis=1)
    keys = np.column_stack([cells, level])[known].astype(np.int64) @ _MIXED
    chosen = np.zeros(len(points), bool)
    chosen[np.flatnonzero(known)[np.unique(keys, return_index=True)[1]]] = True
    return chosen


def _apart(pixels: Floats, taken: NDArray[np.bool_], wanted: NDArray[np.bool_], ratio: float) -> NDArray[np.bool_]:
    """Return which wanted origins (k,) are in places apart from each other, or in the places of those taken or chosen.

    The last one is chosen first: in most files what is carried comes behind what carries it.
    """
    known = np.isfinite(pixels).all(axis=1)
    chosen = np.zeros(len(pixels), bool)
    places = [*pixels[taken & known]]
    for k in np.flatnonzero(wanted & ~taken & known)[::-1].tolist():
        away = float(np.hypot(*(np.array(places) - pixels[k]).T).min()) if places else np.inf
        if away >= _APART_ALONG * ratio:
            places.append(pixels[k])
        chosen[k] = away >= _APART_ALONG * ratio or away < _CELL * ratio
    return chosen


def _by_distance(points: Floats, camera: Camera) -> Floats:
    """Return the scale of sizes on screen by the distances of points (n, 3): half as much as perspective."""
    if camera.orthographic:
        return np.ones(len(points))
    with np.errstate(invalid="ignore"):
        depth = np.maximum(camera.depth(points), 1e-9)
        sizes = np.clip(np.sqrt(camera.distance / depth), _SMALLEST, _LARGEST)
    return np.asarray(np.nan_to_num(sizes, nan=1.0))


def _is_dense(pixels: Floats, ratio: float) -> bool:
    """Return whether points (k, 2) are in more than DENSE places of the picture, or would be if they were not tiny."""
    if len(pixels) <= DENSE:
        return False
    low, reach = pixels.min(axis=0), float(np.ptp(pixels, axis=0).max())
    cell = _CELL * ratio * min(max(reach / (_TINY * ratio), 1e-6), 1.0)
    # A sample of many tells that they are dense; only of few, or of many in few places, all are looked at.
    for sample in (pixels[:: 1 + len(pixels) // (8 * DENSE)], pixels):
        cells = ((sample - low) // cell).astype(np.int64)
        if len(np.unique(cells[:, 0] * 1_000_000 + cells[:, 1])) > DENSE:
            return True
    return False


def fit_with_glyphs(
    camera: Camera, scenes: Sequence[Scene], points: Floats, size: tuple[float, float], triad: float, joint: float
) -> Camera:
    """Return a camera that brings points (k, 3) into sight, and the axes and arcs of scenes with them.

    Parameters
    ----------
    camera
        Where it looks from.
    size
        Width and height of the picture in logical pixels.
    triad, joint
        Reach of triads and joint glyphs in logical pixels, 0 where they are not drawn.
    """
    aspect = size[0] / max(size[1], 1)
    points = camera.decisive(points, aspect)
    fitted = camera.fit(points, aspect)
    # The glyphs keep their size on screen: the farther away the camera goes, the larger they are in space.
    for _ in range(2):
        glyphs = [_glyph_points(scene, fitted, size, triad, joint) for scene in scenes]
        fitted = camera.fit(np.concatenate([points, *glyphs]), aspect)
    return fitted


def _glyph_points(scene: Scene, camera: Camera, size: tuple[float, float], triad: float, joint: float) -> Floats:
    """Return the tips (k, 3) of the axes and arcs that are drawn in full and should be in sight."""
    rows, joints = scene.triads.rows, scene.joints.rows
    pixels, depth = camera.project(scene.X_RootF[rows, :3, 3], *size)
    no_row = np.zeros(len(scene.X_RootF), bool)
    sizes = glyph_sizes(scene, camera, pixels, depth, (round(size[0]), round(size[1])), 1.0, no_row)
    tips = []
    # Axes point one way, arcs and rails both.
    for drawn, factors, reach, ways in ((rows, sizes.triads, triad, (1,)), (joints, sizes.joints, joint, (1, -1))):
        chosen = (factors * reach > 0) & ~np.isin(drawn, scene.partly)  # of a large world hardly any
        chosen &= ~scene.is_aside[drawn]
        X = scene.X_RootF[drawn[chosen]]
        metres = camera.metres_per_pixel(X[:, :3, 3], size[1]) * factors[chosen] * reach
        axes = np.swapaxes(X[:, :3, :3], 1, 2) * metres[:, None, None]
        tips += [(X[:, None, :3, 3] + way * axes).reshape(-1, 3) for way in ways]
    points = np.concatenate(tips)
    return np.asarray(points[np.isfinite(points).all(axis=1)])


def rows_around(
    scene: Scene,
    camera: Camera,
    at: tuple[float, float],
    size: tuple[float, float],
    radius: float = 48.0,
    limit: int = 8,
) -> tuple[int, ...]:
    """Return the frames with an origin near a point of the picture, the nearest first, at most `limit`.

    Of frames so close together that their axes would be a bundle it is the nearest; frames in one place are one.
    All are logical pixels.
    """
    rows = scene.triads.rows
    near, _, _ = points_around(scene, camera, scene.X_RootF[rows, :3, 3], at, size, radius)
    pixels, _ = camera.project(scene.X_RootF[rows[near], :3, 3], *size)
    chosen: list[int] = []
    for k in range(len(near)):
        away = np.hypot(*(pixels[chosen] - pixels[k]).T)
        if ((away < 1.0) | (away >= _APART)).all():
            chosen.append(k)
            if len(chosen) == limit:
                break
    return tuple(rows[near[chosen]].tolist())


def mask_of(rows: Iterable[int], count: int) -> NDArray[np.bool_]:
    """Return the mask (count,) of some rows."""
    mask = np.zeros(count, bool)
    mask[[row for row in rows if 0 <= row < count]] = True
    return mask
