"""Undo and redo after a value is committed belong to the document, with the focus still in the field."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.fields import LineEdit
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow

pytestmark = pytest.mark.panels("tree", "properties")

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

FIELDS: dict[str, Callable[[OpenFile], QLineEdit]] = {
    "a number of the pose": lambda arm: arm.properties.pose.fields[0],
    "the name": lambda arm: arm.properties.name.field,
    "a property": lambda arm: arm.properties.details.field("inertial/mass").findChild(LineEdit),
}


def test_undo_of_a_committed_value_is_the_documents(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::forearm"])
    before = arm.session.document.text
    window.activateWindow()
    for what, field_of in FIELDS.items():
        field = field_of(arm)
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        field.selectAll()
        QTest.keyClicks(field, "2.25")
        QTest.keyClick(field, Qt.Key.Key_Return)
        after = arm.session.document.text
        assert after != before, what
        assert field.hasFocus(), what
        QTest.keyClick(field, Qt.Key.Key_Z, CONTROL)
        assert arm.session.document.text == before, what
        QTest.keyClick(field, Qt.Key.Key_Z, CONTROL | SHIFT)
        assert arm.session.document.text == after, what
        arm.session.undo()


def test_undo_of_an_edit_made_from_the_search_of_the_tree_is_the_documents(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    arm.session.select(["arm::inspection"])
    before = arm.session.document.text
    window.activateWindow()
    line = arm.tree.filter
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    QTest.keyClicks(line, "no such frame")
    window.actions_by_id["edit.duplicate"].trigger()
    assert arm.session.document.text != before
    QTest.keyClick(line, Qt.Key.Key_Z, CONTROL)
    assert arm.session.document.text == before
    assert line.text() == "no such frame"


def test_undo_of_what_is_being_typed_is_the_lines(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(["arm::forearm"])
    before, field = arm.session.document.text, arm.properties.pose.fields[0]
    window.activateWindow()  # the shortcuts of a window that is not active take no key from the line
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    shown = field.text()
    QTest.keyClicks(field, "9")
    QTest.keyClick(field, Qt.Key.Key_Z, CONTROL)
    assert field.text() == shown
    QTest.keyClick(field, Qt.Key.Key_Y, CONTROL)
    assert field.text() != shown
    assert arm.session.document.text == before


def test_redo_by_control_y_is_left_to_the_window(qtbot: QtBot) -> None:
    """The line must not take the key where it has nothing to redo."""
    line = LineEdit()
    qtbot.addWidget(line)
    for key in (Qt.Key.Key_Y, Qt.Key.Key_Z):
        override = QKeyEvent(QEvent.Type.ShortcutOverride, key, CONTROL)
        override.ignore()
        QApplication.sendEvent(line, override)
        assert not override.isAccepted()
    QTest.keyClicks(line, "a")
    override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, CONTROL)
    override.ignore()
    QApplication.sendEvent(line, override)
    assert override.isAccepted()


def test_shortcuts_of_the_window_work_while_a_field_has_the_focus(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """Ctrl+E edits the pose; a line of Qt would take it, and others, to move the cursor."""
    arm.session.select(["arm::forearm"])
    window.activateWindow()
    name = arm.properties.name.field
    arm.properties.pose.fields[0].setFocus()
    qtbot.waitUntil(arm.properties.pose.fields[0].hasFocus)
    window.actions_by_id["edit.rename"].trigger()
    qtbot.waitUntil(name.hasFocus)
    assert name.selectedText() == "forearm"
    for key, is_own in ((Qt.Key.Key_E, False), (Qt.Key.Key_K, False), (Qt.Key.Key_C, True), (Qt.Key.Key_A, True)):
        override = QKeyEvent(QEvent.Type.ShortcutOverride, key, CONTROL)
        override.ignore()
        QApplication.sendEvent(name, override)
        assert override.isAccepted() is is_own
