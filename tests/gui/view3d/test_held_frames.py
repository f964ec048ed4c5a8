"""What goes along with a frame that is dragged, and what stays: seen before it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.properties.panel import PropertiesPanel
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.tools.gizmo_tool import Axes
from sdfviewer.scene.tools.gizmo import Handle, Mode
from sdfviewer.transforms import invert, matrix_to_pose
from tests.gui.stage import Stage

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
      <pose relative_to="hinge">0 0 0  0 0 0</pose>
      <visual name="v"><geometry><box><size>0.1 0.1 0.8</size></box></geometry></visual>
    </link>
    <frame name="tip" attached_to="arm"><pose degrees="true">0 0 0.5  0 90 0</pose></frame>
    <frame name="tool" attached_to="tip"><pose>0.1 0 0 0 0 0</pose></frame>
    <frame name="eye"><pose>0.5 0.5 1 0 0 0</pose></frame>
    <frame name="lost" attached_to="nothing"/>
    <include><uri>hand.sdf</uri><name>hand</name><pose>0 0.5 0 0 0 0</pose></include>
  </model>
</sdf>
"""
HAND = '<sdf version="1.11"><model name="hand"><link name="palm"/><frame name="thumb"/></model></sdf>'
CONTROL = Qt.KeyboardModifier.ControlModifier
UP, FREE = Handle(Mode.MOVE, (2,)), Handle(Mode.MOVE, ())


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings, tmp_path: Path) -> Iterator[Stage]:
    (tmp_path / "hand.sdf").write_text(HAND, encoding="utf-8")
    stage = Stage(qtbot, settings, TEXT, tmp_path / "m.sdf")
    yield stage
    stage.close()


@pytest.fixture
def panel(qtbot: QtBot, stage: Stage, settings: Settings) -> PropertiesPanel:
    panel = PropertiesPanel(stage.context, settings)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def readout(stage: Stage) -> str:
    """Return what is said beside the mouse, without its markup."""
    label = stage.canvas.findChild(QLabel, "tool_amount")
    assert isinstance(label, QLabel)
    return re.sub("<[^>]*>", " ", label.text()) if label.isVisible() else ""


@pytest.mark.parametrize("position", [0.0, 0.7])
def test_all_selected_frames_move_as_one_and_are_one_undo_step(stage: Stage, position: float) -> None:
    stage.session.move_joints({"m::hinge": (position,)})
    names = ("eye", "tip", "tool")
    before = {name: stage.X(name) for name in (*names, "arm")}
    text = stage.text
    stage.take(*names, mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(UP, QPoint(0, -60))
    rise = stage.shown("tool")[2, 3] - before["tool"][2, 3]
    assert rise > 0.05
    for name in names:
        moved = stage.shown(name) @ invert(before[name])
        np.testing.assert_allclose(moved, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, rise], [0, 0, 0, 1]], atol=1e-9)
    assert stage.text == text
    stage.release(end)
    for name in names:
        np.testing.assert_allclose(stage.X(name)[2, 3], before[name][2, 3] + rise, atol=1e-9)
    np.testing.assert_allclose(stage.X("arm"), before["arm"])
    assert stage.session.history.undo_label == "Move 3 elements"
    # The tool is measured from the tip, which takes it along: its numbers stay.
    assert '<frame name="tool" attached_to="tip"><pose>0.1 0 0 0 0 0</pose></frame>' in stage.text
    stage.session.undo()
    assert stage.text == text


def test_several_frames_turn_about_the_one_selected_last(stage: Stage) -> None:
    before = {name: stage.X(name) for name in ("tip", "eye")}
    stage.take("tip", "eye", mode=Mode.ROTATE, axes=Axes.WORLD)
    gizmo = stage.canvas.tools.gizmo.gizmo()
    assert gizmo is not None
    np.testing.assert_allclose(gizmo.origin, before["eye"][:3, 3])
    stage.press(stage.place(Handle(Mode.ROTATE, (2,))))
    stage.type("pi/2")
    stage.key(Qt.Key.Key_Return)
    np.testing.assert_allclose(stage.X("eye")[:3, 3], before["eye"][:3, 3], atol=1e-9)
    x, y, z = before["tip"][:3, 3] - before["eye"][:3, 3]
    np.testing.assert_allclose(stage.X("tip")[:3, 3], before["eye"][:3, 3] + [-y, x, z], atol=1e-9)


