"""Flat antialiased shapes over the picture, in logical pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.palette import parse_hex
from sdfviewer.scene.nodes import Floats

#: How much wider a stroke is on both sides, so that its edge can fade within a pixel.
_FEATHER = 0.75
#: A line that reaches far out of the picture has longer gaps.
_MOST_DASHES = 500
#: Half width that means a fill: its edges do not fade.
_FILLED = 1e4

Colour = tuple[float, float, float, float]
"""Red, green, blue, opacity in 0..1."""

_ANGLES = np.linspace(0.0, 2 * np.pi, 25)
_RIM = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
UNIT_CIRCLE = np.stack([_RIM[:-1], _RIM[1:]], axis=1)
"""Segments (24, 2, 2) of a circle of radius 1."""


def colour_of(tone: str, opacity: float = 1.0) -> Colour:
    """Return a colour of the palette, ``#RRGGBB``."""
    red, green, blue = (channel / 255 for channel in parse_hex(tone))
    return red, green, blue, opacity


@dataclass(frozen=True, eq=False)
class Shapes:
    """Triangles, three vertices each, drawn in this order over everything.

    `points` (m, 2) are logical pixels from the upper left; `edges` (m, 2) say how far each vertex is from the middle
    of its stroke, and half the stroke's width; `colours` (m, 4) are bytes.
    """

    points: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    edges: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    colours: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 4), np.uint8))

    @staticmethod
    def concatenate(parts: Sequence[Shapes]) -> Shapes:
        """Return several as one, later ones over earlier ones."""
        if not parts:
            return Shapes()
        columns = zip(*((part.points, part.edges, part.colours) for part in parts), strict=True)
        points, edges, colours = (np.concatenate(column) for column in columns)
        return Shapes(points, edges, colours)

    def __len__(self) -> int:
        return len(self.points)


def stroke(path: ArrayLike, width: float, colour: Colour, *, closed: bool = False) -> Shapes:
    """Return a line of constant width along a path of pixels (k, 2)."""
    path = np.asarray(path, dtype=np.float64)
    if closed:
        path = np.concatenate([path, path[:1]])
    return strokes(np.stack([path[:-1], path[1:]], axis=1), width, colour)


def strokes(segments: ArrayLike, width: float, colours: Colour | ArrayLike) -> Shapes:
    """Return straight lines of constant width between pairs of pixels (k, 2, 2), in one colour or one each (k, 4)."""
    ends: Floats = np.asarray(segments, dtype=np.float64)
    tones = np.broadcast_to(np.asarray(colours, dtype=np.float64), (len(ends), 4))
    # A line to a point behind the camera does not end in the picture.
    is_number = np.isfinite(ends)
    if not is_number.all():
        seen = is_number.all(axis=(1, 2))
        ends, tones = ends[seen], tones[seen]
    a, b = ends[:, 0], ends[:, 1]
    reach = width / 2 + _FEATHER
    along = b - a
    length = np.hypot(*along.T)
    is_point = length <= 1e-9
    along[is_point], length[is_point] = (1.0, 0.0), 1.0
    across = along[:, ::-1] * (-1.0, 1.0) * (reach / length)[:, None]
    corners = np.empty((len(ends), 6, 2), np.float32)
    corners[:, 0] = corners[:, 3] = a - across
    corners[:, 1] = b - across
    corners[:, 2] = corners[:, 4] = b + across
    corners[:, 5] = a + across
    edges = np.empty((len(ends), 6, 2), np.float32)
    edges[:, :, 0], edges[:, :, 1] = (-reach, -reach, reach, -reach, reach, reach), width / 2
    return Shapes(corners.reshape(-1, 2), edges.reshape(-1, 2), np.repeat(_bytes(tones), 6, axis=0))


def dashes(segment: ArrayLike, on: float = 8.0, off: float = 5.0) -> Floats:
    """Return the dashes (k, 2, 2) of a line between two pixels (2, 2), `on` pixels long and `off` pixels apart."""
    a, b = np.asarray(segment, dtype=np.float64)
    length = float(np.hypot(*(b - a)))
    if not np.isfinite(length):
        return np.zeros((0, 2, 2))
    count = min(max(int(length / (on + off)), 1), _MOST_DASHES)
    starts = np.linspace(0.0, length, count, endpoint=False)
    ends = np.stack([starts, np.minimum(starts + on, length)], axis=1) / max(length, 1e-9)
    return np.asarray(a + ends[:, :, None] * (b - a))


def fill(polygon: ArrayLike, colour: Colour, *, smooth: bool = True) -> Shapes:
    """Return a polygon of pixels (k, 2) all of which its first corner sees; `smooth` puts a thin line around it."""
    corners: Floats = np.asarray(polygon, dtype=np.float64)
    if len(corners) < 3 or not np.isfinite(corners).all():
        return Shapes()
    k = len(corners) - 2
    fan = np.stack([np.repeat(corners[:1], k, axis=0), corners[1:-1], corners[2:]], axis=1).reshape(-1, 2)
    edges = np.tile([0.0, _FILLED], (len(fan), 1)).astype(np.float32)
    inside = Shapes(fan.astype(np.float32), edges, np.repeat(_bytes(np.array([colour])), len(fan), axis=0))
    return Shapes.concatenate([inside, stroke(corners, 1.0, colour, closed=True)]) if smooth else inside


def disc(centre: ArrayLike, radius: float, colour: Colour, corners: int = 24) -> Shapes:
    """Return a filled circle."""
    angles = np.linspace(0.0, 2 * np.pi, corners, endpoint=False)
    return fill(np.asarray(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1), colour)


def ring(centre: ArrayLike, radius: float, width: float, colour: Colour, corners: int = 48) -> Shapes:
    """Return a circle."""
    angles = np.linspace(0.0, 2 * np.pi, corners, endpoint=False)
    path = np.asarray(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return stroke(path, width, colour, closed=True)


def distance_to_path(path: ArrayLike, x: float, y: float) -> float:
    """Return how many pixels (x, y) is away from a path of pixels (k, 2); infinite where it leads out of sight."""
    points = np.asarray(path, dtype=np.float64)
    a, b = points[:-1], points[1:]
    seen = np.isfinite(a).all(axis=1) & np.isfinite(b).all(axis=1)
    if not seen.any():
        return float("inf")
    a, along = a[seen], (b - a)[seen]
    to = np.array([x, y]) - a
    square = np.maximum(np.einsum("ij,ij->i", along, along), 1e-12)
    t = np.clip(np.einsum("ij,ij->i", to, along) / square, 0.0, 1.0)
    return float(np.linalg.norm(to - t[:, None] * along, axis=1).min())


def is_inside(polygon: ArrayLike, x: float, y: float) -> bool:
    """Return whether a pixel lies in a convex polygon of pixels (k, 2), whichever way round it is given."""
    corners = np.asarray(polygon, dtype=np.float64)
    along = np.roll(corners, -1, axis=0) - corners
    to = np.array([x, y]) - corners
    turns = along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0]
    return bool((turns >= 0).all() or (turns <= 0).all())


def _bytes(colours: Floats) -> NDArray[np.uint8]:
    return np.round(np.clip(colours, 0.0, 1.0) * 255).astype(np.uint8)
