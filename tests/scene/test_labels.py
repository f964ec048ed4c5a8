from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.scene.labels import (
    beside_line,
    beside_points,
    clear_of,
    close_holes,
    declutter,
    make_way,
    stack,
    step_aside,
)

SIZE = (60.0, 16.0)


def place(points: list[tuple[float, float]], **more: Any) -> list[int]:
    priorities = more.pop("priorities", np.zeros(len(points)))
    return declutter(
        np.array(points).reshape(-1, 2), np.tile(SIZE, (len(points), 1)), priorities, 800, 600, **more
    ).tolist()


@given(st.lists(st.tuples(st.floats(-100, 900), st.floats(-100, 700)), max_size=60))
def test_none_lies_over_another(points: list[tuple[float, float]]) -> None:
    corners = np.array(points).reshape(-1, 2)[place(points)]
    for k, first in enumerate(corners):
        for second in corners[k + 1 :]:
            apart = np.abs(first - second)
            assert apart[0] >= SIZE[0] or apart[1] >= SIZE[1]


def test_the_more_important_one_stays() -> None:
    assert place([(10, 10), (20, 12)], priorities=[1, 2]) == [1]


def test_what_was_shown_stays_shown() -> None:
    assert place([(10, 10), (20, 12)]) == [0]
    assert place([(10, 10), (20, 12)], shown_before=np.array([False, True])) == [1]


def test_what_is_off_screen_or_unknown_is_left_out() -> None:
    assert place([(-100, 10), (10, 700), (np.nan, np.nan), (10, 10)]) == [3]


def test_reserved_room_stays_free() -> None:
    assert place([(700, 20), (10, 10)], reserved=((690, 10, 100, 100),)) == [1]


@pytest.mark.parametrize("beside", [(20, -40, 30, 10), (-40, 20, 10, 30), (20, 620, 30, 10), (820, 20, 30, 30)])
def test_what_is_beside_the_picture_reserves_no_room_in_it(beside: tuple[float, ...]) -> None:
    everywhere = [(float(x), float(y)) for x in range(0, 740, 70) for y in range(0, 580, 40)]
    assert len(place(everywhere, reserved=(beside,))) == len(everywhere)


def test_a_label_moves_to_the_nearest_place_that_is_free() -> None:
    size, taken = np.array(SIZE), np.array([(100.0, 100.0, 200.0, 200.0), (0.0, 80.0, 99.0, 300.0)])
    free = np.array([400.0, 400.0])
    assert clear_of(free, size, taken, 800, 600) is free
    moved = clear_of(np.array([105.0, 180.0]), size, taken, 800, 600, gap=4.0)
    assert moved.tolist() == [105.0, 80.0], "above: both on the left is taken, and the others are farther away"
    assert clear_of(np.array([250.0, 200.0]), size, taken, 800, 600, gap=4.0).tolist() == [304.0, 200.0]
    everything = np.array([(0.0, 0.0, 800.0, 600.0)])
    assert clear_of(free, size, everything, 800, 600) is free


def test_a_name_whose_right_is_covered_goes_to_the_left_of_its_frame() -> None:
    """It went below what covered it, far away from its frame."""
    corners = np.array([(509.0, 85.0)])
    covered = ((520.0, 60.0, 70.0, 70.0),)
    make_way(corners, np.array([SIZE]), np.array([(500.0, 100.0)]), np.array([100.0]), covered, (600, 400))
    np.testing.assert_allclose(corners, [(500.0 - 9.0 - SIZE[0], 85.0)])


BODY = (320.0, 100.0, 80.0, 50.0)
"""Where a small robot is."""


def beside(*stacked: int, covered: tuple[tuple[float, float, float, float], ...] = ()) -> list[list[float]]:
    """Return where so many names of each of some frames in a small robot go, without those that would cover it."""
    labels = iter(range(sum(stacked)))
    blocks = [[next(labels) for _ in range(count)] for count in stacked]
    pixels = np.repeat([(330.0 + 10 * number, 120.0) for number in range(len(stacked))], stacked, axis=0)
    corners = pixels + [(9.0, -8.0 + 21.0 * place) for block in blocks for place in range(len(block))]
    sizes, important = np.tile(SIZE, (len(corners), 1)), np.zeros(len(corners), bool)
    assert step_aside(corners, sizes, blocks, pixels, BODY, covered, (800, 600), 21.0, important, 100.0)
    return corners.tolist()


def test_names_of_one_place_stay_together_beside_a_robot() -> None:
    """Each went where it found room, so that names of different frames mixed."""
    places = beside(2, 3, 2)
    for first, *others in (places[:2], places[2:5], places[5:]):
        assert others == [[first[0], first[1] + 21.0 * (number + 1)] for number in range(len(others))]


def test_what_covers_the_picture_hides_no_line_to_a_name() -> None:
    """The nearest room was beyond a banner, and the line to the frame went behind it."""
    ((_, above),) = beside(1)
    assert above < BODY[1]
    ((_, below),) = beside(1, covered=((250.0, 70.0, 300.0, 24.0),))
    assert below > BODY[1] + BODY[3]


