"""Logs what blocks the window's thread for too long."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from types import FrameType

from PySide6.QtCore import QObject, QTimer

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
    """

    def __init__(self, parent: QObject | None = None, limit: float = LIMIT) -> None:
        super().__init__(parent)
        self._limit = limit
        self._watched = threading.get_ident()
        self._beat = time.monotonic()
        self._reported = False
        self._stopped = threading.Event()
        self._timer = QTimer(self, interval=_BEAT)
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
            _log.warning("the window responds again after %.1f s", now - self._beat)
            self._reported = False
        self._beat = now

    def _watch(self) -> None:
        while not self._stopped.wait(self._limit / 4):
            if not self._reported and time.monotonic() - self._beat > self._limit + _BEAT / 1000:
                self._reported = True
                _log.warning("the window has not responded for %.1f s:\n%s", self._limit, self._stack())

    def _stack(self) -> str:
        frame: FrameType | None = sys._current_frames().get(self._watched)
        return "".join(traceback.format_stack(frame)) if frame is not None else "(it has ended)"
