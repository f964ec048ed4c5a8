"""An open file: session, context, views and recovery file."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from sdfviewer.collection import paused_collection
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import indentation_step
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.editor import SourceView
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.gui.panels.compare.panel import ComparePanel
from sdfviewer.gui.panels.history.panel import HistoryPanel
from sdfviewer.gui.panels.joints.panel import JointsPanel
from sdfviewer.gui.panels.problems.panel import ProblemsPanel
from sdfviewer.gui.panels.properties.panel import PropertiesPanel
from sdfviewer.gui.panels.tree.panel import ModelTree
from sdfviewer.gui.view3d.scene_feed import PreparedScene
from sdfviewer.gui.view3d.view3d import View3D
from sdfviewer.session.saved_view import SavedView
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.unsaved_work import UnsavedText, UnsavedWork

KEEP_MILLISECONDS = 500
"""How long after an edit or a key unsaved work is written down. With the writing itself, no second of work is lost."""


#: How many views a file has.
VIEWS = 8


class PreparedViews:
    """What the views of a session show first, computed in any thread.

    Attributes
    ----------
    session
        Whose views are prepared.
    scene
        The first scene, None where there is no model.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        model, document = session.model, session.document
        with paused_collection():  # views are made of as many objects as the file has elements
            self.scene = None if model is None else PreparedScene(model, session.finder)
            if document.root is not None:
                indentation_step(document)  # the document remembers the places of its elements


class OpenFile(QObject):
    """One open file in the window; it has no views before they are built.

    Attributes
    ----------
    load_seconds
        How long it took to read the file.
    number
        Tells new files from each other until they are saved.
    """

    #: Title, dirty mark or counts may have changed.
    state_changed = Signal()
    # Emitted in the thread that writes, received in the window's.
    _kept_failed = Signal(str)

    def __init__(
        self,
        session: Session,
        settings: Settings,
        load_seconds: float,
        parent: QObject | None = None,
        prepared: PreparedViews | None = None,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.load_seconds = load_seconds
        self.number = 1
        self.context = DocumentContext(session, self)
        self._settings, self._prepared = settings, prepared
        self._saved_view = SavedView(session, settings)
        self._unsaved_work = UnsavedWork()
        self._kept_failed.connect(self._refuse_to_keep)
        self._keep_soon = QTimer(self, singleShot=True, interval=KEEP_MILLISECONDS)
        self._keep_soon.timeout.connect(self._keep_beside)

    def build(self) -> Iterator[str]:
        """Make the views one after the other; yield the name of each before it is made, and again between its parts."""
        settings = self._settings
        prepared, self._prepared = self._prepared, None
        yield "3D view"
        scene = None if prepared is None else prepared.scene
        self.view = View3D(self.context, settings, self.session.finder, prepared=scene)
        yield "model tree"
        self.tree = ModelTree(self.context)
        yield "properties"
        self.properties = PropertiesPanel(self.context, settings)
        yield "joints"
        self.joints = JointsPanel(self.context, settings)
        yield "frame graphs"
        self.graphs = GraphPanes(self.context, settings)
        yield "problems"
        self.problems = ProblemsPanel(self.context)
        yield "source"
        self.source = SourceView(self.context, loaded=False)
        for _ in self.source.load():
            yield "source"
        yield "comparison"
        self.compare = ComparePanel(self.context, settings)
        self.history = HistoryPanel(self.context)
        self.context.changed.connect(self._follow)
        self.source.typed.connect(self._keep_in_time)
        yield "comparison"  # the window takes the file in a turn of its own

    def discard(self) -> None:
        """Give up a file whose views are not all made."""
        self.context.close()
        for child in ("view", "tree", "properties", "joints", "graphs", "problems", "source"):
            widget = self.__dict__.get(child)
            if isinstance(widget, View3D):
                widget.stop()
            if isinstance(widget, QWidget):
                widget.deleteLater()
        self.deleteLater()

    @property
    def panels(self) -> dict[str, QWidget]:
        """The panels by the id of their dock."""
        return {
            "tree": self.tree,
            "properties": self.properties,
            "joints": self.joints,
            "graphs": self.graphs,
            "problems": self.problems,
            "source": self.source,
            "compare": self.compare,
            "history": self.history,
        }

    @property
    def name(self) -> str:
        """The name of the file in tabs and titles."""
        path = self.session.path
        if path is None:
            return "untitled" if self.number == 1 else f"untitled-{self.number}"
        # Model folders all hold a file of the same name.
        return f"{path.parent.name}/{path.name}" if path.stem.startswith("model") else path.name

    def _follow(self, change: SessionChange) -> None:
        self._saved_view.follow(change)
        if change.document:
            self._keep_in_time()
        if change.document or change.saved or change.problems:
            self.state_changed.emit()
        if change.saved:
            self.keep_unsaved_work()

    def flush(self) -> None:
        """Make what is being typed an edit. A view that fails to show it keeps no text from being saved."""
        try:
            self.source.flush()
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)

    # --- unsaved work ------------------------------------------------------------------------------------------

    def _keep_in_time(self) -> None:
        # Not delayed by further edits: the user may type for an hour without a pause.
        if not self._keep_soon.isActive():
            self._keep_soon.start()

    def _unsaved_text(self) -> UnsavedText | None:
        """Return the text with all that has been typed, None where that is saved."""
        document = self.session.document
        text = self.source.text()
        if not self.session.dirty and text == document.text:
            return None
        return UnsavedText(document.path, text, document.encoding, document.fingerprint)

    def _keep_beside(self) -> None:
        job = self._unsaved_work.keep(self._unsaved_text())
        job.add_done_callback(lambda job: self._kept_failed.emit(str(error)) if (error := job.exception()) else None)

    def _refuse_to_keep(self, why: str) -> None:
        self.context.refused.emit(f"Unsaved work cannot be recovered after a crash: {why}")

    def keep_unsaved_work(self) -> bool:
        """Write unsaved work to its recovery file, or remove that file if there is none; return whether it worked."""
        self._keep_soon.stop()
        try:
            self._unsaved_work.keep(self._unsaved_text()).result()
        except SdfViewerError as error:
            self._refuse_to_keep(str(error))
            return False
        return True

    def close(self) -> None:
        """Stop listening and give up unsaved work."""
        self._keep_soon.stop()
        self.context.close()
        self.joints.close_threads()
        self.view.stop()
        try:
            self._unsaved_work.close()
        except SdfViewerError as error:
            self._refuse_to_keep(str(error))
