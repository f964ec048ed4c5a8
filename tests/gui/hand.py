"""The hand of a test on the mouse and the keyboard, which all tests of a process share."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget


def let_go() -> None:
    """Hold no button and no key any more, which Qt remembers of the last event that QTest has sent.

    The pointer goes back to where it was before the first test. Over a window that opens below it, it ends tooltips.
    """
    nobody = QWidget()
    QTest.mouseRelease(nobody, Qt.MouseButton.LeftButton)
    QTest.keyRelease(nobody, Qt.Key.Key_Shift)
    if QCursor.pos() != _place_at_first():
        QCursor.setPos(_place_at_first())


@cache
def _place_at_first() -> QPoint:
    return QCursor.pos()
