"""A closed file leaves nothing behind."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from sdfviewer.gui.shell import files
from sdfviewer.gui.shell.window import MainWindow


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def close_dialogs() -> None:
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, QDialog):
            dialog.close()


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


def test_a_closed_file_is_given_up_with_the_dialogs_about_it(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]
) -> None:
    path = example("arm")
    for id in ("versions.saved", "edit.rename_preview", "edit.add_joint", "tool.measure", "file.export"):
        window.files.open([path])
        settle()
        file = window.current
        assert file is not None
        assert file.session.model is not None
        file.session.select([file.session.model.names[1]])
        window.actions_by_id[id].trigger()
        session, model, scene = weakref.ref(file.session), weakref.ref(file.session.model), None
        if file.view.canvas is not None:
            scene = weakref.ref(file.view.canvas.feed.scene)
        close_dialogs()
        window.files.drop(file)
        del file
        settle()
        assert session() is None, id
        assert model() is None, id
        assert scene is None or scene() is None, id
        assert window.app.dialog is None or isValid(window.app.dialog)
        assert window.comparisons.dialog is None


def test_a_closed_file_keeps_no_memory(
    window: MainWindow, example: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    given_back = []
    monkeypatch.setattr(files, "give_back_memory", lambda *, collect: given_back.append(collect))
    window.files.open([example("arm")])
    assert window.current is not None
    window.files.drop(window.current)
    qtbot.waitUntil(lambda: bool(given_back))
    assert given_back == [True]
