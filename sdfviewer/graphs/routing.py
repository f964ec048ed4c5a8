"""Route edges as curves between the sides of vertices."""

from __future__ import annotations

import numpy as np

from sdfviewer.graphs.blocks import STUB
from sdfviewer.graphs.graph_view import Graph
from sdfviewer.graphs.layout import Bools, Floats, Ints, Layout, Orientation

#: How far an edge that leaves the tree bulges: at least, by its length, at most.
BULGE = (26.0, 0.06, 44.0)

#: How far from the left of a vertex the straight edge to the one above it is.
STRAIGHT = 20.0


def route(graph: Graph, layout: Layout, centres: Floats) -> tuple[Floats, Bools]:
    """Return the curves of a graph's edges for vertices at ``centres``, and which of them leave the tree.

    An edge of the tree joins the facing sides of its ends; any other one bulges to the side of the siblings, where
    it can be seen from the tree.
    """
    along = 1 if layout.orientation is Orientation.TOP_DOWN else 0
    sources, targets = graph.sources, graph.targets
    half = layout.sizes / 2
    towards_root = layout.tree[sources] == targets
    away = layout.tree[targets] == sources
    leaves_tree = ~towards_root & ~away
    if not graph.is_kinematic:
        leaves_tree |= ~towards_root
    # If boxes point at each other, the levels may be reversed.
    rise = np.where(towards_root, 1, -1) * (centres[sources, along] - centres[targets, along])
    is_bundled = np.zeros(len(centres), dtype=bool)
    for block in layout.blocks:
        is_bundled[block.leaves] = True
    is_stub = np.where(towards_root, is_bundled[sources], is_bundled[targets] & away)
    # In a compact layout a child may be below its parent: its edge leads up to the corner of the parent.
    inner, outer = np.where(towards_root, sources, targets), np.where(towards_root, targets, sources)
    is_below = (centres - half)[inner, 1] >= (centres + half)[outer, 1]
    is_below &= ~leaves_tree & (graph.box_of[inner] == graph.box_of[outer])
    is_below &= layout.orientation is Orientation.COMPACT
    leaves_tree |= (rise <= 0) & ~is_below & ~is_stub
    side = np.where(towards_root, 1.0, -1.0)
    start, end = centres[sources].copy(), centres[targets].copy()
    start[:, along] -= side * half[sources, along]
    end[:, along] += side * half[targets, along]
    # The edge of a child in a column leads to the line beside the column, or comes from there.
    leads, comes = is_stub & towards_root, is_stub & ~towards_root
    end[leads] = start[leads]
    end[leads, along] -= STUB / 2
    start[comes] = end[comes]
    start[comes, along] -= STUB / 2
    reach = np.zeros_like(start)
    reach[:, along] = (start[:, along] - end[:, along]) / 2
    curves = np.stack([start, start - reach, end + reach, end], axis=1)

    hung = np.flatnonzero(is_below & ~is_stub)
    if len(hung):
        out = _hung(centres, half, inner[hung], outer[hung])
        curves[hung] = np.where(towards_root[hung, None, None], out, out[:, ::-1])

    # The joint that closes a loop is usually above its child: its edge joins facing sides too.
    faces = graph.is_kinematic & (rise > (half[sources, along] + half[targets, along]))
    bent = np.flatnonzero(leaves_tree & ~faces)
    if len(bent):
        curves[bent] = _bulging(centres, half, sources[bent], targets[bent], along)
    return curves, leaves_tree


def _hung(centres: Floats, half: Floats, children: Ints, parents: Ints) -> Floats:
    """Return curves (k, 4, 2) from children to the lower left corner of the parents above them."""
    foot, corner = centres[children].copy(), (centres - half)[parents]
    is_straight = foot[:, 0] - half[children, 0] < corner[:, 0] + 1.0
    foot[:, 0] -= half[children, 0]
    corner[:, 0] = np.minimum(corner[:, 0] + STUB / 2, foot[:, 0])
    corner[:, 1] = (centres + half)[parents, 1]
    aside, below = np.array([STUB / 2, 0.0]), np.array([0.0, 12.0])
    curves: Floats = np.stack([foot, foot - aside, corner + below, corner], axis=1)
    # A chain goes straight down.
    top = (centres - half)[children] + [STRAIGHT, 0.0]
    bottom = np.stack([top[:, 0], corner[:, 1]], axis=1)
    steps = np.linspace(0.0, 1.0, 4)[None, :, None]
    curves[is_straight] = (top[:, None] + (bottom - top)[:, None] * steps)[is_straight]
    return curves


def _bulging(centres: Floats, half: Floats, sources: Ints, targets: Ints, along: int) -> Floats:
    """Return curves (k, 4, 2) that leave and enter on the side where siblings are."""
    a, b = centres[sources].copy(), centres[targets].copy()
    loop = sources == targets
    across = 1 - along
    a[:, across] -= half[sources, across]
    b[:, across] -= half[targets, across]
    # A self reference leaves and enters at two thirds of its side.
    third = half[sources, along] / 3
    a[loop, along] -= third[loop]
    b[loop, along] += third[loop]
    length = np.linalg.norm(b - a, axis=1)
    bulge = np.clip(BULGE[0] + BULGE[1] * length, 0, BULGE[2])
    lift = np.minimum(a[:, across], b[:, across]) - bulge * 4 / 3
    lean = np.where(loop, third * 1.5, -0.15 * np.abs(b[:, along] - a[:, along]))
    lean *= np.where(a[:, along] <= b[:, along], 1, -1)
    c, d = a.copy(), b.copy()
    c[:, across], d[:, across] = lift, lift
    c[:, along] -= lean
    d[:, along] += lean
    curves: Floats = np.stack([a, c, d, b], axis=1)
    return curves


#: The least distance between a vertex and an edge that is led around it.
CLEARANCE = 3.0
#: How far an edge may leave the drawing.
OUTSIDE = 60.0
#: How far an edge runs straight from a side of its vertex: as a share of the distance of its ends, and at least.
REACHES, SHORTEST_REACH = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.2, 1.6), 18.0
#: The right, left, lower and upper side of a vertex.
_SIDES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
#: In larger graphs, or with more such edges, a single one cannot be followed by eye.
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
