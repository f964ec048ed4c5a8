"""Tests of changes of the layout that are painted once."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.widgets.painted_once import painted_once


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
