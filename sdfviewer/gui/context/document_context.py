"""What the views of one open file share, and what a dialog shows of it: computed at once, or in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget
from shiboken6 import isValid

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.faults import faults_as_errors
from sdfviewer.gui.context.edits import Edits, Parts
from sdfviewer.gui.context.previews import Previews
from sdfviewer.gui.context.topics import FileMessages, FileMotion, Highlights, Requests
from sdfviewer.gui.context.written_back import WrittenBack
from sdfviewer.gui.kit.jobs import Background, Later, Latest
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange

_Answer = TypeVar("_Answer")


class DocumentContext(QObject):
    """What the views of one file share: the session, its changes as a signal, and one context for each topic.

    A view connects to `changed`, reads the flags of the `SessionChange`, and skips changes whose `origin` is itself.
    A part that needs one topic is handed the context of that topic alone.

    Attributes
    ----------
    session
        The open file.
    messages
        What was done, and why something was not.
    highlights
        The frame under the mouse, the selection as it is shown, a chain; where the caret is.
    requests
        What one part requests of another: places to show, poses to pick.
    edits
        Makes edits, and undoes them.
    written_back
        Makes edits of what a xacro file writes; asks where they go.
    previews
        An edit that is previewed, and another version that is compared.
    parts
        Whether edits of shapes keep together what is one part.
    motion
        Drags, joints that are held, motions.
    later
        What views do in later passes of the event loop.
    """

    #: A `SessionChange`.
    changed = Signal(SessionChange)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._background, self._reader = Background(), Background()
        self.messages = FileMessages(self)
        self.highlights = Highlights(session, self)
        self.requests = Requests(self)
        self.previews = Previews(session, self._background, self)
        self.written_back = WrittenBack(session, self.messages, self.requests, self.previews, self._reader, self)
        self.edits = Edits(
            session, self.messages, self.highlights, self._background, self._reader, self.written_back, self
        )
        self.motion = FileMotion(session, self)
        self.parts = Parts(session, self._reader, self)
        self.later = Later(self)
        self._unsubscribe = session.subscribe(self._forward)
        session.read_in_background(self.run_in_background)

    def run_in_background(self, job: Callable[[], _Answer], then: Callable[[_Answer], object]) -> None:
        """Do a job in the background, and hand what it returns to ``then`` in the GUI thread."""
        self._reader.run(job, then)

    def _forward(self, change: SessionChange) -> None:
        if change.document or change.joints:
            self.previews.show(None)
        if change.renamed:
            self.motion.rename(dict(change.renamed))
        self.changed.emit(change)
        self.parts.follow(change)
        if change.document:
            self.highlights.forget_missing()

    def close(self) -> None:
        """Stop listening to the session."""
        self._unsubscribe()
        self.later.stop()
        self.session.close()
        self.previews.stop()
        self._background.stop()
        self._reader.stop()


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
