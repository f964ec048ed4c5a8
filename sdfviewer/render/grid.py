"""The ground grid: its spacing and extent, and the metre marks along its axes, without those that would be cut."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.view import Look, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyphs import glyph_directions
from sdfviewer.scene.scene import Scene


@dataclass(frozen=True)
class Grid:
    """A square of lines at z = 0 around `centre`, metres; every tenth line is a major one."""

    spacing: float
    centre: tuple[float, float]
    extent: float
    fade_minor: float
    """How strongly minor lines show, 1 when they are wide apart, 0 when the next spacing takes over."""

    def marks(self, limit: int = 12) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Return the texts (k,) and points (k, 3) of the metre marks along the x and y axes."""
        step = self.spacing * 10
        texts: list[str] = []
        points: list[tuple[float, float, float]] = []
        for axis in range(2):
            first = math.ceil((self.centre[axis] - self.extent * 0.6) / step)
            last = math.floor((self.centre[axis] + self.extent * 0.6) / step)
            stride = max(1, (last - first) // limit)
            for k in range(first, last + 1):
                if k % stride == 0 and k != 0:
                    texts.append(format_length(k * step))
                    points.append((k * step, 0.0, 0.0) if axis == 0 else (0.0, k * step, 0.0))
        return tuple(texts), np.array(points).reshape(-1, 3)


def format_length(metres: float) -> str:
    """Return a length with the unit that keeps it short: ``250 mm``, ``-1.5 m``, ``2 km``."""
    size = abs(metres)
    for unit, factor in (("km", 1e-3), ("m", 1.0), ("cm", 1e2), ("mm", 1e3)):
        if size * factor >= 0.9995 or unit == "mm":
            return f"{round(metres * factor, 6):g} {unit}"
    raise AssertionError("unreachable: millimetres take what is left")


def grid_for(camera: Camera) -> Grid:
    """Return the grid that suits a camera: about a dozen minor lines to the distance of the focus."""
    scale = max(camera.distance, 1e-3) / 8
    decade = math.floor(math.log10(scale))
    spacing = 10.0**decade
    fade = 1.0 - (math.log10(scale) - decade)
    major = spacing * 10
    centre = (round(camera.focus[0] / major) * major, round(camera.focus[1] / major) * major)
    return Grid(spacing, centre, max(camera.distance * 6, major * 2), fade)


_ACROSS, _DOWN = 7, 3
"""At how many points of a mark it is asked whether something is in front of it."""
_ALONG, _HALF_ARROW = 7, 3.0
"""At how many points of an arrow it is asked whether it crosses a mark, and half its width in logical pixels."""
_MOST_ARROWS = 300
"""Maximum number of frames and joints looked at in each image."""


def metre_marks(scene: Scene, camera: Camera, height: int, ratio: float) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Return the texts (k,) and points (k, 3) of the marks in a picture of a height in device pixels."""
    grid = grid_for(camera)
    texts, points = grid.marks()
    # Leave out marks where the lines are close together, and those that the ground of the scene would cut in half.
    wide = grid.spacing * 10 > 70 * ratio * camera.metres_per_pixel(points, height)
    wide &= ~_below_ground(scene, camera, points, 2 * grid.spacing)
    return tuple(text for text, keep in zip(texts, wide.tolist(), strict=True) if keep), points[wide]


def _below_ground(scene: Scene, camera: Camera, points: NDArray[np.float64], highest: float) -> NDArray[np.bool_]:
    """Return which points (k, 3) at z = 0 are below a ground of the scene's own that is up to so many metres higher."""
    arrays = scene.surface_arrays
    which = np.flatnonzero(arrays.ground)
    if not len(which):
        return np.zeros(len(points), bool)
    X = arrays.poses(scene.X_RootF)[which]
    middle = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres[which]) + X[:, :3, 3]
    reach = np.einsum("kij,kj->ki", np.abs(X[:, :3, :3]), (arrays.boxes[which, 1] - arrays.boxes[which, 0]) / 2)
    low, high = middle - reach, middle + reach
    inside = ((points[:, None, :2] >= low[:, :2]) & (points[:, None, :2] <= high[:, :2])).all(axis=2)
    is_higher = (high[:, 2] > 1e-6) & (high[:, 2] <= highest) & (camera.eye[2] > high[:, 2])
    return np.asarray((inside & is_higher).any(axis=1))


