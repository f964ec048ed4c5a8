"""Whether convex shapes overlap, many pairs at once, and whether meshes do, for many poses at once.

Convex shapes are compared by their supports: Gilbert, Johnson, Keerthi: A fast procedure for computing the distance
between complex objects in three-dimensional space, 1988. Of each pair the point of the Minkowski difference nearest to
the origin is approached; a pair is done as soon as its bounds say on which side it is. Meshes have trees of bounding
volumes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.shapes.surface import Convex
from sdfviewer.scene.nodes import Floats
from sdfviewer.transforms import invert

#: Shapes that only touch do not collide: they are shrunk by this part of their size.
SHRINK = 1e-6
_ROUNDS = 64
_TINY = 1e-300

Bools = NDArray[np.bool_]


def overlap(shapes: Sequence[Convex], a: NDArray[np.int64], b: NDArray[np.int64], X_RA: Floats, X_RB: Floats) -> Bools:
    """Return which pairs (p,) of convex shapes overlap.

    Parameters
    ----------
    shapes
        The shapes.
    a, b
        Which two shapes (p,) each pair is of.
    X_RA, X_RB
        Where they are (p, 4, 4), in any one frame.
    """
    count = len(a)
    answer = np.zeros(count, dtype=bool)
    if not count:
        return answer
    X_AB = invert(X_RA) @ X_RB
    R, p = X_AB[:, :3, :3], X_AB[:, :3, 3]
    margin = np.array([shape.margin for shape in shapes])
    margins = margin[a] + margin[b]
    size = np.array([float(np.abs(shape.bounds).max()) for shape in shapes])
    tiny = 1e-12 * np.maximum(size[a] + size[b], 1e-12)

    def support(of: NDArray[np.int64], directions: Floats) -> Floats:
        """Return the points (k, 3) of the differences A - B of some pairs farthest along directions (k, 3)."""
        backwards = -np.einsum("kji,kj->ki", R[of], directions)
        of_b = np.einsum("kij,kj->ki", R[of], _supports(shapes, b[of], backwards)) + p[of]
        return np.asarray(_supports(shapes, a[of], directions) - of_b)

    open_pairs = np.arange(count)
    v = support(open_pairs, p + 1e-9)
    simplex = np.zeros((count, 4, 3))
    used = np.zeros((count, 4), dtype=bool)
    for _ in range(_ROUNDS):
        length = np.linalg.norm(v, axis=1)
        inside = length <= np.maximum(margins[open_pairs], tiny[open_pairs])
        answer[open_pairs[inside]] = True
        open_pairs, v, simplex, used, length = (each[~inside] for each in (open_pairs, v, simplex, used, length))
        w = support(open_pairs, -v)
        # The whole Minkowski difference lies beyond the plane through w perpendicular to v.
        bound = np.einsum("ki,ki->k", v, w) / length
        apart = (bound > margins[open_pairs]) | (length - bound <= 1e-10 * length)
        open_pairs, v, simplex, used, w = (each[~apart] for each in (open_pairs, v, simplex, used, w))
        if not len(open_pairs):
            break
        simplex, used = _with_point(simplex, used, w)
        v, used = _nearest(simplex, used)
    return answer


def _supports(shapes: Sequence[Convex], which: NDArray[np.int64], directions: Floats) -> Floats:
    found = np.empty_like(directions)
    for number in np.unique(which).tolist():
        chosen = which == number
        found[chosen] = shapes[number].support(directions[chosen])
    return found


def _with_point(simplex: Floats, used: Bools, w: Floats) -> tuple[Floats, Bools]:
    """Return simplices (k, 4, 3) with a further point (k, 3) in their first place; three of four are in use at most."""
    order = np.argsort(~used, axis=1, kind="stable")[:, :3]
    kept = np.take_along_axis(simplex, order[..., None], axis=1)
    return (
        np.concatenate([w[:, None], kept], axis=1),
        np.concatenate([np.ones((len(w), 1), bool), np.take_along_axis(used, order, axis=1)], axis=1),
    )


#: The parts of a simplex that its newest point is in: the nearest point lies in one of them.
_PARTS = ((0,), (0, 1), (0, 2), (0, 3), (0, 1, 2), (0, 1, 3), (0, 2, 3))


def _nearest(simplex: Floats, used: Bools) -> tuple[Floats, Bools]:
    """Return the points (k, 3) of simplices (k, 4, 3) nearest to the origin, and which corners (k, 4) they need."""
    best = np.full(len(simplex), np.inf)
    v, needed = np.zeros((len(simplex), 3)), np.zeros_like(used)
    for part in _PARTS:
        corners = simplex[:, part]
        weights = _barycentric(corners)
        point = np.einsum("kc,kci->ki", weights, corners)
        distance = np.einsum("ki,ki->k", point, point)
        better = used[:, part].all(axis=1) & (weights >= 0.0).all(axis=1) & (distance < best)
        best[better], v[better] = distance[better], point[better]
        needed[better] = np.isin(np.arange(4), part)
    contains = used.all(axis=1) & _contains_origin(simplex)
    v[contains] = 0.0
    return v, needed


def _barycentric(corners: Floats) -> Floats:
    """Return the weights (k, c) of the point nearest to the origin on the flats through corners (k, c, 3), c ≤ 3.

    A degenerate flat has a weight below zero, as if the point lay outside.
    """
    if corners.shape[1] == 1:
        return np.ones((len(corners), 1))
    origin, edges = corners[:, 0], corners[:, 1:] - corners[:, :1]
    gram = np.einsum("kai,kbi->kab", edges, edges)
    right = -np.einsum("kai,ki->ka", edges, origin)
    if edges.shape[1] == 1:
        length = gram[:, 0, 0]
        rest = np.where(length > _TINY, right[:, 0] / np.maximum(length, _TINY), -1.0)[:, None]
    else:
        determinant = gram[:, 0, 0] * gram[:, 1, 1] - gram[:, 0, 1] ** 2
        flat = determinant <= 1e-14 * gram[:, 0, 0] * gram[:, 1, 1]
        safe = np.where(flat, 1.0, determinant)
        first = (right[:, 0] * gram[:, 1, 1] - right[:, 1] * gram[:, 0, 1]) / safe
        second = (right[:, 1] * gram[:, 0, 0] - right[:, 0] * gram[:, 0, 1]) / safe
        rest = np.where(flat[:, None], -1.0, np.stack([first, second], axis=1))
    return np.concatenate([1.0 - rest.sum(axis=1, keepdims=True), rest], axis=1)


def _contains_origin(simplex: Floats) -> Bools:
    """Return which tetrahedra (k, 4, 3) contain the origin; flat ones contain nothing."""
    p0 = simplex[:, 0]
    e1, e2, e3 = (simplex[:, number] - p0 for number in (1, 2, 3))
    across = (np.cross(e2, e3), np.cross(e3, e1), np.cross(e1, e2))
    volume = np.einsum("ki,ki->k", e1, across[0])
    size = np.linalg.norm(e1, axis=1) * np.linalg.norm(e2, axis=1) * np.linalg.norm(e3, axis=1)
    flat = np.abs(volume) <= 1e-12 * size
    safe = np.where(flat, 1.0, volume)
    weights = np.stack([-np.einsum("ki,ki->k", p0, each) / safe for each in across], axis=1)
    return np.asarray(~flat & (weights >= 0.0).all(axis=1) & (weights.sum(axis=1) <= 1.0))


_LEAF = 8
"""Triangles in a leaf at most."""
_CHUNK = 4096
"""Pairs of boxes tested at once: enough to be fast, few enough to reach leaves soon."""

_ROUNDING = 1e-10
"""Part of the size of a mesh that rounding may add to the depth of a crossing."""

_TURNS = (2, 8, 32)
"""So many pairs of leaves of each pose are tested before the rest."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TriangleTree:
    """A binary tree of boxes over triangles, in the frame of the mesh.

    Attributes
    ----------
    triangles
        Corners (m, 3, 3), ordered so that those of each node are side by side.
    solid
        Whether they are closed shells that face outwards.
    centres, halves
        The boxes (k, 3) of the nodes; node 0 is the root.
    children
        The first of the two children (k,) of each node, which are neighbours; -1 for leaves.
    starts, counts
        Which triangles (k,) each node has.
    """

    triangles: Floats
    solid: bool
    centres: Floats
    halves: Floats
    children: Numbers
    starts: Numbers
    counts: Numbers


