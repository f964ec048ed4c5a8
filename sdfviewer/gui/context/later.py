"""Work for later turns of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer
from shiboken6 import isValid


class Later(QObject):
    """Does one job in every second turn of the event loop, so that what the user does meanwhile comes in between.

    The turns between are for painting: what an edit, or a job, has changed is painted in the turn after it. A job in
    the same turn would make it longer than either. So no two objects have jobs done in one turn, either: they take
    turns.

    What a view answers to others is up to date at any time. What is merely looked at, such as where a list is scrolled
    to, may be left for later; what others ask for, such as the scene after an edit, only where it catches up as soon
    as it is asked for. A job must do what is right when it runs: more may have changed. The jobs of an object that Qt
    has deleted meanwhile are not done.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Callable[[], object]] = []
        self._last: list[Callable[[], object]] = []
        self._turns = _shared_turns()

    def do(self, job: Callable[[], object], *, last: bool = False) -> None:
        """Do a job in a later turn, once however often it is asked for until then.

        A job that comes `last` waits until there are no others: what is looked at first is shown first.
        """
        if job not in self._jobs and job not in self._last:
            (self._last if last else self._jobs).append(job)
            self._turns.wait(self)

    @property
    def has_jobs(self) -> bool:
        """Whether there is something to do."""
        return bool(self._jobs or self._last)

    def do_one(self) -> None:
        """Do the next job now."""
        job = (self._jobs or self._last).pop(0)
        method = job
        while isinstance(method, partial):
            method = method.func
        owner = getattr(method, "__self__", None)
        if not isinstance(owner, QObject) or isValid(owner):
            job()

    def stop(self) -> None:
        """Forget all jobs."""
        self._jobs.clear()
        self._last.clear()

    def flush(self) -> None:
        """Do all jobs now."""
        while self.has_jobs:
            self.do_one()


class _Turns(QObject):
    """The turns of the event loop, which belong to the application, and who waits for one."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: list[Later] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._take)
        self._has_painted = False

    def wait(self, later: Later) -> None:
        """Let one more object have its jobs done."""
        if later not in self._waiting:
            self._waiting.append(later)
            self._timer.start()

    def _take(self) -> None:
        self._waiting = [each for each in self._waiting if isValid(each) and each.has_jobs]
        self._has_painted = not self._has_painted and bool(self._waiting)
        if self._has_painted:
            return
        if not self._waiting:
            self._timer.stop()
            return
        later = self._waiting.pop(0)
        try:
            later.do_one()
        finally:
            self.wait(later)


def _shared_turns() -> _Turns:
    application = QCoreApplication.instance()
    assert application is not None
    found = application.findChild(_Turns, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found or _Turns(application)
