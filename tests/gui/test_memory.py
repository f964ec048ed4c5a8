"""A closed file leaves nothing behind."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.window import MainWindow


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def test_a_closed_file_is_given_up(qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]) -> None:
    path = example("arm")
    sessions = []
    widgets = []
    for _ in range(6):
        window.files.open([path])
        settle()
        file = window.current
        assert file is not None
        assert file.session.model is not None
        file.session.select([file.session.model.names[1]])
        sessions.append(weakref.ref(file.session))
        window.files.drop(file)
        del file
        settle()
        widgets.append(len(QApplication.allWidgets()))
    alive = [number for number, session in enumerate(sessions) if session() is not None]
    assert len(alive) <= 1, f"files {alive} are still in memory"  # Qt may still hold the last event
    assert widgets[-1] == widgets[1]
