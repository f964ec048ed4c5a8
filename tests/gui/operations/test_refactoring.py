"""Dialogs that add, remove, rename, move, refactor and compare, worked by hand in the real window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from threading import current_thread, main_thread

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import Document
from sdfviewer.document.line_difference import DiffLine, text_difference
from sdfviewer.gui.compare import compare_dialog
from sdfviewer.gui.compare.compare_dialog import CompareDialog, step_version
from sdfviewer.gui.kit.frame_picker import FramePicker
from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.operations.certificate_page import RefusalDialog
from sdfviewer.gui.operations.mate import MateDialog
from sdfviewer.gui.operations.operation_form import OperationForm
from sdfviewer.gui.operations.preview_dialog import PreviewDialog
from sdfviewer.gui.operations.remove import RemoveDialog
from sdfviewer.gui.operations.rename_dialog import MoveDialog, RenameDialog
from sdfviewer.gui.problems.reports import NamingReport
from sdfviewer.gui.shell.actions.refactor_actions import split_off_to
from sdfviewer.gui.shell.actions.table import build_tree_menu
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.model.comparison.frames import Change
from sdfviewer.model.kinds import Kind
from sdfviewer.refactoring.adding import insert_member
from tests.frames import frame_in


def pick(qtbot: QtBot, picker: FramePicker, text: str) -> None:
    """Open a picker, type a part of a name, press Enter."""
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    assert picker.popup is not None
    qtbot.keyClicks(picker.popup.search, text)
    qtbot.keyClick(picker.popup.search, Qt.Key.Key_Return)


def run(window: MainWindow, action: str) -> object:
    """Trigger an action and return the dialog that it opened."""
    window.app.dialog = window.comparisons.dialog = None
    window.actions_by_id[action].trigger()
    return window.app.dialog or window.comparisons.dialog


def poses(workspace: OpenFile) -> np.ndarray:
    assert workspace.session.model is not None
    return workspace.session.model.X_RootF.copy()


def lines_changed(before: str, after: str) -> int:
    return sum(isinstance(row, DiffLine) and row.sign != " " for row in text_difference(before, after).unified())


def test_a_joint_is_added_between_two_links(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    before = arm.session.document.text
    dialog = run(window, "edit.add_joint")
    assert isinstance(dialog, AddDialog)
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClicks(dialog.name, "brace")
    assert dialog.joint is not None
    dialog.joint.type.setCurrentText("prismatic")
    pick(qtbot, dialog.pickers["parent"], "base")
    pick(qtbot, dialog.pickers["child"], "forearm")
    assert dialog.accept_button.isEnabled()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    text = arm.session.document.text
    assert (
        '    <joint name="brace" type="prismatic">\n      <parent>base</parent>\n      <child>forearm</child>' in text
    )
    assert arm.session.selection == ("arm::brace",)
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == before


def test_a_form_is_filled_in_from_the_selection(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::base", "arm::forearm"])
    dialog = run(window, "edit.add_joint")
    assert isinstance(dialog, AddDialog)
    assert [dialog.pickers[each].full_text for each in ("parent", "child")] == ["base", "forearm"]
    assert dialog.accept_button.isEnabled()
    dialog.reject()
    arm.session.select(["arm::palm"])
    dialog = run(window, "edit.add_frame")
    assert isinstance(dialog, AddDialog)
    assert dialog.pickers["attached_to"].full_text == "palm"
    dialog.lines["pose"].setText("0 0 12mm  0 0 45deg")
    dialog.accept()
    (name,) = arm.session.selection
    assert 'attached_to="palm"' in arm.session.document.text
    np.testing.assert_allclose(frame_in(arm.session.model, name).raw_pose[2, 3], 0.012)
    assert "<pose>0 0 0.012 0 0 0.7853981633974483</pose>" in arm.session.document.text


def test_what_a_form_would_add_is_shown_while_it_is_open(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    before = arm.session.document.text
    arm.session.select(["arm::palm"])
    with qtbot.waitSignal(arm.context.previews.edit_changed):
        dialog = run(window, "edit.add_visual")
    assert isinstance(dialog, AddDialog)
    added = arm.context.previews.version
    assert added is not None
    shown = [added.model.names[row] for row in np.flatnonzero(np.isfinite(added.X_ghost).all(axis=(1, 2)))]
    assert shown == ["arm::palm::visual"]
    assert arm.session.document.text == before
    with qtbot.waitSignal(arm.context.previews.edit_changed):
        assert dialog.shape is not None
        dialog.shape.box.setCurrentText("sphere")
    dialog.reject()
    assert arm.context.previews.version is None
    assert arm.session.document.text == before


def test_an_inertial_is_computed_from_the_shapes(window: MainWindow, arm: OpenFile) -> None:
    arm.session.apply(insert_member(arm.session.model, 0, "link", "block"))
    arm.session.select(["arm::block"])
    dialog = run(window, "edit.add_inertial")
    assert isinstance(dialog, AddDialog)
    assert "no shape with a volume" in dialog.fault.text()
    dialog.reject()
    row = arm.session.model.row("arm::block")
    arm.session.apply(insert_member(arm.session.model, row, "collision", None, shape="box"))
    arm.session.select(["arm::block"])
    dialog = run(window, "edit.add_inertial")
    assert isinstance(dialog, AddDialog)
    dialog.lines["mass"].setText("500g")
    dialog.accept()
    assert "<mass>0.5</mass>" in arm.session.document.text
    assert not [each for each in arm.session.diagnostics if each.is_error]


def test_two_frames_are_mated_with_a_preview(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "w.sdf"
    path.write_text(MATES, encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    file.session.select(["arm::flange", "tool::mount"])
    with qtbot.waitSignal(file.context.previews.edit_changed):
        dialog = run(window, "edit.mate")
    assert isinstance(dialog, MateDialog)
    assert dialog.moves.text() == "tool, which carries tool::mount, moves to arm::flange."
    assert dialog.warning.isHidden()
    assert dialog.focusWidget() is dialog.pickers["A"]
    dialog.swap_button.click()
    assert dialog.moves.text() == "arm, which carries arm::flange, moves to tool::mount."
    dialog.swap_button.click()
    assert dialog.form_box.currentText() == "placement_frame"
    assert file.context.previews.edit is not None
    assert file.session.document.text == MATES
    dialog.offset[2].set_value(0.1)
    dialog.accept()
    assert '<model name="tool" placement_frame="mount">' in file.session.document.text
    model = file.session.model
    assert model is not None
    X = np.linalg.inv(frame_in(model, "arm::flange").pose) @ frame_in(model, "tool::mount").pose
    np.testing.assert_allclose(X[:3, 3], [0, 0, 0.1], atol=1e-9)
    file.session.undo()
    assert file.session.document.text == MATES


def test_a_mate_warns_of_fixed_joints_that_the_part_leaves(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::base", "arm::grasp"])
    dialog = run(window, "edit.mate")
    assert isinstance(dialog, MateDialog)
    assert dialog.moves.text() == "arm::palm, which carries arm::grasp, moves to arm::base."
    assert "fixed joint arm::tool_mount" in dialog.warning.text()
    assert dialog.warning.isVisible()
    dialog.reject()


MATES = """<sdf version="1.11"><world name="w">
  <model name="arm"><link name="l"/><frame name="flange"><pose>0 0 0.5 0 1 0</pose></frame></model>
  <model name="tool">
    <pose>4 0 0 0 0 1</pose>
    <link name="body"/>
    <frame name="mount"><pose>0 0 -0.1 0.5 0 0</pose></frame>
  </model>
