"""Logs what blocks the window's thread for too long."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QObject, QTimer, Signal

#: Work in the window's thread that takes longer, in seconds, is written down.
LIMIT = 1.0
#: How often the window's thread says that it is free, in milliseconds.
_BEAT = 250

_log = logging.getLogger(__name__)


class Watchdog(QObject):
    """Checks from another thread whether the window's thread responds.

    Each time it has not answered for :data:`LIMIT` seconds its stack is logged, once for each piece of work, and how
    long it took in the end. Beats come from a timer: a modal dialog, which has its own event loop, is no work.

    Parameters
    ----------
    limit
        Seconds.
    logs
        Whether this is written to the log.
    """

    #: The window responds again: the seconds that it did not, and the function of the program that it was in.
    held = Signal(float, str)

    def __init__(self, parent: QObject | None = None, limit: float = LIMIT, *, logs: bool = True) -> None:
        super().__init__(parent)
        self._limit, self._logs = limit, logs
        self._milliseconds = min(_BEAT, round(500 * limit))
        self._where = ""
        #: Called in the other thread as soon as the window is found held.
        self.noticed: Callable[[], object] = lambda: None
        self._watched = threading.get_ident()
        self._beat = time.monotonic()
        self._reported = False
        self._stopped = threading.Event()
        self._timer = QTimer(self, interval=self._milliseconds)
        self._timer.timeout.connect(self._answer)
        self._timer.start()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no longer."""
        self._timer.stop()
        self._stopped.set()
        self._thread.join()

    def _answer(self) -> None:
        now = time.monotonic()
        if self._reported:
            if self._logs:
                _log.warning("the window responds again after %.1f s", now - self._beat)
            self._reported = False
            self.held.emit(now - self._beat, self._where)
        self._beat = now

    def _watch(self) -> None:
        while not self._stopped.wait(self._limit / 4):
            if not self._reported and time.monotonic() - self._beat > self._limit + self._milliseconds / 1000:
                self._where = self._innermost()
                self._reported = True
                self.noticed()
                if self._logs:
                    _log.warning("the window has not responded for %.1f s:\n%s", self._limit, self._stack())

    def _innermost(self) -> str:
        """Return the function of the program that the thread is in, or that called what it is in."""
        frame: FrameType | None = sys._current_frames().get(self._watched)
        while frame is not None and not frame.f_globals.get("__name__", "").startswith("sdfviewer."):
            frame = frame.f_back
        return "Qt" if frame is None else f"{frame.f_globals['__name__'].rpartition('.')[2]}.{frame.f_code.co_name}"

    def _stack(self) -> str:
        frame: FrameType | None = sys._current_frames().get(self._watched)
        return "".join(traceback.format_stack(frame)) if frame is not None else "(it has ended)"
