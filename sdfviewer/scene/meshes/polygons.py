"""Triangles from polygons: faces of mesh files, and the outlines that SDFormat extrudes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Message
from sdfviewer.extras import required_extras
from sdfviewer.scene.meshes.piece import Floats, Indices, MeshFileError, Piece

Loop = NDArray[np.float64]

#: Points of a polyline closer than this are one, as in Gazebo.
_SAME_POINT = 1e-4
#: Triangulating a polygon takes up to the square of its corners. More corners than this in one polygon, or more work in
#: all polygons of a mesh together, are refused.
MOST_CORNERS = 20_000
_MOST_WORK = 10 * MOST_CORNERS**2
#: Loops of a polyline: each is compared with all others.
MOST_LOOPS = 1000


def triangulated(corners: Floats, counts: NDArray[np.integer]) -> Indices:
    """Return the triangles (m, 3) of polygons, as indices into their corners, in the polygons' order.

    Parameters
    ----------
    corners : (n, 3)
        The corners of all polygons, one polygon after the other.
    counts : (k,)
        How many corners each polygon has; those of fewer than three give no triangle.

    Raises
    ------
    MeshFileError
        Where cutting them would take too long.
    """
    starts = np.cumsum(counts) - counts
    if len(counts) and (counts == 3).all():
        return np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
    face: list[NDArray[np.integer]] = []
    triangles: list[NDArray[np.integer]] = []
    of_three = np.flatnonzero(counts == 3)
    triangles.append(starts[of_three][:, None] + np.arange(3))
    face.append(of_three)
    of_four = np.flatnonzero(counts == 4)
    triangles.append(_quads(corners, starts[of_four]))
    face.append(np.repeat(of_four, 2))
    large = np.flatnonzero(counts > 4)
    _check_work(counts[large])
    for k in large:
        polygon = _face(corners[starts[k] : starts[k] + counts[k]]) + starts[k]
        triangles.append(polygon)
        face.append(np.full(len(polygon), k))
    order = np.argsort(np.concatenate(face), kind="stable")
    return np.concatenate(triangles)[order].astype(np.uint32)


def _check_work(counts: NDArray[np.integer]) -> None:
    sizes = counts.astype(np.float64)
    if sizes.max(initial=0) > MOST_CORNERS:
        raise MeshFileError(
            Message(f"has a polygon of {int(sizes.max()):,} corners", f"at most {MOST_CORNERS:,} are drawn")
        )
    if (sizes**2).sum() > _MOST_WORK:
        raise MeshFileError(Message("has too many polygons of thousands of corners", "cut them into triangles"))


def _quads(corners: Floats, starts: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return two triangles for each quad, cut along the diagonal that stays inside where it is not convex."""
    a, b, c, d = (corners[starts + k] for k in range(4))
    outside = (np.cross(b - a, c - a) * np.cross(c - a, d - a)).sum(axis=-1) < 0
    along_ac = np.array([[0, 1, 2], [0, 2, 3]])
    along_bd = np.array([[0, 1, 3], [1, 2, 3]])
    return (starts[:, None, None] + np.where(outside[:, None, None], along_bd, along_ac)).reshape(-1, 3)


def _face(corners: Floats) -> NDArray[np.integer]:
    """Return the triangles of one polygon in space, seen along its normal (Newell's, which bears bent polygons)."""
    following = np.roll(corners, -1, axis=0)
    normal = np.cross(corners.astype(np.float64), following).sum(axis=0)
    drop = int(np.argmax(np.abs(normal)))
    # Keeping the two other axes in cyclic order keeps the winding where the normal points along the dropped axis.
    plane = corners[:, [(drop + 1) % 3, (drop + 2) % 3]].astype(np.float64)
    triangles = _earcut([plane])
    if len(triangles) == 0:
        return np.stack([np.zeros(len(corners) - 2, np.int64), *(np.arange(len(corners) - 2) + k for k in (1, 2))], 1)
    areas = _signed_areas(plane, triangles)
    return triangles[:, ::-1] if areas.sum() * normal[drop] < 0 else triangles


