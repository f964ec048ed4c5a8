"""A search line over a list of what matches, in a window of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from sdfviewer.gui.fuzzy import match_score
from sdfviewer.gui.named import named

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
Entry = TypeVar("Entry")


class SearchPopup(QFrame):
    """The line and the list; the arrow keys move through the list while one types, Enter takes the current entry.

    Parameters
    ----------
    placeholder, listed
        What the line asks for, and what the list holds, for screen readers as well.

    Attributes
    ----------
    search, results
        The line and the list.
    column
        Where more can be put below them.
    """

    def __init__(self, placeholder: str, listed: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.search = named(QLineEdit(placeholderText=placeholder), placeholder)
        self.results = named(QListView(), listed)
        self.results.setUniformItemSizes(True)
        self.results.setIconSize(QSize(16, 16))
        self.results.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.results.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.items = QStandardItemModel(self)
        self.results.setModel(self.items)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(4, 4, 4, 4)
        self.column.setSpacing(4)
        self.column.addWidget(self.search)
        self.column.addWidget(self.results)
        self.search.textChanged.connect(self.show_matches)
        self.search.installEventFilter(self)
        self.search.returnPressed.connect(self.take_current)
        self.results.clicked.connect(lambda _index: self.take_current())

    def matches(self, text: str) -> Iterable[QStandardItem]:
        """Return an item for each entry that matches a text, the best first."""
        raise NotImplementedError

    def take(self, index: QModelIndex) -> None:
        """Close and do what an entry is for, if that can be done."""
        raise NotImplementedError

    def show_matches(self, text: str) -> None:
        """List what matches a text; the best that can be taken is current."""
        self.items.clear()
        for item in self.matches(text):
            self.items.appendRow(item)
        enabled = (row for row in range(self.items.rowCount()) if self.items.item(row).isEnabled())
        self.results.setCurrentIndex(self.items.index(next(enabled, 0), 0))

    def take_current(self) -> None:
        """Take the current entry."""
        index = self.results.currentIndex()
        if index.isValid():
            self.take(index)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move through the list while the line has the focus."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in _MOVES:
            QApplication.sendEvent(self.results, event)
            return True
        return super().eventFilter(watched, event)


def ranked(text: str, entries: Iterable[Entry], name_of: Callable[[Entry], str]) -> list[Entry]:
    """Return the entries whose name matches a text, the best first, equal ones in their order."""
    scored = [(score, entry) for entry in entries if (score := match_score(text, name_of(entry))) is not None]
    scored.sort(key=lambda pair: -pair[0])
    return [entry for _, entry in scored]
