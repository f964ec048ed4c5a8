"""A rename in the window goes along in the files that include the renamed: seen first, undone one by one."""

from __future__ import annotations

import re
from pathlib import Path
from threading import current_thread, main_thread

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.files.opening import open_document
from sdfviewer.files.search import search_places
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.operations.rename_dialog import RenameDialog, UpdateReferencesDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.refactoring.projects import write_project


@pytest.fixture
def files(tmp_path: Path, window: MainWindow) -> dict[str, Path]:
    """Return the files of a project whose gripper is open in the window."""
    files = write_project(tmp_path / "project")
    (tmp_path / "project" / ".git").mkdir()
    window.files.model_paths = (tmp_path / "project" / "models",)
    window.files.open([files["gripper"]])
    return files


def renamed(path: Path, old: str, new: str) -> str:
    return re.sub(rf"\b{old}\b", new, open_document(path).text)


def current(window: MainWindow) -> OpenFile:
    assert window.current is not None
    return window.current


def tab(window: MainWindow, path: Path) -> OpenFile:
    workspace = window.files.find(path)
    assert workspace is not None
    return workspace


def rename_dialog(qtbot: QtBot, window: MainWindow, frame: str, name: str) -> RenameDialog:
    """Return the dialog with another name typed in, after all that follows has been found."""
    current(window).session.select([frame])
    window.actions_by_id["edit.rename_preview"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, RenameDialog)
    qtbot.keyClicks(dialog.name, name)
    qtbot.waitUntil(lambda: not dialog.dependent_files.is_busy)
    return dialog


def shown(dialog: RenameDialog | UpdateReferencesDialog) -> list[str]:
    return [group.check.text().replace("\\", "/") for group in dialog.dependent_files.list.groups]


def test_other_files_are_shown_and_are_updated_unsaved(
    qtbot: QtBot, window: MainWindow, files: dict[str, Path]
) -> None:
    window.files.open([files["arm"]])
    window.files.open([files["gripper"]])
    on_disk = {path: path.read_bytes() for path in files.values()}
    gripper = current(window)
    dialog = rename_dialog(qtbot, window, "gripper::tip", "tcp")
    assert sorted(shown(dialog)) == ["models/arm/model.sdf", "models/hand/model.sdf", "worlds/shop.world"]
    assert "3 other files include this one" in dialog.dependent_files.heading.text()
    assert "Nothing is saved yet" in dialog.dependent_files.note.text()
    arm_group = dialog.dependent_files.list.groups[shown(dialog).index("models/arm/model.sdf")]
    assert "arm::left::tcp" not in arm_group.difference.toPlainText()
    assert '<xyz expressed_in="left::tcp">' in arm_group.difference.toPlainText()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert window.current is gripper
    assert len(window.files.opened) == 4
    for name in ("arm", "hand", "world"):
        session = tab(window, files[name]).session
        assert session.dirty
        assert session.document.text == renamed(files[name], "tip", "tcp")
        assert not any(each.is_error for each in session.diagnostics), name
    assert {path: path.read_bytes() for path in files.values()} == on_disk
    assert "unsaved" in window.notices.topics

    window.files.show(tab(window, files["world"]))
    window.actions_by_id["edit.undo"].trigger()
    assert tab(window, files["world"]).session.document.text == open_document(files["world"]).text
    assert any(each.is_error for each in tab(window, files["world"]).session.diagnostics)
    window.actions_by_id["edit.redo"].trigger()

    window.actions_by_id["file.save_all"].trigger()
    assert not any(each.session.dirty for each in window.files.opened)
    assert "unsaved" not in window.notices.topics
    assert files["hand"].read_bytes()[:2] == on_disk[files["hand"]][:2]
    for name in ("arm", "world"):
        assert b"tcp" in files[name].read_bytes()
        assert files[name].read_bytes().count(b"\r\n") == on_disk[files[name]].count(b"\r\n")
    window.disk.look_at_disk()
    assert not any(each.is_error for workspace in window.files.opened for each in workspace.session.diagnostics)


def test_a_file_is_left_out(qtbot: QtBot, window: MainWindow, files: dict[str, Path]) -> None:
    dialog = rename_dialog(qtbot, window, "gripper::tip", "pad")
    group = dialog.dependent_files.list.groups[shown(dialog).index("models/hand/model.sdf")]
    assert "both called" in group.dependent.faults[0]
    assert not dialog.accept_button.isEnabled()
    assert "exclude that file" in dialog.fault.text()
    qtbot.mouseClick(group.check, Qt.MouseButton.LeftButton, pos=group.check.rect().center() / 8)
    assert not group.check.isChecked()
    assert dialog.accept_button.isEnabled()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert window.files.find(files["hand"]) is None
    assert tab(window, files["arm"]).session.document.text == renamed(files["arm"], "tip", "pad")


def test_a_file_that_changed_meanwhile_is_not_edited(qtbot: QtBot, window: MainWindow, files: dict[str, Path]) -> None:
    dialog = rename_dialog(qtbot, window, "gripper::tip", "tcp")
    files["world"].write_bytes(files["world"].read_bytes() + b"\n")
    before = current(window).session.document.text
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert "has changed in the meantime" in dialog.fault.text()
    assert not any(each.session.dirty for each in window.files.opened)
    assert current(window).session.document.text == before
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert "::tcp" in tab(window, files["world"]).session.document.text


