"""Colours and marks for the difference between the two conventions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.kinematics.conventions import Differences
from sdfviewer.model.model import Model
from sdfviewer.palette import difference_ramp, parse_hex, theme
from sdfviewer.scene.camera.camera import Camera
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import UNIT_CIRCLE, Shapes, strokes

_STRENGTH = 0.72
_MOST_MARKS = 300
_MANY_MARKS, _FINEST = 24, 0.4
_MOST_NAMED, _MOST_COMPARED = 4, 500
"""How many frames that differ are named, and of how many it is asked whether they are near each other."""
_APART = 0.2
"""Of frames that differ much one is named in each part of the picture, at this share of all that differs."""


def colours(shares: Floats, *, dark: bool) -> Floats:
    """Return a colour (n, 3) in 0..1 for each share (n,) of the largest difference, on dark or light ground.

    Rows that only one convention can place have that of the largest.
    """
    ramp = np.array([parse_hex(colour) for colour in difference_ramp(dark)]) / 255
    place = np.clip(np.nan_to_num(shares, nan=1.0), 0.0, 1.0) * (len(ramp) - 1)
    return np.stack([np.interp(place, np.arange(len(ramp)), ramp[:, channel]) for channel in range(3)], axis=-1)


def tints(differences: Differences, *, dark: bool) -> Floats:
    """Return red, green, blue and strength (n, 4) in 0..1 for the surfaces of each row; equal ones keep their own."""
    shown = np.empty((len(differences.metres), 4))
    shown[:, :3] = colours(differences.shares, dark=dark)
    shown[:, 3] = np.where(differences.different, _STRENGTH, 0.0)
    return shown


def most_different(differences: Differences, here: Floats, there: Floats, rows: NDArray[np.integer]) -> frozenset[int]:
    """Return the few of some rows that differ most; of those that are near each other in both conventions the first.

    Parameters
    ----------
    here, there
        X_RootF (n, 4, 4) in either convention.
    """
    is_candidate = np.zeros(len(here), bool)
    is_candidate[rows] = True
    rows = np.flatnonzero(is_candidate & differences.different & np.isfinite(here[:, 0, 3]))
    shares = np.nan_to_num(differences.shares[rows], nan=np.inf)
    if len(rows) > _MOST_COMPARED:
        most = np.sort(np.argpartition(-shares, _MOST_COMPARED)[:_MOST_COMPARED])
        rows, shares = rows[most], shares[most]
    rows = rows[np.argsort(-shares, kind="stable")]
    p_here, p_there = here[rows, :3, 3], there[rows, :3, 3]
    places = np.stack([p_here, np.where(np.isfinite(p_there), p_there, p_here)])
    apart = _APART * np.linalg.norm(np.ptp(places.reshape(-1, 3), axis=0)) if len(rows) else 0.0
    chosen: list[int] = []
    left = np.arange(len(rows))
    while len(left) and len(chosen) < _MOST_NAMED:
        first = left[0]
        chosen.append(int(rows[first]))
        left = left[np.linalg.norm(places[:, left] - places[:, [first]], axis=2).max(axis=0) > apart]
    return frozenset(chosen)


def paint_differences(
    model: Model,
    differences: Differences,
    poses: tuple[Floats, Floats | None],
    camera: Camera,
    size: tuple[float, float],
    *,
    dark: bool,
) -> Shapes:
    """Return a ring around each frame that differs, and a line to where the other convention puts it, where that is
    shown.

    Parameters
    ----------
    model, differences
        The frames, and how far each is apart.
    poses
        X_RootF (n, 4, 4) of the picture, and of the other convention if it is in the same picture.
    camera, size
        What takes the picture, and its width and height in logical pixels.
    dark
        Whether the ground is dark.
    """
    shares = differences.shares
    here, there = poses
    different = np.flatnonzero(differences.different & np.isfinite(here).all(axis=(1, 2)))
    rows = different[np.array([model.kinds[row].is_vertex for row in different], bool)]
    rows = rows[np.argsort(-np.nan_to_num(shares[rows], nan=np.inf), kind="stable")][:_MOST_MARKS]
    if not len(rows):
        return Shapes()
    pixels, depth = camera.project(here[rows, :3, 3], *size)
    tones = colours(shares[rows], dark=dark)
    rim = (*(np.array(parse_hex(theme(dark).plate)) / 255).tolist(), 0.7)
    parts: list[Shapes] = []
    # The more marks, the finer they are, so that they do not hide the model.
    fine = float(np.clip(_MANY_MARKS / len(rows), _FINEST, 1.0))
    if there is not None:
        ends, end_depth = camera.project(there[rows, :3, 3], *size)
        seen = (depth > 0) & (end_depth > 0)
        segments = np.stack([pixels[seen], ends[seen]], axis=1)
        opaque = np.concatenate([tones[seen], np.full((int(seen.sum()), 1), 0.95)], axis=1)
        parts += [strokes(segments, 4.5 * fine, rim), strokes(segments, 2.0 * fine, opaque)]
    # Among frames in one place, only the first, which differs most, gets a ring.
    _, first = np.unique(np.round(pixels), axis=0, return_index=True)
    ringed = np.sort(first)[depth[np.sort(first)] > 0]
    segments = pixels[ringed][:, None, None] + 8 * fine * UNIT_CIRCLE
    opaque = np.concatenate([tones[ringed], np.ones((len(ringed), 1))], axis=1)
    outlines = np.broadcast_to(np.array(rim), opaque.shape)
    for width, shades in ((5 * fine, outlines), (2.5 * fine, opaque)):
        parts.append(strokes(segments.reshape(-1, 2, 2), width, np.repeat(shades, len(UNIT_CIRCLE), axis=0)))
    return Shapes.concatenate(parts)
