"""Label placement without overlaps, and the names of parts that are selected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.display_text import visible
from sdfviewer.model.kinds import Kind
from sdfviewer.palette import TOKENS
from sdfviewer.scene.nodes import Labels
from sdfviewer.scene.scene import Scene

GAP = (9.0, -7.0)
"""Pixels from a frame's origin to the left end of its label's middle line."""

_SAME_PLACE = 1e-5
"""Metres within which frames count as being in one place."""

_NOWHERE = 1e6
"""The coordinate of frames without a place, where no other frame is."""

_MIXED = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64).astype(np.int64)
"""Odd factors that hash a cell of a 3D grid."""

_LINE_GAP = 6.0
"""Pixels between a text and its line."""

ALWAYS = 49.0
"""From this priority on, that of what is selected or hovered, a label is shown also where an edge cuts it."""

_MOST_MOVED = 12
"""So many labels of what is selected or hovered move out of the way of what covers the picture, and of each other."""

_MOST_COVERED = 0.2
"""Labels that cover more than this share of the rectangle around a robot go beside it."""

_MOST_TRIED = 64
"""So many places are tried for labels beside a robot until the line to their point is in sight."""

_LEVEL = 1e-9
"""Pixels that a line goes at least, so that one can divide by it."""

_CELL = 4
"""Pixels to a cell of the map of what is taken."""


def declutter(
    anchors: ArrayLike,
    sizes: ArrayLike,
    priorities: ArrayLike,
    width: int,
    height: int,
    shown_before: NDArray[np.bool_] | None = None,
    reserved: tuple[tuple[float, float, float, float], ...] = (),
    limit: int = 200,
) -> NDArray[np.intp]:
    """Return which labels to draw, the most important first.

    Parameters
    ----------
    anchors : (k, 2)
        Upper left corners in pixels; NaN leaves a label out.
    sizes : (k, 2)
        Widths and heights in pixels.
    priorities : (k,)
        Higher wins.
    shown_before : (k,) bool
        What the last picture showed wins a tie, so that labels do not flicker while the camera moves.
    reserved
        Left, top, width, height of rectangles that must stay free.
    """
    corner, size = np.asarray(anchors, np.float64), np.asarray(sizes, np.float64)
    rank = np.asarray(priorities, np.float64)
    if shown_before is not None:
        rank = rank + 0.5 * shown_before
    with np.errstate(invalid="ignore"):
        inside = (corner + size > 0).all(axis=1) & (corner < (width, height)).all(axis=1)
    candidates = np.nonzero(inside)[0]
    candidates = candidates[np.argsort(-rank[candidates], kind="stable")]
    # Of labels whose corners share a cell of about a label's size only the first can win, which keeps the loop short.
    if len(candidates) > limit:
        coarse = (corner[candidates] // (48.0, 12.0)).astype(np.int64)
        _, first = np.unique(coarse[:, 0] * 100_000 + coarse[:, 1], return_index=True)
        candidates = candidates[np.sort(first)]

    low = np.maximum(corner[candidates] // _CELL, 0).astype(np.int64)
    high = ((corner[candidates] + size[candidates]) // _CELL).astype(np.int64) + 1
    taken = np.zeros((height // _CELL + 2, width // _CELL + 2), bool)
    for x, y, wide, tall in reserved:
        # A handle may be beside the picture; a negative end would count from the other side.
        x0, y0, x1, y1 = (max(int(edge // _CELL), -1) for edge in (x, y, x + wide, y + tall))
        taken[max(y0, 0) : y1 + 1, max(x0, 0) : x1 + 1] = True
    chosen: list[int] = []
    for label, (left, top), (right, bottom) in zip(candidates, low, high, strict=True):
        area = taken[top:bottom, left:right]
        if area.any():
            continue
        area[:] = True
        chosen.append(int(label))
        if len(chosen) >= limit:
            break
    return np.array(chosen, np.intp)


def clear_of(
    corner: NDArray[np.float64],
    size: NDArray[np.float64],
    taken: NDArray[np.float64],
    width: int,
    height: int,
    gap: float = _CELL,
) -> NDArray[np.float64]:
    """Return the corner (2,) nearest to one at which a label lies in the picture and over nothing that is taken.

    Parameters
    ----------
    corner, size : (2,)
        The upper left corner where the label belongs, and its width and height in pixels.
    taken : (k, 4)
        Left, top, width and height of rectangles that it must not touch.
    gap
        Pixels between the label and these.

    Returns
    -------
    The same corner where nothing is in the way, or where there is no room anywhere.
    """
    free = _free_corners(corner, size, taken, width, height, gap)
    return corner if not len(free) or np.array_equal(free[0], corner) else np.asarray(free[0])


def _free_corners(
    corner: NDArray[np.float64],
    size: NDArray[np.float64],
    taken: NDArray[np.float64],
    width: int,
    height: int,
    gap: float = _CELL,
) -> NDArray[np.float64]:
    """Return corners (m, 2) as `clear_of` does, the nearest first; only the same corner where nothing is in the way."""
    if _are_free(corner[None], size, taken, gap)[0]:
        return corner[None]
    low, high = taken[:, :2] - size - gap, taken[:, :2] + taken[:, 2:] + gap
    x, y = (np.concatenate([corner[axis : axis + 1], low[:, axis], high[:, axis]]) for axis in (0, 1))
    candidates = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    inside = (candidates >= 0).all(axis=1) & (candidates + size <= (width, height)).all(axis=1)
    candidates = candidates[inside]
    candidates = candidates[_are_free(candidates, size, taken, gap)]
    return np.asarray(candidates[np.argsort(np.linalg.norm(candidates - corner, axis=1), kind="stable")])


def _are_free(
    corners: NDArray[np.float64], size: NDArray[np.float64], taken: NDArray[np.float64], gap: float = _CELL
) -> NDArray[np.bool_]:
    """Return at which corners (m, 2) a label lies over nothing that is taken (k, 4)."""
    low, high = taken[:, :2] - size - gap, taken[:, :2] + taken[:, 2:] + gap
    over: NDArray[np.bool_] = np.asarray(((corners[:, None] > low) & (corners[:, None] < high)).all(axis=2))
    return np.asarray(~over.any(axis=1))


@dataclass(frozen=True, eq=False)
class Stacks:
    """Labels of frames in one place, which are drawn below each other, so that they can be read.

    Attributes
    ----------
    places
        How many more important ones are in the same place (k,).
    counts
        How many are there in all (k,).
    heads
        Which is the most important one there (k,).
    """

    places: NDArray[np.intp]
    counts: NDArray[np.intp]
    heads: NDArray[np.intp]


def stack(points: NDArray[np.float64], priorities: NDArray[np.float64]) -> Stacks:
    """Return the stacks of the labels of frames at points (k, 3)."""
    places = np.zeros(len(points), np.intp)
    if not len(points):
        return Stacks(places, places, places)
    known = np.where(np.isfinite(points), points, _NOWHERE)
    cells = np.round(known / _SAME_PLACE).astype(np.int64)
    group = cells @ _MIXED
    order = np.lexsort((-priorities, group))
    starts = np.concatenate([[True], np.diff(group[order]) != 0])
    if (np.diff(cells[order], axis=0).any(axis=1) & ~starts[1:]).any():  # two places have the same number
        _, group = np.unique(cells, axis=0, return_inverse=True)
        order = np.lexsort((-priorities, group.ravel()))
        starts = np.concatenate([[True], np.diff(group.ravel()[order]) != 0])
    heads = np.flatnonzero(starts)
    sizes = np.diff(np.append(heads, len(order)))
    places[order] = np.arange(len(order)) - np.repeat(heads, sizes)
    counts, tops = np.zeros(len(points), np.intp), np.zeros(len(points), np.intp)
    counts[order] = np.repeat(sizes, sizes)
    tops[order] = np.repeat(order[heads], sizes)
    return Stacks(places, counts, tops)


def close_holes(
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    chosen: NDArray[np.intp],
    stacks: Stacks,
    step: float,
    fixed: NDArray[np.bool_],
    reserved: tuple[tuple[float, float, float, float], ...] = (),
) -> None:
    """Move labels up in their stacks, over those that are not drawn; corners (n, 2) change in place.

    Parameters
    ----------
    chosen
        Which labels are drawn. What comes after the k labels of the stacks only is in the way.
    step
        Pixels from a place in a stack to the next one.
    fixed : (k,)
        Labels that stay where they are.
    """
    names = chosen[chosen < len(fixed)]
    names = names[np.lexsort((stacks.places[names], stacks.heads[names]))]
    lower, upper = np.array([each[:2] for each in reserved]).reshape(-1, 2), np.array(reserved).reshape(-1, 4)
    upper = lower + upper[:, 2:]
    head, free = -1, 0
    for label in names.tolist():
        if stacks.heads[label] != head:
            head, free = int(stacks.heads[label]), 0
        place = int(stacks.places[label])
        others = chosen[chosen != label]
        low, high = np.concatenate([corners[others], lower]), np.concatenate([corners[others] + sizes[others], upper])
        for higher in range(free, place if not fixed[label] else 0):
            corner = corners[label] - (0.0, (place - higher) * step)
            is_over = ((corner < high) & (corner + sizes[label] > low)).all(axis=1)
            if corner[1] >= 0 and not is_over.any():
                corners[label], place = corner, higher
                break
        free = place + 1


def beside_line(
    a: NDArray[np.float64], b: NDArray[np.float64], size: tuple[float, float], ratio: float = 1.0
) -> NDArray[np.float64]:
    """Return how far (2,) a text moves from the middle of its line to be beside it.

    Parameters
    ----------
    a, b : (2,)
        The ends of the line, in pixels from the upper left corner.
    size
        Width and height of the text in pixels.
    ratio
        Pixels of the screen to a pixel of the window.
    """
    along = b - a
    length = float(np.hypot(*along))
    u = along / length if length > 1.0 else np.array([1.0, 0.0])
    across = np.array([u[1], -u[0]]) * (1.0 if u[0] >= 0 else -1.0)
    return np.asarray(across * (np.abs(across) @ size / 2 + _LINE_GAP * ratio))


def beside_points(
    pixels: NDArray[np.float64],
    sizes: NDArray[np.float64],
    width: int,
    ratio: float,
    covered: tuple[tuple[float, float, float, float], ...],
) -> NDArray[np.float64]:
    """Return the top left corners (k, 2) of texts beside the points that they belong to."""
    corners: NDArray[np.float64] = pixels + np.array(GAP) * ratio - [0.0, sizes[0, 1] / 2]
    # A caption that would reach beyond the right edge goes to the left of its frame, or where that is covered or
    # beyond the left edge, to the right edge.
    beyond = (corners[:, 0] + sizes[:, 0] > width) & (pixels[:, 0] < width)
    at_left = (pixels - sizes)[:, 0] - GAP[0] * ratio
    is_free = at_left >= 0
    for left, top, wide, tall in covered:
        in_rows = (corners[:, 1] < top + tall) & (corners[:, 1] + sizes[:, 1] > top)
        is_free &= ~(in_rows & (at_left < left + wide) & (at_left + sizes[:, 0] > left))
    corners[beyond, 0] = np.where(is_free, at_left, np.maximum(width - sizes[:, 0], 0))[beyond]
    return corners


def make_way(
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    pixels: NDArray[np.float64],
    priorities: NDArray[np.float64],
    covered: tuple[tuple[float, float, float, float], ...],
    size: tuple[int, int],
) -> None:
    """Move the names that are always shown to where nothing covers or cuts them; corners (k, 2) change in place."""
    room = np.array(size, np.float64)
    with np.errstate(invalid="ignore"):
        inside = ((pixels >= 0) & (pixels <= room))[: len(corners)].all(axis=1)
        in_part = ((corners + sizes[: len(corners)] > 0) & (corners < room)).all(axis=1)
        inside = np.isfinite(corners).all(axis=1) & (inside | in_part)
    always = np.flatnonzero(inside & (priorities >= ALWAYS))
    if not len(always) or len(always) > _MOST_MOVED:
        return
    taken = [list(each) for each in covered]
    for label in always[np.argsort(-priorities[always], kind="stable")].tolist():
        last = np.maximum(room - sizes[label], 0.0)
        corners[label] = np.clip(corners[label], 0.0, last)
        if taken:
            # Left of the frame a name belongs to it as well as right of it; anywhere else it only may.
            across = 2 * pixels[label, 0] - corners[label, 0] - sizes[label, 0]
            at_left = np.clip((across, corners[label, 1]), 0.0, last)
            places = [clear_of(each, sizes[label], np.array(taken), *size) for each in (corners[label], at_left)]
            is_beside = np.array_equal(places[1], at_left) and not np.array_equal(places[0], corners[label])
            corners[label] = places[int(is_beside and across >= 0)]
        taken.append([*corners[label].tolist(), *sizes[label].tolist()])


def step_aside(
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    blocks: Sequence[Sequence[int]],
    pixels: NDArray[np.float64],
    body: tuple[float, float, float, float],
    covered: tuple[tuple[float, float, float, float], ...],
    size: tuple[int, int],
    step: float,
    important: NDArray[np.bool_],
    farthest: float,
) -> bool:
    """Move labels beside a robot if they would cover much of it; corners (n, 2) change in place.

    What would be far from its point stays over the robot, as long as that does not cover much of it. What is far all
    the same is left out, with corners of NaN, unless it is important.

    Parameters
    ----------
    blocks
        The labels that are drawn, those of one place together from top to bottom, in the order in which they choose.
    pixels : (n, 2)
        The points that they belong to.
    body
        Left, top, width and height of the rectangle around the robot.
    covered
        The same of what else must stay free, also of the lines from labels to their points.
    step
        Pixels from a label of a block to the next one.
    important : (n,)
        Labels that may be far from their points.
    farthest
        So many pixels from its point a label is not far.

    Returns
    -------
    Whether they have moved.
    """
    shown = [label for block in blocks for label in block]
    low, room = np.array(body[:2]), np.array(body[2:])

    def over(corner: NDArray[np.float64], extent: NDArray[np.float64]) -> float:
        common = np.minimum(corner + extent, low + room) - np.maximum(corner, low)
        return float(np.maximum(common, 0.0).prod(axis=-1).sum())

    left = _MOST_COVERED * float(room.prod())
    if over(corners[shown], sizes[shown]) <= left:
        return False
    taken, lines = np.array([body, *covered], np.float64), np.zeros((0, 2, 2))
    for block in blocks:
        labels = list(block)
        extent = np.array([sizes[labels, 0].max(), step * (len(labels) - 1) + sizes[labels[-1], 1]])
        corner, point = corners[labels].min(axis=0), pixels[labels[0]]
        free = _free_corners(corner, extent, taken, *size)[:_MOST_TRIED]
        away = np.linalg.norm(np.clip(point, free, free + extent) - point, axis=1)
        near = free[away <= farthest]
        if len(near):
            corner = near[_first_in_sight(point, near, extent, taken[1:], lines)]
        elif (here := over(corner, extent)) <= left and _are_free(corner[None], extent, taken[1:])[0]:
            left -= here
        elif not important[labels].any():
            corners[labels] = np.nan
            continue
        elif len(free):
            corner = free[_first_in_sight(point, free, extent, taken[1:], lines)]
        corners[labels] = corner + np.outer(np.arange(len(labels)) * step, (0.0, 1.0))
        taken = np.concatenate([taken, [[*corner, *extent]]])
        lines = np.concatenate([lines, leader_lines(point[None], corner[None], extent[None])])
    return True


def _first_in_sight(
    point: NDArray[np.float64],
    corners: NDArray[np.float64],
    size: NDArray[np.float64],
    taken: NDArray[np.float64],
    lines: NDArray[np.float64],
) -> int:
    """Return the first corner at which nothing that is taken (k, 4) hides the line to a point, and that hides none.

    It is the first of all where there is no such.
    """
    low, high = taken[:, :2], taken[:, :2] + taken[:, 2:]
    around = ((low < point) & (high > point)).all(axis=1)  # hides it wherever the label is
    own = leader_lines(np.broadcast_to(point, corners.shape), corners, np.broadcast_to(size, corners.shape))
    is_hidden = _cross(own, low[~around], high[~around]).any(axis=1) | _cross(lines, corners, corners + size).any(
        axis=0
    )
    return int(is_hidden.argmin())


def _cross(lines: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which lines (m, 2, 2) cross which rectangles (k, 2), (m, k)."""
    start = lines[:, None, 0]
    way = lines[:, None, 1] - start
    way = np.where(np.abs(way) < _LEVEL, _LEVEL, way)
    ends = (low - start) / way, (high - start) / way
    enter, leave = np.minimum(*ends).max(axis=2), np.maximum(*ends).min(axis=2)
    return np.asarray((enter <= np.minimum(leave, 1.0)) & (leave >= 0.0))


