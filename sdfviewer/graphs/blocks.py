"""Blocks: the leaves of a vertex in columns, with bundled edges.

Thousands of models on one world would make a row that no screen shows. In a block each leaf's edge is a short stub to
the trunk beside its column, and all trunks join in a lane along the block's side that leads to the vertex.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

#: The least number of leaves of one vertex that form a block.
BLOCK_FROM = 12
#: Room for the lane, for a trunk and its stubs, between leaves; pixels.
LANE, STUB, LEAF_GAP = 14.0, 16.0, 6.0
#: The preferred width over height of a block.
ASPECT = 1.8


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Leaves in columns.

    Attributes
    ----------
    hub
        The vertex that they all point to.
    leaves
        (k,) the leaves.
    column_of
        (k,) the column of each leaf.
    trunks
        (c, 2, 2) the line beside each column, from its end at the lane on.
    lane
        (l, 2) the line that joins the trunks, ending at the hub.
    """

    hub: int
    leaves: Ints
    column_of: Ints
    trunks: Floats
    lane: Floats

    def path(self, place: int, start: Floats) -> Floats:
        """Return the whole way (p, 2) of the edge of one of the leaves, from where its stub starts to the hub."""
        trunk = self.trunks[self.column_of[place]]
        along = int(np.argmax(np.abs(self.lane[0] - self.lane[1])))  # in which coordinate the lane runs
        foot = trunk[0].copy()
        foot[1 - along] = start[1 - along]
        return np.array([start, foot, trunk[0], *self.lane[1:]])


def find_blocks(tree: Ints, box_of: Ints) -> list[tuple[int, Ints]]:
    """Return each vertex that has many leaves in its own box, with these leaves."""
    n = len(tree)
    has_children = np.zeros(n, dtype=bool)
    has_children[tree[tree >= 0]] = True
    is_leaf = (tree >= 0) & ~has_children & (box_of == box_of[tree])
    leaves = np.flatnonzero(is_leaf)
    counts = np.bincount(tree[leaves], minlength=n) if len(leaves) else np.zeros(n, dtype=np.intp)
    return [(hub, leaves[tree[leaves] == hub]) for hub in np.flatnonzero(counts >= BLOCK_FROM).tolist()]


def set_columns(extents: Floats, across: int) -> tuple[Floats, Floats]:
    """Return the corners (along, across) of leaves set in columns in their order, and the extent they fill.

    Parameters
    ----------
    extents
        (k, 2) size of each leaf along the levels and across them.
    across
        The coordinate of the drawing that runs across the levels.
    """
    area = float(((extents[:, 0] + 2 * STUB) * (extents[:, 1] + LEAF_GAP)).sum())
    ratio = 1 / ASPECT if across == 1 else ASPECT
    limit = max(float(extents[:, 1].max()), (area * ratio) ** 0.5)
    corners = np.zeros((len(extents), 2))
    along, offset, widest = STUB, LANE, 0.0
    for index, (length, breadth) in enumerate(extents.tolist()):
        if offset > LANE and offset + breadth > limit:
            along, offset, widest = along + widest + 2 * STUB, LANE, 0.0
        corners[index] = along, offset
        offset += breadth + LEAF_GAP
        widest = max(widest, length)
    return corners, (corners + extents).max(axis=0)


def bundle(hub: int, leaves: Ints, centres: Floats, sizes: Floats, along: int) -> Block:
    """Return the block of leaves that have their places.

    Parameters
    ----------
    centres, sizes
        (n, 2) of all vertices.
    along
        The coordinate of the drawing that runs along the levels.
    """
    across = 1 - along
    low = centres[leaves] - sizes[leaves] / 2
    starts, column_of = np.unique(np.round(low[:, along], 3), return_inverse=True)
    lane_at = low[:, across].min() - LANE / 2
    trunks = np.zeros((len(starts), 2, 2))
    trunks[:, :, along] = (starts - STUB / 2)[:, None]
    trunks[:, 0, across] = lane_at
    np.maximum.at(trunks[:, 1, across], column_of, centres[leaves, across])
    lane = np.zeros((4, 2))
    first = starts[0] - STUB
    lane[:, along] = trunks[-1, 0, along], first, first, centres[hub, along] + sizes[hub, along] / 2
    lane[:, across] = lane_at, lane_at, centres[hub, across], centres[hub, across]
    return Block(hub, leaves, column_of.astype(np.intp), trunks, lane)


def bundle_children(tree: Ints, box_of: Ints, centres: Floats, sizes: Floats) -> tuple[Block, ...]:
    """Return a block for the children of each vertex in a compact layout, where they are below it or beside it.

    Parameters
    ----------
    tree
        (n,) the parent of each vertex, negative where its edge is not bundled.
    box_of
        (n,) innermost box of each vertex; an edge between two boxes is drawn on its own.
    centres, sizes
        (n, 2) of all vertices.
    """
    low, high = centres - sizes / 2, centres + sizes / 2
    members: dict[int, list[int]] = {}
    for vertex in np.flatnonzero((tree >= 0) & (box_of == box_of[tree])).tolist():
        members.setdefault(int(tree[vertex]), []).append(vertex)
    blocks = []
    for hub, listed in members.items():
        children = np.array(listed, dtype=np.intp)
        is_below = low[children, 1] >= high[hub, 1]
        is_straight = is_below & (low[children, 0] < low[hub, 0] + 1.0)  # joined by a line of its own
        is_beside = ~is_below & (low[children, 0] >= high[hub, 0])
        for leaves, beside in ((children[is_below & ~is_straight], False), (children[is_beside], True)):
            if len(leaves):
                blocks.append(_bundle_column(hub, leaves, centres, sizes, beside=beside))
    return tuple(blocks)


def _bundle_column(hub: int, leaves: Ints, centres: Floats, sizes: Floats, *, beside: bool) -> Block:
    """Return the block of children below a vertex in columns, or beside it in one."""
    low, high = centres - sizes / 2, centres + sizes / 2
    starts, column_of = np.unique(np.round(low[leaves, 0], 3), return_inverse=True)
    lane_at = centres[hub, 1] if beside else (high[hub, 1] + low[leaves, 1].min()) / 2
    trunks = np.zeros((len(starts), 2, 2))
    trunks[:, :, 0] = (starts - STUB / 2)[:, None]
    trunks[:, :, 1] = lane_at
    # The next column starts at the top, so its line leads up.
    (np.minimum if centres[leaves[0], 1] < lane_at else np.maximum).at(trunks[:, 1, 1], column_of, centres[leaves, 1])
    first, last = trunks[[0, -1], 0, 0].tolist()
    end = (high[hub, 0], lane_at) if beside else (first, high[hub, 1])
    lane = np.array([(last, lane_at), (first, lane_at), (first, lane_at), end])
    return Block(hub, leaves, column_of.astype(np.intp), trunks, lane)
