"""Opens a file in the window: reads it in a thread, then creates the views in sight one by one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.gui.kit.jobs import Background, Later, delayed
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import named, row_of
from sdfviewer.gui.shell.files.open_file import OpenFile, PreparedViews

PATIENCE_MILLISECONDS = 250
"""Files that open within this time show no progress."""
_WIDTH, _GAP = 520, 8
"""Pixels of the bar that shows it, and between the bar and the upper edge."""


class Opening(QObject):
    """Opens one file; the window stays usable meanwhile, and the wait can be ended at any moment.

    Parameters
    ----------
    name
        What the file is called in messages.
    path
        The file, None for a new one.
    read
        Reads it and prepares its views; runs in another thread.
    make
        Returns the file in the window without its views, from what was prepared and the seconds that it took.
    panels
        Returns the ids of the panels that are needed at once.

    Attributes
    ----------
    name, path
        As given.
    is_started
        Whether the file is being read, or has been.
    file
        The file in the window when the views in sight are made, None before and where that has failed or was cancelled.
    error
        Why the file cannot be opened.
    """

    #: The present task, the steps done and the number of steps; 0 of 0 if that is unknown.
    progressed = Signal(str, int, int)
    #: `file` or `error` is there, or it was cancelled.
    ended = Signal()

    def __init__(
        self,
        name: str,
        path: Path | None,
        read: Callable[[], PreparedViews],
        make: Callable[[PreparedViews, float], OpenFile],
        panels: Callable[[], Collection[str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.name, self.path = name, path
        self.file: OpenFile | None = None
        self.error: Exception | None = None
        self._read, self._make, self._panels = read, make, panels
        self._background = Background()
        self.is_started = False
        self._started = 0.0
        self._unfinished: OpenFile | None = None
        self._building: Iterator[str] = iter(())
        self._made = ""
        self._built, self._views = 0, 0
        # What one view has posted, such as its layout, takes a pass before the next one is made.
        self._later = Later(self)

    def start(self) -> None:
        """Start to read the file; nothing happens where it was cancelled before."""
        if self._background.is_stopped or self.is_started:
            return
        self.is_started, self._started = True, time.perf_counter()
        self._background.run(self._try_to_read, self._begin)
        self.progressed.emit(f"Reading {self.name}", 0, 0)

    def _try_to_read(self) -> PreparedViews | Exception:
        try:
            return self._read()
        except Exception as error:
            return error

    def cancel(self) -> None:
        """Open the file no further; one that is open already stays so."""
        if self.file is not None:
            return
        self._end_without_file()

    def _end_without_file(self) -> None:
        self._background.stop()
        self._later.stop()
        if self._unfinished is not None:
            self._unfinished.discard()
            self._unfinished = None
        self.ended.emit()

    def _begin(self, prepared: PreparedViews | Exception) -> None:
        """Make the file from what was read."""
        if isinstance(prepared, Exception):
            self._fail(prepared)
            return
        try:
            self._unfinished = self._make(prepared, time.perf_counter() - self._started)
            panels = self._panels()
            self._building = self._unfinished.build(panels)
            self._views = 1 + len(panels)
        except Exception as error:
            self._fail(error)
            return
        self._later.do(self._build)

    def _fail(self, error: Exception) -> None:
        """End without a file; an error that is not about the file is reported as a fault of the program too."""
        if not isinstance(error, SdfViewerError):
            sys.excepthook(type(error), error, error.__traceback__)
        self.error = error
        self._end_without_file()

    def _build(self) -> None:
        """Make one view; the window answers between two of them."""
        assert self._unfinished is not None
        try:
            name = next(self._building, None)
        except Exception as error:
            self._fail(error)
            return
        if name is None:
            self.file, self._unfinished = self._unfinished, None
            self._background.stop()
            self.ended.emit()
            return
        self._later.do(self._build)
        if name != self._made:
            self.progressed.emit(f"Opening {self.name}: {name}", self._built, self._views)
            self._made = name
            self._built += 1


class OpeningBar(QFrame):
    """Says how far a file is opened; the wait can be ended.

    It floats over the upper edge of the file before, where it moves nothing, or in the middle where none is shown.

    Parameters
    ----------
    pages
        What shows the file before.
    """

    cancelled = Signal()

    def __init__(self, pages: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._pages, self._room = pages, parent
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setProperty("role", "floating")
        self.text = ElidedLabel()
        self.progress = named(QProgressBar(), "Progress of opening the file")
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(160, 10)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self.cancelled)
        row_of((self.text, 1), self.progress, self.cancel_button, parent=self, margins=(12, 4, 8, 4), spacing=12)
        self._patience = delayed(self, self.show, PATIENCE_MILLISECONDS)
        parent.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the upper edge."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._place()

    def _place(self) -> None:
        room = self._room.size()
        self.resize(min(_WIDTH, room.width() - 2 * _GAP), self.sizeHint().height())
        top = (room.height() - self.height()) // 2 if self._pages.isHidden() else _GAP
        self.move((room.width() - self.width()) // 2, top)
        self.raise_()

    def follow(self, opening: Opening | None) -> None:
        """Show the progress of a file that is being opened; None shows nothing."""
        if opening is None:
            self._patience.stop()
            self.hide()
            return
        self._show(f"Reading {opening.name}", 0, 0)
        opening.progressed.connect(self._show)
        if not self.isVisible():
            self._patience.start()

    def _show(self, text: str, done: int, steps: int) -> None:
        self.text.set_full_text(f"{text}…")
        self.progress.setUpdatesEnabled(False)  # else it paints all that has changed in the window, and waits for it
        self.progress.setRange(0, steps)
        self.progress.setValue(done)
        self.progress.setUpdatesEnabled(True)
