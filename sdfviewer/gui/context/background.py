"""Background jobs in a thread, with results delivered to the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

_Answer = TypeVar("_Answer")


class Background(QObject):
    """Does jobs one after the other.

    It has no parent: a job that is still at work when nobody waits for it any more must find it alive.
    """

    # Emitted in the thread of the jobs, received in this object's.
    _finished = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="background")
        self._stopped = Event()
        self._finished.connect(self._deliver)

    @property
    def is_stopped(self) -> bool:
        """Whether nobody waits for an answer any more; a job asks now and then and gives up."""
        return self._stopped.is_set()

    def run(self, job: Callable[[], _Answer], then: Callable[[_Answer], object]) -> None:
        """Do a job and call ``then`` with its answer; what the job raises is raised in the window's thread."""
        if not self.is_stopped:
            self._executor.submit(job).add_done_callback(lambda future: self._finished.emit(future, then))

    def _deliver(self, future: Future[_Answer], then: Callable[[_Answer], object]) -> None:
        if not self.is_stopped:
            then(future.result())

    def stop(self) -> None:
        """Wait for nothing any more and let the thread end."""
        self._stopped.set()
        self._executor.shutdown(wait=False, cancel_futures=True)
