"""Dragging a point on the axis of its joint: the mouse turns the joint, or the status bar says why nothing moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from tests.gui.stage import Stage

pytestmark = pytest.mark.pictures

ALT = Qt.KeyboardModifier.AltModifier

_TEXT = """<sdf version="1.11">
  <model name="m">
    <link name="base"/>
    <link name="hand">
      <pose>0 0 0.5 0 0 0</pose>
      <visual name="v"><geometry><cylinder><radius>0.2</radius><length>0.6</length></cylinder></geometry></visual>
    </link>
    <joint name="wrist" type="{type}">
      <parent>base</parent><child>hand</child>
      <axis><xyz>{axis}</xyz><limit><lower>{lower}</lower><upper>2</upper></limit></axis>
    </joint>
  </model>
</sdf>
"""

Stand = Callable[..., Stage]


@pytest.fixture
def stand(qtbot: QtBot, settings: Settings) -> Iterator[Stand]:
    made = []

    def make(type: str = "revolute", axis: str = "0 0 1", side: str = "front", lower: float = -2) -> Stage:
        stage = Stage(qtbot, settings, _TEXT.format(type=type, axis=axis, lower=lower))
        made.append(stage)
        camera = stage.canvas.camera.seen_from(side).looking_at((0.0, 0.0, 0.5), distance=3.0)
        stage.canvas.camera_control.move_to(replace(camera, orthographic=True))
        stage.canvas.grabFramebuffer()
        return stage

    yield make
    for each in made:
        each.close()


def drag(stage: Stage, *path: QPoint) -> float:
    """Drag the frame of the hand along points beside it; return where its joint is."""
    centre, _ = stage.canvas.camera.project(stage.X("m::hand")[:3, 3], stage.canvas.width(), stage.canvas.height())
    middle = QPoint(round(centre[0]), round(centre[1]))
    QTest.mousePress(stage.canvas, Qt.MouseButton.LeftButton, ALT, middle)
    last = QPoint()
    for point in path:
        for step in range(1, 9):
            stage.move(middle + last + (point - last) * (step / 8), ALT)
        last = point
    QTest.mouseRelease(stage.canvas, Qt.MouseButton.LeftButton, ALT, middle + last)
    (position,) = stage.session.positions.get("m::wrist", (0.0,))
    return position


def test_the_mouse_rolls_the_front_of_a_link_that_is_held_on_its_axis(stand: Stand) -> None:
    stage = stand()
    position = drag(stage, QPoint(60, 0))
    # From the front, +x towards the viewer, the right of the picture is +y: the front goes there with positive turns.
    assert 0.3 < position < 1.5
    assert stage.refused == []


def test_along_the_axis_nothing_turns(stand: Stand) -> None:
    assert drag(stand(), QPoint(0, 60)) == pytest.approx(0.0, abs=1e-9)


def test_round_an_axis_seen_end_on_the_link_turns_as_the_mouse_goes(stand: Stand) -> None:
    stage = stand(axis="1 0 0")
    # From the right over the top to the left, seen from where the axis points to: against the clock.
    assert drag(stage, QPoint(50, 0), QPoint(0, -50)) == pytest.approx(np.pi / 2, abs=0.02)


def test_a_joint_that_points_away_turns_the_other_way(stand: Stand) -> None:
    stage = stand(axis="-1 0 0")
    assert drag(stage, QPoint(50, 0), QPoint(0, -50)) == pytest.approx(-np.pi / 2, abs=0.02)


def test_limits_hold_and_a_drag_back_comes_back(stand: Stand) -> None:
    stage = stand(lower=-0.1)
    assert drag(stage, QPoint(-200, 0)) == pytest.approx(-0.1)
    stage = stand()
    assert drag(stage, QPoint(80, 0), QPoint(0, 0)) == pytest.approx(0.0, abs=1e-9)


def test_a_slide_along_the_line_of_sight_says_why_it_stays(stand: Stand) -> None:
    stage = stand(type="prismatic", axis="1 0 0")
    camera = stage.canvas.camera
    assert drag(stage, QPoint(60, 30)) == 0.0
    assert stage.refused == ["'wrist' slides along the line of sight: look at it from another side."]
    assert stage.canvas.camera == camera


def test_the_centre_of_a_ball_joint_says_why_it_stays(stand: Stand) -> None:
    stage = stand(type="ball")
    drag(stage, QPoint(60, 30))
    assert stage.session.positions == {}
    assert stage.refused == ["'hand' lies on the axes of 'wrist': drag a point beside them."]


def test_a_slide_across_the_line_of_sight_follows_the_mouse(stand: Stand) -> None:
    stage = stand(type="prismatic", axis="0 1 0")
    per_pixel = float(stage.canvas.camera.metres_per_pixel(np.zeros(3), stage.canvas.height()))
    assert drag(stage, QPoint(60, 0)) == pytest.approx(60 * per_pixel, rel=0.05)
