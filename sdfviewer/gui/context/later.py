"""Work for later turns of the event loop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid


class Later(QObject):
    """Does one job in every second turn of the event loop, so that what the user does meanwhile comes in between.

    The turns between are for painting: what an edit, or a job, has changed is painted in the turn after it. A job in
    the same turn would make it longer than either.

    What a view answers to others is up to date at any time. What is merely looked at, such as where a list is scrolled
    to, may be left for later; what others ask for, such as the scene after an edit, only where it catches up as soon
    as it is asked for. A job must do what is right when it runs: more may have changed. The jobs of an object that Qt
    has deleted meanwhile are not done.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Callable[[], object]] = []
        self._last: list[Callable[[], object]] = []
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._take_turn)
        self._has_painted = False

    def do(self, job: Callable[[], object], *, last: bool = False) -> None:
        """Do a job in a later turn, once however often it is asked for until then.

        A job that comes `last` waits until there are no others: what is looked at first is shown first.
        """
        if job not in self._jobs and job not in self._last:
            (self._last if last else self._jobs).append(job)
            self._turn.start()

    def _take_turn(self) -> None:
        self._has_painted = not self._has_painted
        if not self._has_painted:
            self._do_one()

    def _do_one(self) -> None:
        job = (self._jobs or self._last).pop(0)
        if not self._jobs and not self._last:
            self._turn.stop()
        owner = getattr(job, "__self__", None)
        if not isinstance(owner, QObject) or isValid(owner):
            job()

    def stop(self) -> None:
        """Forget all jobs."""
        self._jobs.clear()
        self._last.clear()
        self._turn.stop()
        self._has_painted = False

    def flush(self) -> None:
        """Do all jobs now."""
        while self._jobs or self._last:
            self._do_one()
