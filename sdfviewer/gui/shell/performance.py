"""How long a frame and an edit take, and what has held the window: a meter, and a watchdog that logs it."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.session.session_change import SessionChange

#: Work in the window's thread that takes longer, in seconds, is written down.
LIMIT_LOGGED = 1.0
#: How often the window's thread says that it is free, in milliseconds.
_BEAT = 250

_log = logging.getLogger(__name__)


class Watchdog(QObject):
    """Checks from another thread whether the window's thread responds.

    Each time it has not answered for :data:`LIMIT_LOGGED` seconds its stack is logged, once for each piece of work, and
    how long it took in the end. Beats come from a timer: a modal dialog, which has its own event loop, is no work.

    Parameters
    ----------
    limit
        Seconds.
    logs
        Whether this is written to the log.
    """

    #: The window responds again: the seconds that it did not, and the function of the program that it was in.
    held = Signal(float, str)

    def __init__(self, parent: QObject | None = None, limit: float = LIMIT_LOGGED, *, logs: bool = True) -> None:
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


LIMIT = 0.1
"""Seconds after which something is said to hold the window: a key or click is felt to wait."""
_SHOW_MILLISECONDS = 250
_FRAMES = 10
"""Number of frames whose median is shown."""
_GAP, _BESIDE_CUBE = 8, 112
"""Pixels to the upper edge, and to the right one, where the view cube is."""


class PerformanceMeter(QLabel):
    """Lies over the lower right corner of the 3D views and measures while it is there.

    Parameters
    ----------
    files
        The open files; that in front is measured.
    views
        What shows their 3D views.
    """

    def __init__(self, files: Files, views: QWidget) -> None:
        super().__init__(views)
        self.setObjectName("performance")
        self.setAccessibleName("Performance")
        self.setProperty("role", "floating")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setContentsMargins(8, 4, 8, 4)
        self._files, self._views = files, views
        self._frames: list[float] = []
        self._edit = 0.0
        self._held = ""
        self._ends: list[Callable[[], object]] = []
        self._soon = delayed(self, self._say, _SHOW_MILLISECONDS)
        self._watchdog = Watchdog(self, LIMIT, logs=False)
        self._watchdog.held.connect(self._note_hold)
        files.current_changed.connect(self._follow)
        views.installEventFilter(self)
        self._follow()
        self._say()
        self.show()

    def stop(self) -> None:
        """Measure no longer, and go."""
        self._watchdog.stop()
        self._files.current_changed.disconnect(self._follow)
        self._views.removeEventFilter(self)
        self._leave()
        self.hide()
        self.deleteLater()

    def _leave(self) -> None:
        for end in self._ends:
            end()
        self._ends = []

    def _follow(self) -> None:
        """Measure the file in front."""
        self._leave()
        file, self._frames = self._files.current, []
        if file is None:
            return
        canvas, context = file.view.canvas, file.context
        if canvas is not None:
            canvas.pictured.connect(self._note_frame)
            self._ends.append(lambda: canvas.pictured.disconnect(self._note_frame))
        context.changed.connect(self._note_change)
        self._ends.append(lambda: context.changed.disconnect(self._note_change))
        self.raise_()

    def _note_frame(self) -> None:
        file = self._files.current
        if file is not None and file.view.canvas is not None:
            self._frames = [*self._frames[1 - _FRAMES :], file.view.canvas.draw_seconds]
            self._soon.start()

    def _note_change(self, change: SessionChange) -> None:
        if change.document:
            self._soon.start()

    def _note_hold(self, seconds: float, where: str) -> None:
        self._held = f"held {seconds:.1f} s in {where}"
        self._soon.start()

    def _say(self) -> None:
        file = self._files.current
        parts = []
        if self._frames:
            parts.append(f"{1000 * sorted(self._frames)[len(self._frames) // 2]:.0f} ms a frame")
        if file is not None and file.context.edits.seconds is not None:
            parts.append(f"last edit {1000 * file.context.edits.seconds:.0f} ms")
        parts.append(self._held or f"nothing held the window for {LIMIT:g} s")
        self.setText(" · ".join(parts))
        self.adjustSize()
        self._place()

    def _place(self) -> None:
        room = self._views.rect()
        self.move(max(room.right() - self.width() - _BESIDE_CUBE, 0), _GAP)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False
