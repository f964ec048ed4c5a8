"""Tidy trees: compact, with each parent level with its first child.

They are drawn with van der Ploeg's linear variant of the Reingold-Tilford layout ("Drawing non-layered tidy trees in
linear time", 2014), written without recursion so that a chain of any depth is fine.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfviewer.garbage_collection import paused_collection

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

#: Space in pixels between levels, and between neighbours.
LEVEL_GAP = 38.0
SIBLING_GAP = 8.0


def place_trees(parents: Ints, extents: Floats) -> tuple[Floats, Ints]:
    """Return the corner (n, 2) of each vertex, each tree on its own with its root at 0 along the levels, and its root.

    Parameters
    ----------
    parents
        (n,) the parent of each vertex, negative at roots; without cycles.
    extents
        (n, 2) how far each vertex reaches along the levels and across them, in pixels.
    """
    with paused_collection():
        order, children = breadth_first(parents)
        along, across = extents[:, 0].tolist(), extents[:, 1].tolist()
        starts, roots = _levels(order, parents.tolist(), along)
        offsets = _tidy(order, children, starts, along, across)
    return np.column_stack([starts, offsets]).astype(float), np.asarray(roots, dtype=np.intp)


def breadth_first(parents: Ints) -> tuple[list[int], list[list[int]]]:
    """Return the vertices, parents before children, and the children of each vertex in order."""
    none: list[int] = []  # most vertices are leaves, and thousands of empty lists are slow to make
    children = [none] * len(parents)
    order: list[int] = []
    for vertex, parent in enumerate(parents.tolist()):
        if parent < 0:
            order.append(vertex)
        elif children[parent] is none:
            children[parent] = [vertex]
        else:
            children[parent].append(vertex)
    for vertex in order:  # grows while it is walked
        order.extend(children[vertex])
    return order, children


def _levels(order: list[int], parents: list[int], along: list[float]) -> tuple[list[float], list[int]]:
    """Return where each vertex starts along the levels of its tree, and the root of its tree.

    The vertices of one level are aligned; what hangs on a long one (a box) starts after its end.
    """
    n = len(order)
    level, roots = [0] * n, [0] * n
    widest: dict[tuple[int, int], float] = {}
    typical = 4.0 * sorted(along)[n // 2] if n else 0.0
    for v in order:
        parent = parents[v]
        if parent < 0:
            roots[v] = v
        else:
            roots[v], level[v] = roots[parent], level[parent] + 1
        key = (roots[v], level[v])
        if along[v] > widest.get(key, 0.0) and along[v] <= typical:
            widest[key] = along[v]
    starts = [0.0] * n
    columns: dict[tuple[int, int], float] = {}
    for v in order:
        parent = parents[v]
        if parent < 0:
            columns[(v, 0)] = 0.0
            continue
        root, depth = roots[v], level[v]
        column = columns.get((root, depth))
        if column is None:
            column = columns[(root, depth - 1)] + widest.get((root, depth - 1), 0.0) + LEVEL_GAP
            columns[(root, depth)] = column
        starts[v] = max(column, starts[parent] + along[parent] + LEVEL_GAP)
    return starts, roots


def _tidy(  # noqa: PLR0912, PLR0915 -- the paper's steps share a dozen columns; calls would double its time
    order: list[int], children: list[list[int]], starts: list[float], along: list[float], across: list[float]
) -> list[float]:
    """Return the offset of each vertex across the levels: van der Ploeg's algorithm, each tree on its own.

    Names follow the paper: ``prelim`` is relative to the parent and ``mod`` moves a whole subtree; ``shift`` and
    ``change`` spread the room gained between two subtrees over those in between; ``next_left`` and ``next_right``
    lead along the contours of a subtree, through its children or by a thread from its extreme vertices ``el`` and
    ``er``, whose sums of ``mod`` below the subtree's root are ``msel`` and ``mser``.
    """
    n = len(order)
    prelim, mod, shift, change = [0.0] * n, [0.0] * n, [0.0] * n, [0.0] * n
    msel, mser = [0.0] * n, [0.0] * n
    next_left = [kids[0] if kids else -1 for kids in children]
    next_right = [kids[-1] if kids else -1 for kids in children]
    el, er = list(range(n)), list(range(n))
    ends = [start + length for start, length in zip(starts, along, strict=True)]
    breadths = [breadth + SIBLING_GAP for breadth in across]
    for t in reversed(order):
        kids = children[t]
        if not kids:
            continue
        left_sibling = first = kids[0]
        # Left siblings that are still visible from the right, as (end, index), the nearest last.
        visible: list[tuple[float, int]] = [(ends[el[first]], 0)]
        for i, kid in enumerate(kids[1:], 1):
            lowest = ends[er[kid]]
            left, right = left_sibling, kid
            left_sum, right_sum = mod[left], mod[right]
            hint = len(visible) - 1
            while left >= 0 and right >= 0:
                left_end, right_end = ends[left], ends[right]
                while hint > 0 and left_end > visible[hint][0]:
                    hint -= 1
                distance = left_sum + prelim[left] + breadths[left] - right_sum - prelim[right]
                if distance > 0:
                    right_sum += distance
                    mod[kid] += distance
                    msel[kid] += distance
                    mser[kid] += distance
                    since = visible[hint][1]
                    if since != i - 1:
                        part = distance / (i - since)
                        shift[kids[since + 1]] += part
                        shift[kid] -= part
                        change[kid] -= distance - part
                if left_end <= right_end:
                    left = next_right[left]
                    if left >= 0:
                        left_sum += mod[left]
                if left_end >= right_end:
                    right = next_left[right]
                    if right >= 0:
                        right_sum += mod[right]
            if right >= 0:
                extreme = el[first]
                next_left[extreme] = right
                difference = right_sum - mod[right] - msel[first]
                mod[extreme] += difference
                prelim[extreme] -= difference
                el[first], msel[first] = el[kid], msel[kid]
            elif left >= 0:
                extreme = er[kid]
                next_right[extreme] = left
                difference = left_sum - mod[left] - mser[kid]
                mod[extreme] += difference
                prelim[extreme] -= difference
                er[kid], mser[kid] = er[left_sibling], mser[left_sibling]
            while visible and lowest >= visible[-1][0]:
                visible.pop()
            visible.append((lowest, i))
            left_sibling = kid
        # The paper centres the parent; beside its first child the root is where reading starts.
        prelim[t] = prelim[first] + mod[first]
        last = kids[-1]
        el[t], msel[t] = el[first], msel[first]
        er[t], mser[t] = er[last], mser[last]
    return _summed(order, children, prelim, mod, shift, change)


def _summed(
    order: list[int],
    children: list[list[int]],
    prelim: list[float],
    mod: list[float],
    shift: list[float],
    change: list[float],
) -> list[float]:
    """Return the offset of each vertex, with all that moves the subtrees which it is in."""
    offsets, sums = [0.0] * len(order), [0.0] * len(order)
    for t in order:
        total = sums[t] + mod[t]
        offsets[t] = prelim[t] + total
        running = extra = 0.0
        for kid in children[t]:
            running += shift[kid]
            extra += running + change[kid]
            mod[kid] += extra
            sums[kid] = total
    return offsets
