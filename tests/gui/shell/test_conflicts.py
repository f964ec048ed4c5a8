"""Two hands on one file, and what a killed program has left: nothing is lost, and the user decides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.document.merging import Side
from sdfviewer.files.recovery import recoveries
from sdfviewer.gui.compare.compare_dialog import CompareDialog
from sdfviewer.gui.compare.merge_dialog import LABEL, MergeDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.shell.test_disk import lost_work


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
    assert set(answers(window)) == {"Compare…", "Merge…", "Reload from Disk", "Keep Mine"}
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


def merge_dialog(window: MainWindow, file: OpenFile) -> MergeDialog:
    answers(window)["Merge…"].click()
    dialog = file.view.findChild(MergeDialog)
    assert dialog is not None
    return dialog


def test_both_sides_are_merged_as_one_undo_step(window: MainWindow, conflict: OpenFile) -> None:
    session = conflict.session
    mine, path = session.document.text, session.path
    assert path is not None
    theirs = path.read_text(encoding="utf-8")
    dialog = merge_dialog(window, conflict)
    assert dialog.summary.text() == "By the merge, in your text: 1 frame moves."
    assert not dialog.fault.isVisible()
    dialog.merge_button.click()
    assert session.document.text == mine.replace("0.29 0 0.42", "0.31 0 0.42")
    assert session.dirty
    assert window.notices.topics == ()
    session.undo()
    assert session.document.text == mine
    session.redo()
    assert window.saving.save(conflict), "what is on disk is known"
    assert path.read_text(encoding="utf-8") == theirs.replace('"grasp"', '"mine"').replace(">grasp<", ">mine<")
    window.actions_by_id["file.merge"].trigger()
    assert "nothing to merge" in window.status.message


def test_a_merge_that_moves_nothing_begins_with_the_text(window: MainWindow, arm: OpenFile) -> None:
    """It began with an empty list of frames."""
    assert arm.session.model is not None
    arm.context.edits.rename(arm.session.model.row("arm::grasp"), "mine")
    path = arm.session.path
    assert path is not None
    path.write_text(path.read_text(encoding="utf-8") + "<!-- more -->", encoding="utf-8")
    window.disk.look_at_disk()
    dialog = merge_dialog(window, arm)
    assert dialog.pages.currentWidget() is dialog.text
    dialog.reject()


def test_conflicts_are_decided_one_by_one(window: MainWindow, conflict: OpenFile) -> None:
    session = conflict.session
    path = session.path
    assert path is not None
    for old, new in (("0.29 0 0.42", "0.35 0 0.42"), ('name="mine"', 'name="third"')):
        at = session.document.text.index(old)
        session.apply(Edit("Edit", session.document, (Replacement(at, at + len(old), new),)))
    theirs = path.read_text(encoding="utf-8").replace('frame name="grasp"', 'frame name="other"')
    path.write_text(theirs, encoding="utf-8")
    dialog = merge_dialog(window, conflict)
    assert len(dialog.chosen) == 2
    assert not dialog.merge_button.isEnabled()
    assert not dialog.take[Side.BOTH].isEnabled(), "a name cannot be two"
    dialog.take[Side.MINE].click()
    dialog.take[Side.THEIRS].click()
    dialog.merge_button.click()
    text = session.document.text
    assert ('name="third"' in text) is ("0.31 0 0.42" in text)
    assert ('name="other"' in text) is ("0.35 0 0.42" in text)


def test_a_merged_text_with_new_problems_says_so(window: MainWindow, conflict: OpenFile) -> None:
    path = conflict.session.path
    assert path is not None
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("</model>", '<frame name="mine"/></model>'), encoding="utf-8")
    dialog = merge_dialog(window, conflict)
    assert "mine" in dialog.fault.text()
    dialog.reject()
    assert conflict.session.history.undo_label != LABEL


def test_lost_work_is_compared_with_the_file_and_saved(window: MainWindow, example: Callable[[str], Path]) -> None:
    path = example("arm")
    lost_work({path.resolve(): path.read_text(encoding="utf-8").replace('"grasp"', '"precious"')})
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
