"""Trees as drawn: tidy ones, with each parent level with its first child, and packed ones, in columns that fit a pane.

Tidy trees are drawn with van der Ploeg's linear variant of the Reingold-Tilford layout ("Drawing non-layered tidy trees
in linear time", 2014), written without recursion so that a chain of any depth is fine.

A tidy tree of a hundred vertices is one long column, or one long row: a pane shows three of them and nothing else. In a
packed one a subtree is a rectangle. Children are below their parent, indented, in one column or several; a chain goes
straight down. Where a column is full, what is left of a branch goes on at the top of the next one, like a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from sdfviewer.garbage_collection import paused_collection
from sdfviewer.graphs.blocks import STUB

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


#: How far children below their parent are indented, and the space in pixels between the parent and them.
INDENT, BELOW_GAP = STUB, 10.0
#: Space between a vertex and the column beside it.
BESIDE_GAP = 26.0
#: Space between columns of children, in which the line beside the next column runs.
COLUMN_GAP = STUB + 8.0
#: Heights of a column to try, as a share of the height of a pane that all vertices would fill.
HEIGHTS = (1.1, 1.4, 1.9)
#: With more vertices, only the lowest and the highest height are tried: each takes long.
MOST_TRIED = 500


@dataclass(slots=True)
class _Rectangle:
    """The room of a subtree.

    Attributes
    ----------
    width, height
        Its size.
    top
        How far below the upper edge its root is: the room above is free for what the root hangs on.
    free
        How wide that room is.
    next_column
        The vertex at the top of the column beside that room, or -1.
    """

    width: float
    height: float
    top: float = 0.0
    free: float = 0.0
    next_column: int = -1


_Offsets = dict[int, tuple[float, float]]
_Way = tuple[_Rectangle, _Offsets]


def place_packed(parents: Ints, extents: Floats, aspect: float) -> tuple[Floats, Ints]:
    """Return the corner (n, 2) of each vertex, each tree on its own with its root at (0, 0), and its root.

    Parameters
    ----------
    parents
        (n,) the parent of each vertex, negative at roots; without cycles.
    extents
        (n, 2) width and height of each vertex, in pixels.
    aspect
        Width over height of the pane that shows them.
    """
    order, children = breadth_first(parents)
    sizes: list[tuple[float, float]] = [(width, height) for width, height in extents.tolist()]
    area = float(((extents[:, 0] + COLUMN_GAP) * (extents[:, 1] + SIBLING_GAP)).sum())
    shares = HEIGHTS if len(order) <= MOST_TRIED else HEIGHTS[::2]
    packers = [_Packer(order, children, sizes, sqrt(area / aspect) * share) for share in shares]
    best = min(packers, key=lambda packer: packer.pane(aspect))
    corners = [(0.0, 0.0)] * len(order)
    roots = list(range(len(order)))
    for vertex in order:
        x, y = corners[vertex]
        for child in children[vertex]:
            dx, dy = best.offsets[child]
            corners[child] = x + dx, y + dy
            roots[child] = roots[vertex]
    return np.array(corners, dtype=float).reshape(-1, 2), np.array(roots, dtype=np.intp)


class _Packer:
    """Packs trees into columns of at most some height, from the leaves up.

    Attributes
    ----------
    offsets
        Where the corner of each vertex is from that of its parent.
    """

    def __init__(
        self, order: list[int], children: list[list[int]], sizes: list[tuple[float, float]], limit: float
    ) -> None:
        self._limit = limit
        self.offsets: _Offsets = {}
        self._rectangles = [_Rectangle(*size) for size in sizes]
        self._has_children = [bool(below) for below in children]
        for vertex in reversed(order):
            if children[vertex]:
                self._pack(vertex, children[vertex])
        roots = set(order).difference(*children)
        self._trees = [self._rectangles[root] for root in roots]
        for root in roots:
            self._lift(root)

    def pane(self, aspect: float) -> float:
        """Return about how high a pane must be to show all trees."""
        highest = max((max(tree.width / aspect, tree.height) for tree in self._trees), default=0.0)
        return max(highest, sqrt(sum(tree.width * tree.height for tree in self._trees) / aspect))

    def _pack(self, vertex: int, children: list[int]) -> None:
        """Choose where the children of a vertex are, which have been packed themselves."""
        own = self._rectangles[vertex]
        # Children that continue in the next column come last; of equal ones the last, so that they keep their order.
        last = max(reversed(children), key=lambda child: self._rectangles[child].height)
        others = [child for child in children if child != last]
        continued = self._continue(own, others, last)
        if continued is not None:
            self._take(vertex, continued, others)
            return
        total = sum(self._rectangles[child].height + SIBLING_GAP for child in children)
        fewest = ceil(total / max(self._limit - own.height - BELOW_GAP, 1.0))
        counts = sorted({1, min(fewest, len(children)), min(fewest + 1, len(children))})
        ways = [self._below(own, children, columns, total) for columns in counts]
        ways.append(self._beside(own, others, last))
        fitting = [way for way in ways if way[0].height <= self._limit]
        best = min(fitting, key=lambda way: way[0].width) if fitting else min(ways, key=lambda way: way[0].height)
        self._take(vertex, best, children)

    def _take(self, vertex: int, way: _Way, lifted: list[int]) -> None:
        """Place the children of a vertex; in some of them the root moves to the top first."""
        for child in lifted:
            self._lift(child)
        self._rectangles[vertex], offsets = way
        self.offsets.update(offsets)

    def _lift(self, root: int) -> None:
        """Put the root of a subtree, with what is in its column, at the top."""
        rectangle = self._rectangles[root]
        if rectangle.top > 0:
            dx, dy = self.offsets[rectangle.next_column]
            self.offsets[rectangle.next_column] = dx, dy + rectangle.top
            rectangle.top = 0.0

    def _continue(self, own: _Rectangle, others: list[int], last: int) -> _Way | None:
        """Return the arrangement that fills the room above a child continued in the next column, None without room."""
        rectangle = self._rectangles[last]
        offsets, needed, widest = self._stack(own, others)
        indent = self._indent([*others, last])
        if rectangle.top < needed:
            return None
        offsets[last] = indent, needed
        # The next column makes way for what is wider than all below it: that takes less width than another column.
        wider = max(0.0, max(own.width, widest) - rectangle.free - indent)
        dx, dy = self.offsets[rectangle.next_column]
        offsets[rectangle.next_column] = dx + wider, dy
        whole = _Rectangle(
            rectangle.width + indent + wider,
            rectangle.height,
            rectangle.top - needed,
            rectangle.free + indent + wider,
            rectangle.next_column,
        )
        return whole, offsets

    def _beside(self, own: _Rectangle, others: list[int], last: int) -> _Way:
        """Return the way with the last child in the next column and the others below their parent."""
        rectangle = self._rectangles[last]
        offsets, needed, widest = self._stack(own, others)
        height = needed - (SIBLING_GAP if others else BELOW_GAP)
        left = max(own.width, widest) + BESIDE_GAP
        top = max(0.0, rectangle.height - height)
        offsets[last] = left, -top
        whole = _Rectangle(left + rectangle.width, max(height, rectangle.height), top, left - COLUMN_GAP, last)
        return whole, offsets

    def _stack(self, own: _Rectangle, children: list[int]) -> tuple[_Offsets, float, float]:
        """Return children below their parent in one column, where the next one would begin, and how wide they are."""
        offsets: _Offsets = {}
        top, widest = own.height + BELOW_GAP, 0.0
        for child in children:
            offsets[child] = INDENT, top
            top += self._rectangles[child].height + SIBLING_GAP
            widest = max(widest, INDENT + self._rectangles[child].width)
        return offsets, top, widest

    def _indent(self, children: list[int]) -> float:
        """Return the indentation of children: none in a chain."""
        return 0.0 if len(children) == 1 and self._has_children[children[0]] else INDENT

    def _below(self, own: _Rectangle, children: list[int], columns: int, total: float) -> _Way:
        """Return the arrangement with all children below their parent in about so many columns."""
        limit = max(total / columns, *(self._rectangles[child].height for child in children))
        first = own.height + BELOW_GAP
        offsets: _Offsets = {}
        left, top, widest, lowest, right = self._indent(children), first, 0.0, 0.0, own.width
        for child in children:
            rectangle = self._rectangles[child]
            if top > first and top - first + rectangle.height > limit:
                left, top, widest = left + widest + COLUMN_GAP, first, 0.0
            offsets[child] = left, top
            widest = max(widest, rectangle.width)
            right, lowest = max(right, left + rectangle.width), max(lowest, top + rectangle.height)
            top += rectangle.height + SIBLING_GAP
        return _Rectangle(right, lowest), offsets
