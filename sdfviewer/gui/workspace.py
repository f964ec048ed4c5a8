"""All that belongs to one open file: session, bridge, views, and the record of unsaved work."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.finder import Finder
from sdfviewer.document.recovery import discard_recovery, write_recovery
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.compare.panel import ComparePanel
from sdfviewer.gui.editing.history import HistoryPanel
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.gui.joints import JointsPanel
from sdfviewer.gui.problems import ProblemsPanel
from sdfviewer.gui.properties.panel import PropertiesPanel
from sdfviewer.gui.settings import Settings
from sdfviewer.gui.source import SourceView
from sdfviewer.gui.tree import ModelTree
from sdfviewer.gui.view3d.view import View3D
from sdfviewer.session import Change, Session

KEEP_MILLISECONDS = 1000
"""How long after an edit unsaved work is written down."""


class Workspace(QObject):
    """One open file in the window.

    Attributes
    ----------
    load_seconds
        How long it took to read the file.
    """

    #: Title, dirty mark or counts may have changed.
    state_changed = Signal()

    def __init__(
        self, session: Session, finder: Finder, settings: Settings, load_seconds: float, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.load_seconds = load_seconds
        self.bridge = Bridge(session, self)
        self.view = View3D(self.bridge, settings, finder)
        self.tree = ModelTree(self.bridge)
        self.properties = PropertiesPanel(self.bridge, settings)
        self.joints = JointsPanel(self.bridge, settings)
        self.graphs = GraphPanes(self.bridge, settings)
        self.problems = ProblemsPanel(self.bridge)
        self.source = SourceView(self.bridge)
        self.compare = ComparePanel(self.bridge, settings)
        self.history = HistoryPanel(self.bridge)
        self._kept: Path | None = None
        self._keep_soon = QTimer(self, singleShot=True, interval=KEEP_MILLISECONDS)
        self._keep_soon.timeout.connect(self.keep_unsaved_work)
        self.bridge.changed.connect(self._follow)

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
        """What the file is called in tabs and titles."""
        path = self.session.path
        if path is None:
            return "untitled"
        # Model folders all hold a file of the same name.
        return f"{path.parent.name}/{path.name}" if path.stem.startswith("model") else path.name

    def _follow(self, change: Change) -> None:
        # Not put off by further edits: somebody may type for an hour.
        if change.document and not self._keep_soon.isActive():
            self._keep_soon.start()
        if change.document or change.saved or change.problems:
            self.state_changed.emit()
        if change.saved:
            self.keep_unsaved_work()

    def flush(self) -> None:
        """Make what is being typed an edit."""
        self.source.flush()

    def keep_unsaved_work(self) -> bool:
        """Write unsaved work where it survives a crash, or forget it where there is none; return whether it worked."""
        self._keep_soon.stop()
        session, former = self.session, self._kept
        try:
            if session.dirty:
                self._kept = write_recovery(session.path, session.document.to_bytes(), session.document.fingerprint)
            else:
                self._kept = None
            if former is not None and former != self._kept:
                discard_recovery(former)
        except SdfViewerError as error:
            self.bridge.refused.emit(f"Unsaved work would not survive a crash: {error}")
            return False
        return True

    def close(self) -> None:
        """Stop listening and give up unsaved work."""
        self._keep_soon.stop()
        self.bridge.close()
        self.view.stop()
        if self._kept is not None:
            discard_recovery(self._kept)
