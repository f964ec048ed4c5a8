"""Edges between scopes, led around the vertices that stand in their way where that is possible."""

from __future__ import annotations

import numpy as np

from sdfviewer.scene.graph_layout import Bools, Floats, Ints, Layout, Orientation

#: How far beside what is in the way an edge runs.
CLEARANCE = 12.0
#: How often a lane is moved farther out because of what is in its way in turn.
ATTEMPTS = 3
#: In larger graphs, or with more edges between scopes, nobody follows a single one.
MOST_VERTICES, MOST_EDGES = 1500, 200

_T = np.linspace(0.0, 1.0, 25)[:, None]
_WEIGHTS = np.concatenate([(1 - _T) ** 3, 3 * _T * (1 - _T) ** 2, 3 * _T**2 * (1 - _T), _T**3], axis=1)


def detour(layout: Layout, curves: Floats, edges: Ints, sources: Ints, targets: Ints) -> Floats:
    """Return the curves (m, 4, 2) with some of them led around vertices.

    Parameters
    ----------
    edges
        Those that may be led elsewhere.
    sources, targets
        (m,) the ends of all edges.

    Notes
    -----
    A curve that runs behind other vertices is tried above and below all that is in its way; it stays where neither
    runs behind fewer.
    """
    if not 0 < len(edges) <= MOST_EDGES or len(layout.centres) > MOST_VERTICES:
        return curves
    low, high = layout.centres - layout.sizes / 2 - 2, layout.centres + layout.sizes / 2 + 2
    along = 0 if layout.orientation is Orientation.LEFT_RIGHT else 1
    across = 1 - along
    led: Floats = curves.copy()
    for edge in edges.tolist():
        ends = [int(sources[edge]), int(targets[edge])]
        hit = _behind(curves[edge], low, high, ends)
        if not hit.any():
            continue
        best, fewest = curves[edge], int(hit.sum())
        for is_above in (True, False):
            in_way = hit.copy()
            for _ in range(ATTEMPTS):
                lane = low[in_way, across].min() - CLEARANCE if is_above else high[in_way, across].max() + CLEARANCE
                candidate = _through(curves[edge], float(lane), along)
                behind = _behind(candidate, low, high, ends)
                if int(behind.sum()) < fewest:
                    best, fewest = candidate, int(behind.sum())
                if not (behind & ~in_way).any():
                    break
                in_way |= behind
        led[edge] = best
    return led


def _through(curve: Floats, lane: float, along: int) -> Floats:
    """Return a curve with the same ends that runs in a lane between them."""
    candidate: Floats = curve[[0, 0, 3, 3]]
    # A cubic reaches three quarters of the way to its control points.
    candidate[1:3, 1 - along] += (lane - candidate[1:3, 1 - along]) * 4 / 3
    reach = (candidate[3, along] - candidate[0, along]) * 0.12
    candidate[1, along] += reach
    candidate[2, along] -= reach
    return candidate


def _behind(curve: Floats, low: Floats, high: Floats, ends: list[int]) -> Bools:
    """Return the vertices (n,), other than its ends, that a curve runs behind."""
    points = (_WEIGHTS @ curve)[:, None]
    inside = np.asarray(((points > low) & (points < high)).all(axis=2).any(axis=0))
    inside[ends] = False
    return inside
