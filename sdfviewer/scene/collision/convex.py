"""Whether pairs of convex shapes overlap, by their supports (GJK), many pairs at once.

Gilbert, Johnson, Keerthi: A fast procedure for computing the distance between complex objects in three-dimensional
space, 1988. Of each pair the point of the Minkowski difference nearest to the origin is approached; a pair is done as
soon as its bounds say on which side it is.
"""

from __future__ import annotations

from collections.abc import Sequence

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