def test_choosing_several_says_how_they_move(stage: Stage) -> None:
    said: list[str] = []
    stage.context.messages.shown.connect(said.append)
    stage.take("tip", "eye", mode=Mode.ROTATE)
    assert said[-1] == "Rotates 2 frames as one about eye."


def test_a_frame_that_is_moved_alone_leaves_what_is_measured_from_it(stage: Stage) -> None:
    others = ("arm", "tip", "tool", "base")
    before = {name: stage.X(name) for name in others}
    text = stage.text
    stage.take("hinge", mode=Mode.MOVE, axes=Axes.WORLD, alone=True)
    end = stage.drag(UP, QPoint(0, -50))
    assert "keeps 1 link in place" in readout(stage)
    for name in others:
        np.testing.assert_allclose(stage.shown(name), before[name], atol=1e-12)
    rise = stage.shown("hinge")[2, 3] - 1
    assert rise > 0.01
    stage.release(end)
    for name in others:
        np.testing.assert_allclose(stage.X(name), before[name], atol=1e-12)
    pose = re.search(r'<link name="arm">\s*<pose relative_to="hinge">0 0 (\S+)  0 0 0</pose>', stage.text)
    assert pose is not None
    assert float(pose[1]) == pytest.approx(-rise)
    stage.session.undo()
    assert stage.text == text


