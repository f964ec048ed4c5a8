"""The main job: open, select, change, see, undo, save."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.frame_picker import FramePicker
from sdfviewer.gui.properties.reference_field import KeepChoice
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.scene.tools.gizmo import Handle, Mode
from sdfviewer.transforms import pose_to_matrix
from tests.gui.stage import Stage

pytestmark = pytest.mark.panels("tree", "properties")


def click_in_tree(qtbot: QtBot, workspace: OpenFile, name: str) -> None:
    """Click a frame in the tree."""
    model = workspace.session.model
    assert model is not None
    tree = workspace.tree
    index = tree.source.index_of(model.rows_by_name[name])
    tree.view.scrollTo(index)
    rect = tree.view.visualRect(index)
    qtbot.mouseClick(tree.view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def pick(qtbot: QtBot, picker: FramePicker, text: str) -> None:
    """Open a picker, type a part of a name, press Enter."""
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    popup = picker.popup
    assert popup is not None
    qtbot.keyClicks(popup.search, text)
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)


def poses(workspace: OpenFile) -> np.ndarray:
    """Return a copy of the resolved poses."""
    model = workspace.session.model
    assert model is not None
    return model.X_RootF.copy()


@pytest.mark.panels("tree", "properties", "source")
def test_relative_to_changes_and_nothing_moves(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    path = arm.session.path
    assert path is not None
    original = path.read_text(encoding="utf-8")
    before = poses(arm)

    click_in_tree(qtbot, arm, "arm::inspection")
    assert arm.session.selection == ("arm::inspection",)
    section = arm.properties.relative_to
    pick(qtbot, section.picker, "forearm")
    model = arm.session.model
    assert model is not None
    row = model.rows_by_name["arm::inspection"]
    assert model.relative_to_written[row] == "forearm"
    np.testing.assert_allclose(poses(arm), before, atol=1e-12)
    assert arm.properties.relative_to.picker.full_text == "forearm"
    assert window.isWindowModified()

    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == original
    assert not window.isWindowModified()

    window.actions_by_id["edit.redo"].trigger()
    window.actions_by_id["file.save"].trigger()
    assert not arm.session.dirty
    saved = path.read_text(encoding="utf-8")
    changed = [(old, new) for old, new in zip(original.splitlines(), saved.splitlines(), strict=True) if old != new]
    assert len(changed) == 1
    old, new = changed[0]
    assert 'relative_to="base"' in old
    assert 'relative_to="forearm"' in new


def test_keeping_the_numbers_moves_the_frame(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(("arm::inspection",))
    before = poses(arm)
    picker = arm.properties.relative_to.picker
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    popup = picker.popup
    assert popup is not None
    assert isinstance(popup.footer, KeepChoice)
    popup.footer.keep_numbers.click()
    qtbot.keyClicks(popup.search, "forearm")
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    model = arm.session.model
    assert model is not None
    row = model.rows_by_name["arm::inspection"]
    assert not np.allclose(poses(arm)[row], before[row])
    others = np.arange(len(model)) != row
    np.testing.assert_allclose(poses(arm)[others], before[others], atol=1e-12)


def test_a_target_that_closes_a_cycle_is_greyed_with_the_reason(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(("arm::upper_arm",))
    picker = arm.properties.relative_to.picker
    text = arm.session.document.text
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    popup = picker.popup
    assert popup is not None
    qtbot.keyClicks(popup.search, "forearm")
    assert "upper_arm → " in popup.reason.text()
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    assert arm.session.document.text == text
    popup.close()


def test_one_number_of_a_pose_is_one_undo_step(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(("arm::inspection",))
    field = arm.properties.pose.fields[0]
    assert field.value == 0.29
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert '<pose relative_to="base">0.5 0 0.42 0 0 0</pose>' in arm.session.document.text
    arm.session.undo()
    assert field.value == 0.29


def test_a_pitch_beyond_a_quarter_turn_is_shown_and_kept_as_written(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(("arm::joint_3",))
    model, fields = arm.session.model, arm.properties.pose.fields
    assert model is not None
    written = model.scope.raw_poses[model.rows_by_name["arm::joint_3"]]
    assert abs(written[4]) > np.pi / 2
    assert [field.value for field in fields] == pytest.approx(written)
    fields[4].setFocus()
    qtbot.keyClick(fields[4], Qt.Key.Key_Up)
    model = arm.session.model
    assert model is not None
    after = model.scope.raw_poses[model.rows_by_name["arm::joint_3"]]
    assert after[4] == pytest.approx(written[4] + 0.01)
    assert (after[:4], after[5]) == (written[:4], written[5])


def test_angles_are_typed_in_the_unit_that_is_shown(window: MainWindow, arm: OpenFile, qtbot: QtBot) -> None:
    window.actions_by_id["unit.degrees"].trigger()
    arm.session.select(("arm::inspection",))
    field = arm.properties.pose.fields[5]
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "90")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "0.29 0 0.42 0 0 1.5707963" in arm.session.document.text
    assert field.text() == "90"
    assert window.settings.angle_unit is AngleUnit.DEGREES


def test_a_rename_updates_references_selection_and_positions(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.move_joints({"arm::joint_1": (0.5,)})
    arm.session.select(("arm::joint_1",))
    field = arm.properties.name.field
    field.selectAll()
    qtbot.keyClicks(field, "turn")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert arm.session.selection == ("arm::turn",)
    assert arm.session.positions == {"arm::turn": (0.5,)}
    assert 'relative_to="joint_1"' not in arm.session.document.text


def test_a_name_that_is_taken_is_refused_beside_the_field(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(("arm::joint_1",))
    text = arm.session.document.text
    field = arm.properties.name.field
    field.selectAll()
    qtbot.keyClicks(field, "joint_2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "already called" in arm.properties.name.fault.text()
    assert arm.session.document.text == text


@pytest.mark.panels("problems")
def test_one_fix_opens_a_cycle(qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]) -> None:
    workspace = open_example("relative_to_cycle")
    panel = workspace.problems
    assert len(panel.table.problems) == 1
    window.actions_by_id["go.next_problem"].trigger()
    problem = panel.table.problems[0]
    assert set(workspace.session.selection) == set(problem.frames)
    assert {fix.frame for fix in problem.fixes} == set(problem.frames)
    panel.apply_fix(problem.fixes[0])
    assert not panel.table.problems
    assert "no problems" in window.status.problems.text()
    workspace.session.undo()
    assert len(panel.table.problems) == 1


def test_the_chain_says_why(arm: OpenFile) -> None:
    arm.session.select(("arm::grasp",))
    steps = arm.properties.why.steps
    assert [step.name for step in steps][:2] == ["arm", "base"]
    assert steps[-1].name == "grasp"
    X = np.eye(4)
    for step in steps[1:]:
        X = X @ step.X_RF
        np.testing.assert_allclose(step.X_RootF, X, atol=1e-12)
        assert step.span is not None


def test_the_chain_of_a_frame_on_a_cycle_says_so(open_example: Callable[[str], OpenFile]) -> None:
    workspace = open_example("relative_to_cycle")
    workspace.session.select(("relative_to_cycle::tool_plate",))
    steps = workspace.properties.why.steps
    assert "cycle" in steps[0].fault
    assert steps[-1].name == "tool_plate"


def test_a_resolved_pose_is_copied_in_any_frame(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::inspection",))
    arm.properties.resolved.set_reference("arm::base")
    window.actions_by_id["edit.copy_pose"].trigger()
    words = QApplication.clipboard().text().split()
    # attached to the palm, written in the base: at zero positions the numbers are those of the file
    assert [float(word) for word in words] == pytest.approx([0.29, 0, 0.42, 0, 0, 0], abs=1e-9)


def test_the_chain_ends_where_the_joints_have_moved_the_frame(arm: OpenFile) -> None:
    arm.session.select(("arm::grasp",))
    initial = [step.name for step in arm.properties.why.steps]
    arm.session.move_joints({"arm::joint_2": (0.4,)})
    last = arm.properties.why.steps[-1]
    assert len(arm.properties.why.steps) == len(initial) + 1
    assert last.edge == "moved by the joints"
    model = arm.session.model
    assert model is not None
    row = model.row("arm::grasp")
    np.testing.assert_allclose(last.X_RootF, arm.session.X_RootF[row], atol=1e-12)
    np.testing.assert_allclose(arm.properties.why.steps[-2].X_RootF @ last.X_RF, last.X_RootF, atol=1e-12)
    arm.session.reset_joints()
    assert [step.name for step in arm.properties.why.steps] == initial


def test_why_here_follows_the_mouse_that_drags_a_frame(qtbot: QtBot, arm: OpenFile) -> None:
    """It kept its numbers until the mouse was released."""
    if arm.view.canvas is None:
        pytest.skip("there is no OpenGL here")
    stage = Stage.of(qtbot, arm.view)
    arm.session.move_joints({"arm::joint_2": (0.4,)})
    arm.session.select(("arm::inspection",))
    stage.choose(Mode.MOVE)
    before = arm.properties.why.steps
    at = stage.drag(Handle(Mode.MOVE, (2,)), QPoint(0, -60))
    steps, move = arm.properties.why.steps, arm.context.motion.move
    assert move is not None
    row = steps[-1].row
    initial = next(step for step in reversed(steps) if step.row == row and step.caption == "raw")
    assert [step.name for step in steps] == [step.name for step in before]
    np.testing.assert_allclose(pose_to_matrix(initial.raw), move.raw_poses([row])[0], atol=1e-9)
    assert not np.allclose(initial.X_RF, next(each for each in before if each.row == row).X_RF)
    np.testing.assert_allclose(steps[-1].X_RootF, move.X_RootF[row], atol=1e-9)
    stage.release(at)
    np.testing.assert_allclose(arm.properties.why.steps[-1].X_RootF, arm.session.X_RootF[row], atol=1e-6)


def test_why_here_ends_with_the_resolved_pose_where_the_reference_moves(arm: OpenFile) -> None:
    arm.session.select(("arm::base",))
    arm.properties.resolved.set_reference("arm::palm")
    for position in (0.4, 0.0):
        arm.session.move_joints({"arm::joint_2": (position,)})
        np.testing.assert_allclose(arm.properties.why.steps[-1].X_RootF, arm.properties.resolved.X_GF, atol=1e-12)


def test_a_joint_shows_both_of_its_frames(arm: OpenFile) -> None:
    arm.session.move_joints({"arm::joint_2": (0.4,)})
    arm.session.select(("arm::joint_2",))
    in_parent, in_child, motion = arm.properties.why.steps[-3:]
    assert [step.name for step in (in_parent, in_child, motion)] == ["Jp", "Jc", "Jc"]
    assert in_parent.edge.endswith("X_PJp")
    assert in_child.edge.endswith("X_CJc")
    np.testing.assert_allclose(in_parent.X_RootF @ motion.X_RF, motion.X_RootF, atol=1e-12)
    angle = np.arccos((np.trace(motion.X_RF[:3, :3]) - 1) / 2)
    np.testing.assert_allclose(angle, 0.4, atol=1e-9)


@pytest.mark.panels("problems", "source")
def test_problems_that_come_to_the_front_of_the_source_are_at_its_caret(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    file = open_example("arm")
    docks = window.docks
    docks.window.tabifyDockWidget(docks.docks["source"], docks.docks["problems"])
    docks.show("source")
    text = file.session.document.text
    first, second = (text.index(f'<frame name="{name}"') for name in ("inspection", "grasp"))
    wrong = tuple(Replacement(at + 6, at + 6, ' wrong="1"') for at in sorted((first, second)))
    file.session.apply(Edit("Break", file.session.document, wrong))
    file.source.catch_up()
    last = file.session.document.span_between(max(first, second) + 12, max(first, second) + 13)
    file.source.show_place(last)
    qtbot.waitUntil(lambda: file.context.highlights.caret_line == last.line)
    position = file.source.editor.textCursor().position()
    docks.reveal("problems")
    qtbot.waitUntil(lambda: file.problems.table.current is not None)
    row, number = file.problems.table.current or (-1, -1)
    span = file.problems.table.groups[row][number].span
    assert span is not None
    assert span.line == last.line
    assert file.source.editor.textCursor().position() == position


@pytest.mark.panels("problems", "source")
def test_going_to_the_next_problem_does_not_cover_the_source(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    file = open_example("relative_to_cycle")
    docks = window.docks
    docks.window.tabifyDockWidget(docks.docks["source"], docks.docks["problems"])
    docks.show("source")
    QApplication.processEvents()
    assert docks.is_behind("problems")
    window.actions_by_id["go.next_problem"].trigger()
    QApplication.processEvents()
    assert docks.is_behind("problems")
    assert file.source.isVisible()
    docks.docks["problems"].hide()
    window.actions_by_id["go.next_problem"].trigger()
    QApplication.processEvents()
    assert docks.is_behind("problems")
    assert not docks.is_behind("source")
    docks.docks["source"].hide()
    window.actions_by_id["go.next_problem"].trigger()
    QApplication.processEvents()
    assert not docks.is_behind("problems")
