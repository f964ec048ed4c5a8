"""Notices above the view."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.notice import NoticeBar


def shown(bar: NoticeBar) -> list[str]:
    frames = {topic: bar.findChild(QFrame, f"notice_{topic}") for topic in bar.topics}
    return [topic for topic, frame in frames.items() if isinstance(frame, QFrame) and frame.isVisible()]


def test_many_notices_leave_room_for_the_view(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show()
    answered: list[str] = []
    for topic in "abcde":
        bar.ask(topic, f"Unsaved changes to {topic} were stored.", {"Restore": partial(answered.append, topic)})
    assert shown(bar) == ["c", "d", "e"]
    assert bar.more.text() == "Show 2 more notices"
    bar.withdraw("e")
    assert shown(bar) == ["b", "c", "d"]
    assert bar.more.text() == "Show 1 more notice"
    QTest.mouseClick(bar.more, Qt.MouseButton.LeftButton)
    assert shown(bar) == ["a", "b", "c", "d"]
    assert not bar.more.isVisible()
    frame = bar.findChild(QFrame, "notice_a")
    assert isinstance(frame, QFrame)
    QTest.mouseClick(frame.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert answered == ["a"]
    assert shown(bar) == ["b", "c", "d"]


def test_a_notice_about_a_file_is_in_sight_only_beside_it(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show()
    first, second = object(), object()
    bar.ask("general", "Unsaved changes were stored.", {})
    bar.ask("errors", "The first file has 4 errors.", {}, about=first)
    bar.follow(first)
    assert shown(bar) == ["general", "errors"]
    bar.follow(second)
    assert shown(bar) == ["general"]
    bar.withdraw("general")
    assert not bar.isVisible(), "an empty stack takes no room"
    bar.follow(first)
    assert shown(bar) == ["errors"]
