"""Routes of edges between scopes and of edges that close loops."""

from __future__ import annotations

import numpy as np

from sdfviewer.graphs.layout import Bools, Floats, Ints, Layout

#: The least distance between a vertex and an edge that is led around it.
CLEARANCE = 3.0
#: How far an edge may leave the drawing.
OUTSIDE = 60.0
#: How far an edge runs straight from a side of its vertex: as a share of the distance of its ends, and at least.
REACHES, SHORTEST_REACH = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.2, 1.6), 18.0
#: The right, left, lower and upper side of a vertex.
_SIDES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
#: In larger graphs, or with more such edges, nobody follows a single one.
MOST_VERTICES, MOST_EDGES = 1500, 200
#: Maximum number of routes that are tried, the shortest first.
MOST_WAYS = 1300
#: Number of routes that are tried at once.
BATCH = 50

_T = np.linspace(0.0, 1.0, 61)[:, None]
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
    For a curve that runs behind other vertices, those from any side of its source to any side of its target are
    tried, each with some bends. The one that runs behind the fewest is taken, of several the shortest.
    """
    if not 0 < len(edges) <= MOST_EDGES or len(layout.centres) > MOST_VERTICES:
        return curves
    half = layout.sizes / 2
    low, high = layout.centres - half - CLEARANCE, layout.centres + half + CLEARANCE
    led: Floats = curves.copy()
    for edge in edges.tolist():
        ends = [int(sources[edge]), int(targets[edge])]
        # An edge may touch its own vertices, but not cross them.
        low_here, high_here = low.copy(), high.copy()
        low_here[ends] += CLEARANCE + 1
        high_here[ends] -= CLEARANCE + 1
        fewest = int(_behind(_points(curves[edge][None]), low_here, high_here)[0])
        if not fewest or ends[0] == ends[1]:
            continue
        ways = _ways(layout.centres[ends], half[ends])
        # There are few control points: only the routes that are tried need more points.
        inside = _within(ways, layout, 3 * OUTSIDE)
        lengths = np.linalg.norm(np.diff(ways, axis=1), axis=2).sum(axis=1)
        lengths[~inside] = np.inf
        order = np.argsort(lengths)[: min(MOST_WAYS, int(inside.sum()))]
        for batch in np.split(order, range(BATCH, len(order), BATCH)):
            points = _points(ways[batch])
            counts = _behind(points, low_here, high_here)
            counts[~_within(points, layout, OUTSIDE)] = len(layout.centres)
            if len(counts) and counts.min() < fewest:
                fewest = int(counts.min())
                led[edge] = ways[batch[counts.argmin()]]
            if not fewest:
                break
    return led


def _ways(centres: Floats, half: Floats) -> Floats:
    """Return curves (k, 4, 2) between two vertices, from each side of the one to each side of the other."""
    starts, ends = centres[:, None] + _SIDES * half[:, None]
    reaches = np.maximum(np.array(REACHES) * float(np.linalg.norm(centres[1] - centres[0])), SHORTEST_REACH)
    reaches = np.unique(reaches)
    sides, steps = np.arange(len(_SIDES)), np.arange(len(reaches))
    i, j, a, b = (each.ravel() for each in np.meshgrid(sides, sides, steps, steps, indexing="ij"))
    out_of = starts[i] + _SIDES[i] * reaches[a][:, None]
    into = ends[j] + _SIDES[j] * reaches[b][:, None]
    ways: Floats = np.stack([starts[i], out_of, into, ends[j]], axis=1)
    return ways


def _points(curves: Floats) -> Floats:
    """Return points (k, t, 2) along some curves (k, 4, 2)."""
    points: Floats = _WEIGHTS @ curves
    return points


def _within(points: Floats, layout: Layout, margin: float) -> Bools:
    """Return which of some curves, given as points (k, t, 2), stay within a margin around the drawing."""
    inside = (points >= -margin) & (points <= np.array(layout.extent) + margin)
    return np.asarray(inside.all(axis=(1, 2)))


def _behind(points: Floats, low: Floats, high: Floats) -> Ints:
    """Return behind how many rectangles (n, 2) to (n, 2) each of some curves runs, given as points (k, t, 2)."""
    # Most rectangles are out of reach of all of them.
    near = ((high > points.min(axis=(0, 1))) & (low < points.max(axis=(0, 1)))).all(axis=1)
    # One coordinate at a time: several times as fast as both at once.
    x, y = points[..., 0, None], points[..., 1, None]
    (left, top), (right, bottom) = low[near].T, high[near].T
    counts: Ints = ((x > left) & (x < right) & (y > top) & (y < bottom)).any(axis=1).sum(axis=1)
    return counts
