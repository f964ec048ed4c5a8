"""What the views of one open file share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.context.edits import Edits
from sdfviewer.gui.context.highlights import Highlights
from sdfviewer.gui.context.messages import FileMessages
from sdfviewer.gui.context.motion import FileMotion
from sdfviewer.gui.context.parts import Parts
from sdfviewer.gui.context.previews import Previews
from sdfviewer.gui.context.requests import Requests
from sdfviewer.gui.context.written_back import WrittenBack
from sdfviewer.gui.kit.jobs import Background, Later
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
