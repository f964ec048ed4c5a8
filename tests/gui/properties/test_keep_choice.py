"""Picking another `relative_to`: what stays is asked there, and what it comes to is shown before it is done."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.frame_picker import FramePicker
from sdfviewer.gui.properties.reference_field import KeepChoice
from sdfviewer.gui.shell.files.open_file import OpenFile

pytestmark = pytest.mark.panels("properties")


def open_list(picker: FramePicker) -> KeepChoice:
    QTest.mouseClick(picker, Qt.MouseButton.LeftButton)
    assert picker.popup is not None
    footer = picker.popup.footer
    assert isinstance(footer, KeepChoice)
    return footer


def find(picker: FramePicker, name: str) -> None:
    assert picker.popup is not None
    picker.popup.search.selectAll()
    QTest.keyClicks(picker.popup.search, name)


def test_the_list_starts_at_what_is_written(arm: OpenFile) -> None:
    arm.session.select(["arm::inspection"])
    picker = arm.properties.relative_to.picker
    footer = open_list(picker)
    assert picker.popup is not None
    assert picker.popup.results.currentIndex().data() == "base"
    assert footer.outcome.text() == "No change."
    assert arm.context.previews.edit is None
    picker.popup.close()


def test_each_entry_is_shown_before_it_is_picked(qtbot: QtBot, arm: OpenFile, settings: Settings) -> None:
    arm.session.select(["arm::forearm"])
    text = arm.session.document.text
    row = arm.properties.relative_to.row
    picker = arm.properties.relative_to.picker
    footer = open_list(picker)
    find(picker, "base")
    qtbot.waitUntil(lambda: arm.context.previews.edit is not None and "base" in arm.context.previews.edit.edit.label)
    assert footer.keep_pose.isChecked()
    assert footer.outcome.text().startswith("It keeps its pose; its numbers become ")
    assert arm.context.previews.edit is not None
    assert arm.context.previews.edit.X_ghost is None

    footer.keep_numbers.click()
    qtbot.waitUntil(lambda: footer.outcome.text().startswith("It moves by"))
    assert arm.context.previews.edit is not None
    assert arm.context.previews.edit.X_ghost is not None
    assert np.isfinite(arm.context.previews.edit.X_ghost[row]).all()
    assert footer.outcome.text() == "It moves by 0.7643 m and rotates by 1.484 rad, and 15 other frames with it."

    assert picker.popup is not None
    picker.popup.close()
    assert arm.context.previews.edit is None
    assert arm.session.document.text == text
    assert open_list(picker).keep_pose.isChecked(), "each edit begins with the pose"
    assert picker.popup is not None
    picker.popup.close()


def test_a_frame_at_the_same_place_changes_nothing_but_the_name(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(["arm::inspection"])
    picker = arm.properties.relative_to.picker
    footer = open_list(picker)
    find(picker, "mount")  # where base is
    qtbot.waitUntil(lambda: footer.outcome.text() == "Its pose and its numbers stay the same.")
    assert picker.popup is not None
    picker.popup.close()


def test_what_is_chosen_in_the_list_is_done(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(["arm::inspection"])
    before = arm.session.X_RootF
    picker = arm.properties.relative_to.picker
    footer = open_list(picker)
    find(picker, "forearm")
    footer.keep_numbers.click()
    assert picker.popup is not None
    qtbot.keyClick(picker.popup.search, Qt.Key.Key_Return)
    model = arm.session.model
    assert model is not None
    row = model.row("arm::inspection")
    assert model.relative_to_written[row] == "forearm"
    assert not np.allclose(arm.session.X_RootF[row], before[row])


def test_attached_to_and_several_frames_ask_too(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(["arm::inspection"])
    footer = open_list(arm.properties.attached_to.picker)
    assert footer.keep_pose.isChecked()
    assert arm.properties.attached_to.picker.popup is not None
    arm.properties.attached_to.picker.popup.close()
    arm.session.select(["arm::grasp", "arm::inspection"])
    picker = arm.properties.several.picker
    footer = open_list(picker)
    find(picker, "forearm")
    qtbot.waitUntil(lambda: footer.outcome.text().startswith("It keeps its pose"))
    assert picker.popup is not None
    picker.popup.close()


def test_a_list_closes_when_its_file_can_no_longer_be_edited(qtbot: QtBot, arm: OpenFile) -> None:
    session = arm.session
    session.select(["arm::forearm"])
    picker = arm.properties.relative_to.picker
    picker.open()
    popup = picker.popup
    assert popup is not None
    assert popup.isVisible()
    text = session.document.text
    session.apply(Edit("Break", session.document, (Replacement(len(text) - 3, len(text), "<"),)))
    qtbot.waitUntil(lambda: not isValid(popup) or not popup.isVisible())
    assert QApplication.activePopupWidget() is None
