"""Graph layout: tidy trees in nested boxes.

In a frame graph every vertex points to at most one other, so the graph is an integer vector and what is left
when its cycles are cut is a forest. A box (a nested scope) is one vertex of the scope around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial

import numpy as np
import numpy.typing as npt

from sdfviewer.graphs.blocks import Block, bundle, bundle_children, find_blocks, set_columns
from sdfviewer.graphs.tidy_trees import place_packed, place_trees
from sdfviewer.model.graph import cycles

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: Space in pixels between trees.
TREE_GAP = 20.0
#: Room beside a tree for the edge that closes its cycle.
CYCLE_ROOM = 44.0
#: Space inside a box: left, top, right, bottom.
BOX_PADDING = (12.0, 26.0, 12.0, 12.0)
#: The preferred width over height of a packed forest.
ASPECT = 1.8


class Orientation(str, Enum):
    """Where the root is, and where its children are seen from it."""

    #: The root on the left, each level in a column to the right of the one before.
    LEFT_RIGHT = "left-right"
    #: The root at the top, each level in a row below the one before.
    TOP_DOWN = "top-down"
    #: The root at the top left, children below their parents in columns or beside them, using the least room.
    COMPACT = "compact"


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Places of vertices and boxes, x to the right and y down, the top left corner of everything at (0, 0).

    Attributes
    ----------
    centres
        (n, 2) centre of each vertex.
    sizes
        (n, 2) width and height of each vertex, as given.
    tree
        (n,) the parent of each vertex in the drawn forest, -1 at its roots.
    boxes
        (g, 4) left, top, right, bottom of each box.
    extent
        Width and height of the whole drawing.
    orientation
        Where the roots are, and their children from there.
    blocks
        The leaves of one vertex, set in columns, with their edges as one.
    """

    centres: Floats
    sizes: Floats
    tree: Ints
    boxes: Floats
    extent: tuple[float, float]
    orientation: Orientation
    blocks: tuple[Block, ...] = ()


def cut_cycles(parents: Ints) -> Ints:
    """Return the parent vector without the edge that leaves the first vertex of each cycle, roots as -1."""
    tree = np.where(parents < 0, -1, parents)
    for cycle in cycles(tree):
        tree[cycle[0]] = -1
    return tree


def lay_out(
    parents: Ints,
    sizes: Floats,
    orientation: Orientation = Orientation.LEFT_RIGHT,
    box_of: Ints | None = None,
    box_parents: Ints | None = None,
    *,
    bundles: bool = True,
    aspect: float = ASPECT,
    apart: Bools | None = None,
) -> Layout:
    """Return a layout of a graph that is a parent vector, siblings and trees in the order of their indices.

    Parameters
    ----------
    parents
        (n,) index of the vertex that each vertex points to; negative where it points to none. May have cycles.
    sizes
        (n, 2) width and height of each vertex.
    orientation
        Where the roots are, and their children from there.
    box_of
        (n,) innermost box of each vertex, -1 outside of every box. None: there are no boxes.
    box_parents
        (g,) the box around each box, with a smaller index, or -1.
    bundles
        Whether many leaves of one vertex are set in a block.
    aspect
        Width over height of the pane that shows the drawing.
    apart
        (n,) the vertices whose edges are never bundled with others. None: there are none.
    """
    n = len(parents)
    boxes_around = np.full(0, -1, dtype=np.intp) if box_parents is None else np.asarray(box_parents, dtype=np.intp)
    shown = len(boxes_around)
    box_of = np.full(n, -1, dtype=np.intp) if box_of is None else np.array(box_of, dtype=np.intp)
    tree = cut_cycles(parents)
    # A block is a box that is not drawn.
    compact = orientation is Orientation.COMPACT
    blocks = find_blocks(tree, box_of) if bundles and n and not compact else []
    for index, (hub, leaves) in enumerate(blocks):
        boxes_around = np.append(boxes_around, box_of[hub])
        box_of[leaves] = shown + index
    g = len(boxes_around)
    # A unit is a vertex or a whole box; the drawing is the unit n + g.
    around = np.append(np.concatenate([box_of, boxes_around]) + n, n + g)
    around[:-1][around[:-1] == n - 1] = n + g
    nesting = np.zeros(n + g + 1, dtype=np.intp)
    for unit in range(n, n + g):
        nesting[unit] = nesting[around[unit]] + 1 if around[unit] != n + g else 1
    unit_parents = _project(tree, around, nesting, [(n + shown + i, hub) for i, (hub, _) in enumerate(blocks)], n)
    closes_cycle = np.zeros(n + g + 1, dtype=bool)
    closes_cycle[:n] = (parents >= 0) & (tree < 0)

    across = 0 if orientation is Orientation.TOP_DOWN else 1
    extents = np.zeros((n + g + 1, 2))  # along the levels, across them
    extents[:n] = sizes[:, [1 - across, across]]
    before = np.array([BOX_PADDING[1 - across], BOX_PADDING[across]])
    after = np.array([BOX_PADDING[3 - across], BOX_PADDING[2 + across]])
    corners = np.zeros((n + g + 1, 2))  # of each unit in the box around it
    level_of = nesting[around]
    vertex_levels = level_of[: n + g]
    for depth in range(int(nesting.max()), -1, -1):
        units = np.flatnonzero(vertex_levels == depth)
        if not len(units):
            continue
        corners[units], filled = _lay_out_forest(
            units,
            unit_parents,
            extents,
            around,
            closes_cycle,
            range(n + shown, n + g),
            across=across,
            aspect=aspect,
            compact=compact,
        )
        for box, extent in filled.items():
            extents[box] = extent + before + after if box < n + shown else extent
        corners[units] += np.where((around[units] < n + shown)[:, None], before, 0.0)
    for unit in range(n, n + g):
        corners[unit] += corners[around[unit]]
    corners[:n] += corners[around[:n]]

    flip = [1 - across, across]
    corners, extents = corners[:, flip], extents[:, flip]
    drawn = slice(n, n + shown)
    boxes = np.concatenate([corners[drawn], corners[drawn] + extents[drawn]], axis=1)
    whole = float(extents[n + g, 0]), float(extents[n + g, 1])
    sizes = np.asarray(sizes, dtype=float)
    centres = corners[:n] + sizes / 2
    if compact and bundles and n:
        alone = (parents < 0) | (tree < 0) if apart is None else (tree < 0) | apart
        bundled = bundle_children(np.where(alone, -1, tree), box_of, centres, sizes)
    else:
        bundled = tuple(bundle(hub, leaves, centres, sizes, 1 - across) for hub, leaves in blocks)
    return Layout(centres, sizes, tree, boxes, whole, orientation, bundled)