def build_tree(triangles: Floats, *, solid: bool = False) -> TriangleTree:
    """Return a tree over triangles (m, 3, 3); there must be one at least."""
    lows, highs, middles = triangles.min(axis=1), triangles.max(axis=1), triangles.mean(axis=1)
    order = np.arange(len(triangles))
    boxes: list[tuple[Floats, Floats]] = []
    children: list[int] = []
    spans = [(0, len(triangles))]
    number = 0
    while number < len(spans):
        start, end = spans[number]
        inside = order[start:end]
        low, high = lows[inside].min(axis=0), highs[inside].max(axis=0)
        boxes.append((low, high))
        if end - start <= _LEAF:
            children.append(-1)
        else:
            along = middles[inside, int(np.argmax(np.ptp(middles[inside], axis=0)))]
            half = (end - start) // 2
            order[start:end] = inside[np.argpartition(along, half)]
            children.append(len(spans))
            spans += [(start, start + half), (start + half, end)]
        number += 1
    bounds = np.array(boxes)
    starts, ends = np.array(spans).T
    return TriangleTree(
        np.ascontiguousarray(triangles[order]),
        solid,
        bounds.mean(axis=1),
        (bounds[:, 1] - bounds[:, 0]) / 2.0,
        np.array(children),
        starts,
        ends - starts,
    )


