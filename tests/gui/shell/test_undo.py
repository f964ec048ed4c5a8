"""Undo and redo say what they did, and show where."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.help.shortcuts import ShortcutSheet
from sdfviewer.gui.kit.commands import command_name
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow


def rename(file: OpenFile, name: str, to: str) -> None:
    assert file.session.model is not None
    file.context.edits.rename(file.session.model.row(name), to)


@pytest.mark.parametrize(
    "redo", [("Z", Qt.KeyboardModifier.ShiftModifier), ("Y", Qt.KeyboardModifier.NoModifier)], ids=["Shift+Z", "Y"]
)
def test_undo_and_redo_by_their_keys(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, redo: tuple[str, Qt.KeyboardModifier]
) -> None:
    before = arm.session.document.text
    rename(arm, "arm::inspection", "probe")
    after = arm.session.document.text
    window.activateWindow()
    arm.view.setFocus()
    qtbot.waitUntil(window.isActiveWindow)
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(arm.view, Qt.Key.Key_Z, control)
    assert arm.session.document.text == before
    key = Qt.Key.Key_Z if redo[0] == "Z" else Qt.Key.Key_Y
    QTest.keyClick(arm.view, key, control | redo[1])
    assert arm.session.document.text == after


def test_undo_names_selects_and_flashes_what_it_undid(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    rename(arm, "arm::inspection", "probe")
    label = arm.session.history.undo_label
    arm.session.select(("arm::base",))
    lit: list[bool] = []
    arm.context.highlights.flash_changed.connect(
        lambda: lit.append("arm::inspection" in arm.context.highlights.selected)
    )
    window.actions_by_id["edit.undo"].trigger()
    assert window.status.message == f"Undid “{label}”"
    assert arm.session.selection == ("arm::inspection",)
    qtbot.waitUntil(lambda: lit == [False, True] * 3)
    window.actions_by_id["edit.redo"].trigger()
    assert window.status.message == f"Redid “{label}”"
    assert arm.session.selection == ("arm::probe",)


def test_without_a_file_undo_names_no_step_of_the_one_before(window: MainWindow, arm: OpenFile) -> None:
    rename(arm, "arm::inspection", "probe")
    undo, save = window.actions_by_id["edit.undo"], window.actions_by_id["file.save"]
    assert undo.text() != "Undo"
    assert save.isEnabled()
    window.files.drop(arm)
    assert undo.text() == "Undo"
    assert not undo.isEnabled()
    assert not save.isEnabled()


@pytest.mark.panels("source")
def test_undo_in_the_source_says_the_same(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    rename(arm, "arm::inspection", "probe")
    window.docks.reveal("source")
    QTest.keyClick(arm.source.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.status.message.startswith("Undid")
    assert arm.session.selection == ("arm::inspection",)


@pytest.mark.panels("source")
def test_what_was_removed_is_reported_and_its_place_is_shown(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.resize(1600, 900)  # wide enough for the whole path
    qtbot.waitUntil(lambda: window.width() == 1600)
    window.workspaces.reset()
    window.docks.show("source")
    arm.session.select(("arm::forearm::hull",))
    qtbot.waitUntil(lambda: "hull" in arm.source.caret_bar.path.text())
    window.actions_by_id["edit.remove"].trigger()
    assert window.status.message == "Done: remove forearm::hull"
    assert arm.session.selection == ("arm::forearm",)
    qtbot.waitUntil(lambda: "forearm</a>" in arm.source.caret_bar.path.text())


def test_undo_of_a_rename_selects_only_what_was_renamed(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::forearm",))
    rename(arm, "arm::forearm", "lower")
    arm.context.edits.undo()  # joints that name the link have changed, too
    assert arm.session.selection == ("arm::forearm",)


def test_undo_of_a_duplicate_selects_the_original(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::inspection",))
    window.actions_by_id["edit.duplicate"].trigger()
    assert arm.session.selection != ("arm::inspection",)
    window.actions_by_id["edit.undo"].trigger()
    assert arm.session.selection == ("arm::inspection",)


def test_removing_a_box_of_a_world_selects_the_next_and_never_the_world(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "boxes.sdf"
    boxes = "".join(f'<model name="box_{number}"><link name="l"/></model>' for number in range(3))
    path.write_text(f'<sdf version="1.9"><world name="w">{boxes}</world></sdf>')
    window.files.open([path])
    file = window.files.current
    assert file is not None
    for box, then in (("box_1", "box_2"), ("box_2", "box_0"), ("box_0", "box_0")):
        file.session.select((box,))
        window.actions_by_id["edit.remove"].trigger()
        assert f'"{box}"' not in file.session.document.text
        assert file.session.selection == (then,)
    assert not file.session.selected_rows
    window.actions_by_id["edit.undo"].trigger()
    assert file.session.selected_rows == [1]


def test_a_slider_touches_no_action(window: MainWindow, arm: OpenFile) -> None:
    touched: list[str] = []
    for id, action in window.actions_by_id.items():
        action.changed.connect(lambda id=id: touched.append(id))
    arm.session.move_joints({"arm::joint_1": (0.3,)})
    arm.session.select(("arm::base",))
    assert touched == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Y, Qt.Key.Key_Z])
def test_redo_says_where_there_is_nothing_to_redo(qtbot: QtBot, window: MainWindow, arm: OpenFile, key: Qt.Key) -> None:
    window.activateWindow()
    arm.view.setFocus()
    qtbot.waitUntil(window.isActiveWindow)
    shift = Qt.KeyboardModifier.ShiftModifier if key == Qt.Key.Key_Z else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(arm.view, key, Qt.KeyboardModifier.ControlModifier | shift)
    assert window.status.message == "Nothing to redo."


def test_undo_says_where_there_is_nothing_to_undo(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    before = arm.session.document.text
    window.activateWindow()
    arm.view.setFocus()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(arm.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.status.message == "Nothing to undo."
    arm.session.move_joints({"arm::joint_1": (0.3,)})
    QTest.keyClick(arm.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "Ctrl+0" in window.status.message
    assert arm.session.document.text == before


def test_save_says_where_there_is_nothing_to_save(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    assert not arm.session.dirty
    window.activateWindow()
    arm.view.setFocus()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(arm.view, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.status.message == "No changes to save."


def test_a_long_undo_is_short_in_its_menu_and_plain_in_lists_of_commands(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    rename(arm, "arm::inspection", "a_probe_whose_name_is_longer_than_any_menu_should_be_broad")
    undo, label = window.actions_by_id["edit.undo"], arm.session.history.undo_label
    assert label is not None
    assert undo.text().startswith("Undo Rename")
    assert len(undo.text()) <= 50
    assert label in undo.toolTip()
    assert label in undo.statusTip()
    assert command_name(undo) == "Undo"
    window.actions_by_id["help.shortcuts"].trigger()
    sheet = window.app.dialog
    assert isinstance(sheet, ShortcutSheet)
    qtbot.waitUntil(lambda: sheet.table.topLevelItemCount() > 0)
    assert sheet.table.findItems("Undo", Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    undo.trigger()
    assert undo.text() == "Undo"
    assert label not in undo.toolTip()
