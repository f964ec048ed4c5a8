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
