"""Marks over the 3D view for frames that were moved, added or removed between two versions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.palette import STYLES, Theme, colour_table, theme
from sdfviewer.scene.camera.camera import Camera
from sdfviewer.scene.nodes import Floats, Lines
from sdfviewer.scene.shapes2d import UNIT_CIRCLE, Colour, Shapes, colour_of, strokes

#: Mark at most so many frames of one sort, sampled over all distances: more would hide the model.
MOST_MARKS = 200
#: With so many marks or more, the rings are small.
_MANY_MARKS = 24
_RADIUS, _SMALL_RADIUS, _WIDTH, _HEAD = 7.0, 3.0, 2.0, 9.0
_PLUS = np.array([[[-0.6, 0.0], [0.6, 0.0]], [[0.0, -0.6], [0.0, 0.6]]])
_CROSS = np.array([[[-0.7, -0.7], [0.7, 0.7]], [[-0.7, 0.7], [0.7, -0.7]]])


@dataclass(frozen=True, eq=False)
class ChangedPlaces:
    """Points in root coordinates: the ends (k, 2, 3) of what moved, and (k, 3) of what appeared and vanished."""

    moved: Floats
    appeared: Floats
    vanished: Floats


def paint_changes(places: ChangedPlaces, camera: Camera, size: tuple[float, float], *, dark: bool) -> Shapes:
    """Return an arrow from where each frame was to where it is, a plus where one came, a cross where one went.

    Parameters
    ----------
    places
        What to mark.
    camera, size
        What takes the picture, and its width and height in logical pixels.
    dark
        Whether the ground is dark.
    """
    colours = theme(dark)
    moved = places.moved[np.argsort(-np.linalg.norm(places.moved[:, 1] - places.moved[:, 0], axis=1), kind="stable")]
    parts = [_arrows(_some(moved), camera, size, colours)]
    for points, sign, tone in (
        (places.appeared, _PLUS, STYLES["frame"].colour(dark)),
        (places.vanished, _CROSS, STYLES["error"].colour(dark)),
    ):
        middles = _pixels(points, camera, size)
        middles = _some(_apart(middles[np.isfinite(middles).all(axis=1)]))
        drawing = np.concatenate([UNIT_CIRCLE, sign]) * _radius(len(middles))
        parts.append(_lined((middles[:, None, None] + drawing).reshape(-1, 2, 2), _mark_colour(tone), colours))
    return Shapes.concatenate(parts)


def paint_lines(lines: Lines, X_RootF: Floats, camera: Camera, size: tuple[float, float], *, dark: bool) -> Shapes:
    """Return lines, such as the symbol of a sensor, as they look in a scene; none where a pose is NaN.

    Parameters
    ----------
    lines, X_RootF
        Lines of rows, and where the rows are (n, 4, 4).
    camera, size
        What takes the picture, and its width and height in logical pixels.
    dark
        Whether the ground is dark.
    """
    ends, origins = lines.endpoints(X_RootF), X_RootF[lines.rows[:, 0], None, :3, 3]
    scale = np.where(lines.on_screen[:, None], camera.metres_per_pixel(origins, size[1]), 1.0)
    ends = origins + (ends - origins) * scale[..., None]
    segments = _pixels(ends.reshape(-1, 3), camera, size).reshape(-1, 2, 2)
    return _lined(segments, np.insert(colour_table(dark)[lines.tokens], 3, 0.95, axis=1), theme(dark))


def _some(marks: Floats) -> Floats:
    """Return marks, of too many ones some that are spread evenly over all."""
    if len(marks) <= MOST_MARKS:
        return marks
    return np.asarray(marks[np.linspace(0, len(marks) - 1, MOST_MARKS).astype(np.intp)])


def _radius(count: int) -> float:
    return _RADIUS if count <= _MANY_MARKS else _SMALL_RADIUS


def _pixels(points: Floats, camera: Camera, size: tuple[float, float]) -> Floats:
    """Return where points (k, 3) are in the picture, NaN for those behind the camera."""
    pixels, depth = camera.project(points, *size)
    return np.where((depth > 0)[:, None], pixels, np.nan)


def _apart(pixels: Floats) -> Floats:
    """Return pixels without those that lie where another one lies already."""
    _, first = np.unique(np.round(pixels), axis=0, return_index=True)
    return np.asarray(pixels[np.sort(first)])


def _arrows(ends: Floats, camera: Camera, size: tuple[float, float], colours: Theme) -> Shapes:
    both = _pixels(ends.reshape(-1, 3), camera, size).reshape(-1, 4)
    pixels = _apart(both[np.isfinite(both).all(axis=1)]).reshape(-1, 2, 2)
    along = pixels[:, 1] - pixels[:, 0]
    length = np.linalg.norm(along, axis=1)
    # A frame that only rotates, or moves along the line of sight, has no visible line: a ring marks it.
    long = length > _HEAD
    rings = pixels[~long, 1][:, None, None] + UNIT_CIRCLE * _radius(int((~long).sum()))
    pixels, along = pixels[long], along[long] / length[long, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    tip = pixels[:, 1]
    barbs = [np.stack([tip, tip - _HEAD * along + side * 0.5 * _HEAD * across], axis=1) for side in (-1, 1)]
    feet = pixels[:, 0][:, None, None] + UNIT_CIRCLE * 2.5
    segments = np.concatenate([pixels, *barbs, rings.reshape(-1, 2, 2), feet.reshape(-1, 2, 2)])
    return _lined(segments, _mark_colour(colours.selection), colours)


def _mark_colour(tone: str) -> Colour:
    return colour_of(tone, 0.95)


def _lined(segments: NDArray[np.float64], tones: Colour | ArrayLike, colours: Theme) -> Shapes:
    """Return lines in one colour or one each (k, 4), with a rim that tells them from what lies under them."""
    red, green, blue, _ = _mark_colour(colours.plate)
    rim = (red, green, blue, 0.6)
    return Shapes.concatenate([strokes(segments, _WIDTH + 2.5, rim), strokes(segments, _WIDTH, tones)])
