"""Places of vertices: nothing overlaps, roots stand on one side, order is kept, boxes hold what is theirs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.graphs.layout import BOX_PADDING, Layout, Orientation, cut_cycles, lay_out
from sdfviewer.graphs.tidy_trees import place_packed


def sizes_of(n: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.stack([random.uniform(30, 180, n).round(), np.full(n, 26.0)], axis=1)


def overlaps(layout: Layout) -> int:
    low, high = layout.centres - layout.sizes / 2, layout.centres + layout.sizes / 2
    apart = (low[:, None] >= high[None] - 1e-6) | (low[None] >= high[:, None] - 1e-6)
    pairs = ~apart.any(axis=2)
    return int(pairs.sum() - len(low)) // 2


@st.composite
def parent_vectors(draw: st.DrawFn) -> np.ndarray:
    n = draw(st.integers(0, 40))
    return np.array(draw(st.lists(st.integers(-1, max(n - 1, 0)), min_size=n, max_size=n)), dtype=np.intp)


@given(parent_vectors(), st.sampled_from(Orientation), st.integers(0, 3))
def test_no_vertices_overlap_whatever_the_graph(parents: np.ndarray, orientation: Orientation, seed: int) -> None:
    layout = lay_out(parents, sizes_of(len(parents), seed), orientation)
    assert overlaps(layout) == 0
    assert np.isfinite(layout.centres).all()
    if len(parents):
        assert (layout.centres - layout.sizes / 2).min() >= -1e-6
        assert ((layout.centres + layout.sizes / 2).max(axis=0) <= np.array(layout.extent) + 1e-6).all()


@given(parent_vectors(), st.sampled_from([Orientation.LEFT_RIGHT, Orientation.TOP_DOWN]))
def test_children_are_beyond_their_parents_in_their_order(parents: np.ndarray, orientation: Orientation) -> None:
    layout = lay_out(parents, sizes_of(len(parents)), orientation, bundles=False)
    along = 0 if orientation is Orientation.LEFT_RIGHT else 1
    half = layout.sizes / 2
    for child, parent in enumerate(layout.tree.tolist()):
        if parent >= 0:
            end_of_parent = layout.centres[parent, along] + half[parent, along]
            assert layout.centres[child, along] - half[child, along] > end_of_parent
            later = [c for c in range(child + 1, len(parents)) if layout.tree[c] == parent]
            assert all(layout.centres[c, 1 - along] > layout.centres[child, 1 - along] for c in later)


@given(parent_vectors(), st.integers(0, 3), st.floats(0.4, 4.0))
def test_compact_children_are_below_their_parents_or_in_a_column_to_the_right(
    parents: np.ndarray, seed: int, aspect: float
) -> None:
    layout = lay_out(parents, sizes_of(len(parents), seed), Orientation.COMPACT, aspect=aspect)
    low, high = layout.centres - layout.sizes / 2, layout.centres + layout.sizes / 2
    for child, parent in enumerate(layout.tree.tolist()):
        if parent >= 0:
            assert low[child, 0] >= low[parent, 0]
            assert low[child, 1] >= high[parent, 1] or low[child, 0] >= high[parent, 0]


@given(parent_vectors(), st.sampled_from(Orientation))
def test_each_root_is_at_the_top_left_of_its_tree(parents: np.ndarray, orientation: Orientation) -> None:
    layout = lay_out(parents, sizes_of(len(parents)), orientation)
    corners = layout.centres - layout.sizes / 2
    root_of = np.arange(len(parents))
    for _ in parents:
        root_of = np.where(layout.tree[root_of] >= 0, layout.tree[root_of], root_of)
    assert (corners >= corners[root_of] - 1e-6).all()


def test_a_chain_goes_on_in_the_next_column_and_fills_a_pane() -> None:
    layout = lay_out(np.arange(60) - 1, np.tile([100.0, 26.0], (60, 1)), Orientation.COMPACT, aspect=2.0)
    width, height = layout.extent
    assert 1.2 < width / height < 3.5
    assert (layout.sizes + 12).prod(axis=1).sum() / (width * height) > 0.5, "most of it is used"
    columns = np.unique(layout.centres[layout.centres[:, 1] < 20, 0])
    assert len(columns) > 3


def test_a_cycle_is_cut_at_its_first_vertex_and_the_rest_is_laid_out() -> None:
    parents = np.array([-1, 0, 4, 2, 3, 4])  # 2 → 4 → 3 → 2 is a cycle; 5 hangs on it
    assert cut_cycles(parents).tolist() == [-1, 0, -1, 2, 3, 4]
    assert overlaps(lay_out(parents, sizes_of(6))) == 0


def test_a_chain_of_any_depth_is_a_straight_line() -> None:
    layout = lay_out(np.arange(20_000) - 1, np.full((20_000, 2), 20.0))
    assert np.ptp(layout.centres[:, 1]) == 0.0


def nested_boxes() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """World 0; model 1 in box 0 with links 2, 3 and the nested model 4, 5 in box 1; 6 outside hangs on 5 inside."""
    parents = np.array([-1, 0, 1, 1, 2, 4, 5])
    return parents, np.array([-1, 0, 0, 0, 1, 1, -1]), np.array([-1, 0])


@pytest.mark.parametrize("orientation", Orientation)
def test_boxes_hold_their_vertices_and_nothing_else(orientation: Orientation) -> None:
    parents, box_of, box_parents = nested_boxes()
    layout = lay_out(parents, sizes_of(7), orientation, box_of, box_parents)
    low, high = layout.centres - layout.sizes / 2, layout.centres + layout.sizes / 2
    members = {0: {1, 2, 3, 4, 5}, 1: {4, 5}}
    for box, (left, top, right, bottom) in enumerate(layout.boxes.tolist()):
        inside = set(
            np.flatnonzero((low[:, 0] >= left) & (low[:, 1] >= top) & (high[:, 0] <= right) & (high[:, 1] <= bottom))
        )
        assert inside == members[box]
        for vertex in members[box]:
            assert low[vertex, 1] >= top + BOX_PADDING[1] - 1e-6
    assert overlaps(layout) == 0


def test_boxes_that_point_at_each_other_are_laid_out_all_the_same() -> None:
    parents = np.array([2, -1, -1, 1])  # box 0 holds 0, 1 and box 1 holds 2, 3: each hangs on the other
    layout = lay_out(parents, sizes_of(4), Orientation.LEFT_RIGHT, np.array([0, 0, 1, 1]), np.array([-1, -1]))
    first, second = layout.boxes.tolist()
    assert first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]


def test_many_small_trees_are_packed_instead_of_lined_up() -> None:
    layout = lay_out(np.full(400, -1), np.tile([100.0, 26.0], (400, 1)))
    width, height = layout.extent
    assert 0.8 < width / height < 4


@pytest.mark.parametrize("aspect", [0.5, 1.0, 1.6, 2.5])
def test_packed_subtrees_of_one_size_keep_their_order(aspect: float) -> None:
    """The last one may continue in the next column: the two like models of a world were swapped there."""
    parents = np.array([-1, 0, 0, 0, 1, *[2] * 14, *[3] * 14])
    corners, _roots = place_packed(parents, np.full((len(parents), 2), (100.0, 26.0)), aspect)
    assert corners[2].tolist() < corners[3].tolist(), "column by column, from the top down"


def test_a_chain_of_broad_and_narrow_vertices_fills_its_columns() -> None:
    """Where a narrow vertex continued in the next column, no broader one fitted above it: columns of one or two."""
    sizes = np.array([(100.0 + 60.0 * (n % 2), 26.0) for n in range(24)])
    corners, _roots = place_packed(np.arange(24) - 1, sizes, 4.0)
    columns = [np.flatnonzero(corners[:, 0] == left) for left in np.unique(corners[:, 0])]
    assert min(len(column) for column in columns[:-1]) >= 4
