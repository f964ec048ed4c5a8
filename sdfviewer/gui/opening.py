"""Reading a file for the window; a large one beside it, so that the window stays alive and the wait can be ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QProgressDialog, QWidget

from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.document.finder import Finder
from sdfviewer.session import Session

#: A file of this size takes about as long as a person takes for at once.
LARGE_BYTES = 1_000_000
_PATIENCE_MILLISECONDS = 300
"""A dialog that closes sooner than it is read is not shown."""
_LOOK_MILLISECONDS = 20


def open_session(
    path: Path, finder: Finder, unsaved: Mapping[Path, Document], parent: QWidget | None = None
) -> Session | None:
    """Return a session on a file, None where somebody did not want to wait for it.

    Raises
    ------
    UnreadableFileError
        If the file cannot be read at all.
    """
    if _size(path) < LARGE_BYTES:
        return Session.open(path, finder, unsaved)
    return _wait_for(partial(Session.open, path, finder, unsaved), f"Reading {path.name} …", parent)


def model_file_of(folder: Path) -> Path:
    """Return the file of a model's folder.

    Raises
    ------
    UnreadableFileError
        If it is no model's folder.
    """
    found = Finder().model_file(folder)
    if found.path is None:
        raise UnreadableFileError(found.problem or f"{folder} is a folder without a model.config; open a file in it")
    return found.path


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # reading it says why


def _wait_for(job: Callable[[], Session], text: str, parent: QWidget | None) -> Session | None:
    """Return what a job in another thread returns, None where somebody ends the wait; raise what it raises."""
    progress = QProgressDialog(text, "Cancel", 0, 0, parent)
    progress.setWindowTitle("Open")
    progress.setWindowModality(Qt.WindowModality.WindowModal)
    progress.setMinimumDuration(_PATIENCE_MILLISECONDS)
    executor, loop = ThreadPoolExecutor(1, thread_name_prefix="open"), QEventLoop()
    progress.canceled.connect(loop.quit)
    answer = executor.submit(job)
    # A signal from the other thread could come when nobody listens any more; to look now and then is simpler.
    look = QTimer(progress, interval=_LOOK_MILLISECONDS)
    look.timeout.connect(lambda: loop.quit() if answer.done() else None)
    look.start()
    progress.setValue(0)
    loop.exec()
    look.stop()
    executor.shutdown(wait=False, cancel_futures=True)
    ended = progress.wasCanceled() and not answer.done()
    progress.canceled.disconnect()
    progress.close()
    progress.deleteLater()
    return None if ended else answer.result()