def extruded(loops: Sequence[Loop], height: float) -> Piece:
    """Return the prism over closed outlines, from z = 0 to ``height``, without normals.

    A point is inside where it lies in an odd number of loops, so a loop inside another is a hole, and one inside a
    hole an island, whatever the order and the sense in which they are written.

    Parameters
    ----------
    loops
        Arrays (n, 2) in metres; the first point may be repeated at the end.

    Raises
    ------
    MeshFileError
        Where a loop has fewer than three different points, or there are too many points or loops.
    """
    if len(loops) > MOST_LOOPS:
        raise MeshFileError(Message(f"has {len(loops):,} loops", f"at most {MOST_LOOPS:,} are drawn"))
    _check_work(np.array([len(loop) for loop in loops]))
    outlines = [_cleaned(loop) for loop in loops]
    if not outlines:
        raise MeshFileError("needs at least three different points")
    is_inside = np.zeros((len(outlines), len(outlines)), np.bool_)
    if len(outlines) > 1:
        firsts = np.array([loop[0] for loop in outlines])
        is_inside = np.stack([_inside(firsts, loop) for loop in outlines], axis=1)
        np.fill_diagonal(is_inside, val=False)
    depth = is_inside.sum(axis=1)
    pieces: list[tuple[NDArray[np.float64], NDArray[np.integer]]] = []
    for i, outer in enumerate(outlines):
        if depth[i] % 2:
            continue
        holes = [outlines[j] for j in np.flatnonzero((depth == depth[i] + 1) & is_inside[:, i])]
        pieces.append(_prism([_turned(outer, True), *(_turned(hole, False) for hole in holes)], height))
    starts = np.cumsum([0, *(len(positions) for positions, _ in pieces)])
    positions = np.concatenate([positions for positions, _ in pieces]).astype(np.float32)
    indices = np.concatenate([triangles + start for (_, triangles), start in zip(pieces, starts, strict=False)])
    if height < 0:
        indices = indices[:, ::-1]
    return Piece("", positions, np.ascontiguousarray(indices, dtype=np.uint32))


def _prism(loops: list[Loop], height: float) -> tuple[NDArray[np.float64], NDArray[np.integer]]:
    """Return positions and triangles over one outer loop (counter-clockwise) and its holes (clockwise)."""
    points = np.concatenate(loops)
    n = len(points)
    cap = _earcut(loops)
    cap = np.where((_signed_areas(points, cap) < 0)[:, None], cap[:, ::-1], cap)
    following = np.concatenate(
        [start + np.roll(np.arange(len(loop)), -1) for loop, start in zip(loops, _starts(loops), strict=True)]
    )
    here = np.arange(n)
    sides = np.concatenate(
        [np.stack([here, following, following + n], 1), np.stack([here, following + n, here + n], 1)]
    )
    bottom = np.column_stack([points, np.zeros(n)])
    top = np.column_stack([points, np.full(n, height)])
    return np.concatenate([bottom, top]), np.concatenate([cap[:, ::-1], cap + n, sides])


def _starts(loops: Sequence[Loop]) -> list[int]:
    return [0, *np.cumsum([len(loop) for loop in loops])[:-1].tolist()]


def _earcut(loops: Sequence[Loop]) -> NDArray[np.integer]:
    ends = np.cumsum([len(loop) for loop in loops]).astype(np.uint32)
    with required_extras():
        import mapbox_earcut  # noqa: PLC0415  # only polygons with many corners need it
    triangles = mapbox_earcut.triangulate_float64(np.ascontiguousarray(np.concatenate(loops)), ends)
    return np.asarray(triangles, np.int64).reshape(-1, 3)


def _signed_areas(points: Loop, triangles: NDArray[np.integer]) -> NDArray[np.float64]:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    u, v = b - a, c - a
    return np.asarray(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])


def _cleaned(loop: Loop) -> Loop:
    """Return the loop without points that repeat the one before, nor the first at the end."""
    step = np.linalg.norm(loop - np.roll(loop, 1, axis=0), axis=1)
    kept: Loop = loop[step > _SAME_POINT]
    if len(kept) < 3:
        raise MeshFileError("needs at least three different points")
    return kept


def _turned(loop: Loop, counter_clockwise: bool) -> Loop:
    following = np.roll(loop, -1, axis=0)
    area = float((loop[:, 0] * following[:, 1] - loop[:, 1] * following[:, 0]).sum())
    return loop if (area > 0) == counter_clockwise else loop[::-1]


def _inside(points: Loop, loop: Loop) -> NDArray[np.bool_]:
    """Return which points (n, 2) lie inside a closed loop, by the parity of crossings of a ray."""
    x, y = points[:, 0], points[:, 1]
    crossings = np.zeros(len(points), np.int64)
    for a, b in zip(loop, np.roll(loop, -1, axis=0), strict=True):
        spans = (a[1] > y) != (b[1] > y)
        if spans.any():
            crossings += spans & (a[0] + (y - a[1]) * (b[0] - a[0]) / ((b[1] - a[1]) or 1.0) > x)
    odd: NDArray[np.bool_] = crossings % 2 == 1
    return odd