def test_a_key_changes_what_moves_with_it_until_the_drag_ends(stage: Stage) -> None:
    before = stage.X("arm")
    stage.take("hinge", mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(UP, QPoint(0, -50))
    assert "moves 1 link, 2 frames, 1 visual" in readout(stage)
    shown = stage.shown("hinge")
    assert stage.shown("arm")[2, 3] == pytest.approx(shown[2, 3])
    stage.key("o")
    np.testing.assert_allclose(stage.shown("arm"), before, atol=1e-12)
    np.testing.assert_allclose(stage.shown("hinge"), shown)
    stage.key(Qt.Key.Key_Escape)
    stage.release(end)
    end = stage.drag(UP, QPoint(0, -50))
    assert stage.shown("arm")[2, 3] > before[2, 3] + 0.01
    stage.release(end)


def test_where_the_frames_were_stays_visible_while_they_are_dragged(stage: Stage) -> None:
    model = stage.session.model
    assert model is not None
    stage.take("tip", mode=Mode.MOVE)
    end = stage.drag(FREE, QPoint(30, 30))
    ghost = stage.canvas.renderer.ghost_poses
    assert ghost is not None
    shown = [model.local_names[row] for row in np.flatnonzero(np.isfinite(ghost).all(axis=(1, 2)))]
    assert shown == ["tip", "tool"]
    np.testing.assert_array_equal(ghost[model.row("tip")], stage.X("tip"))
    marked = stage.canvas.renderer.highlight.chain
    assert [model.local_names[row] for row in marked] == ["tool"]
    stage.release(end)
    assert stage.canvas.renderer.ghost_poses is None
    assert model.row("arm") in stage.canvas.renderer.highlight.chain


def test_the_ghost_is_not_uploaded_again_while_it_is_still(stage: Stage) -> None:
    stage.take("tip", mode=Mode.MOVE)
    end = stage.drag(FREE, QPoint(30, 30))
    stage.canvas.grabFramebuffer()
    stage.move(end + QPoint(5, 5))
    assert "poses" in stage.canvas.renderer.pending
    assert "ghost" not in stage.canvas.renderer.pending
    stage.release(end)


@pytest.mark.panels("properties")
def test_the_numbers_in_the_panel_follow_the_hand(stage: Stage, panel: PropertiesPanel) -> None:
    text = stage.text
    stage.take("tip", mode=Mode.MOVE, axes=Axes.WORLD)
    written = [field.value for field in panel.pose.fields]
    resolved = panel.resolved.X_GF
    end = stage.drag(UP, QPoint(0, -60))
    model = stage.session.model
    assert model is not None
    raw = invert(stage.shown("arm")) @ stage.shown("tip")
    shown = [field.value for field in panel.pose.fields]
    np.testing.assert_allclose(shown, matrix_to_pose(raw), atol=1e-9)
    assert shown != written
    np.testing.assert_allclose(panel.resolved.X_GF, stage.shown("tip"))
    assert stage.text == text
    assert not stage.session.dirty
    stage.key(Qt.Key.Key_Escape)
    assert [field.value for field in panel.pose.fields] == written
    np.testing.assert_allclose(panel.resolved.X_GF, resolved)
    stage.release(end)


@pytest.mark.panels("properties")
def test_the_numbers_that_several_have_in_common_follow_the_hand(stage: Stage, panel: PropertiesPanel) -> None:
    stage.take("eye", "hinge", mode=Mode.MOVE, axes=Axes.WORLD)
    assert [field.edit.text() for field in panel.several.fields[:3]] == ["", "", "1"]
    stage.press(stage.place(UP))
    stage.type("0.25")
    assert [field.edit.text() for field in panel.several.fields[:3]] == ["", "", "1.25"]
    stage.key(Qt.Key.Key_Escape)
    assert [field.edit.text() for field in panel.several.fields[:3]] == ["", "", "1"]


@pytest.mark.panels("tree")
def test_why_there_are_no_handles_is_in_the_view(stage: Stage) -> None:
    note = stage.canvas.findChild(QLabel, "tool_refusal")
    assert isinstance(note, QLabel)
    stage.take("tip", "lost", mode=Mode.MOVE)
    assert stage.canvas.tools.gizmo.gizmo() is None
    stage.canvas.tools.choose({"tool.move": True})
    assert note.isVisible()
    assert "'m::lost' cannot be moved: its pose is undefined" in note.text()
    assert stage.canvas.rect().contains(note.geometry())
    stage.session.select(("m::tip",))
    assert not note.isVisible()
    for mode in ("move", "rotate"):
        stage.canvas.tools.choose({f"tool.{mode}": True})
        stage.session.select(())
        assert note.text() == f"Select what to {mode}: click it here or in the tree."
        stage.canvas.tools.choose({})
        assert not note.isVisible()


def test_an_included_model_cannot_be_moved_without_what_is_in_it(stage: Stage) -> None:
    stage.take("hand", mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(UP, QPoint(0, -50))
    shown = stage.shown("hand")
    stage.key("o")
    assert "cannot be kept: 'm::hand::palm' is defined in" in stage.refused[-1]
    np.testing.assert_allclose(stage.shown("hand::palm"), shown)
    stage.release(end)
    assert stage.session.history.undo_label.startswith("Set z of hand to ")


def test_snapping_is_asked_for_by_the_key_alone(stage: Stage, settings: Settings) -> None:
    settings.snap_length = 0.5
    stage.take("tip", mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(UP, QPoint(0, -60))
    free = stage.shown("tip")[2, 3] - 1.5
    assert abs(free - round(free * 2) / 2) > 0.01
    QTest.keyPress(stage.canvas, Qt.Key.Key_Control)
    assert (stage.shown("tip")[2, 3] - 1.5) % 0.5 == pytest.approx(0, abs=1e-12)
    QTest.keyRelease(stage.canvas, Qt.Key.Key_Control, CONTROL)
    assert stage.shown("tip")[2, 3] - 1.5 == pytest.approx(free)
    stage.release(end)


def test_an_axis_that_is_held_by_a_key_still_snaps(stage: Stage, settings: Settings) -> None:
    settings.snap_length = 0.5
    stage.canvas.tools.gizmo.snaps = True
    stage.take("tip", mode=Mode.MOVE, axes=Axes.WORLD)
    end = stage.drag(FREE, QPoint(20, -140))
    stage.key("z")
    rise = stage.shown("tip")[2, 3] - 1.5
    assert rise != 0
    assert rise % 0.5 == pytest.approx(0, abs=1e-12)
    stage.release(end)


def test_what_the_mouse_says_is_written_in_few_digits(stage: Stage) -> None:
    stage.take("eye", mode=Mode.MOVE, axes=Axes.WORLD)
    stage.release(stage.drag(FREE, QPoint(37, -23)))
    pose = re.search('<frame name="eye"><pose>(.*)</pose>', stage.text)
    assert pose is not None
    assert pose[1] != "0.5 0.5 1 0 0 0"
    assert max(len(word) for word in pose[1].split()) <= 8


def test_the_camera_that_follows_is_still_under_the_hand(stage: Stage) -> None:
    stage.canvas.following.on = True
    stage.take("tip", mode=Mode.MOVE)
    focus = np.array(stage.canvas.camera.focus)
    end = stage.drag(FREE, QPoint(60, -40))
    np.testing.assert_array_equal(stage.canvas.camera.focus, focus)
    stage.release(end)
    np.testing.assert_allclose(stage.canvas.camera.focus, focus, atol=1e-9)


def test_a_second_drag_may_follow_the_first_at_once(stage: Stage) -> None:
    stage.take("tip", mode=Mode.MOVE, axes=Axes.WORLD)
    text, at = stage.text, stage.place(UP)
    stage.press(at)
    stage.release(at)
    # The second press of a double click comes as an event of its own.
    stage.double_press(at)
    stage.move(at + QPoint(0, -40))
    stage.release(at + QPoint(0, -40))
    assert stage.text != text
    assert stage.session.history.undo_label.startswith("Set z of tip to ")


def test_the_right_button_puts_the_frame_back(stage: Stage) -> None:
    text, before = stage.text, stage.X("tip")
    asked: list[object] = []
    stage.canvas.menu_requested.connect(lambda at, hits: asked.append(hits))
    stage.take("tip", mode=Mode.MOVE)
    end = stage.drag(FREE, QPoint(40, 30))
    QTest.mouseClick(stage.canvas, Qt.MouseButton.RightButton, pos=end)
    np.testing.assert_array_equal(stage.shown("tip"), before)
    stage.move(end + QPoint(9, 9))
    stage.release(end)
    assert stage.text == text
    assert not asked
    assert not stage.canvas.tools.is_dragging


def test_another_button_does_not_take_the_frame_out_of_the_hand(stage: Stage) -> None:
    stage.take("tip", mode=Mode.MOVE)
    end = stage.drag(FREE, QPoint(40, 30))
    shown = stage.shown("tip")
    QTest.mouseClick(stage.canvas, Qt.MouseButton.MiddleButton, pos=end)
    stage.move(end + QPoint(30, 0))
    assert not np.allclose(stage.shown("tip"), shown)
    shown = stage.shown("tip")
    stage.release(end + QPoint(30, 0))
    np.testing.assert_allclose(stage.X("tip"), shown, atol=1e-9)


def test_the_readout_stays_in_the_view_and_off_the_mouse(stage: Stage) -> None:
    label = stage.canvas.findChild(QLabel, "tool_amount")
    assert isinstance(label, QLabel)
    stage.take("hinge", mode=Mode.MOVE)
    end = stage.drag(FREE, QPoint(5, 5))
    for x in (2, 400, 797):
        for y in (2, 300, 597):
            stage.move(QPoint(x, y))
            assert stage.canvas.rect().contains(label.geometry())
            assert not label.geometry().contains(x, y)
    stage.release(end)


def test_the_switch_moves_frames_alone_from_the_window(window: MainWindow, arm: OpenFile) -> None:
    canvas = arm.view.canvas
    assert canvas is not None
    window.actions_by_id["tool.alone"].trigger()
    assert canvas.tools.gizmo.alone
    window.actions_by_id["tool.alone"].trigger()
    assert not canvas.tools.gizmo.alone
