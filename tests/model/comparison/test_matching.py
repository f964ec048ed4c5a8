"""Frames that were renamed are matched by their places, thousands as well as a few."""

from __future__ import annotations

import time

import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.model.comparison.difference import match_frames
from sdfviewer.model.model import Model
from sdfviewer.model.names import FreeNames


def _frames(prefix: str, count: int, *, equal: int = 0) -> Model:
    """Return a model of frames, the last of them at one place."""
    poses = [(number if number < count - equal else 0.5) for number in range(count)]
    frames = "".join(
        f'<frame name="{prefix}{number}"><pose>{pose} -0.1 0.3 0 0 {0.1 * (number % 7)}</pose></frame>'
        for number, pose in enumerate(poses)
    )
    return load_model(f'<sdf version="1.11"><model name="m"><link name="l"/>{frames}</model></sdf>')


@pytest.mark.parametrize("count", [10, 600])
def test_renamed_frames_are_those_at_the_same_places(count: int) -> None:
    a, b = _frames("a", count), _frames("b", count)
    assert match_frames(a, b) == {row: row for row in range(len(a))}


@pytest.mark.parametrize("count", [14, 602])
def test_renamed_frames_at_one_place_are_not_guessed(count: int) -> None:
    a, b = _frames("a", count, equal=14), _frames("b", count, equal=14)
    # Those of one angle at one place are two each.
    assert match_frames(a, b) == {row: row for row in range(len(a) - 14)}


def test_the_cost_of_matching_grows_in_step_with_the_frames() -> None:
    took = []
    for count in (2000, 16_000):
        a, b = _frames("a", count), _frames("b", count)
        began = time.thread_time()
        match_frames(a, b)
        took.append(time.thread_time() - began)
    assert took[1] < 30 * took[0], "eight times as many take sixty-four times as long"


def test_each_free_name_is_given_once() -> None:
    free = FreeNames(["world"])
    names = [free.new(wanted) for wanted in ("a", "world", "a", "a_", "a", "a_2", "a")]
    assert names == ["a", "world_", "a_", "a__", "a_2", "a_2_", "a_3"]


def test_thousands_of_equal_names_cost_thousands_of_steps() -> None:
    free = FreeNames()
    names = [free.new("v") for _ in range(100_000)]
    assert len(set(names)) == 100_000
    assert max(map(len, names)) < 10


def test_rows_that_are_known_are_not_matched_by_name() -> None:
    a, b = _frames("a", 3), _frames("a", 3)
    assert match_frames(a, b, rows={2: 4, 3: 3, 4: 2}) == {0: 0, 1: 1, 2: 4, 3: 3, 4: 2}
