"""Work in a thread, and in small steps between two paints."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QObject
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from sdfviewer import gui
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.faults import InternalError
from sdfviewer.gui.kit.jobs import Background, Later, Latest
from tests.patience import PATIENCE_SECONDS


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


def test_a_job_that_comes_last_waits_for_all_others() -> None:
    """The import of what draws plots took every second turn from the pictures of the 3D views."""
    later, done = Later(), list[str]()

    def draw() -> None:
        done.append("picture")
        if len(done) < 3:
            later.do(draw)

    def plot() -> None:
        done.append("plot")
        if done.count("plot") < 2:
            later.do(plot, last=True)

    for _ in range(2):
        later.do(plot, last=True)
    later.do(draw)
    later.flush()
    assert done == ["picture"] * 3 + ["plot"] * 2
    later.do(plot, last=True)
    later.stop()
    later.flush()
    assert done.count("plot") == 2


def test_jobs_are_done_at_once_or_forgotten(qtbot: QtBot) -> None:
    later, done = Later(), list[int]()
    later.do(lambda: done.append(1))
    later.flush()
    assert done == [1]
    later.do(lambda: done.append(2))
    later.stop()
    later.flush()
    assert done == [1]


def test_the_job_of_a_deleted_object_is_not_done() -> None:
    class Owner(QObject):
        def work(self, *more: str) -> None:
            done.append(", ".join(["work", *more]))

    later, owner, done = Later(), Owner(), list[str]()
    later.do(owner.work)
    later.do(partial(owner.work, "something"))
    later.do(partial(partial(owner.work, "something"), "else"))
    later.do(partial(done.append, "other"))
    delete(owner)
    later.flush()
    assert done == ["other"]


class Painted(QWidget):
    """Says when it is painted."""

    def __init__(self, note: Callable[[str], object]) -> None:
        super().__init__()
        self.note = note

    def paintEvent(self, event: QPaintEvent) -> None:
        self.note("painted")


def test_what_an_edit_or_a_job_changes_is_painted_in_a_turn_without_a_job(qtbot: QtBot) -> None:
    later, turn, done = Later(), count(), list[tuple[int, str]]()
    now = [next(turn)]

    def note(what: str) -> None:
        done.append((now[0], what))

    def end_turn() -> None:
        now[0] = next(turn)

    def job(more: int) -> None:
        note("job")
        widget.update()
        for number in range(more):
            later.do(partial(job, number))

    widget = Painted(note)
    qtbot.addWidget(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    dispatcher = QAbstractEventDispatcher.instance()
    assert dispatcher is not None
    dispatcher.aboutToBlock.connect(end_turn)
    done.clear()
    widget.update()
    later.do(partial(job, 2))
    qtbot.waitUntil(lambda: [what for _, what in done].count("job") == 4 and done[-1][1] == "painted")
    assert [what for _, what in done] == ["painted", *["job", "painted"] * 4]
    assert len({when for when, _ in done}) == len(done), "each in a turn of its own"


def test_all_objects_share_the_turns(qtbot: QtBot) -> None:
    """A view that was made while a panel of the same file was filled held the window for both."""
    first, second, turn, done = Later(), Later(), count(), list[tuple[int, str]]()
    dispatcher = QAbstractEventDispatcher.instance()
    assert dispatcher is not None
    now = [0]

    def begin() -> None:
        now[0] = next(turn)

    dispatcher.awake.connect(begin)
    try:
        for number in range(3):
            first.do(partial(lambda name: done.append((now[0], name)), f"first {number}"))
            second.do(partial(lambda name: done.append((now[0], name)), f"second {number}"))
        qtbot.waitUntil(lambda: len(done) == 6)
    finally:
        dispatcher.awake.disconnect(begin)
    assert [name for _, name in done] == [f"{which} {number}" for number in range(3) for which in ("first", "second")]
    assert len({turn for turn, _ in done}) == 6


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


class _Gate:
    """A job that runs until it is let through."""

    def __init__(self, latest: Latest) -> None:
        self.latest = latest
        self.begun, self.open = Event(), Event()
        self.was_cancelled = False

    def __call__(self) -> str:
        self.begun.set()
        assert self.open.wait(PATIENCE_SECONDS)
        self.was_cancelled = self.latest.is_cancelled
        return "gate"


def test_only_the_last_job_counts(qtbot: QtBot) -> None:
    latest, done, answers = Latest(), list[str](), list[str]()
    gate = _Gate(latest)

    def job(name: str) -> str:
        done.append(name)
        return name

    latest.run(gate, answers.append)
    assert gate.begun.wait(PATIENCE_SECONDS)
    latest.run(partial(job, "first"), answers.append)
    latest.run(partial(job, "second"), answers.append)
    assert latest.is_running
    gate.open.set()
    qtbot.waitUntil(lambda: not latest.is_running)
    assert (done, answers) == (["second"], ["second"]), "what has not begun is left out"
    assert gate.was_cancelled
    latest.stop()


def test_a_job_that_has_begun_may_come_to_its_end(qtbot: QtBot) -> None:
    latest, answers = Latest(), list[str]()
    gate = _Gate(latest)
    latest.run(gate, answers.append, lets_finish=True)
    assert gate.begun.wait(PATIENCE_SECONDS)
    for name in ("first", "second"):
        latest.run(partial(str, name), answers.append, lets_finish=True)
    gate.open.set()
    qtbot.waitUntil(lambda: not latest.is_running)
    assert answers == ["gate", "second"]
    assert not gate.was_cancelled
    latest.stop()


def test_a_job_that_is_done_at_once_replaces_those_in_the_thread(qtbot: QtBot) -> None:
    background = Background()
    latest, answers = Latest(background), list[str]()
    gate = _Gate(latest)
    latest.run(gate, answers.append)
    assert gate.begun.wait(PATIENCE_SECONDS)
    latest.run(lambda: "at once", answers.append, at_once=True)
    assert answers == ["at once"]
    assert not latest.is_running
    gate.open.set()
    background.run(lambda: "other", answers.append)
    qtbot.waitUntil(lambda: answers == ["at once", "other"])
    assert gate.was_cancelled
    background.stop()


def test_what_is_cancelled_is_not_delivered_and_the_next_one_is(qtbot: QtBot) -> None:
    latest, answers = Latest(), list[str]()
    gate = _Gate(latest)
    latest.run(gate, answers.append, lets_finish=True)
    assert gate.begun.wait(PATIENCE_SECONDS)
    latest.cancel()
    assert not latest.is_running
    latest.run(lambda: "next", answers.append, lets_finish=True)
    gate.open.set()
    qtbot.waitUntil(lambda: answers == ["next"])
    assert gate.was_cancelled
    latest.stop()
    latest.run(lambda: "late", answers.append)
    assert not latest.is_running


def test_it_stops_with_its_owner() -> None:
    owner = QObject()
    background = Background(owner)
    delete(owner)
    assert background.is_stopped


def test_no_other_module_of_the_window_makes_threads() -> None:
    """The warm-up needs a thread for its OpenGL context; the watchdog looks at the one of the window from outside."""
    folder = Path(gui.__file__).parent
    makers = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if re.search(r"concurrent\.futures|\bThread\(|QThread|QRunnable", path.read_text(encoding="utf-8"))
    }
    assert makers == {"kit/jobs.py", "shell/performance.py", "view3d/software.py"}


def test_no_other_module_of_the_window_does_work_in_slices_by_a_timer_of_its_own() -> None:
    """A recording takes the next picture as soon as the one before is shown."""
    folder = Path(gui.__file__).parent
    slicers = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if re.search(r"QTimer\((?![^)]*singleShot)[^)]*interval=0\)", path.read_text(encoding="utf-8"))
    }
    assert slicers == {"kit/jobs.py", "shell/recording.py"}


def _divide() -> int:
    return 1 // 0


def _never(_answer: object) -> None:
    pytest.fail("this has no answer")


def test_a_job_that_fails_is_reported_and_the_next_one_runs(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: reported.append(error))
    background, answers = Background(), list[int]()
    background.run(_divide, answers.append)
    background.run(lambda: 7, answers.append)
    qtbot.waitUntil(lambda: answers == [7])
    background.stop()
    (fault,) = reported
    assert isinstance(fault, InternalError)
    assert "ZeroDivisionError" in fault.report


def test_whoever_waits_for_a_job_hears_that_it_has_failed(qtbot: QtBot) -> None:
    background, failures = Background(), list[SdfViewerError]()

    def refuse() -> int:
        raise SdfViewerError("no such model")

    for job in (_divide, refuse):
        background.run(job, _never, failures.append)
    qtbot.waitUntil(lambda: len(failures) == 2)
    background.stop()
    assert isinstance(failures[0], InternalError)
    assert str(failures[1]) == "no such model"


@pytest.mark.parametrize("at_once", [False, True])
def test_nobody_waits_for_the_last_job_when_it_has_failed(qtbot: QtBot, at_once: bool) -> None:
    latest, failures = Latest(), list[SdfViewerError]()
    latest.run(_divide, _never, failures.append, at_once=at_once)
    qtbot.waitUntil(lambda: bool(failures))
    assert not latest.is_running
    latest.stop()


def test_the_failure_of_a_job_that_is_out_of_date_is_not_delivered(qtbot: QtBot) -> None:
    latest, failures, answers, may_end = Latest(), list[SdfViewerError](), list[int](), Event()

    def fail_late() -> int:
        may_end.wait(10)
        return _divide()

    latest.run(fail_late, _never, failures.append)
    latest.run(lambda: 7, answers.append)
    may_end.set()
    qtbot.waitUntil(lambda: answers == [7])
    assert failures == []
    latest.stop()
