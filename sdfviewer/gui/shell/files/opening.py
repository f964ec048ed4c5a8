"""Opens a file in the window: reads it in a thread, then creates its views; gives back what closed files held."""

from __future__ import annotations

import sys
import time
import weakref
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal, SignalInstance
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QWidget
from shiboken6 import isValid

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.garbage_collection import give_back_memory
from sdfviewer.gui.kit.jobs import Background, Later, delayed
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import named, row_of
from sdfviewer.gui.shell.files.open_file import OpenFile, PreparedViews
from sdfviewer.session.session import Session

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
        self.progress = named(QProgressBar(textVisible=False), "Progress of opening the file")
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


#: How long after a file was closed the memory that it took is given back: Qt has deleted its views by then.
GIVE_BACK_MILLISECONDS = 1000
#: Frames of all files that are open above which looking for unused objects would hold the window up.
MOST_ROWS_COLLECTED = 2000
#: Parts of closed files that are given up in one pass of the event loop, in some milliseconds.
SLICE = 1000
#: Longer lists hold what a view shows, such as the rows of a table: they are not looked through for parts of the view.
_MOST_PARTS = 1000


class ClosedFiles(QObject):
    """Gives the memory of closed files back, once Qt has deleted their views.

    Parameters
    ----------
    rows
        Returns the number of frames of all files that are open.
    """

    def __init__(self, rows: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._files: list[OpenFile] = []
        self._parts: list[object] = []
        self._sessions: list[weakref.ref[Session]] = []
        self._is_giving_up = False
        self._later = Later(self)
        self._soon = delayed(self, self._give_back, GIVE_BACK_MILLISECONDS)

    def add(self, file: OpenFile) -> None:
        """Give up a file that was closed, and that Qt is about to delete."""
        self._files.append(file)
        if not self._soon.isActive():  # the user may close one file after the other
            self._soon.start()

    def flush(self) -> None:
        """Give all back now that is due a second after a file was closed."""
        self._soon.stop()
        self._give_back()
        self._later.flush()

    def _give_back(self) -> None:
        deleted = [file for file in self._files if not isValid(file)]
        self._files = [file for file in self._files if isValid(file)]
        if self._files:
            self._soon.start()  # an event loop below, as that of a dialog, deletes nothing of those above
        self._sessions += [weakref.ref(file.session) for file in deleted]
        while deleted:
            self._parts += _parts_of(deleted[-1].session)
            _empty(deleted.pop())
        if not self._is_giving_up:  # else it goes on with these parts, too
            self._is_giving_up = True
            self._later.do(self._give_up_some)

    def _give_up_some(self) -> None:
        """Give up some parts. Each is what an element of the file was read as: one is as good as another."""
        del self._parts[-SLICE:]
        self._later.do(self._give_up_some if self._parts else self._finish)

    def _finish(self) -> None:
        self._is_giving_up = False
        are_gone = all(session() is None for session in self._sessions)
        self._sessions.clear()
        # Walking all objects takes long: only where something still refers to a file.
        rows = self._rows()
        give_back_memory(collect=not are_gone and rows < MOST_ROWS_COLLECTED, forget=rows == 0)


def _parts_of(session: Session) -> list[object]:
    """Return what a large file consists of. Whoever holds it decides when it goes, and in how many steps."""
    parts: list[object] = []
    if session.document.root is not None:
        parts += [part for each in session.document.root.children for part in each.children]
    if session.model is not None:
        parts += session.model.scope.nested.values()
    return parts


def _empty(file: OpenFile) -> None:
    """Let the views of a closed file, which Qt has deleted, refer to nothing.

    A view refers to its parts, its parts refer to the view, and most of them to the session: circles that the garbage
    collector finds only when it walks all objects of the program, which holds the window up for longer than anything
    else. Views that refer to nothing let everything of the file go as its last reference goes.

    Only objects that Qt has deleted are emptied, and only of what was assigned in Python: signals belong to PySide.
    What only closures refer to is left to the garbage collector.
    """
    deleted: list[QObject] = []
    seen: set[int] = set()
    waiting: list[object] = [file]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, QObject):
            if isValid(each):
                continue  # of the window, or of another file
            deleted.append(each)
        waiting += _held_by(each)
    for each in deleted:
        attributes = vars(each)
        for name in [name for name, value in attributes.items() if not isinstance(value, SignalInstance)]:
            del attributes[name]


def _held_by(each: object) -> Iterator[object]:
    """Yield the views and parts of views that one holds."""
    # Objects with slots are small parts that hold no view.
    for value in getattr(each, "__dict__", {}).values():
        if not _is_collection[type(value)]:
            if _is_part[type(value)]:
                yield value
        elif 0 < len(value) <= _MOST_PARTS:
            held = value.values() if isinstance(value, dict) else value
            yield from (part for part in held if _is_part[type(part)])


class _Kinds(dict[type, bool]):
    """Whether types are of some classes, or of the window's modules; there are few types, and thousands of objects."""

    def __init__(self, classes: tuple[type, ...], modules: str | None = None) -> None:
        super().__init__()
        self._classes, self._modules = classes, modules

    def __missing__(self, kind: type) -> bool:
        is_of_window = self._modules is not None and kind.__module__.startswith(self._modules)
        self[kind] = answer = is_of_window or issubclass(kind, self._classes)
        return answer


_is_collection = _Kinds((dict, list, tuple, set, frozenset))
_is_part = _Kinds((QObject,), "sdfviewer.gui")
