"""Two hands on one file, and a program that is killed: nothing is lost, and the user decides."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.files.recovery import recoveries
from sdfviewer.gui.compare.compare_dialog import CompareDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow


def answers(window: MainWindow) -> dict[str, QPushButton]:
    answers = (each for each in window.notices.findChildren(QPushButton) if each is not window.notices.more)
    return {button.text(): button for button in answers}


@pytest.fixture
def conflict(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> OpenFile:
    """Return a file with an edit of its own that another program has written too."""
    assert arm.session.model is not None
    arm.context.edits.rename(arm.session.model.row("arm::grasp"), "mine")
    path = arm.session.path
    assert path is not None
    path.write_text(path.read_text(encoding="utf-8").replace("0.29 0 0.42", "0.31 0 0.42"), encoding="utf-8")
    window.disk.look_at_disk()
    assert set(answers(window)) == {"Compare…", "Reload from Disk", "Keep Mine"}
    return arm


def test_both_sides_are_compared_and_theirs_taken(window: MainWindow, conflict: OpenFile) -> None:
    answers(window)["Compare…"].click()
    dialog = window.comparisons.dialog
    assert isinstance(dialog, CompareDialog)
    names = {each.name for each in dialog.differences}
    assert names == {"arm::mine", "arm::inspection"}
    take = next(each for each in dialog.buttons.buttons() if each.text() == "Reload from Disk")
    take.click()
    assert "0.31 0 0.42" in conflict.session.document.text
    assert not conflict.session.dirty
    conflict.session.undo()
    assert 'name="mine"' in conflict.session.document.text


def test_mine_is_kept_and_the_question_comes_back_only_with_another_change(
    window: MainWindow, conflict: OpenFile
) -> None:
    answers(window)["Keep Mine"].click()
    window.disk.look_at_disk()
    assert window.notices.topics == ()
    path = conflict.session.path
    assert path is not None
    path.write_text(path.read_text(encoding="utf-8") + "<!-- more -->", encoding="utf-8")
    window.disk.look_at_disk()
    assert len(window.notices.topics) == 1


EDIT_AND_DIE = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from sdfviewer.files.recovery import recoveries
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.window import MainWindow

application = make_application()
window = MainWindow(Settings(QSettings(sys.argv[2], QSettings.Format.IniFormat)))
window.files.open([Path(sys.argv[1])])
window.show()
session = window.current.session
window.current.context.edits.rename(session.model.row("arm::grasp"), "precious")
# The recovery file comes by itself a moment after the edit.
path = session.path.resolve()
def look():
    if any(each.path == path for each in recoveries()):
        print("kept", flush=True)
        timer.stop()
timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
application.exec()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_unsaved_work_survives_a_kill(window: MainWindow, example: Callable[[str], Path], tmp_path: Path) -> None:
    path = example("arm")
    before = path.read_bytes()
    command = [sys.executable, "-c", EDIT_AND_DIE, str(path), str(tmp_path / "other.ini")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=Path(__file__).parents[3]
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        os.kill(process.pid, signal.SIGKILL)
    assert path.read_bytes() == before
    assert [lost.is_abandoned for lost in recoveries() if lost.path == path.resolve()] == [True]

    window.recovery.offer()
    answers(window)["Compare…"].click()
    assert window.current is not None
    session = window.current.session
    assert session.dirty
    assert 'name="precious"' in session.document.text
    dialog = window.comparisons.dialog
    assert isinstance(dialog, CompareDialog)
    assert [each.after for each in dialog.differences] == ["arm::precious"]
    dialog.reject()
    session.save()
    assert [lost for lost in recoveries() if lost.path == path.resolve()] == []