def meet(a: TriangleTree, b: TriangleTree, X_AB: Floats, stopped: Callable[[], bool] = lambda: False) -> Bools:
    """Return at which poses X_AB (p, 4, 4) two meshes meet: triangles cross, or one is inside the other.

    Only a solid mesh has an inside. What only touches does not meet.

    Parameters
    ----------
    a, b
        The meshes.
    X_AB
        Poses of B in A.
    stopped
        Returns whether the search is cancelled; polled during it.
    """
    hit = np.zeros(len(X_AB), dtype=bool)
    size = float(max(np.linalg.norm(a.halves[0]), np.linalg.norm(b.halves[0])))
    stack = [(np.arange(len(X_AB)), np.zeros(len(X_AB), np.int64), np.zeros(len(X_AB), np.int64))]
    while stack and not stopped():
        pose, left, right = stack.pop()
        if len(pose) > _CHUNK:
            stack.append((pose[_CHUNK:], left[_CHUNK:], right[_CHUNK:]))
            pose, left, right = pose[:_CHUNK], left[:_CHUNK], right[:_CHUNK]
        near = ~hit[pose]
        pose, left, right = pose[near], left[near], right[near]
        near = _boxes_overlap(a, b, X_AB[pose], left, right)
        pose, left, right = pose[near], left[near], right[near]
        if not len(pose):
            continue
        ends_left, ends_right = a.children[left] < 0, b.children[right] < 0
        leaves = ends_left & ends_right
        for some in _in_turns(pose[leaves]):
            chosen = np.flatnonzero(leaves)[some]
            chosen = chosen[~hit[pose[chosen]]]
            if len(chosen):
                _test_leaves(a, b, X_AB, pose[chosen], left[chosen], right[chosen], hit, _ROUNDING * size)
        larger = a.halves[left].max(axis=1) >= b.halves[right].max(axis=1)
        opens_left = ~leaves & ~ends_left & (larger | ends_right)
        opens_right = ~leaves & ~opens_left
        next_pose, next_left, next_right = [], [], []
        for child in (0, 1):
            next_pose += [pose[opens_left], pose[opens_right]]
            next_left += [a.children[left[opens_left]] + child, left[opens_right]]
            next_right += [right[opens_left], b.children[right[opens_right]] + child]
        # In one piece, because many small pieces take longer.
        stack.append((np.concatenate(next_pose), np.concatenate(next_left), np.concatenate(next_right)))
    for number in np.flatnonzero(~hit).tolist():
        R, p = X_AB[number, :3, :3], X_AB[number, :3, 3]
        of_b, of_a = _just_inside(b, SHRINK * size), _just_inside(a, SHRINK * size)
        hit[number] = _holds(a, R @ of_b + p) or _holds(b, R.T @ (of_a - p))
    return hit


def _just_inside(tree: TriangleTree, depth: float) -> Floats:
    """Return a point (3,) a little below a triangle of a mesh, so that a mesh that only touches does not hold it."""
    a, b, c = tree.triangles[0]
    normal = np.cross(b - a, c - a)
    length = max(float(np.linalg.norm(normal)), 1e-300)
    return np.asarray((a + b + c) / 3.0 - depth / length * normal)


def _boxes_overlap(a: TriangleTree, b: TriangleTree, X: Floats, left: Numbers, right: Numbers) -> Bools:
    """Return which pairs of boxes (k,) overlap: no axis of either, nor across two of them, separates them."""
    R, (h_a, h_b) = X[:, :3, :3], (a.halves[left], b.halves[right])
    t = np.einsum("kij,kj->ki", R, b.centres[right]) + X[:, :3, 3] - a.centres[left]
    size = np.abs(R) + 1e-9  # parallel edges have no axis across them
    near = (np.abs(t) <= h_a + np.einsum("kij,kj->ki", size, h_b)).all(axis=1)
    near &= (np.abs(np.einsum("kji,kj->ki", R, t)) <= h_b + np.einsum("kji,kj->ki", size, h_a)).all(axis=1)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for m in range(3):
            n, o = (m + 1) % 3, (m + 2) % 3
            reach = h_a[:, j] * size[:, k, m] + h_a[:, k] * size[:, j, m]
            reach += h_b[:, n] * size[:, i, o] + h_b[:, o] * size[:, i, n]
            near &= np.abs(t[:, k] * R[:, j, m] - t[:, j] * R[:, k, m]) <= reach
    return np.asarray(near)


