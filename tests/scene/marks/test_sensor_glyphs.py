"""Drawings of sensors: many frusta and icons give way to what the user looks at."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.model.contents import Camera, SensorContents
from sdfviewer.scene.glyphs import MOST_ICONS, MOST_VIEWS, sensor_lines, shown_lines
from sdfviewer.scene.nodes import Detail, Lines

CAMERA = SensorContents("s", "camera", cameras=(Camera(1.0),))
IMU = SensorContents("s", "imu")
#: A sensor of each form, and how many of them are drawn in full.
FORMS = [pytest.param(CAMERA, MOST_VIEWS, id="frusta"), pytest.param(IMU, MOST_ICONS, id="icons")]


def sensors(sensor: SensorContents, count: int, first: int = 0) -> Lines:
    return Lines.concatenate([sensor_lines(row, sensor) for row in range(first, first + count)])


def of(lines: Lines, *details: Detail) -> set[int]:
    return set(lines.owners[np.isin(lines.details, [detail.value for detail in details])].tolist())


def large(lines: Lines) -> set[int]:
    return of(lines, Detail.LARGE_VIEW, Detail.LARGE_ICON)


def small(lines: Lines) -> set[int]:
    return of(lines, Detail.SMALL_VIEW, Detail.SMALL_ICON)


@pytest.mark.parametrize(("sensor", "most"), FORMS)
def test_a_few_are_all_drawn_in_full(sensor: SensorContents, most: int) -> None:
    shown = shown_lines(sensors(sensor, most), np.zeros(most, bool), declutter=True)
    assert large(shown) == set(range(most))
    assert small(shown) == set()


@pytest.mark.parametrize(("sensor", "most"), FORMS)
def test_of_many_only_that_of_the_selected_sensor_is_large(sensor: SensorContents, most: int) -> None:
    count = most + 2
    attended = np.zeros(count, bool)
    attended[1] = True
    shown = shown_lines(sensors(sensor, count), attended, declutter=True)
    assert large(shown) == {1}
    assert small(shown) == set(range(count)) - {1}
    reach = [np.abs(shown.points[shown.owners == row]).max() for row in (0, 1)]
    assert reach[0] < 0.6 * reach[1]


@pytest.mark.parametrize(("sensor", "most"), FORMS)
@pytest.mark.parametrize("more", [-1, 2])
def test_all_are_large_on_request(sensor: SensorContents, most: int, more: int) -> None:
    count = most + more
    shown = shown_lines(sensors(sensor, count), np.zeros(count, bool), declutter=False)
    assert large(shown) == set(range(count))
    assert small(shown) == set()


def test_many_icons_leave_a_camera_its_frustum() -> None:
    lines = Lines.concatenate([sensors(CAMERA, 1), sensors(IMU, MOST_ICONS + 1, first=1)])
    shown = shown_lines(lines, np.zeros(MOST_ICONS + 2, bool), declutter=True)
    assert large(shown) == {0}