def test_names_are_not_far_from_their_frames() -> None:
    """What covers the picture beside a robot pushed them to where nobody looks for them."""
    body, covered = (300.0, 100.0, 200.0, 50.0), ((0.0, 0.0, 800.0, 96.0), (0.0, 154.0, 800.0, 96.0))
    pixels = np.array([(300.0 + 40 * number, 125.0) for number in range(6)])
    sizes, blocks = np.tile(SIZE, (6, 1)), [[number] for number in range(6)]

    def moved(*important: int) -> list[tuple[float, bool]]:
        """Return how far each is from its point, and whether it is over the robot."""
        corners = pixels + np.array((9.0, -8.0))
        wanted = np.isin(np.arange(6), important)
        assert step_aside(corners, sizes, blocks, pixels, body, covered, (800, 600), 21.0, wanted, 60.0)
        away = np.linalg.norm(np.clip(pixels, corners, corners + sizes) - pixels, axis=1)
        return list(zip(away.tolist(), ((corners + sizes)[:, 0] > 300) & (corners[:, 0] < 500), strict=True))

    places = moved()
    assert all(not away > 60.0 for away, _ in places)
    assert sum(is_over for _, is_over in places) * SIZE[0] * SIZE[1] <= 0.2 * body[2] * body[3]
    assert any(np.isnan(away) for away, _ in places)
    assert max(away for away, _ in moved(*range(6))) > 60.0, "what is selected is shown wherever there is room"


def test_no_more_than_asked_for() -> None:
    assert len(place([(10, 20 * k) for k in range(20)], limit=5)) == 5


def test_labels_of_frames_in_one_place_are_stacked_by_importance() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 0, 1e-9), (0, 0, 0), (np.nan, 0, 0)], np.float64)
    stacks = stack(points, np.array([1.0, 1.0, 3.0, 2.0, 1.0]))
    assert stacks.places.tolist() == [2, 0, 0, 1, 0]
    assert stacks.counts.tolist() == [3, 1, 3, 3, 1]
    assert stacks.heads.tolist() == [2, 1, 2, 2, 4]


def test_no_labels_make_no_stack() -> None:
    stacks = stack(np.zeros((0, 3)), np.zeros(0))
    assert [part.tolist() for part in (stacks.places, stacks.counts, stacks.heads)] == [[], [], []]


def closed(chosen: list[int], others: tuple[tuple[float, float], ...] = (), **more: Any) -> list[float]:
    """Return where the drawn ones of five labels in one place are, from the top down."""
    corners = np.array([(10.0, 100.0 + 20.0 * k) for k in range(5)] + list(others))
    sizes = np.tile(SIZE, (len(corners), 1))
    drawn = np.array([*chosen, *range(5, len(corners))], np.intp)
    stacks = stack(np.zeros((5, 3)), -np.arange(5.0))
    close_holes(corners, sizes, drawn, stacks, 20.0, more.pop("fixed", np.zeros(5, bool)), **more)
    return [float(corners[label, 1]) for label in chosen]


def test_a_stack_has_no_holes_where_labels_are_not_drawn() -> None:
    assert closed([0, 2, 4]) == [100, 120, 140]
    assert closed([4, 2, 0]) == [140, 120, 100], "whatever the order in which they were chosen"
    assert closed([1, 2]) == [100, 120]


def test_a_hole_with_something_else_in_it_stays() -> None:
    assert closed([0, 2, 4], others=((30, 121),)) == [100, 140, 160]
    assert closed([0, 2, 4], reserved=((0.0, 118.0, 50.0, 20.0),)) == [100, 140, 160]


def test_a_label_that_moved_out_of_the_way_stays_there() -> None:
    assert closed([0, 2, 4], fixed=np.array([False, False, True, False, False])) == [100, 140, 160]


def test_a_text_is_above_or_right_of_its_line() -> None:
    size = (80.0, 16.0)

    def moved(x: float, y: float, ratio: float = 1.0) -> list[float]:
        """Return how far a text moves on a line that goes so far right and down."""
        a = np.array([100.0, 100.0])
        return [float(each) for each in beside_line(a, a + np.array([x, y]), size, ratio)]

    assert moved(300, 0) == [0, -14], "above, 6 pixels away, also where the line is longer"
    assert moved(-60, 0) == [0, -14]
    assert moved(0, 60) == [46, 0]
    assert moved(0, 0, 2.0) == [0, -20]


@pytest.mark.parametrize("turn", np.linspace(0, 2 * np.pi, 13))
def test_a_text_beside_its_line_does_not_cover_it(turn: float) -> None:
    size, u = np.array([80.0, 16.0]), np.array([np.cos(turn), np.sin(turn)])
    away = beside_line(-200 * u, 200 * u, (80.0, 16.0))
    points = np.linspace(-200, 200, 401)[:, None] * u
    assert not (np.abs(points - away) < size / 2).all(axis=1).any()


def test_a_name_with_no_room_on_either_side_of_its_frame_stays_in_the_picture() -> None:
    """In a narrow view the left edge cut it."""
    pixels, sizes = np.array([[50.0, 40.0], [10.0, 40.0], [95.0, 80.0]]), np.array([[70.0, 16.0]] * 3)
    corners = beside_points(pixels, sizes, 100, 1.0, ())
    assert corners[:, 0].tolist() == [30.0, 19.0, 16.0]
