"""Drawings of sensors: many frusta give way to what the user looks at."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.model.contents import Camera, SensorContents
from sdfviewer.scene.nodes import Detail, Lines
from sdfviewer.scene.sensor_glyphs import MOST_FRUSTA, sensor_lines, shown_lines

CAMERA = SensorContents("s", "camera", cameras=(Camera(1.0),))


def cameras(count: int) -> Lines:
    return Lines.concatenate([sensor_lines(row, CAMERA) for row in range(count)])


def large(lines: Lines) -> set[int]:
    return set(lines.owners[lines.details == Detail.FULL.value].tolist())


def small(lines: Lines) -> set[int]:
    return set(lines.owners[lines.details == Detail.BRIEF.value].tolist())


def test_a_few_frusta_are_all_drawn() -> None:
    shown = shown_lines(cameras(MOST_FRUSTA), np.zeros(MOST_FRUSTA, bool), declutter=True)
    assert large(shown) == set(range(MOST_FRUSTA))
    assert small(shown) == set()


def test_of_many_only_that_of_the_selected_sensor_is_large() -> None:
    count = MOST_FRUSTA + 2
    attended = np.zeros(count, bool)
    attended[1] = True
    shown = shown_lines(cameras(count), attended, declutter=True)
    assert large(shown) == {1}
    assert small(shown) == set(range(count)) - {1}


@pytest.mark.parametrize("count", [1, MOST_FRUSTA + 2])
def test_all_are_large_on_request(count: int) -> None:
    shown = shown_lines(cameras(count), np.zeros(count, bool), declutter=False)
    assert large(shown) == set(range(count))
