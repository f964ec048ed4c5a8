"""Work for later turns of the event loop."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.later import Later


def test_each_turn_does_one_job_once(qtbot: QtBot) -> None:
    later, done = Later(), list[str]()

    def first() -> None:
        done.append("first")

    def second() -> None:
        done.append("second")
        if len(done) < 3:
            later.do(first)

    later.do(first)
    later.do(second)
    later.do(first)
    assert done == []
    qtbot.waitUntil(lambda: len(done) == 3)
    assert done == ["first", "second", "first"]


def test_jobs_are_done_at_once_or_forgotten(qtbot: QtBot) -> None:
    later, done = Later(), list[int]()
    later.do(lambda: done.append(1))
    later.flush()
    assert done == [1]
    later.do(lambda: done.append(2))
    later.stop()
    later.flush()
    assert done == [1]