def test_looking_can_be_ended(qtbot: QtBot, window: MainWindow, files: dict[str, Path]) -> None:
    current(window).session.select(["gripper::tip"])
    window.actions_by_id["edit.rename_preview"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, RenameDialog)
    qtbot.keyClicks(dialog.name, "tcp")
    qtbot.mouseClick(dialog.dependent_files.stop_button, Qt.MouseButton.LeftButton)
    assert dialog.accept_button.isEnabled()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert len(window.files.opened) == 1
    assert 'name="tcp"' in current(window).session.document.text


@pytest.mark.panels("properties")
def test_a_rename_in_the_properties_offers_the_others(qtbot: QtBot, window: MainWindow, files: dict[str, Path]) -> None:
    workspace = current(window)
    workspace.session.select(["gripper::tip"])
    window.actions_by_id["edit.rename"].trigger()
    field = workspace.properties.name.field
    qtbot.keyClicks(field, "tcp")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    topic = f"renamed {id(workspace)} gripper::tip"
    qtbot.waitUntil(lambda: topic in window.notices.topics)
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, "tool")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "is now called 'tool'" in notice(window, topic).text)
    notice(window, topic).button.click()
    dialog = window.app.dialog
    assert isinstance(dialog, UpdateReferencesDialog)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert len(shown(dialog)) == 3
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    for name in ("arm", "hand", "world"):
        session = tab(window, files[name]).session
        assert session.document.text == renamed(files[name], "tip", "tool")
        assert not any(each.is_error for each in session.diagnostics)


def test_other_files_are_looked_for_beside_the_window(
    qtbot: QtBot, window: MainWindow, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look for the project on disk was a tenth of the time of a rename in a large world."""
    beside: list[bool] = []

    def places(file: Path) -> tuple[Path, ...]:
        beside.append(current_thread() is not main_thread())
        return search_places(file)

    monkeypatch.setattr("sdfviewer.files.search.search_places", places)
    workspace = current(window)
    with qtbot.waitSignal(window.rename_propagation.searched) as answer:
        workspace.context.edits.rename(workspace.session.model.row("gripper::tip"), "tcp")
    assert answer.args == [3]
    assert beside == [True]


def test_an_offer_goes_with_the_rename_that_it_was_for(
    qtbot: QtBot, window: MainWindow, files: dict[str, Path]
) -> None:
    workspace = current(window)
    assert workspace.session.model is not None
    workspace.context.edits.rename(workspace.session.model.row("gripper::tip"), "tcp")
    topic = f"renamed {id(workspace)} gripper::tip"
    qtbot.waitUntil(lambda: topic in window.notices.topics)
    workspace.context.edits.rename(0, "claw")
    assert topic in window.notices.topics
    workspace.session.undo()
    workspace.session.undo()
    assert topic not in window.notices.topics


def test_where_nothing_refers_to_it_nothing_is_reported(
    qtbot: QtBot, window: MainWindow, files: dict[str, Path]
) -> None:
    window.files.open([files["world"]])
    workspace = current(window)
    assert workspace.session.model is not None
    with qtbot.waitSignal(window.rename_propagation.searched) as answer:
        workspace.context.edits.rename(workspace.session.model.row("work"), "bench")
    assert answer.args == [0]
    assert not window.notices.topics


def test_a_tab_shows_the_unsaved_text_of_what_it_includes(
    qtbot: QtBot, window: MainWindow, files: dict[str, Path]
) -> None:
    gripper = current(window)
    window.files.open([files["arm"]])
    arm = current(window)
    window.files.show(gripper)
    model = gripper.session.model
    assert model is not None
    gripper.context.edits.rename(model.row("gripper::tip"), "tcp")
    window.files.show(arm)
    assert arm.session.model is not None
    assert "arm::left::tcp" in arm.session.model.names
    window.files.show(gripper)
    gripper.session.undo()
    window.files.show(arm)
    assert "arm::left::tip" in arm.session.model.names


class Shown:
    """A notice in the window."""

    def __init__(self, text: str, button: QPushButton) -> None:
        self.text = text
        self.button = button


def notice(window: MainWindow, topic: str) -> Shown:
    bars = [bar for bar in window.notices.findChildren(QFrame) if bar.objectName() == f"notice_{topic}"]
    label = next(each for each in bars[-1].findChildren(QLabel) if each.text())
    return Shown(label.text(), bars[-1].findChildren(QPushButton)[0])


def test_a_rename_shows_where_plugins_still_say_the_former_name(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """A plugin that moves a joint by its name does not move it any more, and nothing said so."""
    path = tmp_path / "rotor.sdf"
    path.write_text(
        '<sdf version="1.9"><model name="m"><link name="rotor"/>\n<plugin name="p" filename="f">\n'
        "<linkName>rotor</linkName></plugin></model></sdf>",
        encoding="utf-8",
    )
    window.files.open([path])
    file = current(window)

    def said() -> str:
        return " ".join(each.full_text for each in window.notices.findChildren(ElidedLines))

    def rename(old: str, new: str) -> None:
        assert file.session.model is not None
        file.context.edits.rename(file.session.model.row(old), new)

    rename("rotor", "propeller")
    qtbot.waitUntil(lambda: "still mention 'rotor'" in said())
    assert said().endswith("line 3.")
    places: list[int] = []
    file.context.requests.place.connect(lambda span: places.append(span.line))
    next(each for each in window.notices.findChildren(QPushButton) if each.text() == "Show").click()
    assert places == [3]
    file.context.edits.undo()
    rename("rotor", "screw")
    qtbot.waitUntil(lambda: "now called 'screw'" in said())
    file.context.edits.undo()
    qtbot.waitUntil(lambda: not window.notices.topics)
