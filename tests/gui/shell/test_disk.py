"""What can happen to a file on disk while it is open: clear words, and nothing is lost."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.files.recovery import discard_recovery, recoveries
from sdfviewer.formats.xacro.decisions import Answer as Answers
from sdfviewer.formats.xacro.decisions import Decisions
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.shell.files.file_recovery import LostWorkDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.opengl import probe
from tests.patience import PATIENCE_SECONDS

posix = pytest.mark.skipif(os.name == "nt", reason="links and permissions are others there")
Answer = Callable[[QMessageBox.StandardButton], list[str]]


def change(workspace: OpenFile, comment: str = "<!-- mine -->") -> None:
    end = len(workspace.session.document.text)
    workspace.session.apply(Edit("Comment", workspace.session.document, (Replacement(end, end, comment),)))


def notices(window: MainWindow) -> dict[str, QPushButton]:
    answers = (each for each in window.notices.findChildren(QPushButton) if each is not window.notices.more)
    return {button.text(): button for button in answers}


def dialog(window: MainWindow) -> QMessageBox:
    """Return the message that is shown."""
    shown = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert len(shown) == 1
    return shown[0]


def buttons(box: QMessageBox) -> dict[str, QAbstractButton]:
    return {button.text().replace("&", ""): button for button in box.buttons()}


@pytest.fixture(autouse=True)
def no_lost_work() -> Iterator[None]:
    """Leave no lost work to the next test."""
    yield
    for lost in recoveries():
        discard_recovery(lost.source)


@pytest.fixture
def save_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Return what answers the question for a file name."""

    def answer(path: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))

    return answer


def path_of(workspace: OpenFile) -> Path:
    assert workspace.session.path is not None
    return workspace.session.path


# --- gone ------------------------------------------------------------------------------------------------------------


