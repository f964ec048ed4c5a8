"""Posing by hand: links dragged in the 3D view, sliders, kept poses, loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.gui.view3d.pointing import hit_at

pytestmark = pytest.mark.panels("joints")

ALT, NONE = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

FOUR_BAR = """<sdf version="1.11">
  <model name="bar">
    <link name="ground"/>
    <link name="crank"><pose>0 0 0 0 0 0</pose></link>
    <link name="coupler"><pose>0 0 1 0 0 0</pose></link>
    <link name="rocker"><pose>1 0 0 0 0 0</pose></link>
    <joint name="a" type="revolute"><parent>ground</parent><child>crank</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="b" type="revolute"><parent>crank</parent><child>coupler</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="c" type="revolute"><parent>ground</parent><child>rocker</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="d" type="revolute">
      <pose>1 0 0 0 0 0</pose><parent>rocker</parent><child>coupler</child><axis><xyz>0 1 0</xyz></axis>
    </joint>
    <joint name="ball" type="ball"><pose>0 0 0.5 0 0 0</pose><parent>rocker</parent><child>bob</child></joint>
    <link name="bob"><pose>1 0 2 0 0 0</pose></link>
  </model>
</sdf>
"""


@pytest.fixture
def canvas(arm: OpenFile) -> Canvas:
    if probe().problem:
        pytest.skip(probe().problem)
    assert arm.view.canvas is not None
    arm.view.canvas.grabFramebuffer()
    return arm.view.canvas


@pytest.fixture
def bar(window: MainWindow, tmp_path: Path) -> OpenFile:
    path = tmp_path / "bar.sdf"
    path.write_text(FOUR_BAR, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    return window.current


def place_on(workspace: OpenFile, canvas: Canvas, link: str) -> QPoint:
    """Return a pixel at which a link is in front, one near its origin."""
    model = workspace.session.model
    assert model is not None
    row = model.row(link)
    near, _ = canvas.camera.project(workspace.session.X_RootF[row][:3, 3], canvas.width(), canvas.height())
    pixels = [(x, y) for x in range(20, canvas.width() - 20, 6) for y in range(20, canvas.height() - 20, 6)]
    for x, y in sorted(pixels, key=lambda pixel: math.dist(pixel, near)):
        hit = hit_at(canvas, QPointF(x, y))
        if hit is not None and hit.target.value == "surface" and model.bodies[hit.row] == row:
            return QPoint(x, y)
    raise AssertionError(f"{link} is not in sight")


def drag(canvas: Canvas, start: QPoint, by: QPoint, modifiers: Qt.KeyboardModifier) -> None:
    """Press and move in steps, without letting go."""
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, modifiers, start)
    for step in range(1, 7):
        at = QPointF(start + QPoint(by.x() * step // 6, by.y() * step // 6))
        button = Qt.MouseButton.LeftButton
        none = Qt.MouseButton.NoButton
        where = canvas.mapToGlobal(at)
        QApplication.sendEvent(canvas, QMouseEvent(QEvent.Type.MouseMove, at, where, none, button, modifiers))


# --- dragging links ----------------------------------------------------------------------------------------------


def test_alt_drag_turns_the_joint_under_a_link(arm: OpenFile, canvas: Canvas) -> None:
    text, camera = arm.session.document.text, canvas.camera
    start = place_on(arm, canvas, "upper_arm")
    drag(canvas, start, QPoint(-30, 24), ALT)
    assert set(arm.session.positions) == {"arm::joint_2"}
    assert abs(arm.session.positions["arm::joint_2"][0]) > 0.02
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, ALT, start + QPoint(-30, 24))
    assert canvas.camera == camera
    assert arm.session.document.text == text
    assert arm.session.selection == ()


def test_the_point_stays_as_near_to_the_mouse_as_its_joint_leads(arm: OpenFile, canvas: Canvas) -> None:
    kinematics = arm.session.kinematics
    start = place_on(arm, canvas, "shoulder")
    hit = hit_at(canvas, QPointF(start))
    X0 = arm.session.X_RootF[hit.row].copy()
    drag(canvas, start, QPoint(12, 3), ALT)
    assert set(arm.session.positions) == {"arm::joint_1"}
    q = kinematics.positions(arm.session.positions)

    def away(turn: float) -> float:
        """Return how many pixels the point is from the mouse with the joint a little further."""
        X = kinematics.poses(q + turn * np.eye(len(q))[0], [hit.row])[0]
        p = X @ np.linalg.inv(X0) @ np.append(hit.point, 1.0)
        pixel, _ = canvas.camera.project(p[:3], canvas.width(), canvas.height())
        return float(np.linalg.norm(pixel - [start.x() + 12, start.y() + 3]))

    assert away(-q[0]) > 12
    assert away(0.0) <= min(away(-0.02), away(0.02))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, ALT, start + QPoint(12, 3))


def test_joints_keep_their_limits_until_they_are_lifted(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    limits = {dof.joint.name: (dof.lower, dof.upper) for dof in arm.session.kinematics.dofs}
    for lifted in (False, True):
        arm.session.reset_joints()
        start = place_on(arm, canvas, "forearm")
        drag(canvas, start, QPoint(0, -260), ALT)
        low, high = limits["arm::joint_3"]
        value = arm.session.positions["arm::joint_3"][0]
        assert lifted or low - 1e-9 <= value <= high + 1e-9
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, ALT, start)
        window.actions_by_id["joints.lift_limits"].trigger()


def test_shift_moves_the_whole_chain(arm: OpenFile, canvas: Canvas) -> None:
    start = place_on(arm, canvas, "palm")
    hit = hit_at(canvas, QPointF(start))
    before = arm.session.X_RootF[hit.row].copy()
    drag(canvas, start, QPoint(-24, -18), ALT | SHIFT)
    moved = [name for name, values in arm.session.positions.items() if abs(values[0]) > 1e-6]
    assert len(moved) >= 3
    p = arm.session.X_RootF[hit.row] @ np.linalg.inv(before) @ np.append(hit.point, 1.0)
    (x, y), _ = canvas.camera.project(p[:3], canvas.width(), canvas.height())
    assert abs(x - (start.x() - 24)) < 1.5
    assert abs(y - (start.y() - 18)) < 1.5
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, ALT | SHIFT, start)


def test_the_chain_keeps_the_orientation_of_the_link_where_that_is_chosen(
    window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    start = place_on(arm, canvas, "palm")
    hit = hit_at(canvas, QPointF(start))
    before = arm.session.X_RootF[hit.row][:3, :3].copy()

    def rotated() -> float:
        drag(canvas, start, QPoint(-24, -18), ALT | SHIFT)
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, ALT | SHIFT, start)
        angle = float(np.arccos(np.clip((np.trace(before.T @ arm.session.X_RootF[hit.row][:3, :3]) - 1) / 2, -1, 1)))
        arm.session.reset_joints()
        canvas.grabFramebuffer()
        return angle

    free = rotated()
    window.actions_by_id["tool.keep_orientation"].trigger()
    assert rotated() < free / 2


def test_the_pose_tool_needs_no_modifier_and_escape_takes_it_back(
    window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    arm.session.move_joints({"arm::joint_1": (0.2,)})
    window.actions_by_id["tool.pose"].trigger()
    start = place_on(arm, canvas, "upper_arm")
    drag(canvas, start, QPoint(-30, 20), NONE)
    assert arm.session.positions["arm::joint_2"] != (0.0,)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    q = arm.session.kinematics.positions(arm.session.positions)
    assert q[0] == 0.2
    assert not q[1:].any()
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, NONE, start)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert window.actions_by_id["tool.select"].isChecked()


def test_a_click_with_the_pose_tool_selects(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    window.actions_by_id["tool.pose"].trigger()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, NONE, place_on(arm, canvas, "upper_arm"))
    assert arm.session.selection == ("arm::upper_arm",)


def test_what_cannot_move_is_orbited(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    window.actions_by_id["tool.pose"].trigger()
    camera = canvas.camera
    start = place_on(arm, canvas, "base")
    drag(canvas, start, QPoint(40, 0), NONE)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, NONE, start + QPoint(40, 0))
    assert canvas.camera != camera
    assert arm.session.positions == {}


# --- sliders -----------------------------------------------------------------------------------------------------


def test_a_joint_selected_anywhere_is_marked_and_in_sight(window: MainWindow, arm: OpenFile) -> None:
    window.docks.show("joints")
    arm.session.select(("arm::left_finger_slide",))
    row = arm.joints.rows["arm::left_finger_slide"]
    assert row.label.font().bold()
    assert not row.slider.visibleRegion().isEmpty()


def test_a_slider_under_the_mouse_names_its_joint(arm: OpenFile) -> None:
    slider = arm.joints.rows["arm::joint_2"].slider
    place = QPointF(5, 5)
    QApplication.sendEvent(slider, QEnterEvent(place, place, slider.mapToGlobal(place)))
    assert arm.context.highlights.hovered == "arm::joint_2"
    QApplication.sendEvent(slider, QEvent(QEvent.Type.Leave))
    assert arm.context.highlights.hovered is None


def test_arrow_keys_move_by_a_degree(arm: OpenFile) -> None:
    slider = arm.joints.rows["arm::joint_1"].slider
    QTest.keyClick(slider, Qt.Key.Key_Right)
    (position,) = arm.session.positions["arm::joint_1"]
    assert position == pytest.approx(np.radians(1.0), abs=0.004)
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert arm.session.positions["arm::joint_1"][0] == pytest.approx(arm.joints.rows["arm::joint_1"].dof.upper)


def wait_for_rows(qtbot: QtBot, file: OpenFile) -> None:
    """Wait until the rows that are out of sight are made, in later turns."""
    qtbot.waitUntil(lambda: len(file.joints.rows) == len(file.session.kinematics.dofs))


def test_many_joints_can_be_filtered_and_keep_their_rows_after_an_edit(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, tmp_path: Path
) -> None:
    joints = "".join(
        f'<link name="l{n}"/><joint name="j{n}" type="revolute"><parent>l{n - 1}</parent><child>l{n}</child>'
        "<axis><xyz>0 0 1</xyz></axis></joint>"
        for n in range(1, 15)
    )
    path = tmp_path / "chain.sdf"
    path.write_text(f'<sdf version="1.11"><model name="m"><link name="l0"/>{joints}</model></sdf>', encoding="utf-8")
    assert not arm.joints.filter.isVisible()
    window.files.open([path])
    assert window.current is not None
    panel = window.current.joints
    wait_for_rows(qtbot, window.current)
    QTest.keyClicks(panel.filter, "J1")
    shown = [name for name, row in panel.rows.items() if not row.isHidden()]
    assert shown == ["m::j1", *(f"m::j{n}" for n in range(10, 15))]
    rows = dict(panel.rows)
    model = window.current.session.model
    assert model is not None
    window.current.context.edits.rename(model.row("m::j1"), "first")
    assert "m::j1" not in panel.rows
    assert all(panel.rows[name] is row for name, row in rows.items() if name != "m::j1")
    assert [name for name in shown if not panel.rows.get(name, rows["m::j1"]).isHidden()] == shown[1:]
    panel.filter.clear()
    assert not any(row.isHidden() for row in panel.rows.values())


def test_joints_of_nested_models_are_below_its_name(qtbot: QtBot, open_example: Callable[[str], OpenFile]) -> None:
    file = open_example("nested_gripper")
    wait_for_rows(qtbot, file)
    panel = file.joints
    names = [(row.dof.scope, row.dof.label) for row in panel.rows.values()]
    assert names == [("", "lift"), ("", "tool_changer"), ("gripper", "left_slide"), ("gripper", "right_slide")]
    headings = [label.full_text for label in panel.findChildren(ElidedLabel) if label.full_text == "gripper"]
    assert headings == ["gripper"]


def test_of_thousands_of_sliders_those_near_the_part_in_sight_are_made(window: MainWindow, tmp_path: Path) -> None:
    joints = "".join(
        f'<link name="l{n}"/><joint name="j{n}" type="revolute"><parent>l{n - 1}</parent><child>l{n}</child>'
        "<axis><xyz>0 0 1</xyz></axis></joint>"
        for n in range(1, 400)
    )
    path = tmp_path / "chain.sdf"
    path.write_text(f'<sdf version="1.11"><model name="m"><link name="l0"/>{joints}</model></sdf>', encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    panel, session = window.current.joints, window.current.session
    window.docks.show("joints")
    assert len(panel.rows) < 100
    assert "m::j300" not in panel.rows
    session.move_joints({"m::j300": (0.5,)})
    session.select(("m::j300",))
    row = panel.rows["m::j300"]
    assert row.field.value == 0.5
    assert row.label.font().bold()
    assert not row.slider.visibleRegion().isEmpty()
    parts = [row.label, row.field, row.unit]
    assert all(one.geometry().right() < next.geometry().left() for one, next in pairwise(parts))
    assert row.slider.geometry().top() > row.label.geometry().bottom(), "the slider is below its name"
    row.field.setFocus()
    for wanted in (row.slider, panel.rows["m::j301"].field, panel.rows["m::j301"].slider):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        assert window.focusWidget() is wanted
    assert len(panel.rows) < 200
    session.move_joints({"m::j1": (0.25,)})
    assert panel.rows["m::j1"].field.value == 0.25


def test_the_axes_of_a_ball_are_named(qtbot: QtBot, bar: OpenFile) -> None:
    wait_for_rows(qtbot, bar)
    labels = [row.dof.label for row in bar.joints.rows.values()]
    assert [label for label in labels if label.startswith("ball")] == ["ball · roll", "ball · pitch", "ball · yaw"]
    bar.joints.rows["bar::ball[2]"].field.committed.emit(0.3)
    assert bar.session.positions["bar::ball"] == (0.0, 0.0, 0.3)


def test_the_sweep_goes_as_fast_as_it_is_reported(arm: OpenFile) -> None:
    reached = []
    for speed in (1.0, 4.0):
        arm.joints.set_speed(speed)
        arm.joints.sweep(True)
        arm.joints.step_sweep()
        arm.joints.sweep(False)
        reached.append(arm.session.positions["arm::joint_1"][0])
    assert reached[1] == pytest.approx(4 * reached[0], rel=0.02)


# --- kept poses --------------------------------------------------------------------------------------------------


def test_poses_are_kept_for_the_file(
    qtbot: QtBot,
    window: MainWindow,
    arm: OpenFile,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    open_example: Callable[[str], OpenFile],
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args, **_more: ("stretched", True))
    arm.session.move_joints({"arm::joint_2": (0.4,), "arm::joint_3": (-0.5,)})
    window.actions_by_id["joints.save_pose"].trigger()
    arm.joints.reset()
    arm.session.move_joints({"arm::joint_1": (1.0,)})
    arm.joints.kept.fill()
    entry = next(action for action in arm.joints.kept.menu().actions() if action.text() == "stretched")
    entry.trigger()
    q = arm.session.kinematics.positions(arm.session.positions)
    np.testing.assert_allclose(q[:3], [0.0, 0.4, -0.5])
    assert settings.saved("poses", arm.session.path) == {"stretched": {"arm::joint_2": [0.4], "arm::joint_3": [-0.5]}}
    other = open_example("double_pendulum")
    assert other.joints.kept.poses.all() == {}
    arm.joints.kept.poses.remove("stretched")
    assert arm.joints.kept.poses.all() == {}


# --- loops -------------------------------------------------------------------------------------------------------


def test_a_loop_shows_how_far_it_is_open_and_is_closed(window: MainWindow, bar: OpenFile) -> None:
    loops = bar.joints.loops
    assert not loops.isHidden()
    assert loops.residuals[0] == pytest.approx((0.0, 0.0), abs=1e-9)
    assert not loops.button.isEnabled()
    bar.session.move_joints({"bar::a": (0.3,)})
    assert loops.residuals[0][0] > 0.1
    assert "open by" in loops.gaps[0].text()
    QTest.mouseClick(loops.button, Qt.MouseButton.LeftButton)
    assert loops.residuals[0] == pytest.approx((0.0, 0.0), abs=1e-6)
    assert loops.gaps[0].text() == "closed"
    window.actions_by_id["joints.close_loops"].trigger()
    assert loops.residuals[0] == pytest.approx((0.0, 0.0), abs=1e-6)


def test_what_a_drag_leaves_of_a_loop_is_no_error(bar: OpenFile) -> None:
    loops = bar.joints.loops
    bar.session.move_joints({"bar::a": (1e-4,)})
    assert 1e-5 < loops.residuals[0][0] < 1e-3
    assert "open by" in loops.gaps[0].text()
    assert loops.gaps[0].property("role") == "muted"
    assert loops.button.isEnabled()
    bar.session.move_joints({"bar::a": (0.3,)})
    assert loops.gaps[0].property("role") == "error"


def test_without_loops_nothing_is_reported_about_them(arm: OpenFile) -> None:
    assert arm.joints.loops.isHidden()


def test_a_click_on_the_saved_poses_leaves_no_frame_around_the_button(arm: OpenFile) -> None:
    assert not arm.joints.kept.focusPolicy() & Qt.FocusPolicy.ClickFocus
    assert arm.joints.kept.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_a_drag_says_which_of_two_joints_of_one_name_moves(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "twins.sdf"
    link = '<link name="l"><visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>'
    joint = (
        '<joint name="j" type="revolute"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz></axis></joint>'
    )
    models = "".join(f'<model name="{name}">{link}{joint}</model>' for name in ("left", "right"))
    path.write_text(f'<sdf version="1.11"><world name="w">{models}</world></sdf>', encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    assert file.view.canvas is not None
    file.view.canvas.grabFramebuffer()
    start = place_on(file, file.view.canvas, "left::l")
    drag(file.view.canvas, start, QPoint(20, 0), ALT)
    moved = [name for name, values in file.session.positions.items() if any(values)]
    shown = file.view.canvas.tools.pose._text(np.array([0.5, 0.5]))
    assert moved
    assert all(each in shown for each in moved)
    file.view._name("world")
    assert file.view.hint == "world  w", "the name that the tree shows"
    QTest.mouseRelease(file.view.canvas, Qt.MouseButton.LeftButton, ALT, start)