def _project(tree: Ints, around: Ints, nesting: Ints, blocks: list[tuple[int, int]], n: int) -> Ints:
    """Return for each unit the unit in the same box that its first outgoing edge leads to, or -1."""
    unit_parents = np.full(len(around), -1, dtype=np.intp)
    in_block = np.zeros(len(around), dtype=bool)
    for block, hub in blocks:
        unit_parents[block] = hub
        in_block[block] = True
    same_box = (tree >= 0) & (around[:n] == around[tree])
    unit_parents[:n][same_box] = tree[same_box]
    around_of, nesting_of = around.tolist(), nesting.tolist()
    for source in np.flatnonzero((tree >= 0) & ~same_box & ~in_block[around[:n]]).tolist():
        a, b = source, int(tree[source])
        while around_of[a] != around_of[b]:
            if nesting_of[around_of[a]] >= nesting_of[around_of[b]]:
                a = around_of[a]
            else:
                b = around_of[b]
        if a != b and unit_parents[a] < 0:
            unit_parents[a] = b
    # Boxes can form a cycle although their vertices do not.
    return cut_cycles(unit_parents)


def _lay_out_forest(
    units: Ints,
    unit_parents: Ints,
    extents: Floats,
    around: Ints,
    closes_cycle: Bools,
    blocks: range,
    *,
    across: int,
    aspect: float,
    compact: bool,
) -> tuple[Floats, dict[int, Floats]]:
    """Return the corners of ``units``, each relative to what its box holds, and the extent of each box's content."""
    local = np.full(len(unit_parents), -1, dtype=np.intp)
    local[units] = np.arange(len(units))
    parents = np.where(unit_parents[units] < 0, -1, local[unit_parents[units]])
    place = partial(place_packed, aspect=aspect) if compact else place_trees
    corners, root_of = place(parents, extents[units])
    # The trees of one box are packed in shelves.
    tree_roots = np.flatnonzero(parents < 0)
    low = np.full((len(units), 2), np.inf)
    high = np.full((len(units), 2), -np.inf)
    np.minimum.at(low, root_of, corners)
    np.maximum.at(high, root_of, corners + extents[units])
    low[closes_cycle[units], 1] -= CYCLE_ROOM
    shifts = np.zeros((len(units), 2))
    filled: dict[int, Floats] = {}
    boxes: dict[int, list[int]] = {}
    for root, box in zip(tree_roots.tolist(), around[units[tree_roots]].tolist(), strict=True):
        boxes.setdefault(box, []).append(root)
    for box, members in boxes.items():
        pack = (
            set_columns if box in blocks else partial(_pack, aspect=aspect, gap=TREE_GAP / 2 if compact else TREE_GAP)
        )
        shelf, filled[box] = pack(high[members] - low[members], across)
        shifts[members] = shelf - low[members]
    return corners + shifts[root_of], filled


def _pack(extents: Floats, across: int, aspect: float, gap: float) -> tuple[Floats, Floats]:
    """Return the corners of rectangles (along, across) set in shelves in their order, and the extent they fill."""
    if len(extents) == 1:
        return np.zeros((1, 2)), extents[0].copy()
    area = float(((extents[:, 0] + gap) * (extents[:, 1] + gap)).sum())
    ratio = 1 / aspect if across == 1 else aspect
    limit = max(float(extents[:, 1].max()), (area * ratio) ** 0.5)
    corners = np.zeros((len(extents), 2))
    along = offset = shelf = 0.0
    for i, (length, breadth) in enumerate(extents.tolist()):
        if offset > 0 and offset + breadth > limit:
            along, offset, shelf = along + shelf + 2 * gap, 0.0, 0.0
        corners[i] = along, offset
        offset += breadth + gap
        shelf = max(shelf, length)
    return corners, (corners + extents).max(axis=0)
