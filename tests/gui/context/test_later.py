"""Work for later turns of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

from PySide6.QtCore import QAbstractEventDispatcher, QObject
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

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
