"""Which of the faces that a section cuts open can be drawn together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.nodes import Floats

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
