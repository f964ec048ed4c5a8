from __future__ import annotations

import numpy as np

from sdfviewer.gui.graphs.drawing import Extents


def test_rectangles_meet_where_they_share_a_point() -> None:
    random = np.random.default_rng(0)
    low = random.uniform(-10, 10, (500, 2))
    high = low + random.uniform(0, 4, (500, 2))
    extents = Extents(low, high)
    for _ in range(50):
        a = random.uniform(-12, 12, 2)
        b = a + random.uniform(0, 5, 2)
        expected = [k for k in range(500) if (high[k] >= a).all() and (low[k] <= b).all()]
        assert extents.meeting(a, b).tolist() == expected


def test_the_box_around_all_holds_the_origin() -> None:
    low, high = Extents(np.array([[3.0, -2.0], [5.0, 1.0]]), np.array([[4.0, -1.0], [6.0, 2.0]])).around()
    assert (low.tolist(), high.tolist()) == ([0.0, -2.0], [6.0, 2.0])


def test_no_rectangles_are_around_the_origin_alone() -> None:
    none = Extents(np.zeros((0, 2)), np.zeros((0, 2)))
    assert none.meeting(np.zeros(2), np.ones(2)).tolist() == []
    assert [corner.tolist() for corner in none.around()] == [[0.0, 0.0], [0.0, 0.0]]


def test_of_what_an_area_shows_it_cuts_the_rest_and_names_count_twice() -> None:
    extents = Extents(np.array([[0.0, 0.0], [0.0, 8.0], [8.0, 0.0]]), np.array([[4.0, 4.0], [4.0, 12.0], [12.0, 4.0]]))
    seen = np.array(
        [[-1.0, -1.0, 20.0, 20.0], [-1.0, -1.0, 10.0, 10.0], [-1.0, -1.0, 4.5, 20.0], [30.0, 30.0, 40.0, 40.0]]
    )
    faded = seen[:, 2:] - [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
    whole, cut = extents.whole_and_cut(seen, faded)
    assert whole.tolist() == [3, 1, 0, 0]
    assert cut.tolist() == [0, 3, 4, 0]  # one is cut below its name; two fade at theirs