def _test_leaves(
    a: TriangleTree,
    b: TriangleTree,
    X_AB: Floats,
    pose: Numbers,
    left: Numbers,
    right: Numbers,
    hit: Bools,
    tolerance: float,
) -> None:
    """Mark the poses at which triangles of pairs of leaves cross."""
    places = np.arange(_LEAF)
    of_a = a.starts[left][:, None] + places  # (k, leaf)
    of_b = b.starts[right][:, None] + places
    is_there = (places < a.counts[left][:, None])[:, :, None] & (places < b.counts[right][:, None])[:, None, :]
    pair, i, j = np.nonzero(is_there)
    T_a, T_b = a.triangles[of_a[pair, i]], b.triangles[of_b[pair, j]]
    # B is shrunk a little so that touching does not count. A is not, so that coplanar faces are compared as they are.
    T_b = b.centres[0] + (1.0 - SHRINK) * (T_b - b.centres[0])
    X = X_AB[pose[pair]]
    T_b = T_b @ np.swapaxes(X[:, :3, :3], 1, 2) + X[:, None, :3, 3]
    # Most triangles of two leaves are not even near each other.
    near = _below(T_a, T_b) & _below(T_b, T_a)
    crossing = triangles_cross(T_a[near], T_b[near], tolerance)
    hit[pose[pair[near][crossing]]] = True


def _below(a: Floats, b: Floats) -> Bools:
    """Return which triangles (k, 3, 3) begin, along each axis, before those of b end."""
    low, high = np.minimum(np.minimum(a[:, 0], a[:, 1]), a[:, 2]), np.maximum(np.maximum(b[:, 0], b[:, 1]), b[:, 2])
    near = low <= high
    return np.asarray(near[:, 0] & near[:, 1] & near[:, 2])


def _in_turns(pose: Numbers) -> Iterator[Numbers]:
    """Yield the places in an array of poses in a few turns, a few of each pose first: often these say enough."""
    order = np.argsort(pose, kind="stable")
    ordered = pose[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    turn = np.digitize(rank, _TURNS)
    for number in range(len(_TURNS) + 1):
        yield order[turn == number]


def triangles_cross(a: Floats, b: Floats, tolerance: float = 0.0) -> Bools:
    """Return which pairs of triangles (k, 3, 3) cross, by separating axes; touching within a tolerance is no crossing.

    Coplanar triangles do not cross: they only touch.
    """
    edges_a, edges_b = np.roll(a, -1, axis=1) - a, np.roll(b, -1, axis=1) - b
    normals = [np.cross(each[:, 0], each[:, 1]) for each in (edges_a, edges_b)]
    across = np.cross(edges_a[:, :, None], edges_b[:, None, :]).reshape(len(a), 9, 3)
    axes = np.concatenate([normals[0][:, None], normals[1][:, None], across], axis=1)  # (k, 11, 3)
    length = np.linalg.norm(axes, axis=2)
    scale = np.maximum(np.abs(edges_a).max(axis=(1, 2)), np.abs(edges_b).max(axis=(1, 2))) ** 2
    known = length > 1e-9 * scale[:, None]
    axes = axes / np.where(known, length, 1.0)[..., None]
    on_a, on_b = axes @ np.swapaxes(a, 1, 2), axes @ np.swapaxes(b, 1, 2)
    a_high, b_high = (np.maximum(np.maximum(on[..., 0], on[..., 1]), on[..., 2]) for on in (on_a, on_b))
    a_low, b_low = (np.minimum(np.minimum(on[..., 0], on[..., 1]), on[..., 2]) for on in (on_a, on_b))
    depth = np.minimum(a_high - b_low, b_high - a_low)
    # A triangle without area has no normal and crosses nothing.
    return np.asarray(((depth > tolerance) | ~known).all(axis=1) & known[:, :2].all(axis=1))


def _holds(tree: TriangleTree, point: Floats) -> bool:
    """Return whether a point (3,) is inside a solid mesh: the mesh is all around it.

    The solid angle of each triangle is that of van Oosterom and Strackee, 1983.
    """
    if not tree.solid or (np.abs(point - tree.centres[0]) > tree.halves[0]).any():
        return False
    r = tree.triangles - point
    a, b, c = r[:, 0], r[:, 1], r[:, 2]
    la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
    volume = np.einsum("ki,ki->k", a, np.cross(b, c))
    dots = (np.einsum("ki,ki->k", x, y) for x, y in ((a, b), (b, c), (c, a)))
    ab, bc, ca = dots
    angles = 2.0 * np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb)
    return bool(float(angles.sum()) > 2.0 * np.pi)