def leader_lines(
    pixels: NDArray[np.float64], corners: NDArray[np.float64], sizes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return lines (k, 2, 2) from the points of labels to where their rectangles are nearest."""
    return np.stack([pixels, np.clip(pixels, corners, corners + sizes)], axis=1)


def is_cut(
    pixels: NDArray[np.float64],
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    size: tuple[int, int],
    names: int,
) -> NDArray[np.bool_]:
    """Return which texts (k,) an edge of the picture cuts; a name may be too long for its width, if its frame is in."""
    with np.errstate(invalid="ignore"):
        beyond = (corners < 0) | (corners + sizes > size)
        beyond[:names, 0] &= (pixels[:names, 0] < 0) | (pixels[:names, 0] > size[0])
    return np.asarray(beyond.any(axis=1))


_PRIORITY = 1.0
"""Below those of frames, which come first in a place."""
_MOST = 100
"""So many parts are named: of more there is no room for all."""


def name_parts(scene: Scene, rows: Iterable[int]) -> Labels:
    """Return labels of those of some rows that are parts of links and are drawn.

    The label of a surface is at its middle, because the origin of a mesh may be far from what is drawn of it.
    """
    inside = (row for row in rows if 0 <= row < len(scene.kinds))
    parts = [*islice((row for row in inside if not Kind(scene.kinds[row]).is_vertex), _MOST)]
    if not parts:
        return Labels()
    arrays = scene.surface_arrays
    surface_of = {scene.surfaces[k].row: k for k in np.flatnonzero(np.isin(arrays.rows, parts)).tolist()}
    lined = set(scene.lines.owners[np.isin(scene.lines.owners, parts)].tolist())
    drawn = sorted(row for row in parts if row in surface_of or row in lined)
    offsets = np.zeros((len(drawn), 3))
    for label, row in enumerate(drawn):
        if row in surface_of:
            middle, X_RowG = arrays.centres[surface_of[row]], scene.surfaces[surface_of[row]].X_RowG
            offsets[label] = middle if X_RowG is None else X_RowG[:3, :3] @ middle + X_RowG[:3, 3]
    kinds = [Kind(scene.kinds[row]).value for row in drawn]
    return Labels(
        np.array(drawn, np.int32),
        tuple(visible(scene.names[row].rpartition("::")[2]) for row in drawn),
        np.array([TOKENS.index(kind if kind in TOKENS else "frame") for kind in kinds], np.int32),
        np.full(len(drawn), _PRIORITY),
        offsets,
    )