</world></sdf>
"""


def test_a_taken_name_is_reported_in_the_form(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    dialog = run(window, "edit.add_frame")
    assert isinstance(dialog, AddDialog)
    dialog.name.clear()
    assert "Enter a name" in dialog.fault.text()
    qtbot.keyClicks(dialog.name, "forearm")
    assert "is taken" in dialog.fault.text()
    assert not dialog.accept_button.isEnabled()
    pick(qtbot, dialog.pickers["attached_to"], "palm")
    qtbot.keyClicks(dialog.name, "_tip")
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    assert '<frame name="forearm_tip" attached_to="palm"/>' in arm.session.document.text


def test_a_visual_goes_to_the_link_around_the_selection(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::forearm::hull"])
    dialog = run(window, "edit.add_visual")
    assert isinstance(dialog, AddDialog)
    assert dialog.owner_picker.full_text == "arm::forearm"
    dialog.accept()
    assert arm.session.selection == ("arm::forearm::visual",)
    assert not [each for each in arm.session.diagnostics if each.is_error]


def test_duplicates_are_behind_their_originals(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::flange", "arm::grasp"])
    run(window, "edit.duplicate")
    assert arm.session.selection == ("arm::flange_copy", "arm::grasp_copy")
    assert not [each for each in arm.session.diagnostics if each.is_error]
    assert arm.session.history.undo_label == "Duplicate 2 elements"


def test_what_nothing_refers_to_is_removed_at_once(window: MainWindow, arm: OpenFile) -> None:
    before = arm.session.document.text
    arm.session.select(["arm::grasp"])
    assert run(window, "edit.remove") is None
    assert 'name="grasp"' not in arm.session.document.text
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == before


def test_removing_asks_about_references_and_retargets_them(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::palm"])
    dialog = run(window, "edit.remove")
    assert isinstance(dialog, RemoveDialog)
    number = len(dialog.references)
    assert number >= 3
    assert f"{number} problems" in dialog.fault.text()
    for picker in dialog.pickers:
        pick(qtbot, picker, "wrist_roll")
    assert not dialog.fault.text()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert '<link name="palm"' not in arm.session.document.text
    assert not [each for each in arm.session.diagnostics if "palm" in each.message]


def test_a_limb_is_removed_with_all_that_it_carries(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    before = arm.session.document.text
    arm.session.select(["arm::forearm"])
    dialog = run(window, "edit.remove")
    assert isinstance(dialog, RemoveDialog)
    assert dialog.limb.text() == "Also remove all that it carries (6 links)"
    dialog.limb.click()
    assert dialog.everything.isChecked()
    assert dialog.references == []
    dialog.limb.click()
    assert not dialog.everything.isChecked()
    assert dialog.references
    dialog.limb.click()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    model = arm.session.model
    assert model is not None
    links = [name for name, kind in zip(model.names, model.kinds, strict=True) if kind is Kind.LINK]
    assert links == ["arm::base", "arm::shoulder", "arm::upper_arm"]
    assert not [each for each in arm.session.diagnostics if each.is_error]
    arm.session.undo()
    assert arm.session.document.text == before


def test_what_depends_on_a_link_is_removed_with_it_where_it_is_checked(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    before = arm.session.document.text
    arm.session.select(["arm::palm"])
    dialog = run(window, "edit.remove")
    assert isinstance(dialog, RemoveDialog)
    names = {item.text(0): item for item in dialog.items()}
    joint = next(name for name in names if frame_in(arm.session.model, name).kind.value == "joint")
    number = len(dialog.references)
    names[joint].setCheckState(0, Qt.CheckState.Checked)
    assert len(dialog.references) < number
    assert not dialog.everything.isChecked()
    names[joint].setCheckState(0, Qt.CheckState.Unchecked)
    assert len(dialog.references) == number
    dialog.everything.click()
    assert dialog.references == []
    assert not dialog.fault.text()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert not [each for each in arm.session.diagnostics if each.is_error]
    assert joint not in arm.session.model.rows_by_name
    arm.session.undo()
    assert arm.session.document.text == before


def test_a_rename_shows_every_reference_first(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    before, X = arm.session.document.text, poses(arm)
    arm.session.select(["arm::forearm"])
    dialog = run(window, "edit.rename_preview")
    assert isinstance(dialog, RenameDialog)
    assert "Type a new name" in dialog.summary.text()
    qtbot.waitUntil(lambda: not dialog.dependent_files.is_busy)
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClicks(dialog.name, "palm")
    assert "already called" in dialog.fault.text()
    dialog.name.selectAll()
    qtbot.keyClicks(dialog.name, "lower_arm")
    assert "3 references will be updated" in dialog.summary.text()
    assert "lower_arm" in dialog.difference.toPlainText()
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)  # waits by itself until it is known that no other file refers to it
    qtbot.waitUntil(lambda: arm.session.selection == ("arm::lower_arm",))
    np.testing.assert_array_equal(poses(arm), X)
    assert lines_changed(before, arm.session.document.text) == 8
    assert not [each for each in arm.session.diagnostics if each.is_error]


def test_a_rename_offers_to_take_along_what_plugins_mention(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "plugins.sdf"
    path.write_text(
        '<sdf version="1.9"><model name="m"><link name="arm"/>\n'
        '<plugin filename="libmine.so" name="mine">\n\n\n<part>arm</part>\n</plugin></model></sdf>\n',
        encoding="utf-8",
    )
    window.files.open([path])
    file = window.current
    assert file is not None
    file.session.select(["m::arm"])
    dialog = run(window, "edit.rename_preview")
    assert isinstance(dialog, RenameDialog)
    assert dialog.in_plugins.isVisible()
    dialog.name.selectAll()
    qtbot.keyClicks(dialog.name, "boom")
    assert "<part>arm</part>" not in dialog.difference.toPlainText()
    dialog.in_plugins.click()
    assert "<part>boom</part>" in dialog.difference.toPlainText()
    assert "1 parameter of plugins" in dialog.summary.text()
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert "<part>boom</part>" in file.session.document.text
    file.session.undo()
    assert "<part>arm</part>" in file.session.document.text


def test_a_frame_moves_to_another_model(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    workspace = open_example("nested_gripper")
    model = workspace.session.model
    assert model is not None
    X = frame_in(model, "nested_gripper::tool_tip").pose
    workspace.session.select(["nested_gripper::tool_tip"])
    dialog = run(window, "edit.move_to")
    assert isinstance(dialog, MoveDialog)
    assert not dialog.accept_button.isEnabled()
    pick(qtbot, dialog.picker, "gripper::gripper")
    dialog.accept()
    model = workspace.session.model
    assert model is not None
    np.testing.assert_allclose(frame_in(model, "nested_gripper::gripper::tool_tip").pose, X, atol=1e-12)
    assert workspace.session.selection == ("nested_gripper::gripper::tool_tip",)


def test_links_are_grouped_by_a_form_and_ungrouped_to_the_same_bytes(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    session = open_example("nested_gripper").session
    before = session.document.text
    session.select(["nested_gripper::beam"])
    form = run(window, "refactor.group")
    assert isinstance(form, OperationForm)
    form.accept()
    assert session.model is not None
    assert "nested_gripper::group::beam" in session.model.names
    session.select(["nested_gripper::group"])
    form = run(window, "refactor.ungroup")
    assert isinstance(form, OperationForm)
    form.accept()
    assert session.document.text == before


@pytest.mark.parametrize(
    "action", ["model_absolute", "element_relative", "write_defaults", "remove_redundant", "shorten_poses"]
)
def test_whole_file_refactorings_are_previewed_and_move_nothing(
    window: MainWindow, open_example: Callable[[str], OpenFile], action: str
) -> None:
    workspace = open_example("nested_gripper")
    before, X = workspace.session.document.text, poses(workspace)
    dialog = run(window, f"refactor.{action}")
    if dialog is None:  # written that way already
        assert workspace.session.document.text == before
        return
    assert isinstance(dialog, PreviewDialog)
    assert dialog.differences == []
    assert not dialog.frames.isVisible()
    assert workspace.session.document.text == before
    dialog.apply_button.click()
    assert workspace.session.document.text != before
    np.testing.assert_allclose(poses(workspace), X, atol=1e-9)
    window.actions_by_id["edit.undo"].trigger()
    assert workspace.session.document.text == before


def test_a_preview_that_meets_a_fault_says_so_and_leaves_the_window_usable(
    window: MainWindow, open_example: Callable[[str], OpenFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("injected")

    file = open_example("nested_gripper")
    refused: list[str] = []
    file.context.messages.refused.connect(refused.append)
    with monkeypatch.context() as patch:
        patch.setattr("sdfviewer.gui.operations.preview_dialog.edit_difference", fail)
        assert run(window, "refactor.flatten") is None
    (message,) = refused
    assert "Flatten" in message
    assert "because of an internal error (ZeroDivisionError: injected" in message
    assert isinstance(run(window, "refactor.flatten"), PreviewDialog)


def test_the_second_click_of_a_double_click_on_apply_does_nothing(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    file = open_example("nested_gripper")
    dialog = run(window, "refactor.flatten")
    assert isinstance(dialog, PreviewDialog)
    refused: list[str] = []
    file.context.messages.refused.connect(refused.append)
    dialog.apply_button.click()
    after = file.session.document
    dialog.apply_button.click()
    assert file.session.document is after
    assert refused == []


def test_an_old_file_is_raised_to_the_newest_version(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    workspace = open_example("parity_legacy_numbers")
    X = poses(workspace)
    dialog = run(window, "refactor.version_1.12")
    assert isinstance(dialog, PreviewDialog)
    assert dialog.differences == []
    dialog.apply_button.click()
    assert workspace.session.model is not None
    assert workspace.session.model.version == (1, 12)
    np.testing.assert_allclose(poses(workspace), X, atol=1e-9)


def test_included_models_are_put_in(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(
        '<sdf version="1.9"><model name="part"><link name="l"/></model></sdf>', encoding="utf-8"
    )
    top = tmp_path / "top.sdf"
    top.write_text(
        '<sdf version="1.9">\n  <model name="top">\n    <include>\n      <uri>part.sdf</uri>\n'
        "      <pose>1 0 0 0 0 0</pose>\n    </include>\n  </model>\n</sdf>\n",
        encoding="utf-8",
    )
    window.files.open([top])
    assert window.current is not None
    dialog = run(window, "refactor.standalone")
    assert isinstance(dialog, PreviewDialog)
    assert dialog.differences == []
    dialog.apply_button.click()
    assert "<include>" not in window.current.session.document.text
    assert '<link name="l"/>' in window.current.session.document.text


def test_nested_models_are_dissolved_and_the_selection_follows(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    workspace = open_example("nested_gripper")
    before = workspace.session.document.text
    model = workspace.session.model
    assert model is not None
    inside = next(name for name in model.names if name.startswith("nested_gripper::gripper::"))
    workspace.session.select([inside])
    dialog = run(window, "refactor.flatten")
    assert isinstance(dialog, PreviewDialog)
    assert {change for each in dialog.differences for change in each.changes} == {Change.RENAMED, Change.KIND}
    assert next(label.text() for label in dialog.findChildren(QLabel, "fact")) == "No frame moves"
    dialog.apply_button.click()
    flat = inside.replace("gripper::gripper::", "gripper::gripper_")
    assert workspace.session.selection == (flat,)
    assert workspace.session.model is not None
    np.testing.assert_allclose(frame_in(workspace.session.model, flat).pose, frame_in(model, inside).pose, atol=1e-9)
    window.actions_by_id["edit.undo"].trigger()
    assert workspace.session.document.text == before


def test_what_an_older_version_cannot_say_is_listed(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "new.sdf"
    file.write_text(
        '<sdf version="1.12">\n<model name="m" namespace="n"><link name="a"/></model></sdf>', encoding="utf-8"
    )
    window.files.open([file])
    assert window.current is not None
    dialog = run(window, "refactor.version_1.9")
    assert isinstance(dialog, PreviewDialog)
    assert [dialog.losses.item(row).text() for row in range(dialog.losses.count())] == [
        "Line 2: 'namespace' of <model> is new in SDFormat 1.11; left out"
    ]
    dialog.apply_button.click()
    assert window.current.session.model is not None
    assert window.current.session.model.version == (1, 9)


def test_a_dialog_says_why_a_file_cannot_be_lowered(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "nested.sdf"
    file.write_text(
        '<sdf version="1.9"><model name="m"><link name="a"/><model name="n"><link name="b"/></model>\n'
        '<frame name="f" attached_to="n::b"/>\n<frame name="g" attached_to="n::b"/></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([file])
    dialog = run(window, "refactor.version_1.7")
    assert isinstance(dialog, RefusalDialog)
    reasons = dialog.reasons
    assert [reasons.item(row).text().split(":")[0] for row in range(reasons.count())] == ["Line 2", "Line 3"]
    dialog.close()


def test_a_preview_closes_when_the_text_changes_meanwhile(window: MainWindow, arm: OpenFile) -> None:
    dialog = run(window, "refactor.model_absolute")
    assert isinstance(dialog, PreviewDialog)
    arm.context.edits.rename(1, "renamed")
    assert not dialog.isVisible()


def test_a_preview_closes_with_its_file(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    dialog = run(window, "refactor.model_absolute")
    assert isinstance(dialog, PreviewDialog)
    with qtbot.waitSignal(dialog.finished):
        window.actions_by_id["file.close"].trigger()
    assert window.current is None


def test_a_nested_model_is_split_off_into_a_file(
    window: MainWindow, open_example: Callable[[str], OpenFile], tmp_path: Path
) -> None:
    workspace = open_example("nested_gripper")
    model, X = workspace.session.model, poses(workspace)
    assert model is not None
    file = tmp_path / "hand.sdf"
    split_off_to(window.app, workspace, model.row("nested_gripper::gripper"), file)
    dialog = window.app.dialog
    assert isinstance(dialog, PreviewDialog)
    assert dialog.differences == []
    assert not file.exists()
    dialog.apply_button.click()
    assert "<uri>hand.sdf</uri>" in workspace.session.document.text
    np.testing.assert_allclose(poses(workspace), X, atol=1e-9)
    assert not file.exists(), "it is written with the file that includes it"
    workspace.session.undo()
    workspace.session.save()
    assert not file.exists()
    workspace.session.redo()
    workspace.session.save()
    assert file.exists()
    assert workspace.session.diagnostics == ()


@pytest.mark.skipif(sys.platform == "win32", reason="not every user makes links there")
def test_nothing_is_split_off_through_a_link(
    window: MainWindow, open_example: Callable[[str], OpenFile], tmp_path: Path
) -> None:
    workspace = open_example("nested_gripper")
    assert workspace.session.model is not None
    before = workspace.session.document.text
    file = tmp_path / "hand.sdf"
    file.symlink_to("made.sdf")  # leads to nothing
    split_off_to(window.app, workspace, workspace.session.model.row("nested_gripper::gripper"), file)
    assert window.app.dialog is None
    assert window.status.message.endswith("hand.sdf exists; choose another name.")
    assert not (tmp_path / "made.sdf").exists()
    assert workspace.session.document.text == before


@pytest.mark.parametrize("name", ["/etc/cron.d/job", "../../.config/autostart/x", "..", "a\\b"])
def test_the_name_of_a_model_leads_to_no_other_folder(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Found: the dialog that asks where a model goes offered a file anywhere."""
    file = tmp_path / "stranger.sdf"
    file.write_text(
        f'<sdf version="1.9"><model name="m"><model name="{name}"><link name="l"/></model></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([file])
    assert window.current is not None
    assert window.current.session.model is not None
    window.current.session.select([window.current.session.model.names[1]])
    offered: list[str] = []

    def ask(_parent: object, _title: str, start: str, *_more: object, **_options: object) -> tuple[str, str]:
        offered.append(start)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    window.actions_by_id["refactor.split_off"].trigger()
    (start,) = map(Path, offered)
    assert start.parent == tmp_path
    assert start.suffix == ".sdf"
    assert start.stem


@pytest.mark.panels("problems")
def test_the_naming_report_lists_what_newer_versions_forbid(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    open_example("name_clash")
    report = run(window, "refactor.naming")
    assert isinstance(report, NamingReport)
    assert report.problems
    report.list.setCurrentItem(report.list.topLevelItem(0))
    report.reject()


@pytest.mark.panels("problems")
def test_the_naming_report_lists_names_that_only_later_versions_refuse(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "old.sdf"
    file.write_text('<sdf version="1.7"><model name="m"><link name="a::b"/></model></sdf>', encoding="utf-8")
    window.files.open([file])
    report = run(window, "refactor.naming")
    assert isinstance(report, NamingReport)
    assert [problem.rule.name for problem in report.problems] == ["name-not-portable"]
    report.reject()


def test_the_history_goes_to_any_step(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.docks.reveal("history")
    texts = [arm.session.document.text]
    for name in ("one", "two", "three"):
        assert arm.session.model is not None
        arm.context.edits.rename(1, name)
        texts.append(arm.session.document.text)
    steps = arm.history.list
    assert [steps.item(row).text() for row in range(4)] == [
        "Open   ·   saved",
        *(f"Rename {old} to {new}" for old, new in (("mount", "one"), ("one", "two"), ("two", "three"))),
    ]
    for row in (1, 3, 0, 2):
        qtbot.mouseClick(
            steps.viewport(), Qt.MouseButton.LeftButton, pos=steps.visualItemRect(steps.item(row)).center()
        )
        assert arm.session.document.text == texts[row]
        assert steps.item(row).font().bold()
    assert window.isWindowModified()


def test_undo_leads_across_a_save(window: MainWindow, arm: OpenFile) -> None:
    before = arm.session.document.text
    arm.context.edits.rename(1, "one")
    window.actions_by_id["file.save"].trigger()
    assert not arm.session.dirty
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == before
    assert arm.session.dirty
    window.actions_by_id["edit.redo"].trigger()
    assert not arm.session.dirty


def test_revert_asks_and_can_be_undone(
    window: MainWindow, arm: OpenFile, answer: Callable[[QMessageBox.StandardButton], list[str]]
) -> None:
    before = arm.session.document.text
    arm.context.edits.rename(1, "one")
    edited = arm.session.document.text
    asked = answer(QMessageBox.StandardButton.Ok)
    run(window, "file.revert")
    assert len(asked) == 1
    assert arm.session.document.text == before
    assert not arm.session.dirty
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == edited


def test_a_copy_is_saved_beside(
    window: MainWindow, arm: OpenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm.context.edits.rename(1, "one")
    path = arm.session.path
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "copy.sdf"), ""))
    run(window, "file.save_copy")
    assert (tmp_path / "copy.sdf").read_bytes() == arm.session.document.to_bytes()
    assert arm.session.path == path
    assert arm.session.dirty


def compared_with_head(qtbot: QtBot, window: MainWindow) -> CompareDialog:
    """Return the comparison with git's HEAD, which is read beside the window."""
    run(window, "versions.head")
    qtbot.waitUntil(lambda: window.comparisons.dialog is not None)
    dialog = window.comparisons.dialog
    assert dialog is not None
    return dialog


def test_the_version_in_git_is_compared(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, commit: Callable[[Path], None]
) -> None:
    path = arm.session.path
    assert path is not None
    commit(path)
    dialog = compared_with_head(qtbot, window)
    assert dialog.differences == []
    dialog.reject()
    assert arm.session.model is not None
    arm.context.edits.rename(arm.session.model.row("arm::grasp"), "hold")
    dialog = compared_with_head(qtbot, window)
    assert [(each.changes, each.after) for each in dialog.differences] == [((Change.RENAMED,), "arm::hold")]
    dialog.frames.topLevelItem(0).setSelected(True)
    assert arm.session.selection == ("arm::hold",)
    dialog.reject()


def test_what_the_version_in_git_includes_is_compared(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, commit: Callable[[Path], None]
) -> None:
    part, top = tmp_path / "part.sdf", tmp_path / "top.sdf"
    text = "<sdf version='1.9'><model name='part'><link name='l'><pose>0 0 {} 0 0 0</pose></link></model></sdf>"
    part.write_text(text.format(0), encoding="utf-8")
    top.write_text("<sdf version='1.9'><model name='m'><include><uri>part.sdf</uri></include></model></sdf>", "utf-8")
    commit(part)
    commit(top)
    part.write_text(text.format(3), encoding="utf-8")
    window.files.open([top])
    dialog = compared_with_head(qtbot, window)
    qtbot.waitUntil(lambda: [(each.after, each.metres) for each in dialog.differences] == [("m::part::l", 3)])
    dialog.reject()


def test_no_window_waits_for_git(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, asked = arm.session.document, []

    def answer(_path: Path) -> Document:
        asked.append(current_thread())
        return document

    monkeypatch.setattr(compare_dialog, "open_git_head", answer)
    dialog = compared_with_head(qtbot, window)
    dialog.compare_with(step_version(arm.session, 0))
    dialog.versions.activated.emit(dialog.versions.findText("the version in git HEAD"))
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert main_thread() not in asked
    dialog.reject()


def test_a_folder_without_git_is_reported(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert arm.session.path is not None
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(arm.session.path.parent.parent))
    assert run(window, "versions.head") is None
    qtbot.waitUntil(lambda: "git" in window.status.message)
    assert window.comparisons.dialog is None


def test_the_tree_offers_what_can_be_done(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::forearm::hull"])
    menu = build_tree_menu(arm, window.actions_by_id)
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts[0] == "Add"
    assert "Remove" in texts
    add = menu.findChild(QMenu)
    assert [action.text() for action in add.actions()][:2] == ["Link…", "Joint…"]
    assert "Visual…" in [action.text() for action in add.actions()]


def insert_comment(workspace: OpenFile) -> str:
    """Let another program write a comment at the beginning of the model; return the text then."""
    path = workspace.session.path
    assert path is not None
    text = workspace.session.document.text.replace("<link ", "<!-- 12345678901234567890 --><link ", 1)
    path.write_bytes(text.encode())
    return text


def test_a_form_that_is_open_follows_the_file(window: MainWindow, arm: OpenFile) -> None:
    """An edit computed from a former text would land inside another tag."""
    dialog = run(window, "edit.add_frame")
    assert isinstance(dialog, AddDialog)
    text = insert_comment(arm)
    window.disk.look_at_disk()
    assert arm.session.document.text == text
    dialog.accept()
    added = '<frame name="frame"'
    assert arm.session.model is not None
    assert "arm::frame" in arm.session.model.rows_by_name
    assert next(line for line in arm.session.document.text.splitlines() if line not in text.splitlines()).strip() in (
        f"{added}/>",
        f"{added}>",
    )


def test_the_title_says_which_of_several_links_of_one_name(window: MainWindow, tmp_path: Path) -> None:
    models = "".join(f'<model name="{name}"><link name="link"/></model>' for name in ("a", "b"))
    path = tmp_path / "two.sdf"
    path.write_text(f'<sdf version="1.9"><world name="w">{models}</world></sdf>', encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    file.session.select(["b::link"])
    dialog = run(window, "edit.rename_preview")
    assert isinstance(dialog, RenameDialog)
    assert dialog.windowTitle() == "Rename b::link"
    file.context.edits.rename(file.session.model.row("b::link"), "base")  # type: ignore[union-attr]
    assert file.session.history.steps[-1].label == "Rename b::link to base"


def test_a_rename_follows_the_file(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::palm"])
    dialog = run(window, "edit.rename_preview")
    assert isinstance(dialog, RenameDialog)
    text = insert_comment(arm)
    window.disk.look_at_disk()
    dialog.dependent_files.stop()
    dialog.name.setText("hand_2")
    dialog.accept()
    assert arm.session.document.text == text.replace("palm", "hand_2")


def test_a_form_closes_when_its_frames_are_gone(window: MainWindow, arm: OpenFile) -> None:
    refused: list[str] = []
    arm.context.messages.refused.connect(refused.append)
    arm.session.select(["arm::palm"])
    dialog = run(window, "edit.rename_preview")
    assert isinstance(dialog, RenameDialog)
    path = arm.session.path
    assert path is not None
    text = '<sdf version="1.9"><model name="other"><link name="l"/></model></sdf>'
    path.write_text(text, encoding="utf-8")
    window.disk.look_at_disk()
    assert not dialog.isVisible()
    assert "no longer exists" in refused[-1]
    assert arm.session.document.text == text
