"""Background jobs in a thread, with results delivered to the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class _FinishedJob:
    """The result of a job, and what is called with it in the GUI thread."""

    future: Future[Any]
    then: Callable[[Any], object]


class Background(QObject):
    """Runs jobs one after the other in a thread.

    It has no parent, because it must outlive a job that still runs after its result is no longer needed.
    """

    # Emitted in the worker thread, or where a job is done before anybody asks for its result, in this object's thread.
    _finished = Signal(_FinishedJob)

    def __init__(self) -> None:
        super().__init__()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="background")
        self._stopped = Event()
        # Always in a later turn: who asks goes on before the answer comes.
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def is_stopped(self) -> bool:
        """Whether results are no longer needed; a long job checks this and ends early."""
        return self._stopped.is_set()

    def run(self, job: Callable[[], _Answer], then: Callable[[_Answer], object]) -> None:
        """Run a job and call ``then`` with its result in a later turn of the event loop.

        An exception of the job is raised in the GUI thread.
        """
        if not self.is_stopped:
            self._executor.submit(job).add_done_callback(lambda future: self._finished.emit(_FinishedJob(future, then)))

    def _deliver(self, job: _FinishedJob) -> None:
        if not self.is_stopped:
            job.then(job.future.result())

    def stop(self) -> None:
        """Deliver no further results, and end the thread after the running job."""
        self._stopped.set()
        self._executor.shutdown(wait=False, cancel_futures=True)
