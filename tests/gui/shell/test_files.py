"""Files in the window: nothing is lost, nothing is asked without need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit, Replacements
from sdfviewer.files.recovery import Recovery, recoveries
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.files.file_saving import suggested_path
from sdfviewer.gui.shell.files.file_tabs import WIDEST_TAB
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.files.opening import Opening
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.templates import TEMPLATES
from tests.gui.kept_window import ALL_PANELS

Answer = Callable[[QMessageBox.StandardButton], list[str]]


def type_comment(workspace: OpenFile, comment: str = "<!-- mine -->") -> None:
    """Make an edit that changes no meaning."""
    end = len(workspace.session.document.text)
    replacements: Replacements = (Replacement(end, end, comment),)
    workspace.session.apply(Edit("Comment", workspace.session.document, replacements))


def rewrite(workspace: OpenFile, old: str, new: str) -> Path:
    """Change the file behind a workspace as another program would."""
    path = workspace.session.path
    assert path is not None
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return path


def kept_of(path: Path | None) -> list[Recovery]:
    """Return the unsaved work that is kept for a file."""
    return [kept for kept in recoveries() if path is not None and kept.path == path.resolve()]


def notice_buttons(window: MainWindow) -> dict[str, QPushButton]:
    """Return the answers of all notices by what they say."""
    answers = (each for each in window.notices.findChildren(QPushButton) if each is not window.notices.more)
    return {button.text(): button for button in answers}


@pytest.mark.panels("properties")
def test_a_change_on_disk_is_shown_and_the_view_stays(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(("arm::inspection",))
    arm.session.move_joints({"arm::joint_1": (0.4,)})
    canvas = arm.view.canvas
    assert canvas is not None
    canvas.camera_control.look_from("front")
    qtbot.waitUntil(lambda: not canvas.camera_control.is_flying)
    camera = canvas.camera
    with qtbot.waitSignal(arm.context.changed):
        rewrite(arm, "0.29 0 0.42", "0.31 0 0.42")
    assert arm.properties.pose.fields[0].value == 0.31
    assert arm.session.selection == ("arm::inspection",)
    assert arm.session.positions == {"arm::joint_1": (0.4,)}
    assert canvas.camera == camera
    assert not arm.session.dirty


def test_a_change_on_disk_asks_where_there_is_unsaved_work(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    type_comment(arm)
    rewrite(arm, "0.29 0 0.42", "0.31 0 0.42")
    qtbot.waitUntil(lambda: "Reload from Disk" in notice_buttons(window))
    assert "<!-- mine -->" in arm.session.document.text
    notice_buttons(window)["Reload from Disk"].click()
    assert "0.31 0 0.42" in arm.session.document.text
    assert not arm.session.dirty
    arm.session.undo()
    assert "<!-- mine -->" in arm.session.document.text


def test_saving_over_a_change_on_disk_asks(window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch) -> None:
    type_comment(arm)
    path = rewrite(arm, "0.29 0 0.42", "0.31 0 0.42")
    asked: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
    assert not window.saving.save(arm)
    assert "another program" in asked[0]
    assert "<!-- mine -->" not in path.read_text(encoding="utf-8")


def test_closing_asks_about_unsaved_work(window: MainWindow, arm: OpenFile, answer: Answer) -> None:
    path = arm.session.path
    assert path is not None
    type_comment(arm)
    asked = answer(QMessageBox.StandardButton.Cancel)
    window.actions_by_id["file.close"].trigger()
    assert asked
    assert window.current is arm
    answer(QMessageBox.StandardButton.Save)
    window.actions_by_id["file.close"].trigger()
    assert window.current is None
    assert path.read_text(encoding="utf-8").endswith("<!-- mine -->")


def test_quitting_can_be_stopped(window: MainWindow, arm: OpenFile, answer: Answer) -> None:
    type_comment(arm)
    answer(QMessageBox.StandardButton.Cancel)
    assert not window.close()
    assert window.isVisible()
    answer(QMessageBox.StandardButton.Discard)
    assert window.close()


def test_unsaved_work_is_kept_until_it_is_saved(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    path = arm.session.path
    type_comment(arm)
    qtbot.waitUntil(lambda: kept_of(path) != [])
    (kept,) = kept_of(path)
    assert kept.data.endswith(b"<!-- mine -->")
    window.actions_by_id["file.save"].trigger()
    assert kept_of(path) == []


def test_moving_only_the_frame_itself_is_no_mode_of_another_file(
    window: MainWindow, arm: OpenFile, open_example: Callable[[str], OpenFile]
) -> None:
    window.actions_by_id["tool.alone"].trigger()
    assert window.actions_by_id["tool.alone"].isChecked()
    open_example("double_pendulum")
    assert not window.actions_by_id["tool.alone"].isChecked()


@pytest.mark.panels("tree")
def test_files_open_in_tabs_once_each(
    window: MainWindow, arm: OpenFile, open_example: Callable[[str], OpenFile]
) -> None:
    other = open_example("double_pendulum")
    assert window.tabs.count() == 2
    assert window.current is other
    assert arm.session.path is not None
    window.files.open([arm.session.path])
    assert window.tabs.count() == 2
    assert window.current is arm
    assert window.docks.docks["tree"].isAncestorOf(arm.tree)
    assert arm.tree.isVisible()
    assert not other.tree.isVisible()
    window.actions_by_id["file.next"].trigger()
    assert other.tree.isVisible()


def test_a_dropped_file_opens(qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(example("double_pendulum")))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), copy, data, left, none))
    qtbot.waitUntil(lambda: window.current is not None)
    assert window.current is not None
    assert window.current.name == "double_pendulum.sdf"


def test_files_that_cannot_be_opened_are_one_warning(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], tmp_path: Path
) -> None:
    """Found: as many dialogs as files that were dropped."""
    paths = [*(tmp_path / f"missing{number}.sdf" for number in range(7)), example("arm"), tmp_path]
    data = QMimeData()
    data.setUrls([QUrl("http://example.org/a.sdf"), *(QUrl.fromLocalFile(str(path)) for path in paths)])
    none = Qt.KeyboardModifier.NoModifier
    drop = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none)
    window.dropEvent(drop)
    qtbot.waitUntil(lambda: window.current is not None and window.files.opening is None)
    (box,) = (each for each in window.findChildren(QMessageBox) if each.isVisible())
    assert box.text() == "8 files cannot be opened."
    said = box.informativeText()
    assert "without a model.config" in said
    assert said.count("cannot read") == 4
    assert said.endswith("\nand 3 more")
    box.close()
    window.files.open_soon([tmp_path / "other.sdf"])
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(QMessageBox)))
    (box,) = (each for each in window.findChildren(QMessageBox) if each.isVisible())
    assert box.text() == "other.sdf cannot be opened."
    box.close()


def test_of_a_folder_its_model_opens_and_of_another_the_kind_is_reported(
    window: MainWindow, tmp_path: Path, example: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "arm"
    model.mkdir()
    (model / "model.config").write_text("<model><sdf>robot.sdf</sdf></model>", encoding="utf-8")
    example("arm").rename(model / "robot.sdf")
    (tmp_path / "empty").mkdir()
    warned: list[tuple[str, str]] = []
    monkeypatch.setattr("sdfviewer.gui.shell.files.files.show_warning", lambda _parent, *texts: warned.append(texts))
    window.files.open([model, tmp_path / "empty", model / "robot.sdf"])
    assert [each.session.path for each in window.files.opened] == [model / "robot.sdf"]
    (said,) = warned
    assert said[0] == "empty cannot be opened."
    assert "without a model.config" in said[1]


def test_a_file_that_cannot_be_read_is_reported_and_the_others_open(
    window: MainWindow, example: Callable[[str], Path], tmp_path: Path
) -> None:
    window.files.open([tmp_path / "missing.sdf", example("double_pendulum")])
    box = window.findChild(QMessageBox)
    assert box is not None
    assert "missing.sdf" in box.text()
    box.close()
    assert window.current is not None


@pytest.mark.panels("joints", "problems")
def test_text_that_is_no_xml_opens_empty_handed(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "broken.sdf"
    path.write_text("an sdf, perhaps", encoding="utf-8")
    window.files.open([path])
    workspace = window.current
    assert workspace is not None
    assert workspace.session.model is None
    assert workspace.problems.table.problems[0].is_error
    assert not workspace.joints.rows


@pytest.mark.panels("problems")
def test_broken_xml_is_shown_as_meant_and_its_fix_makes_it_whole(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "broken.sdf"
    path.write_text("<sdf version='1.11'><model name='m'><link name='a'/>", encoding="utf-8")
    window.files.open([path])
    workspace = window.current
    assert workspace is not None
    session = workspace.session
    assert session.model is not None
    assert session.model.names == ["m", "m::a"]
    assert not session.is_current
    (fix,) = session.diagnostics[0].fixes
    workspace.problems.apply_fix(fix)
    assert session.is_current
    assert session.document.text == "<sdf version='1.11'><model name='m'><link name='a'/></model></sdf>"


def test_recent_files_are_remembered_and_examples_are_not(
    window: MainWindow, settings: Settings, examples: Path
) -> None:
    window.files.open([examples / "arm.sdf"])
    assert settings.recent_files == []


def test_recent_files_open_from_their_menu(qtbot: QtBot, window: MainWindow, arm: OpenFile, settings: Settings) -> None:
    assert settings.recent_files == [arm.session.path]
    window.saving.close(arm)
    window.menus.fill_recent()
    window.menus.menu("File/Open Recent").actions()[0].trigger()
    qtbot.waitUntil(lambda: window.current is not None)
    assert window.current is not None
    assert window.current.name == "arm.sdf"


def test_new_files_have_names_of_their_own(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        window.actions_by_id["file.new_model"].trigger()
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert [file.name for file in window.files.opened] == ["untitled", "untitled-2", "untitled-3"]
    target = tmp_path / "new.sdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(target), ""))
    window.files.show(window.files.opened[1])
    window.actions_by_id["file.save_as"].trigger()
    window.actions_by_id["file.new_model"].trigger()
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert [file.name for file in window.files.opened] == ["untitled", "new.sdf", "untitled-3", "untitled-2"]


@pytest.mark.panels(*ALL_PANELS)
def test_the_views_of_a_new_file_are_made_one_in_a_turn(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[list[str]] = []
    build, make = Opening._build, cast("Callable[..., QWidget]", OpenFile._make)

    def step(opening: Opening) -> None:
        steps.append([])
        build(opening)

    def note(file: OpenFile, id: str, how: Callable[[], QWidget]) -> QWidget:
        if file is not arm:
            steps[-1].append(id)
        return make(file, id, how)

    monkeypatch.setattr(Opening, "_build", step)
    monkeypatch.setattr(OpenFile, "_make", note)
    window.actions_by_id["file.new_world"].trigger()
    assert window.current is arm
    assert not steps
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert window.current is not arm
    assert sum(map(len, steps)) > 3
    assert max(map(len, steps)) == 1


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.nightly), 4])
def test_a_new_file_is_built_and_saved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """Each night all templates, in each run a fourth of them, the last of which is a URDF."""
    for name, template in list(TEMPLATES.items())[::-every]:
        window.actions_by_id[f"file.new_{name}"].trigger()
        qtbot.waitUntil(lambda: window.files.opening is None)
        file = window.current
        assert file is not None
        assert file.session.path is None
        assert file.name == "untitled", name
        assert window.actions_by_id["file.save"].isEnabled()
        assert not file.session.diagnostics, name
        suffix = ".urdf" if template.is_urdf else ".sdf"
        assert suggested_path(file.session).suffix == suffix, name
        target = tmp_path / f"{name}{suffix}"
        saved = (str(target), "")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, saved=saved, **_options: saved)
        window.actions_by_id["file.save_as"].trigger()
        assert target.read_text(encoding="utf-8") == file.session.document.text
        window.files.drop(file)


def test_copy_path_copies_the_path_of_the_file(window: MainWindow, arm: OpenFile) -> None:
    assert arm.session.path is not None
    window.actions_by_id["file.copy_path"].trigger()
    assert QGuiApplication.clipboard().text() == str(arm.session.path.absolute())


def test_a_file_of_a_very_long_name_leaves_room_for_the_other_tabs(
    window: MainWindow, example: Callable[[str], Path]
) -> None:
    path = example("arm")
    long = path.with_name(f"{'a_name_longer_than_its_tab_' * 5}.sdf")
    long.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    window.files.open([long, path])
    assert window.tabs.count() == 2
    assert max(window.tabs.tabRect(index).width() for index in range(2)) <= WIDEST_TAB
    assert window.tabs.tabToolTip(0) == str(long)


def test_a_message_of_a_file_that_is_behind_another_says_which_it_is(
    window: MainWindow, example: Callable[[str], Path]
) -> None:
    window.files.open([example("arm"), example("double_pendulum")])
    behind, front = window.files.opened
    assert window.current is front
    behind.context.messages.refuse("It cannot be done.")
    assert window.status.message == f"{behind.name}: It cannot be done."
    front.context.messages.refuse("It cannot be done.")
    assert window.status.message == "It cannot be done."
