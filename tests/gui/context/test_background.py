"""Jobs in a thread, whose results come in later turns of the event loop."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.background import Background


class _AtOnce:
    """Runs a job before it returns, as a thread may that is faster than the one that asks."""

    def submit(self, job: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(job())
        return future

    def shutdown(self, **_options: object) -> None:
        pass


def test_who_asks_goes_on_before_the_answer_comes(qtbot: QtBot) -> None:
    background, answers = Background(), list[int]()
    background._executor.shutdown()
    background._executor = _AtOnce()  # type: ignore[assignment]
    background.run(lambda: 1, answers.append)
    assert answers == []
    qtbot.waitUntil(lambda: answers == [1])
    background.run(lambda: 2, answers.append)
    background.stop()
    background.run(lambda: 3, answers.append)
    QCoreApplication.processEvents()
    assert answers == [1], "nothing is delivered to those who have gone"
