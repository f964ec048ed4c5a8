"""Work that must not hold up the window: in a thread, or in small steps between two paints.

There is one answer to each question of when work runs:

- `Background`: jobs in a thread, one after the other; each result is delivered to the window's thread.
- `Latest`: jobs in a thread of which only the last one counts, as when something is typed or dragged.
- `Later`: small steps in the window's thread, each between two paints.
- `delayed`: once, some time after it was last requested, as when something is typed or resized.
- `GarbageCollector`: circles of objects, in the window's thread, where Python would collect them in any.

`Background` and `Latest` have one wall for what a job raises: `_outcome`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.faults import fault_error, faults_as_errors
from sdfviewer.garbage_collection import count_as_old

_Answer = TypeVar("_Answer")


#: Is called with the error of a job that has failed.
Failed = Callable[[SdfViewerError], object]


@dataclass(frozen=True)
class _Failure:
    """Why a job has no answer."""

    error: SdfViewerError


def _outcome(job: Callable[[], _Answer]) -> _Answer | _Failure:
    """Return the answer of a job, or why there is none; a fault of this program is logged, and becomes an error."""
    try:
        with faults_as_errors("finish this"):
            return job()
    except SdfViewerError as error:
        return _Failure(error)
    except Exception as error:  # about a stream that names no file
        return _Failure(fault_error("finish this", error))


def report(error: SdfViewerError) -> None:
    """Report the fault of a job without an error handler, as any other of the window."""
    sys.excepthook(type(error), error, error.__traceback__)


def delayed(owner: QObject, job: Callable[[], object], milliseconds: int = 0) -> QTimer:
    """Return a timer of ``owner`` that does a job some time after it was last started, once."""
    timer = QTimer(owner, singleShot=True, interval=milliseconds)
    timer.timeout.connect(job)
    return timer


@dataclass(frozen=True)
class _FinishedJob:
    """The outcome of a job, and what is called with it in the GUI thread."""

    future: Future[Any]
    then: Callable[[Any], object]
    failed: Failed


class Background(QObject):
    """Runs jobs one after the other in a thread, which is started for the first of them.

    It has no parent, because it must outlive a job that still runs after its result is no longer needed.

    Parameters
    ----------
    owner
        Stops it when Qt deletes it.
    """

    # Emitted in the worker thread, or where a job is done before its result is requested, in this object's thread.
    _finished = Signal(_FinishedJob)

    def __init__(self, owner: QObject | None = None) -> None:
        super().__init__()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="background")
        self._stopped = Event()
        # Always in a later pass: who asks goes on before the answer comes.
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        if owner is not None:
            owner.destroyed.connect(self.stop)

    @property
    def is_stopped(self) -> bool:
        """Whether results are no longer needed; a long job checks this and ends early."""
        return self._stopped.is_set()

    def run(self, job: Callable[[], _Answer], then: Callable[[_Answer], object], failed: Failed = report) -> None:
        """Run a job and call ``then`` with its result in a later pass of the event loop.

        Parameters
        ----------
        failed
            Is called instead with the error that the job has raised, an InternalError for a fault of this program. By
            default it is reported in a dialog.
        """
        if not self.is_stopped:
            self._executor.submit(partial(_outcome, job)).add_done_callback(
                lambda future: self._finished.emit(_FinishedJob(future, then, failed))
            )

    def _deliver(self, job: _FinishedJob) -> None:
        if not self.is_stopped:
            _hand_over(job.future.result(), job.then, job.failed)

    def stop(self) -> None:
        """Deliver no further results, and end the thread after the running job."""
        self._stopped.set()
        self._executor.shutdown(wait=False, cancel_futures=True)


def _hand_over(outcome: _Answer | _Failure, then: Callable[[_Answer], object], failed: Failed) -> None:
    if isinstance(outcome, _Failure):
        failed(outcome.error)
    else:
        then(outcome)


class _Skipped:
    """The result of a job that was not begun, because another one had been requested."""


class Latest:
    """Runs jobs of which only the last one counts: each call of `run` replaces the one before.

    A job that has not begun yet is left out, and a result that is out of date is not delivered.

    Parameters
    ----------
    background
        Where they run, beside other jobs; in a thread of their own if it is None.
    """

    def __init__(self, background: Background | None = None) -> None:
        self._background = Background() if background is None else background
        self._last = self._oldest_wanted = self._running = 0
        self._is_waited_for = False

    @property
    def is_running(self) -> bool:
        """Whether a result is still to come."""
        return self._is_waited_for and not self._background.is_stopped

    @property
    def is_cancelled(self) -> bool:
        """Whether the result of the running job is no longer needed; a long job checks this and ends early."""
        return self._background.is_stopped or self._running < self._oldest_wanted

    def run(
        self,
        job: Callable[[], _Answer],
        then: Callable[[_Answer], object],
        failed: Failed = report,
        *,
        at_once: bool = False,
        lets_finish: bool = False,
    ) -> None:
        """Run a job in place of those before, and call ``then`` with its result.

        Parameters
        ----------
        failed
            As for `Background.run`.
        at_once
            The job is short: it is done before this returns.
        lets_finish
            A job that has begun is not given up, and its result is delivered, too. So results keep coming while jobs
            are requested faster than they can be done.
        """
        self._last = number = self._last + 1
        if not lets_finish:
            self._oldest_wanted = number
        if at_once:
            self._is_waited_for = False
            _hand_over(_outcome(job), then, failed)
            return
        self._is_waited_for = True

        def begin() -> _Answer | _Skipped:
            if number != self._last:
                return _Skipped()
            self._running = number
            return job()

        self._background.run(begin, partial(self._deliver, number, then), partial(self._deliver, number, failed))

    def _deliver(self, number: int, then: Callable[[_Answer], object], answer: _Answer | _Skipped) -> None:
        if number == self._last:
            self._is_waited_for = False
        if number >= self._oldest_wanted and not isinstance(answer, _Skipped):
            then(answer)

    def cancel(self) -> None:
        """Need no result of what was requested so far."""
        self._last += 1
        self._oldest_wanted = self._last
        self._is_waited_for = False

    def stop(self) -> None:
        """Cancel, and end the thread, also for others that share it."""
        self.cancel()
        self._background.stop()


class Later(QObject):
    """Does one job in every second pass of the event loop, so that what the user does meanwhile comes in between.

    The passes between are for painting: what an edit, or a job, has changed is painted in the pass after it. A job in
    the same pass would make it longer than either. So no two objects have jobs done in one pass, either: they take
    it in turn.

    What a view answers to others is up to date at any time. What is merely looked at, such as where a list is scrolled
    to, may be left for later; what others ask for, such as the scene after an edit, only where it catches up as soon
    as it is requested. A job must do what is right when it runs: more may have changed. The jobs of an object that Qt
    has deleted meanwhile are not done.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Callable[[], object]] = []
        self._last: list[Callable[[], object]] = []
        self._turns = _shared_turns()

    def do(self, job: Callable[[], object], *, last: bool = False) -> None:
        """Do a job in a later pass, once however often it is requested until then.

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
    """The passes of the event loop, which belong to the application, and who waits for one."""

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


#: How many objects more than are gone make a collection due, and how many collections one of older objects. A world
#: has millions of objects that live as long as its tab; collecting among them is seldom worth the pause.
MOST = (50_000, 20, 100)
#: More objects at once are of a file that was opened: nearly all of them live as long as its tab. They count as old at
#: once, for to look at each holds a window with a large world up.
_AT_ONCE = 4 * MOST[0]
#: So many objects count as old unseen before all are looked at after all.
_MOST_UNSEEN = 5_000_000
_LOOK_MILLISECONDS = 200


class GarbageCollector(QObject):
    """Looks for circles of objects that nothing else refers to, in passes of the event loop, as Python does by itself.

    Python does it in whichever thread makes many objects. What Qt has made must be deleted in the window's thread: a
    dialog that was collected while a graph was laid out in the background would end the process.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._unseen = 0
        look = QTimer(self, interval=_LOOK_MILLISECONDS)
        look.timeout.connect(self._look)
        look.start()

    def _look(self) -> None:
        counts = gc.get_count()
        due = [generation for generation, most in enumerate(MOST) if counts[generation] > most]
        self._unseen += counts[0] if counts[0] > _AT_ONCE else 0
        if self._unseen > _MOST_UNSEEN:
            self._unseen = 0
            gc.collect()
        elif counts[0] > _AT_ONCE:
            count_as_old()
        elif due:
            gc.collect(due[-1])
