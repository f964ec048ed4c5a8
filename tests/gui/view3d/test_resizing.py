"""Pulling the face of a box with a mouse that is really pressed and dragged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from sdfviewer.formats.contents import read_shape
from sdfviewer.gui.context.settings import Settings
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.kind import Geometry
from tests.gui.stage import Stage

pytestmark = pytest.mark.pictures

BOX = "<pose>0 0 0.05 0 0 0</pose><geometry><box><size>0.1 0.1 0.1</size></box></geometry>"
TEXT = f"""<sdf version="1.11">
  <model name="m">
    <link name="base">
      <inertial><pose>0 0 0.05 0 0 0</pose><mass>1</mass>
        <inertia><ixx>0.00167</ixx><iyy>0.00167</iyy><izz>0.00167</izz></inertia></inertial>
      <visual name="shell">{BOX}</visual>
      <collision name="hull">{BOX}</collision>
    </link>
  </model>
</sdf>
"""


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Iterator[Stage]:
    stage = Stage(qtbot, settings, TEXT)
    stage.session.select(("m::base",))
    stage.canvas.tools.resize.choose(True, snaps=False)
    stage.canvas.grabFramebuffer()
    yield stage
    stage.close()


def top(stage: Stage) -> QPoint:
    """Return where the handle on the top of the box is."""
    resizing = stage.canvas.tools.resize.resizing()
    assert resizing is not None
    handle = next(each for each in resizing.handles() if [grip.along for grip in each] == [(0, 0, 1)])
    x, y = resizing.pixel(handle).tolist()
    return QPoint(round(x), round(y))


def written(stage: Stage, name: str) -> Geometry:
    model = stage.session.model
    assert model is not None
    return read_shape(model, model.row(f"m::base::{name}"))


def test_a_pull_is_shown_at_once_and_changes_all_of_the_part_in_one_step(stage: Stage) -> None:
    at = top(stage)
    stage.press(at)
    stage.move(at - QPoint(0, 60))
    resizing = stage.canvas.tools.resize.resizing()
    assert resizing is not None
    shown = resizing.geometry
    assert isinstance(shown, Box)
    assert shown.size[2] > 0.11
    drawn = {each.scale for each in stage.canvas.feed.scene.surfaces}
    assert drawn == {shown.size}
    assert stage.text == TEXT
    stage.release(at - QPoint(0, 60))
    assert written(stage, "shell") == written(stage, "hull") == shown
    assert stage.X("base::shell")[2, 3] == pytest.approx(shown.size[2] / 2)  # the bottom stays
    assert "<mass>1</mass>" not in stage.text
    stage.context.edits.undo()
    assert stage.text == TEXT


def test_a_size_is_typed_and_escape_gives_up(stage: Stage) -> None:
    at = top(stage)
    stage.press(at)
    stage.type("0.3")
    stage.key(Qt.Key.Key_Escape)
    stage.release(at)
    assert stage.text == TEXT
    assert {each.scale for each in stage.canvas.feed.scene.surfaces} == {(0.1, 0.1, 0.1)}
    stage.press(at)
    stage.type("0.3")
    stage.key(Qt.Key.Key_Return)
    stage.release(at)
    assert written(stage, "shell") == written(stage, "hull") == Box((0.1, 0.1, 0.3))
    assert "<mass>3</mass>" in stage.text


def test_s_separates_the_shape_while_it_is_pulled(stage: Stage) -> None:
    stage.session.select(("m::base::hull",))
    at = top(stage)
    stage.press(at)
    stage.type("0.3")
    stage.key(Qt.Key.Key_S)
    stage.key(Qt.Key.Key_Return)
    stage.release(at)
    assert written(stage, "hull") == Box((0.1, 0.1, 0.3))
    assert written(stage, "shell") == Box((0.1, 0.1, 0.1))
