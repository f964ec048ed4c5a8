"""Intersection of meshes with bounding volume trees, for many poses at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.collision.convex import SHRINK, Bools
from sdfviewer.scene.nodes import Floats

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
