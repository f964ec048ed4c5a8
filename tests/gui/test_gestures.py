"""Tests of the gestures of the monkey in tests/attack: it leaves nothing behind itself."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.widgets import widgets_in


@pytest.fixture
def _only_what_is_new() -> Iterator[None]:
    """Leave out what the tests before have made: to walk it takes seconds."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.freeze()
    yield
    gc.unfreeze()


def dead() -> int:
    """Return how many objects are left of what Qt has deleted."""
    gc.collect()
    return sum(isinstance(each, QObject) and not shiboken6.isValid(each) for each in gc.get_objects())


@pytest.mark.usefixtures("_only_what_is_new")
def test_looking_for_widgets_keeps_none(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    for _ in range(5):
        editor = QPlainTextEdit(window)
        found = list(widgets_in(window))
        assert editor in found
        assert editor.viewport() in found
        del found
        editor.deleteLater()
        del editor
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert dead() == 0
