"""Blocks: the many leaves of one vertex set in columns, their edges bundled into one that leads around the others.

Thousands of models on one world would make a row that no screen shows. In a block each leaf's edge is a short stub to
the trunk beside its column, and all trunks join in a lane along the block's side that leads to the vertex.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

#: From how many leaves on they stand in a block.
BLOCK_FROM = 40
#: Room for the lane, for a trunk and its stubs, between leaves; pixels.
LANE, STUB, LEAF_GAP = 14.0, 16.0, 6.0
#: Width over height that a block is set towards.
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
