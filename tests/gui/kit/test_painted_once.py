"""Tests of changes of the layout that are painted once."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.widgets import painted_once


def test_a_part_is_painted_again_when_all_around_it_is_in_its_place(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    part = QWidget(window)
    with painted_once(window):
        with painted_once(part):
            assert not part.updatesEnabled()
        assert not part.updatesEnabled()
    assert window.updatesEnabled()
    assert part.updatesEnabled()


def test_what_is_not_painted_before_is_not_painted_after(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setUpdatesEnabled(False)
    with painted_once(widget):
        pass
    assert not widget.updatesEnabled()


class Counted(QWidget):
    """Counts how often it is painted."""

    count = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.count += 1


def test_what_was_to_be_painted_before_is_painted_after(qtbot: QtBot) -> None:
    """Preferences, whose list of themes had just closed, stayed as they were in the theme before."""
    window = Counted()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: window.count > 0)
    QApplication.processEvents()
    window.update()
    with painted_once(window):
        QApplication.processEvents()
        before = window.count
    qtbot.waitUntil(lambda: window.count > before)
