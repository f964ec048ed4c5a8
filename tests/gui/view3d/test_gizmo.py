"""Moving and turning frames by handles, with a mouse that is really pressed and dragged."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import AngleUnit, NumberField
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.tools.gizmo_tool import Axes
from sdfviewer.scene.tools.gizmo import Handle, Mode, shortened
from sdfviewer.transforms import invert
from tests.gui.stage import Stage

pytestmark = pytest.mark.pictures

TEXT = """<?xml version="1.0"?>
<sdf version="1.11">
  <model name="m">
    <link name="base"/>
    <joint name="hinge" type="revolute">
      <pose relative_to="base">0 0 1  0 0 0</pose>
      <parent>base</parent>
      <child>arm</child>
      <axis><xyz>0 1 0</xyz></axis>
    </joint>
    <link name="arm">
      <pose relative_to="hinge">0 0 0  0 0 0</pose> <!-- kept -->
      <visual name="v"><geometry><box><size>0.1 0.1 0.8</size></box></geometry></visual>
    </link>
    <frame name="tip" attached_to="arm">
      <pose degrees="true">0 0 0.5  0 90 0</pose>
    </frame>
    <frame name="tool" attached_to="tip"><pose>0.1 0 0 0 0 0</pose></frame>
  </model>
</sdf>
"""


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Iterator[Stage]:
    stage = Stage(qtbot, settings, TEXT)
    yield stage
    stage.close()


def test_a_drag_is_shown_before_it_is_written_and_is_one_undo_step(stage: Stage) -> None:
    before, text = stage.X("tip"), stage.text
    stage.take("tip", mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(Handle(Mode.MOVE, (2,)), QPoint(0, -60))
    stage.canvas.grabFramebuffer()  # the handles can be drawn
    assert stage.text == text
    assert stage.shown("tip")[2, 3] > before[2, 3] + 0.05
    np.testing.assert_allclose(stage.shown("tip")[:2, 3], before[:2, 3], atol=1e-12)
    # What is relative to it moves along, what carries it does not.
    X_TipTool = invert(stage.shown("tip")) @ stage.shown("tool")
    np.testing.assert_allclose(X_TipTool, invert(before) @ stage.X("tool"), atol=1e-12)
    np.testing.assert_allclose(stage.shown("arm"), stage.X("arm"))
    shown = stage.shown("tip")
    stage.release(end)
    np.testing.assert_allclose(stage.X("tip"), shown, atol=1e-9)
    label = stage.session.history.undo_label
    # Written in the frame and the notation that it was authored in, and nothing but the number that changed.
    number = re.search(r'<pose degrees="true">0 0 (\S+)  0 90 0</pose>', stage.text)
    assert number is not None
    assert label == f"Set z of tip to {float(number[1]):.4g}"
    assert float(number[1]) == pytest.approx(shown[2, 3] - 1.0, abs=1e-9)
    assert stage.text.replace(number[1], "0.5", 1) == text
    stage.session.undo()
    assert stage.text == text
    np.testing.assert_allclose(stage.shown("tip"), before)


URDF = """<robot name="m">
  <link name="base"/>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="wheel"/>
    <origin rpy="0 0  1.50" xyz="0 0 1.0"/> <!-- kept -->
  </joint>
  <link name="wheel"><visual><geometry><sphere radius="0.2"/></geometry></visual></link>
  <joint name="mount" type="fixed"><parent link="wheel"/><child link="tip"/><origin xyz="0 0 0.5"/></joint>
  <link name="tip"/>