def test_a_file_that_is_deleted_is_reported_and_can_be_saved_again(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    path = path_of(arm)
    before = path.read_bytes()
    path.unlink()
    qtbot.waitUntil(lambda: "Save Again" in notices(window))
    assert arm.session.dirty
    assert window.isWindowModified()
    assert window.actions_by_id["file.save"].isEnabled()
    (kept,) = [lost for lost in recoveries() if lost.path == path]
    assert kept.data == before, "a crash now loses nothing either"
    notices(window)["Save Again"].click()
    assert path.read_bytes() == before
    assert not arm.session.dirty
    assert window.notices.topics == ()


def test_closing_asks_about_a_file_that_is_deleted(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, answer: Answer
) -> None:
    path_of(arm).unlink()
    window.disk.note_missing()
    asked = answer(QMessageBox.StandardButton.Cancel)
    notices(window)["Close"].click()
    assert asked
    assert window.current is arm


def test_a_file_that_comes_back_as_it_was_is_saved_work(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    path = path_of(arm)
    away = path.rename(path.with_suffix(".away"))
    window.disk.note_missing()
    assert arm.session.dirty
    away.rename(path)
    window.disk.look_at_disk()
    assert not arm.session.dirty
    assert window.notices.topics == ()


def test_a_file_that_is_replaced_by_removing_it_first_is_not_missed(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    path = path_of(arm)
    text = path.read_text(encoding="utf-8")
    path.unlink()
    window.disk.look_at_disk()
    path.write_text(text.replace("0.29 0 0.42", "0.31 0 0.42"), encoding="utf-8")
    window.disk.look_at_disk()
    window.disk.note_missing()
    assert "0.31 0 0.42" in arm.session.document.text
    assert window.notices.topics == ()


@posix
def test_the_window_says_that_hard_links_part(window: MainWindow, arm: OpenFile, tmp_path: Path) -> None:
    path = path_of(arm)
    before = path.read_bytes()
    os.link(path, tmp_path / "backup.sdf")
    change(arm)
    assert window.saving.save(arm)
    assert (path.read_bytes(), (tmp_path / "backup.sdf").read_bytes()) == (before + b"<!-- mine -->", before)
    assert any("hard links" in each.full_text for each in window.notices.findChildren(ElidedLines))


# --- missing at first ------------------------------------------------------------------------------------------------


def test_an_included_model_that_was_missing_is_shown_when_it_appears(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    main = tmp_path / "main.sdf"
    main.write_text(
        '<sdf version="1.9"><model name="m"><link name="l"/><include><uri>parts/part</uri></include></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([main])
    file = window.current
    assert file is not None
    assert "uri-not-found" in [each.rule.name for each in file.session.diagnostics]
    part = tmp_path / "parts" / "part"
    part.mkdir(parents=True)  # two folders were missing
    (part / "model.sdf").write_text(
        '<sdf version="1.9"><model name="p"><link name="l"/></model></sdf>', encoding="utf-8"
    )
    (part / "model.config").write_text(
        '<model><name>p</name><sdf version="1.9">model.sdf</sdf></model>', encoding="utf-8"
    )
    qtbot.waitUntil(lambda: not file.session.diagnostics)
    assert file.session.model is not None
    assert "m::p::l" in file.session.model.names
    assert not file.session.dirty


def is_drawn(file: OpenFile) -> bool:
    """Return whether the meshes of a file are drawn: while they are read there is no problem, either."""
    assert file.view.canvas is not None
    feed = file.view.canvas.feed
    return not feed.is_building and not feed.is_loading and not feed.scene.stand_ins


def test_a_mesh_that_is_written_in_steps_is_drawn_when_it_is_whole(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, collection: Path
) -> None:
    """Its first half was read, and it was not looked at again when the rest came."""
    if probe().problem:
        pytest.skip(probe().problem)
    main, mesh = tmp_path / "main.sdf", tmp_path / "part.stl"
    shape = "<geometry><mesh><uri>part.stl</uri></mesh></geometry>"
    main.write_text(
        f'<sdf version="1.9"><model name="m"><link name="l"><visual name="v">{shape}</visual></link></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([main])
    file = window.current
    assert file is not None
    qtbot.waitUntil(lambda: mesh in window.disk.missing)
    whole = (collection / "meshes" / "binary.stl").read_bytes()
    mesh.write_bytes(whole[: len(whole) // 2])
    window.disk.look_at_disk()
    assert not file.session.includes_are_current, "it may be written still"
    mesh.write_bytes(whole)
    qtbot.waitUntil(lambda: is_drawn(file))
    assert not file.session.diagnostics


def test_a_mesh_that_was_missing_is_drawn_when_it_appears(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, collection: Path
) -> None:
    if probe().problem:
        pytest.skip(probe().problem)
    main = tmp_path / "main.sdf"
    shape = "<geometry><mesh><uri>meshes/part.stl</uri></mesh></geometry>"
    main.write_text(
        f'<sdf version="1.9"><model name="m"><link name="l"><visual name="v">{shape}</visual></link></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([main])
    file = window.current
    assert file is not None
    qtbot.waitUntil(lambda: "not-drawn" in [each.rule.name for each in file.session.diagnostics])
    # The places of a mesh are known only when it could not be loaded; they are watched once the problems are quiet.
    qtbot.waitUntil(lambda: tmp_path / "meshes" / "part.stl" in window.disk.missing)
    (tmp_path / "meshes").mkdir()
    shutil.copy(collection / "meshes" / "binary.stl", tmp_path / "meshes" / "part.stl")
    qtbot.waitUntil(lambda: is_drawn(file))
    assert not file.session.diagnostics


def test_a_file_that_a_xacro_file_lacked_is_read_when_it_appears(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    pytest.importorskip("xacro")
    robot = tmp_path / "robot.xacro"
    robot.write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
        "<link name=\"${xacro.load_yaml('name.yaml')['name']}\"/></robot>",
        encoding="utf-8",
    )
    Decisions("").decide([open_document(robot)], Answers.FOLDER)
    window.files.open([robot])
    file = window.current
    assert file is not None
    qtbot.waitUntil(lambda: "xacro-failed" in [each.rule.name for each in file.session.diagnostics])
    qtbot.waitUntil(lambda: tmp_path / "name.yaml" in window.disk.missing)
    (tmp_path / "name.yaml").write_text("name: base\n", encoding="utf-8")
    qtbot.waitUntil(lambda: file.session.model is not None)
    assert file.session.model is not None
    assert "r::base" in file.session.model.names


# --- not to be written -----------------------------------------------------------------------------------------------


def refuse(monkeypatch: pytest.MonkeyPatch, step: str, error: OSError) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(os, step, fail)


@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        ("fsync", OSError(errno.ENOSPC, "No space left on device"), "No space left"),
        ("open", PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
        ("replace", OSError(errno.EBUSY, "Device or resource busy"), "busy"),
    ],
    ids=["disk full", "folder not writable", "mounted file"],
)
def test_what_cannot_be_written_is_reported_and_saved_elsewhere(
    window: MainWindow,
    arm: OpenFile,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    save_as: Callable[[Path], None],
    step: str,
    error: OSError,
    words: str,
) -> None:
    path = path_of(arm)
    before = path.read_bytes()
    change(arm)
    with monkeypatch.context() as patch:
        refuse(patch, step, error)
        assert not window.saving.save(arm)
    box = dialog(window)
    assert "Your changes are still here" in box.text()
    assert words in box.informativeText()
    assert path.read_bytes() == before
    assert arm.session.dirty
    assert [entry for entry in path.parent.iterdir() if entry.suffix == ".tmp"] == []
    save_as(tmp_path / "else where ä.sdf")
    buttons(box)["Save As…"].click()
    assert (tmp_path / "else where ä.sdf").read_bytes() == before + b"<!-- mine -->"
    assert not arm.session.dirty


def test_a_read_only_file_is_not_replaced(window: MainWindow, arm: OpenFile) -> None:
    path = path_of(arm)
    before = path.read_bytes()
    change(arm)
    path.chmod(0o444)
    assert not window.saving.save(arm)
    box = dialog(window)
    assert box.text() == f"{arm.name} is read-only, so it was not saved."
    assert box.defaultButton().text().replace("&", "") == "Save As…"
    assert path.read_bytes() == before


def test_work_that_cannot_be_kept_is_reported(
    window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    arm.context.messages.refused.connect(refused.append)
    change(arm)
    refuse(monkeypatch, "fsync", OSError(errno.ENOSPC, "No space left on device"))
    assert not arm.keep_unsaved_work()
    assert "cannot be recovered after a crash" in refused[-1]


@posix
def test_a_link_stays_a_link(window: MainWindow, example: Callable[[str], Path], tmp_path: Path) -> None:
    real = example("arm")
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "arm.sdf"
    link.symlink_to(real)
    window.files.open([link])
    window.files.open([real])
    assert len(window.files.opened) == 1, "it is the same file"
    workspace = window.current
    assert workspace is not None
    change(workspace)
    assert window.saving.save(workspace)
    assert link.is_symlink()
    assert real.read_bytes().endswith(b"<!-- mine -->")
    window.disk.look_at_disk()
    assert window.notices.topics == ()


@posix
@pytest.mark.parametrize("chosen", ["Overwrite", "Cancel"])
def test_where_a_file_that_became_a_link_leads_is_asked_before_it_is_written(
    window: MainWindow, arm: OpenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(f"{box.text()} {box.informativeText()}")
        buttons(box)[chosen].click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    path, other = path_of(arm), tmp_path / "elsewhere.sdf"
    change(arm)
    path.rename(other)
    before = other.read_bytes()
    path.symlink_to(other)
    is_saved = window.saving.save(arm)
    (said,) = asked
    assert f"Overwriting writes to {other.resolve()}" in said
    assert is_saved == (chosen == "Overwrite")
    assert (other.read_bytes() == before) == (chosen == "Cancel")
    assert arm.session.dirty == (chosen == "Cancel")


def test_a_name_with_blanks_and_letters_of_any_script(
    window: MainWindow, arm: OpenFile, tmp_path: Path, save_as: Callable[[Path], None]
) -> None:
    target = tmp_path / "мой робот #1 & 100% 🤖.sdf"
    change(arm)
    save_as(target)
    window.actions_by_id["file.save_as"].trigger()
    assert target.read_bytes().endswith(b"<!-- mine -->")
    assert window.current is not None
    assert window.current.name == target.name
    change(arm, "<!-- more -->")
    arm.keep_unsaved_work()
    assert [lost.path for lost in recoveries()] == [target]
    assert window.saving.save(arm)
    assert recoveries() == []


def test_work_is_stored_while_edits_go_on(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    def edit_again() -> bool:
        change(arm, "<!-- again -->")
        return bool(recoveries())

    qtbot.waitUntil(edit_again)


@pytest.mark.panels("source")
def test_keys_that_never_pause_are_kept(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """Whoever types without a pause for longer than a second loses no more than that."""
    editor = arm.source.editor
    editor.select(0)
    arm.source.pause.setInterval(60_000)  # a busy machine makes pauses between these keys

    def type_one() -> bool:
        qtbot.keyClicks(editor, " ")
        return any(lost.data.startswith(b"    ") for lost in recoveries())

    qtbot.waitUntil(type_one)
    assert arm.source.is_typing, "it was never an edit"
    assert arm.session.document.text[0] == "<"


@pytest.mark.panels("source")
def test_a_view_that_fails_keeps_no_text_from_being_saved(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[BaseException] = []
    monkeypatch.setattr("sys.excepthook", lambda _kind, error, _trace: reports.append(error))

    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(arm.source.find_bar, "refresh", fail)
    arm.source.editor.select(len(arm.source.editor.raw_text()))
    qtbot.keyClicks(arm.source.editor, "<!-- mine -->")
    assert window.saving.save(arm)
    assert path_of(arm).read_bytes().endswith(b"<!-- mine -->")
    assert reports


# --- two tabs --------------------------------------------------------------------------------------------------------


def test_saving_over_another_tab_closes_it(
    window: MainWindow, arm: OpenFile, open_example: Callable[[str], OpenFile], save_as: Callable[[Path], None]
) -> None:
    other = open_example("double_pendulum")
    target = path_of(other)
    save_as(target)
    assert window.saving.save_as(arm)
    assert window.files.opened == [arm]
    assert target.read_bytes() == arm.session.document.to_bytes()


def test_saving_over_unsaved_work_in_another_tab_is_refused(
    window: MainWindow, arm: OpenFile, open_example: Callable[[str], OpenFile], save_as: Callable[[Path], None]
) -> None:
    other = open_example("double_pendulum")
    target, mine = path_of(other), path_of(arm)
    before = target.read_bytes()
    change(other)
    save_as(target)
    assert not window.saving.save_as(arm)
    assert "another tab" in dialog(window).informativeText()
    assert target.read_bytes() == before
    assert path_of(arm) == mine
    assert window.files.opened == [arm, other]


def test_a_copy_over_the_file_itself_is_saving(
    window: MainWindow, arm: OpenFile, save_as: Callable[[Path], None]
) -> None:
    change(arm)
    save_as(path_of(arm))
    window.actions_by_id["file.save_copy"].trigger()
    assert not arm.session.dirty
    window.disk.look_at_disk()
    assert window.notices.topics == ()


def test_saving_as_leaves_no_work_to_recover_behind(
    window: MainWindow, arm: OpenFile, tmp_path: Path, save_as: Callable[[Path], None]
) -> None:
    change(arm)
    arm.keep_unsaved_work()
    assert len(recoveries()) == 1
    save_as(tmp_path / "new.sdf")
    assert window.saving.save_as(arm)
    assert recoveries() == []


# --- while somebody types --------------------------------------------------------------------------------------------


@pytest.mark.panels("source")
def test_what_is_typed_last_is_part_of_everything(window: MainWindow, arm: OpenFile, answer: Answer) -> None:
    path = path_of(arm)
    editor = arm.source.editor
    editor.go_to(editor.raw_text().index("</model>"))
    editor.insertPlainText("<!-- typed -->")
    assert not arm.session.dirty, "not yet an edit"
    asked = answer(QMessageBox.StandardButton.Cancel)
    assert not window.close()
    assert asked
    editor.insertPlainText("<!-- too -->")
    assert window.saving.save(arm)
    assert "<!-- typed --><!-- too --></model>" in path.read_text(encoding="utf-8")


@pytest.mark.panels("source")
def test_a_change_on_disk_does_not_take_away_what_is_being_typed(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    path = path_of(arm)
    editor = arm.source.editor
    editor.go_to(editor.raw_text().index("0.29 0 0.42"))
    QTest.keyClicks(editor, "1")
    path.write_text(path.read_text(encoding="utf-8").replace("0.29 0 0.42", "0.31 0 0.42"), encoding="utf-8")
    window.disk.look_at_disk()
    assert set(notices(window)) == {"Compare…", "Merge…", "Reload from Disk", "Keep Mine"}
    assert "10.29 0 0.42" in arm.session.document.text


def test_keeping_mine_after_comparing_keeps_it(window: MainWindow, arm: OpenFile) -> None:
    change(arm)
    path = path_of(arm)
    path.write_text(path.read_text(encoding="utf-8") + "<!-- theirs -->", encoding="utf-8")
    window.disk.look_at_disk()
    notices(window)["Compare…"].click()
    box = window.comparisons.dialog
    assert box is not None
    next(button for button in box.findChildren(QPushButton) if button.text() == "Keep Mine").click()
    window.disk.look_at_disk()
    assert window.notices.topics == (), "that has been answered"
    assert arm.session.dirty


@posix
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_replaces_a_file_and_is_none_is_not_read(window: MainWindow, arm: OpenFile, kind: str) -> None:
    change(arm)
    path = path_of(arm)
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(os.devnull)
    window.disk.look_at_disk()
    notices(window)["Keep Mine"].click()
    assert window.status.message == f"Your changes are kept; {path} is not a regular file."
    before = arm.session.document
    assert arm.session.model is not None
    arm.context.edits.rename(arm.session.model.row("arm::grasp"), "mine")
    assert arm.session.document is not before
    arm.session.undo()
    window.disk.look_at_disk()
    assert arm.session.dirty


@posix
def test_a_file_replaced_by_a_link_to_itself_is_gone(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    change(arm)
    path = path_of(arm)
    path.unlink()
    path.symlink_to(path.name)
    window.disk.look_at_disk()
    qtbot.wait_until(lambda: arm.session.history.is_missing)
    assert arm.session.model is not None
    arm.context.edits.rename(arm.session.model.row("arm::grasp"), "mine")
    window.disk.look_at_disk()
    assert "Save Again" in notices(window)
    assert arm.session.dirty


# --- after a crash ---------------------------------------------------------------------------------------------------

#: The program as it is started, driven by what is written instead of DRIVE.
START = """
import sys
from PySide6.QtCore import QTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from sdfviewer.gui.shell import application as program
from sdfviewer.gui.shell.window import MainWindow

def window():
    windows = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
    return windows[0] if windows and windows[0].isVisible() else None

def wait_for(what, then):
    found = what()
    if found:
        then(found)
    else:
        QTimer.singleShot(20, lambda: wait_for(what, then))

program.make_application()
DRIVE
sys.exit(program.main(sys.argv[1:]))
"""
TYPE_AND_WAIT = """
def type_into(editor):
    editor.go_to(editor.raw_text().index("</model>"))
    QTest.keyClicks(editor, "precious")
    from sdfviewer.files.recovery import recoveries
    wait_for(recoveries, lambda _: print("kept", flush=True))
wait_for(lambda: window() and window().current and window().current.source.editor, type_into)
"""
RESTORE_AND_SAVE = """
def restore(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    print(window().current.session.dirty, flush=True)
    window().actions_by_id["file.save"].trigger()
    window().actions_by_id["file.quit"].trigger()
def find_button():
    buttons = window().notices.findChildren(QPushButton) if window() else ()
    return next((each for each in buttons if each.text() == "Restore"), None)
wait_for(find_button, restore)
"""


def start(drive: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", START.replace("DRIVE", drive), *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=Path(__file__).parents[3]
    )


def test_work_of_a_program_that_was_killed_is_offered_by_the_next_start_and_saved(
    example: Callable[[str], Path],
) -> None:
    path = example("arm")
    before = path.read_text(encoding="utf-8")
    with start(TYPE_AND_WAIT, str(path)) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "kept\n"
        first.kill()
    assert path.read_text(encoding="utf-8") == before
    with start(RESTORE_AND_SAVE) as second:
        out, _ = second.communicate(timeout=PATIENCE_SECONDS)
    assert out == "True\n"
    assert second.returncode == 0
    assert path.read_text(encoding="utf-8") == before.replace("</model>", "precious</model>")
    assert recoveries() == []


def lost_work(texts: dict[Path, str]) -> None:
    """Leave work of a run behind that was killed: the texts of some files."""
    program = (
        "import os, sys; from pathlib import Path; from sdfviewer.files.recovery import write_recovery\n"
        "for path, text in zip(sys.argv[1::2], sys.argv[2::2]): write_recovery(Path(path), text.encode(), None)\n"
        "os._exit(1)"
    )
    command = [sys.executable, "-c", program, *(str(each) for file in texts.items() for each in file)]
    subprocess.run(command, check=False, cwd=Path(__file__).parents[3])


def test_lost_work_is_not_lost_by_opening_and_closing_the_file(window: MainWindow, arm: OpenFile) -> None:
    lost_work({path_of(arm): "<sdf version='1.11'/>"})
    change(arm)
    arm.keep_unsaved_work()
    window.files.drop(arm)
    assert [lost.data for lost in recoveries()] == [b"<sdf version='1.11'/>"]
    window.recovery.offer()
    notices(window)["Discard"].click()
    assert recoveries() == []


def test_lost_work_of_a_file_that_is_gone_comes_back(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "gone.sdf"
    text = "<sdf version='1.11'><model name='m'><link name='L'/></model></sdf>"
    lost_work({path: text})
    window.recovery.offer()
    notices(window)["Restore"].click()
    assert window.current is not None
    assert window.current.session.document.text == text
    assert window.current.session.dirty
    assert window.saving.save(window.current)
    assert path.read_text(encoding="utf-8") == text
    assert recoveries() == []


def test_lost_work_that_was_saved_after_all_is_not_offered(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_text("<sdf version='1.11'/>", encoding="utf-8")
    lost_work({path: "<sdf version='1.11'/>"})
    window.recovery.offer()
    assert window.notices.topics == ()
    assert recoveries() == []


def test_all_lost_work_is_offered_also_twice_of_one_file(window: MainWindow, example: Callable[[str], Path]) -> None:
    path = example("arm")
    lost_work({path: "<sdf version='1.10'/>"})
    lost_work({path: "<sdf version='1.11'/>"})
    window.recovery.offer()
    assert len(window.notices.topics) == 2


def lose_work_on(folder: Path, count: int) -> None:
    """Leave work on many files behind that do not exist any more."""
    names = [f"robot_{number}" for number in range(count)]
    lost_work({folder / f"{name}.sdf": f"<sdf version='1.11'><model name='{name}'/></sdf>" for name in names})


def test_much_lost_work_is_offered_in_one_notice_with_a_list(window: MainWindow, tmp_path: Path) -> None:
    """There was a notice for each of 129 files."""
    lose_work_on(tmp_path, 4)
    window.recovery.offer()
    assert window.notices.topics == ("lost",)
    notices(window)["Restore…"].click()
    (listed,) = window.findChildren(LostWorkDialog)
    assert listed.list.topLevelItemCount() == 4
    chosen = listed.list.currentItem()
    assert chosen is not None
    name = chosen.text(0)
    listed.answer_buttons["Restore"].click()
    assert window.current is not None
    assert window.current.name == name
    listed.answer_buttons["Discard"].click()
    assert listed.list.topLevelItemCount() == 2
    listed.reject()
    left = [topic for topic in window.notices.topics if topic.startswith("lost")]
    assert len(left) == 2, "few are offered one by one"
    assert "lost" not in left


def test_all_lost_work_is_discarded_only_after_a_question(
    window: MainWindow, tmp_path: Path, answer: Callable[[QMessageBox.StandardButton], list[str]]
) -> None:
    lose_work_on(tmp_path, 4)
    window.recovery.offer()
    asked = answer(QMessageBox.StandardButton.Cancel)
    notices(window)["Discard All…"].click()
    assert asked == ["Discard the unsaved changes to 4 files? This cannot be undone."]
    assert len(recoveries()) == 4
    assert window.notices.topics == ("lost",), "it is offered again"
    answer(QMessageBox.StandardButton.Discard)
    notices(window)["Discard All…"].click()
    assert recoveries() == []
    assert window.notices.topics == ()
