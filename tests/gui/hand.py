"""The hand of a test on the mouse and the keyboard, which all tests of a process share."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget


def let_go() -> None:
    """Hold no button and no key any more: Qt remembers those of the last event that QTest has sent."""
    nobody = QWidget()
    QTest.mouseRelease(nobody, Qt.MouseButton.LeftButton)
    QTest.keyRelease(nobody, Qt.Key.Key_Shift)
