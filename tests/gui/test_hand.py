"""A test begins with no button and no key held, and with the pointer where it was before the first test."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.hand import let_go


def test_what_was_held_is_let_go(qtbot: QtBot) -> None:
    """A row that was chosen after another test had clicked with Ctrl was taken out of the selection."""
    widget, table = QWidget(), QTableWidget(2, 1)
    for each in (widget, table):
        qtbot.addWidget(each)
    table.selectRow(0)
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, QPoint(5, 5))
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.ControlModifier
    let_go()
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton
    table.selectRow(0)
    assert [index.row() for index in table.selectedIndexes()] == [0]


def test_the_pointer_goes_back_to_where_it_was() -> None:
    """It stayed over the middle of the windows of later tests, whose tooltips went away before they were read."""
    before = QCursor.pos()
    QCursor.setPos(before + QPoint(-300, -200))
    let_go()
    assert QCursor.pos() == before
