"""Dialogs that add, remove, rename, move, refactor and compare, worked by hand in the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from sdfviewer.document.line_difference import text_difference
from sdfviewer.gui.differences.dialog import CompareDialog
from sdfviewer.gui.editing.add import AddDialog
from sdfviewer.gui.editing.losses import RefusalDialog
from sdfviewer.gui.editing.naming import NamingReport
from sdfviewer.gui.editing.preview import PreviewDialog
from sdfviewer.gui.editing.remove import RemoveDialog
from sdfviewer.gui.editing.rename import MoveDialog, RenameDialog
from sdfviewer.gui.frame_picker import FramePicker
from sdfviewer.gui.window import MainWindow
from sdfviewer.gui.workspace import Workspace
from sdfviewer.semantics.difference import Change


def pick(qtbot: QtBot, picker: FramePicker, text: str) -> None:
    """Open a picker, type a part of a name, press Enter."""
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    assert picker.popup is not None
    qtbot.keyClicks(picker.popup.search, text)
    qtbot.keyClick(picker.popup.search, Qt.Key.Key_Return)


def run(window: MainWindow, action: str) -> object:
    """Trigger an action and return the dialog that it opened."""
    window.editing.dialog = None
    window.actions_by_id[action].trigger()
    return window.editing.dialog


def poses(workspace: Workspace) -> np.ndarray:
    assert workspace.session.model is not None
    return workspace.session.model.X_RootF.copy()


def lines_changed(before: str, after: str) -> int:
    return text_difference(before, after).line_count


def test_a_joint_is_added_between_two_links(qtbot: QtBot, window: MainWindow, arm: Workspace) -> None:
    before = arm.session.document.text
    dialog = run(window, "edit.add_joint")
    assert isinstance(dialog, AddDialog)
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClicks(dialog.name, "brace")
    dialog.type.setCurrentText("prismatic")
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


def test_a_taken_name_is_told_in_the_form(qtbot: QtBot, window: MainWindow, arm: Workspace) -> None:
    dialog = run(window, "edit.add_frame")
    assert isinstance(dialog, AddDialog)
    dialog.name.clear()
    assert "needs a name" in dialog.fault.text()
    qtbot.keyClicks(dialog.name, "forearm")
    assert "taken" in dialog.fault.text()
    assert not dialog.accept_button.isEnabled()
    pick(qtbot, dialog.pickers["attached_to"], "palm")
    qtbot.keyClicks(dialog.name, "_tip")
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    assert '<frame name="forearm_tip" attached_to="palm">' in arm.session.document.text


def test_a_visual_goes_to_the_link_around_the_selection(window: MainWindow, arm: Workspace) -> None:
    arm.session.select(["arm::forearm::hull"])
    dialog = run(window, "edit.add_visual")
    assert isinstance(dialog, AddDialog)
    assert dialog.owner_picker.full_text == "arm::forearm"
    dialog.accept()
    assert arm.session.selection == ("arm::forearm::visual",)
    assert not [each for each in arm.session.diagnostics if each.is_error]


def test_duplicates_stand_behind_their_originals(window: MainWindow, arm: Workspace) -> None:
    arm.session.select(["arm::flange", "arm::grasp"])
    run(window, "edit.duplicate")
    assert arm.session.selection == ("arm::flange_copy", "arm::grasp_copy")
    assert not [each for each in arm.session.diagnostics if each.is_error]
    assert arm.session.history.undo_label == "Duplicate 2 elements"


def test_what_nothing_refers_to_is_removed_at_once(window: MainWindow, arm: Workspace) -> None:
    before = arm.session.document.text
    arm.session.select(["arm::grasp"])
    assert run(window, "edit.remove") is None
    assert 'name="grasp"' not in arm.session.document.text
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == before


def test_removing_asks_about_references_and_points_them_elsewhere(
    qtbot: QtBot, window: MainWindow, arm: Workspace
) -> None:
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


def test_a_rename_shows_every_reference_first(qtbot: QtBot, window: MainWindow, arm: Workspace) -> None:
    before, X = arm.session.document.text, poses(arm)
    arm.session.select(["arm::forearm"])
    dialog = run(window, "edit.rename_preview")
    assert isinstance(dialog, RenameDialog)
    assert "Type another name" in dialog.summary.text()
    qtbot.keyClicks(dialog.name, "palm")
    assert "taken" in dialog.fault.text()
    dialog.name.selectAll()
    qtbot.keyClicks(dialog.name, "lower_arm")
    assert "3 references change along" in dialog.summary.text()
    assert "lower_arm" in dialog.difference.toPlainText()
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)  # waits by itself until it is known that no other file refers to it
    qtbot.waitUntil(lambda: arm.session.selection == ("arm::lower_arm",))
    np.testing.assert_array_equal(poses(arm), X)
    assert lines_changed(before, arm.session.document.text) == 8
    assert not [each for each in arm.session.diagnostics if each.is_error]


def test_a_frame_moves_to_another_model(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], Workspace]
) -> None:
    workspace = open_example("nested_gripper")
    model = workspace.session.model
    assert model is not None
    X = model.frame("nested_gripper::tool_tip").pose
    workspace.session.select(["nested_gripper::tool_tip"])
    dialog = run(window, "edit.move_to")
    assert isinstance(dialog, MoveDialog)
    assert not dialog.accept_button.isEnabled()
    pick(qtbot, dialog.picker, "gripper::gripper")
    dialog.accept()
    model = workspace.session.model
    assert model is not None
    np.testing.assert_allclose(model.frame("nested_gripper::gripper::tool_tip").pose, X, atol=1e-12)
    assert workspace.session.selection == ("nested_gripper::gripper::tool_tip",)


@pytest.mark.parametrize(
    "action", ["model_absolute", "element_relative", "write_defaults", "remove_redundant", "shorten_poses"]
)
def test_whole_file_refactorings_are_previewed_and_move_nothing(
    window: MainWindow, open_example: Callable[[str], Workspace], action: str
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


def test_an_old_file_is_raised_to_the_newest_version(
    window: MainWindow, open_example: Callable[[str], Workspace]
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


def test_nested_models_are_taken_apart_and_the_selection_follows(
    window: MainWindow, open_example: Callable[[str], Workspace]
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
    np.testing.assert_allclose(workspace.session.model.frame(flat).pose, model.frame(inside).pose, atol=1e-9)
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
        "Line 2: 'namespace' of <model> came with SDFormat 1.11; left out"
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


def test_a_preview_closes_when_the_text_changes_meanwhile(window: MainWindow, arm: Workspace) -> None:
    dialog = run(window, "refactor.model_absolute")
    assert isinstance(dialog, PreviewDialog)
    arm.bridge.rename(1, "renamed")
    assert not dialog.isVisible()


def test_a_nested_model_is_split_off_into_a_file(
    window: MainWindow, open_example: Callable[[str], Workspace], tmp_path: Path
) -> None:
    workspace = open_example("nested_gripper")
    model, X = workspace.session.model, poses(workspace)
    assert model is not None
    file = tmp_path / "hand.sdf"
    window.editing.split_off_to(workspace, model.row("nested_gripper::gripper"), file)
    dialog = window.editing.dialog
    assert isinstance(dialog, PreviewDialog)
    assert dialog.differences == []
    assert not file.exists()
    dialog.apply_button.click()
    assert file.exists()
    assert "<uri>hand.sdf</uri>" in workspace.session.document.text
    np.testing.assert_allclose(poses(workspace), X, atol=1e-9)


def test_the_naming_report_lists_what_newer_versions_forbid(
    window: MainWindow, open_example: Callable[[str], Workspace]
) -> None:
    open_example("name_clash")
    report = run(window, "refactor.naming")
    assert isinstance(report, NamingReport)
    assert report.problems
    report.table.setCurrentItem(report.table.topLevelItem(0))
    report.reject()


def test_the_history_goes_to_any_step(qtbot: QtBot, window: MainWindow, arm: Workspace) -> None:
    window.docks.reveal("history")
    texts = [arm.session.document.text]
    for name in ("one", "two", "three"):
        assert arm.session.model is not None
        arm.bridge.rename(1, name)
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


def test_undo_leads_across_a_save(window: MainWindow, arm: Workspace) -> None:
    before = arm.session.document.text
    arm.bridge.rename(1, "one")
    window.actions_by_id["file.save"].trigger()
    assert not arm.session.dirty
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == before
    assert arm.session.dirty
    window.actions_by_id["edit.redo"].trigger()
    assert not arm.session.dirty


def test_revert_asks_and_can_be_undone(
    window: MainWindow, arm: Workspace, answer: Callable[[QMessageBox.StandardButton], list[str]]
) -> None:
    before = arm.session.document.text
    arm.bridge.rename(1, "one")
    edited = arm.session.document.text
    asked = answer(QMessageBox.StandardButton.Ok)
    run(window, "file.revert")
    assert len(asked) == 1
    assert arm.session.document.text == before
    assert not arm.session.dirty
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.document.text == edited


def test_a_copy_is_saved_beside(
    window: MainWindow, arm: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm.bridge.rename(1, "one")
    path = arm.session.path
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "copy.sdf"), ""))
    run(window, "file.save_copy")
    assert (tmp_path / "copy.sdf").read_bytes() == arm.session.document.to_bytes()
    assert arm.session.path == path
    assert arm.session.dirty


def test_the_version_in_git_is_compared(window: MainWindow, arm: Workspace, commit: Callable[[Path], None]) -> None:
    path = arm.session.path
    assert path is not None
    commit(path)
    dialog = run(window, "versions.head")
    assert isinstance(dialog, CompareDialog)
    assert dialog.differences == []
    dialog.reject()
    assert arm.session.model is not None
    arm.bridge.rename(arm.session.model.row("arm::grasp"), "hold")
    dialog = run(window, "versions.head")
    assert isinstance(dialog, CompareDialog)
    assert [(each.changes, each.after) for each in dialog.differences] == [((Change.RENAMED,), "arm::hold")]
    dialog.frames.topLevelItem(0).setSelected(True)
    assert arm.session.selection == ("arm::hold",)
    dialog.reject()


def test_a_folder_without_git_is_told(window: MainWindow, arm: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert arm.session.path is not None
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(arm.session.path.parent.parent))
    assert run(window, "versions.head") is None
    assert "git" in window.status.message


def test_the_tree_offers_what_can_be_done(window: MainWindow, arm: Workspace) -> None:
    arm.session.select(["arm::forearm::hull"])
    menu = window.editing.build_tree_menu(arm)
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts[0] == "Add"
    assert "Remove" in texts
    add = menu.findChild(QMenu)
    assert [action.text() for action in add.actions()][:2] == ["Link…", "Joint…"]
    assert "Visual…" in [action.text() for action in add.actions()]
