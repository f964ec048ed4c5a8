"""A popup with a search field and a result list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget

from sdfviewer.gui.kit.fields.incremental_search import Candidate, IncrementalSearch, SearchHit
from sdfviewer.gui.kit.fields.match_list import MatchList, Row
from sdfviewer.gui.kit.layouts import column_of
from sdfviewer.gui.kit.widget_properties import named

LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""Keys that move through the list while the line has the focus."""


class SearchPopup(QFrame):
    """The line and the list; the arrow keys move through the list while one types, Enter takes the current entry.

    Parameters
    ----------
    placeholder, listed
        What the line asks for, and what the list holds, for screen readers as well.
    nothing
        What the list says where nothing matches.
    candidates
        What can be found.

    Attributes
    ----------
    search, results
        The line and the list.
    column
        Where more can be put below them.
    """

    def __init__(
        self, placeholder: str, listed: str, nothing: str, candidates: Sequence[Candidate[Any]], parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.search = named(QLineEdit(placeholderText=placeholder), placeholder)
        self.results = MatchList(listed, self.describe, nothing)
        self.column = column_of(self.search, self.results, parent=self, margins=4, spacing=4)
        self._index = IncrementalSearch(self)
        self._index.set_candidates(candidates)
        self._index.began.connect(self.results.begin_search)
        self._index.found.connect(self._show_hits)
        self._takes_first = False
        self.search.textChanged.connect(self._index.search)
        self.search.installEventFilter(self)
        self.search.returnPressed.connect(self.take_current)
        self.results.taken.connect(lambda hit: self.take(hit.entry))
        self._index.search("")

    def changeEvent(self, event: QEvent) -> None:
        """Close where it becomes disabled with what it belongs to: it would hold mouse and keyboard and ignore both."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.close()

    @property
    def is_searching(self) -> bool:
        """Whether more may be found."""
        return self._index.is_running

    def describe(self, entry: Any) -> Row:
        """Return how an entry is shown."""
        raise NotImplementedError

    def can_take(self, entry: Any) -> bool:
        """Return whether an entry can be taken; the first that can is current."""
        return True

    def take(self, entry: Any) -> None:
        """Close and do what an entry is for, if that can be done."""
        raise NotImplementedError

    def first_row(self, hits: Sequence[SearchHit[Any]]) -> int:
        """Return the row that is current first."""
        return next((row for row, hit in enumerate(hits) if self.can_take(hit.entry)), 0)

    def _show_hits(self, hits: Sequence[SearchHit[Any]]) -> None:
        self.results.show_hits(hits, self.first_row(hits))
        if self._takes_first:
            self._takes_first = False
            self.take_current()

    def take_current(self) -> None:
        """Take the current entry, once the search has come to its end."""
        if self._index.is_running:
            self._takes_first = True
        elif self.results.current is not None:
            self.take(self.results.current)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move through the list while the line has the focus."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in LIST_KEYS:
            QApplication.sendEvent(self.results, event)
            return True
        return super().eventFilter(watched, event)