</robot>
"""


def test_a_wheel_of_a_urdf_is_dragged_into_the_origin_of_its_joint(qtbot: QtBot, settings: Settings) -> None:
    stage = Stage(qtbot, settings, URDF)
    try:
        stage.take("wheel", mode=Mode.MOVE, axes=Axes.WORLD)
        end = stage.drag(Handle(Mode.MOVE, (2,)), QPoint(0, -60))
        shown, tip = stage.shown("wheel"), stage.shown("tip")
        assert shown[2, 3] > 1.05
        stage.release(end)
        np.testing.assert_allclose(stage.X("wheel"), shown, atol=1e-9)
        np.testing.assert_allclose(stage.X("tip"), tip, atol=1e-9)
        number = re.search(r'xyz="0 0 (\S+)"/> <!-- kept', stage.text)
        assert number is not None
        assert stage.text.replace(number[1], "1.0", 1) == URDF
        stage.session.undo()
        assert stage.text == URDF
    finally:
        stage.close()


def test_local_axes_are_those_of_the_frame(stage: Stage) -> None:
    before = stage.X("tip")
    stage.take("tip", mode=Mode.MOVE)
    for axis in range(3):
        stage.press(stage.place(Handle(Mode.MOVE, (axis,))))
        for letter in "0.25":
            stage.key(letter)
        stage.key(Qt.Key.Key_Return)
        moved = invert(before) @ stage.X("tip")
        np.testing.assert_allclose(moved[:3, 3], 0.25 * np.eye(3)[axis], atol=1e-9)
        stage.session.undo()


def test_a_link_is_moved_with_its_frames_and_written_relative_to_its_joint(stage: Stage) -> None:
    stage.take("arm", mode=Mode.MOVE, axes=Axes.RELATIVE_TO)
    end = stage.drag(Handle(Mode.MOVE, (0,)), QPoint(30, 20))
    stage.release(end)
    x = stage.X("arm")[0, 3]
    assert abs(x) > 0.01
    assert '<pose relative_to="hinge">' in stage.text
    assert "<!-- kept -->" in stage.text
    np.testing.assert_allclose(stage.X("tip")[:3, 3], [x, 0, 1.5], atol=1e-9)
    np.testing.assert_allclose(stage.X("hinge")[:3, 3], [0, 0, 1], atol=1e-12)


def test_a_joint_is_moved_with_what_is_on_it(stage: Stage) -> None:
    stage.take("hinge", mode=Mode.MOVE, axes=Axes.WORLD)
    stage.press(stage.place(Handle(Mode.MOVE, (2,))))
    stage.key("-")
    stage.key(".")
    stage.key("5")
    stage.key(Qt.Key.Key_Enter)
    assert '<pose relative_to="base">0 0 0.5  0 0 0</pose>' in stage.text
    np.testing.assert_allclose(stage.X("arm")[:3, 3], [0, 0, 0.5], atol=1e-12)


def test_a_typed_angle_is_in_the_unit_of_the_settings(stage: Stage, settings: Settings) -> None:
    settings.angle_unit = AngleUnit.DEGREES
    before = stage.X("tip")
    stage.take("tip", mode=Mode.ROTATE, axes=Axes.WORLD)
    stage.press(stage.place(Handle(Mode.ROTATE, (2,))))
    for letter in "90":
        stage.key(letter)
    assert "90▏°" in stage.canvas.tools.gizmo.text()
    stage.key(Qt.Key.Key_Return)
    turn = stage.X("tip")[:3, :3] @ before[:3, :3].T
    np.testing.assert_allclose(turn, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-9)
    np.testing.assert_allclose(stage.X("tip")[:3, 3], before[:3, 3], atol=1e-9)
    assert stage.session.history.undo_label == "Set yaw of tip to 90°"


def test_a_ring_turns_about_its_axis_the_way_the_mouse_goes(stage: Stage) -> None:
    before = stage.X("tip")
    stage.take("tip", mode=Mode.ROTATE, axes=Axes.WORLD)
    gizmo = stage.canvas.tools.gizmo.gizmo()
    assert gizmo is not None
    for axis in range(3):
        start = stage.place(Handle(Mode.ROTATE, (axis,)))
        stage.press(start)
        # Along the ring by a quarter of a radian.
        rim = gizmo.outline(Handle(Mode.ROTATE, (axis,)))
        here = int(np.argmin(np.linalg.norm(rim - [start.x(), start.y()], axis=1)))
        there = here + 6 if here + 6 < len(rim) else here - 6
        stage.move(QPoint(round(rim[there][0]), round(rim[there][1])))
        turn = stage.shown("tip")[:3, :3] @ before[:3, :3].T
        u = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        angle = math.atan2(float(np.linalg.norm(u)), float(np.trace(turn)) - 1)
        np.testing.assert_allclose(np.abs(u / np.linalg.norm(u)), np.eye(3)[axis], atol=1e-6)
        assert angle == pytest.approx(6 * math.pi / 71, abs=0.08)
        np.testing.assert_allclose(stage.shown("tip")[:3, 3], before[:3, 3], atol=1e-12)
        stage.key(Qt.Key.Key_Escape)
        stage.release(start)


@pytest.mark.parametrize(("attribute", "quarter"), [(' degrees="true"', "90"), ("", "1.5707963267948966")])
def test_a_drag_in_steps_writes_the_angles_with_the_most_zeros(
    qtbot: QtBot, settings: Settings, attribute: str, quarter: str
) -> None:
    """Past a pitch of 90° the other triple of the rotation has three angles instead of one."""
    settings.snap_angle = math.radians(15)
    stage = Stage(
        qtbot, settings, TEXT.replace(' degrees="true">0 0 0.5  0 90 0', f"{attribute}>0 0 0.5  0 {quarter} 0")
    )
    try:
        for steps in (3, -3, 8):
            stage.take("tip", mode=Mode.ROTATE, axes=Axes.WORLD)
            gizmo = stage.canvas.tools.gizmo.gizmo()
            assert gizmo is not None
            start = stage.place(Handle(Mode.ROTATE, (1,)))
            stage.press(start)
            rim = gizmo.outline(Handle(Mode.ROTATE, (1,)))
            here = int(np.argmin(np.linalg.norm(rim - [start.x(), start.y()], axis=1)))
            end = QPoint(*(round(each) for each in rim[(here + 3 * steps) % len(rim)]))
            stage.move(end, Qt.KeyboardModifier.ControlModifier)
            shown = stage.shown("tip")
            stage.release(end)
            np.testing.assert_allclose(stage.X("tip"), shown, atol=1e-15)
            written = re.search(rf"<pose{attribute}>0 0 0.5  0 (\S+) 0</pose>", stage.text)
            assert written is not None, stage.text
            degrees = float(written[1]) if attribute else math.degrees(float(written[1]))
            assert degrees == pytest.approx(15 * round(degrees / 15), abs=1e-12)
            assert round(degrees) != 90
            assert attribute == "" or written[1] == str(round(degrees))
            stage.session.undo()
    finally:
        stage.close()


def test_keys_hold_an_axis_and_let_it_go(stage: Stage) -> None:
    before = stage.X("tip")[:3, 3]
    stage.take("tip", mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(Handle(Mode.MOVE, ()), QPoint(40, -50))
    free = stage.shown("tip")[:3, 3] - before
    assert (np.abs(free) > 1e-3).sum() == 3
    stage.key(Qt.Key.Key_Z)
    held = stage.shown("tip")[:3, 3] - before
    np.testing.assert_allclose(held[:2], 0, atol=1e-12)
    assert held[2] > 0.01
    stage.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ShiftModifier)
    plane = stage.shown("tip")[:3, 3] - before
    assert plane[2] == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(plane[:2]) > 0.01
    stage.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ShiftModifier)
    np.testing.assert_allclose(stage.shown("tip")[:3, 3] - before, free, atol=1e-9)
    stage.release(end)


def test_ctrl_snaps_to_the_steps_of_the_settings(stage: Stage, settings: Settings) -> None:
    settings.snap_length = 0.05
    before = stage.X("tip")
    stage.take("tip", mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(Handle(Mode.MOVE, (2,)), QPoint(0, -57), Qt.KeyboardModifier.ControlModifier)
    stage.release(end)
    steps = (stage.X("tip")[2, 3] - before[2, 3]) / 0.05
    assert round(steps) >= 1
    assert steps == pytest.approx(round(steps), abs=1e-9)


def test_escape_puts_the_frame_back(stage: Stage) -> None:
    text, before = stage.text, stage.X("tip")
    stage.take("tip", mode=Mode.MOVE)
    end = stage.drag(Handle(Mode.MOVE, ()), QPoint(50, 50))
    assert not np.allclose(stage.shown("tip"), before)
    stage.key(Qt.Key.Key_Escape)
    np.testing.assert_allclose(stage.shown("tip"), before)
    # The button is still down, and what it does now means nothing.
    stage.move(end + QPoint(9, 9))
    stage.release(end)
    assert stage.text == text
    assert stage.session.selection == ("m::tip",)


def test_letters_are_for_the_tool_while_something_is_held(qtbot: QtBot, stage: Stage) -> None:
    override = QEvent(QEvent.Type.ShortcutOverride)
    override.ignore()
    stage.take("tip", mode=Mode.MOVE)
    end = stage.drag(Handle(Mode.MOVE, ()), QPoint(5, 5))
    assert stage.canvas.event(override)
    stage.release(end)
    assert not stage.canvas.tools.is_dragging


@pytest.mark.parametrize("name", ["tip", "arm", "hinge"])
def test_a_posed_frame_follows_the_hand_and_lands_where_it_was_left(stage: Stage, name: str) -> None:
    stage.session.move_joints({"m::hinge": (0.7,)})
    stage.take(name, mode=Mode.MOVE, axes=Axes.WORLD)
    before = stage.X(name)
    end = stage.drag(Handle(Mode.MOVE, ()), QPoint(40, -30))
    shown = stage.shown(name)
    drag = stage.canvas.tools.gizmo.drag
    assert drag is not None
    # It follows to a quarter of a pixel, which keeps the numbers in the text short.
    amounts = [shortened(each, drag.resolution) for each in drag.amounts(end.x(), end.y())]
    np.testing.assert_allclose(amounts, drag.amounts(end.x(), end.y()), atol=drag.resolution / 4)
    wanted = drag.motion(amounts) @ before
    np.testing.assert_allclose(shown, wanted, atol=1e-9)
    stage.release(end)
    np.testing.assert_allclose(stage.X(name), wanted, atol=1e-9)


def test_the_root_and_nothing_have_no_handles(stage: Stage) -> None:
    stage.take("tip", mode=Mode.MOVE)
    assert stage.canvas.tools.gizmo.gizmo() is not None
    stage.session.select(("m",))
    assert stage.canvas.tools.gizmo.gizmo() is None
    assert stage.refused == ["the root frame cannot be moved: all other poses depend on it"]
    stage.session.select(())
    assert stage.canvas.tools.gizmo.gizmo() is None


def test_the_handles_keep_their_size_on_screen(stage: Stage) -> None:
    stage.take("tip", mode=Mode.ROTATE)
    lengths = []
    for distance in (2.0, 20.0):
        stage.canvas.camera = stage.canvas.camera.looking_at(stage.X("tip")[:3, 3], distance)
        gizmo = stage.canvas.tools.gizmo.gizmo()
        assert gizmo is not None
        ring = gizmo.outline(Handle(Mode.ROTATE, ()))
        lengths.append(float(np.ptp(ring[:, 0])))
    assert lengths[0] == pytest.approx(lengths[1], rel=0.02)


def test_the_text_that_changes_under_the_hand_lets_go(stage: Stage) -> None:
    stage.take("tip", mode=Mode.MOVE)
    stage.session.select(("m::tool",))
    stage.session.select(("m::tip",))
    end = stage.drag(Handle(Mode.MOVE, ()), QPoint(20, 20))
    stage.session.select(())
    assert stage.canvas.tools.gizmo.drag is None
    np.testing.assert_allclose(stage.shown("tip"), stage.X("tip"))
    stage.release(end)
    assert not stage.session.dirty


def test_the_buttons_fill_the_columns_of_the_tool_strip(arm: OpenFile) -> None:
    strip = arm.view.strip
    buttons = [button for button in strip.findChildren(QToolButton) if button.parent() is strip]
    grid = strip.layout()
    assert isinstance(grid, QGridLayout)
    for height in (600, 420, 330, 200):
        strip.fit(height)
        places = [cast(tuple[int, ...], grid.getItemPosition(grid.indexOf(button))) for button in buttons]
        columns = Counter(place[1] for place in places)
        assert max(columns.values()) - min(columns.values()) < len(columns)


def test_the_tools_are_in_the_view(window: MainWindow, arm: OpenFile, settings: Settings) -> None:
    canvas = arm.view.canvas
    assert canvas is not None
    strip = arm.view.strip
    buttons = {
        button.defaultAction().objectName(): button
        for button in strip.findChildren(QToolButton)
        if button.defaultAction()
    }
    QTest.mouseClick(buttons["tool.rotate"], Qt.MouseButton.LeftButton)
    assert canvas.tools.gizmo.mode is Mode.ROTATE
    window.actions_by_id["axes.world"].trigger()
    assert canvas.tools.gizmo.axes is Axes.WORLD
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.tools.gizmo.mode is None
    assert window.actions_by_id["tool.select"].isChecked()
    menu = buttons["tool.snap"].menu()
    menu.aboutToShow.emit()
    length, angle = menu.findChildren(NumberField)
    assert (length.value, angle.value) == pytest.approx((settings.snap_length, settings.snap_angle))
    length.committed.emit(0.2)
    angle.committed.emit(-1.0)  # makes no step
    assert settings.snap_length == 0.2
    assert settings.snap_angle == pytest.approx(math.radians(5))
    QTest.mouseClick(buttons["tool.snap"], Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert canvas.tools.gizmo.snaps


@pytest.mark.panels("tree")
def test_choosing_a_tool_says_what_it_needs(window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["tool.move"].trigger()
    assert arm.view.canvas is not None
    note = arm.view.canvas.findChild(QLabel, "tool_refusal")
    assert isinstance(note, QLabel)
    assert note.text() == "Select what to move: click it here or in the tree."
    assert not note.isHidden(), "it stays until something is selected"
    arm.session.select(("arm",))
    assert "root frame" in window.status.message


def test_the_amount_stays_in_a_narrow_view(stage: Stage, qtbot: QtBot) -> None:
    stage.view.resize(200, 240)
    qtbot.waitUntil(lambda: stage.canvas.width() <= 200)
    text, note = "Top of shoulder_lift_link::a_rather_long_name_of_a_visual: 0.25 m", "Ctrl: the point as it is"
    stage.canvas.tools.show_message(text, QPointF(150, 60), note)
    label = stage.canvas.findChild(QLabel, "tool_amount")
    assert label is not None
    assert stage.canvas.rect().contains(label.geometry())
    assert label.sizeHint().width() <= label.width(), "nothing is cut"
