"""What closed files leave behind in memory, and how it is given back."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, SignalInstance
from shiboken6 import isValid

from sdfviewer.garbage_collection import give_back_memory
from sdfviewer.gui.kit.jobs import Later, delayed
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.session.session import Session

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
