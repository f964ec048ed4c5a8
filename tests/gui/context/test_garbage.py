"""Garbage is collected in the window's thread alone."""

from __future__ import annotations

from threading import Thread, current_thread, main_thread

import pytest
from PySide6.QtCore import QObject, Qt
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.jobs import MOST


class Circle(QObject):
    """Refers to itself, as a dialog does whose buttons call its methods."""

    def __init__(self, deleted_in: list[Thread]) -> None:
        super().__init__()
        self.me = self
        self.destroyed.connect(lambda: deleted_in.append(current_thread()), Qt.ConnectionType.DirectConnection)


@pytest.mark.usefixtures("qapp")
def test_what_qt_has_made_is_deleted_in_the_thread_of_the_window(qtbot: QtBot) -> None:
    deleted_in: list[Thread] = []
    Circle(deleted_in)
    made: list[list[object]] = []
    beside = Thread(target=lambda: made.extend([] for _ in range(2 * MOST[0])))
    beside.start()
    beside.join()
    assert not deleted_in
    qtbot.waitUntil(lambda: bool(deleted_in))
    assert deleted_in == [main_thread()]