def partly_hidden(
    scene: Scene,
    camera: Camera,
    points: NDArray[np.float64],
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    size: tuple[int, int],
) -> NDArray[np.bool_]:
    """Return which marks (k,) the boxes around surfaces cover in part: ``-750 m`` would be read as ``50 m``.

    Parameters
    ----------
    points : (k, 3)
        Where the marks are in space, metres.
    corners, sizes : (k, 2)
        Their upper left corners, widths and heights in device pixels.
    size
        Width and height of the picture in device pixels.
    """
    cut = np.zeros(len(points), bool)
    arrays = scene.surface_arrays
    standing = np.flatnonzero(~arrays.ground)
    with np.errstate(invalid="ignore"):
        in_sight = np.flatnonzero(((corners + sizes > 0) & (corners < size)).all(axis=1))
    if not len(standing) or not len(in_sight):
        return cut
    X = arrays.poses(scene.X_RootF)[standing]
    halves = (arrays.boxes[standing, 1] - arrays.boxes[standing, 0]) / 2
    middles = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres[standing]) + X[:, :3, 3]
    radii = np.linalg.norm(halves, axis=1)
    pixels, depth = camera.project(middles, *size)
    with np.errstate(invalid="ignore"):
        # What reaches behind the camera is around it: a building hides no part of a mark alone.
        is_ahead = depth > radii
        reach = 1.3 * radii / camera.metres_per_pixel(middles, size[1])
    mark_depth = camera.depth(points)
    shares = np.stack(np.meshgrid(np.linspace(0, 1, _ACROSS), np.linspace(0, 1, _DOWN)), axis=-1).reshape(-1, 2)
    for k in in_sight.tolist():
        half = sizes[k] / 2
        with np.errstate(invalid="ignore"):
            may_cover = is_ahead & (depth - radii < mark_depth[k])
            may_cover &= (np.abs(pixels - corners[k] - half) < half + reach[:, None]).all(axis=1)
        near = np.flatnonzero(may_cover)
        if not len(near):
            continue
        x, y = (corners[k] + shares * sizes[k]).T
        covered = _are_covered(
            camera.ray(x, y, *size), X[near], middles[near], halves[near], camera, float(mark_depth[k])
        )
        cut[k] = covered.any() and not covered.all()
    return cut


def crossed(
    scene: Scene,
    look: Look,
    view: View,
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    with_axes: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which marks (k,) the axes of frames and joints cross; none where there are too many to look at.

    Parameters
    ----------
    corners, sizes : (k, 2)
        Their upper left corners, widths and heights in device pixels.
    with_axes : (n,)
        Which rows are drawn with their axes, not as points.
    """
    triads, joints = (np.flatnonzero(with_axes[each.rows]) for each in (scene.triads, scene.joints))
    if len(triads) + len(joints) > _MOST_ARROWS:
        return np.zeros(len(corners), bool)
    arrows = []
    if look.frames:
        X = scene.X_RootF[scene.triads.rows[triads]]
        starts, axes = np.repeat(X[:, :3, 3], 3, axis=0), np.swapaxes(X[:, :3, :3], 1, 2).reshape(-1, 3)
        arrows.append(_along(starts, axes, look.frame_size, look.frame_size_metres, view))
    if look.joints:
        X = scene.X_RootF[scene.joints.rows[joints]]
        axes = np.einsum("kij,kj->ki", X[:, :3, :3], glyph_directions(scene.joints)[0][joints])
        arrows.append(_along(X[:, :3, 3], axes, look.joint_size, look.joint_size_metres, view))
    if not arrows:
        return np.zeros(len(corners), bool)
    pixels, depth = view.camera.project(np.concatenate(arrows), *view.size)
    gap = _HALF_ARROW * view.ratio
    with np.errstate(invalid="ignore"):
        pixels = pixels[depth > 0]
        inside = (pixels > corners[:, None] - gap) & (pixels < (corners + sizes)[:, None] + gap)
        crosses: NDArray[np.bool_] = np.asarray(inside.all(axis=2))
    return np.asarray(crosses.any(axis=1))


def _along(
    starts: NDArray[np.float64], axes: NDArray[np.float64], pixels: float, metres: float | None, view: View
) -> NDArray[np.float64]:
    """Return points (n, 3) on arrows from some points (k, 3), as long as so many logical pixels, or metres if given."""
    per_pixel = view.ratio * view.camera.metres_per_pixel(starts, view.height)
    lengths = pixels * per_pixel if metres is None else np.full(len(starts), metres)
    ways = np.linspace(0.0, 1.0, _ALONG)[:, None] * (axes * lengths[:, None])[:, None]
    return np.asarray((starts[:, None] + ways).reshape(-1, 3))


def _are_covered(
    rays: tuple[NDArray[np.float64], NDArray[np.float64]],
    X: NDArray[np.float64],
    middles: NDArray[np.float64],
    halves: NDArray[np.float64],
    camera: Camera,
    depth: float,
) -> NDArray[np.bool_]:
    """Return which rays (r,) enter any of some boxes (b,) before they are so many metres in front of the camera."""
    directions = rays[1]
    origins = np.broadcast_to(rays[0], directions.shape)
    R = X[:, :3, :3]
    starts = np.einsum("kji,rkj->rki", R, origins[:, None] - middles)
    along = np.einsum("kji,rj->rki", R, directions)
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (-halves - starts) / along, (halves - starts) / along
        # Where a ray runs along a side of a box, 0 / 0 decides nothing.
        enter = np.fmax.reduce(np.minimum(first, second), axis=2)
        leave = np.fmin.reduce(np.maximum(first, second), axis=2)
        nearest = np.where((enter <= leave) & np.isfinite(enter), enter, np.inf).min(axis=1)
        is_before = camera.depth(origins + nearest[:, None] * directions) < depth
    return np.asarray(np.isfinite(nearest) & is_before)
