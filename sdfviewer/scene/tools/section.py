"""Section planes that cut a scene open, and the layers in which their faces are drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.nodes import Floats

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class CuttingPlane:
    """A plane n · p = `offset` in root coordinates, with a unit normal n; what n points to is left out."""

    normal: Vector
    offset: float

    def keeps(self, points: Floats) -> Floats:
        """Return how far points (..., 3) are inside what is kept, in metres; negative ones are left out."""
        return np.asarray(self.offset - points @ np.asarray(self.normal))

    def enter(self, origin: Floats, direction: Floats) -> tuple[float, float]:
        """Return the distances along a ray between which it runs through what is kept; empty ones are reversed."""
        slope = float(np.asarray(self.normal) @ direction)
        inside = float(self.keeps(origin))
        if abs(slope) < 1e-12:
            return (0.0, np.inf) if inside >= 0 else (np.inf, -np.inf)
        at = inside / slope
        return (0.0, at) if slope > 0 else (max(at, 0.0), np.inf)


@dataclass(frozen=True)
class Section:
    """A cutting plane on a frame F, by its scoped name: it rides with F. Normal and offset (metres) are those in F."""

    frame: str
    normal: Vector
    offset: float = 0.0

    def placed(self, X_RootF: Floats) -> CuttingPlane:
        """Return the plane for the pose (4, 4) of its frame."""
        normal = X_RootF[:3, :3] @ np.asarray(self.normal)
        normal = normal / np.linalg.norm(normal)
        x, y, z = normal.tolist()
        return CuttingPlane((x, y, z), float(normal @ X_RootF[:3, 3]) + self.offset)

    def flipped(self) -> Section:
        """Return the section that leaves out the other side."""
        x, y, z = self.normal
        return replace(self, normal=(-x, -y, -z), offset=-self.offset)

    def moved(self, by: float) -> Section:
        """Return the section farther along its normal, in metres."""
        return replace(self, offset=self.offset + by)

    def renamed(self, names: dict[str, str]) -> Section:
        """Return the section after frames, by their former names, have got others."""
        return replace(self, frame=names.get(self.frame, self.frame))


def through_middle(frame: str, normal: Vector, X_RootF: Floats, points: Floats) -> Section:
    """Return the section across a direction of a frame that cuts points (k, 3) of the scene in half."""
    section = Section(frame, normal)
    inside = section.placed(X_RootF).keeps(points)
    return section.moved(-float(inside.min() + inside.max()) / 2)


_Numbers = NDArray[np.intp]

_MOST_PAIRS = 1_000_000
"""More pairs of rectangles beside each other are not looked at."""


def cut_layers(middles: Floats, reaches: Floats, sizes: Floats, tones: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the layer (k,) of each face, from 0 on without gaps: in one layer no two colours overlap.

    Parameters
    ----------
    middles, reaches
        Middles and half sides (k, 2) of rectangles that hold the faces, along the same two directions.
    sizes
        How large the solids (k,) are: where two faces of different colours overlap, that of the smaller solid is in the
        later layer, of equal ones that of the later solid.
    tones
        The colours (k, 3).
    """
    layers = np.zeros(len(middles), np.intp)
    _, colours = np.unique(tones, axis=0, return_inverse=True)
    colours = colours.reshape(-1)
    if not colours.any():
        return layers
    rank = np.empty(len(middles), np.intp)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(middles))
    # Faces that touch do not overlap, whatever rounding says.
    inner = reaches * (1 - 1e-6)
    pairs = _overlapping(middles - inner, middles + inner)
    if pairs is None:
        return rank
    a, b = (each[colours[pairs[0]] != colours[pairs[1]]] for each in pairs)
    later = rank[a] > rank[b]
    before, after = np.where(later, b, a), np.where(later, a, b)
    while True:
        wanted = layers.copy()
        np.maximum.at(wanted, after, layers[before] + 1)
        if np.array_equal(wanted, layers):
            return np.asarray(np.unique(layers, return_inverse=True)[1], np.intp)
        layers = wanted


def _overlapping(low: Floats, high: Floats) -> tuple[_Numbers, _Numbers] | None:
    """Return the numbers of the rectangles that overlap in pairs; None where too many lie beside each other."""
    best: tuple[int, _Numbers, _Numbers] | None = None
    for axis in range(2):
        order = np.argsort(low[:, axis], kind="stable")
        # Whatever begins before a rectangle ends, and after it begins, overlaps it along this axis.
        ends = np.searchsorted(low[order, axis], high[order, axis])
        counts = np.maximum(ends - np.arange(1, len(order) + 1), 0)
        if best is None or counts.sum() < best[0]:
            best = (int(counts.sum()), order, counts)
    assert best is not None
    total, order, counts = best
    if total > _MOST_PAIRS:
        return None
    first = np.repeat(np.arange(len(order)), counts)
    nth = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    a, b = order[first], order[first + 1 + nth]
    overlap = ((low[a] < high[b]) & (low[b] < high[a])).all(axis=1)
    return a[overlap], b[overlap]
