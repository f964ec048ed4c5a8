"""The status bar."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow


def test_the_facts_of_a_file_are_shown_as_links(window: MainWindow, examples: Path) -> None:
    window.files.open([examples / "arm.sdf"])
    label = next(each for each in window.status.findChildren(QLabel) if each.accessibleName() == "File")
    assert "SDFormat 1.11" in label.text()
    assert 'href="link"' in label.text()
    assert label.textFormat() == Qt.TextFormat.RichText


def test_a_long_message_takes_the_room_of_the_panels(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.resize(960, 540)
    qtbot.waitUntil(lambda: window.width() == 960)
    assert window.status.strip.isVisible()
    label = next(each for each in window.status.findChildren(QLabel) if each.accessibleName() == "Message")
    room = window.width() - window.status.problems.width() - 120
    text = "o" * (room // label.fontMetrics().horizontalAdvance("o"))
    window.status.refuse(text)
    assert label.text() == text
    assert not window.status.strip.isVisible()
    window.status.show_message("Saved")
    assert window.status.strip.isVisible()


def test_the_source_of_what_is_included_is_shown_in_its_file(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.sdf", tmp_path / "outer.sdf"
    inner.write_text('<sdf version="1.9">\n<model name="in">\n<link name="a"/></model></sdf>', encoding="utf-8")
    outer.write_text(
        '<sdf version="1.9"><world name="w"><include><uri>inner.sdf</uri></include></world></sdf>', encoding="utf-8"
    )
    window.files.open([outer])
    file = window.current
    assert file is not None
    file.session.select(("in::a",))
    window.actions_by_id["go.source"].trigger()
    qtbot.waitUntil(lambda: window.current is not file)
    opened = window.current
    assert opened is not None
    assert opened.session.path == inner
    qtbot.waitUntil(lambda: opened.source.editor.textCursor().selectedText() == '<link name="a"/>')
    assert opened.session.selection == ("in::a",), "it is still what the user looks at"
