"""Computes what a dialog shows: at once where the text is short, else in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressDialog, QWidget
from shiboken6 import isValid

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.faults import faults_as_errors
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.jobs import Latest

_Answer = TypeVar("_Answer")

#: Characters of a text from which on its model is read, and compared, in the background.
SHORT_TEXT = 50_000
PROGRESS_MILLISECONDS = 500
"""How long a computation takes before its progress is shown."""


def attempt(job: Callable[[], _Answer]) -> _Answer | SdfViewerError:
    """Return the answer of a job, or the error that it raises, for what shows either in the window's thread."""
    try:
        return job()
    except SdfViewerError as error:
        return error


@dataclass(frozen=True)
class _Failure:
    """Why there is no answer."""

    reason: str


def is_short(context: DocumentContext) -> bool:
    """Return whether the text of a file is so short that a job on it is done in the window's thread."""
    return len(context.session.document.text) <= SHORT_TEXT


def compute_first(
    context: DocumentContext,
    title: str,
    job: Callable[[], _Answer],
    then: Callable[[_Answer], object],
    parent: QWidget,
    *,
    is_slow: bool = False,
) -> None:
    """Compute what a dialog will show, and call ``then`` with it unless the text has changed or the user has cancelled.

    What takes long shows its progress, and can be cancelled. A job that is slow never runs in the window's thread. Of
    one that fails the file's messages say why.
    """
    document = context.session.document
    name = title.rstrip("…")

    def work() -> _Answer | _Failure:
        try:
            with faults_as_errors(f"do '{name}'"):
                return job()
        except SdfViewerError as error:
            return _Failure(str(error))

    latest = Latest()
    progress = QProgressDialog(f"{title}…", "Cancel", 0, 0, parent)
    progress.setWindowModality(Qt.WindowModality.WindowModal)
    progress.setMinimumDuration(PROGRESS_MILLISECONDS)
    progress.canceled.connect(latest.stop)
    progress.canceled.connect(progress.deleteLater)

    def finish(answer: _Answer | _Failure) -> None:
        latest.stop()
        if isValid(progress):
            progress.reset()
            progress.deleteLater()
        if not isValid(context):
            return  # the file was closed meanwhile
        if context.session.document is not document:
            context.messages.refuse(f"{title} was given up: the text has changed.")
        elif isinstance(answer, _Failure):
            context.messages.refuse(answer.reason)
        else:
            then(answer)

    latest.run(work, finish, at_once=not is_slow and is_short(context))
