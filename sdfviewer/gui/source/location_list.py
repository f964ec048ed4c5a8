"""A list of locations in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QToolButton, QWidget

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.theme import monospace, tokens
from sdfviewer.gui.kit.widgets import column_of, named, row_of

#: Rows that are shown without scrolling.
_MOST_ROWS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the text.

    Attributes
    ----------
    start, end
        Where it is, in positions of the editor.
    line, text
        Its line, counted from 1, and what that says.
    remark
        What sets it apart from other places, in a few words.
    """

    start: int
    end: int
    line: int
    text: str
    remark: str = ""


class Places(QWidget):
    """Places by line and text; a click or Enter goes to one, Esc closes the list.

    Attributes
    ----------
    ranges
        The places, in positions of the editor.
    """

    #: Start and end of the place to go to.
    chosen = Signal(int, int)
    #: The list was closed.
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ranges: list[tuple[int, int]] = []
        self.title = ElidedLabel(elide=Qt.TextElideMode.ElideRight)
        self.title.setProperty("role", "muted")
        self.list = named(QListWidget(), "Places")
        self.list.setFont(monospace())
        self.list.installEventFilter(self)
        self.list.itemClicked.connect(lambda item: self.go_to(self.list.row(item)))
        self.list.itemActivated.connect(lambda item: self.go_to(self.list.row(item)))
        self._shut = named(QToolButton(), "Close", "Close (Esc)")
        self._shut.clicked.connect(self.shut)
        head = row_of((self.title, 1), self._shut, margins=(8, 2, 4, 2))
        column_of(head, self.list, parent=self, margins=0, spacing=0)
        self.hide()

    def show_places(self, title: str, places: Sequence[Place]) -> None:
        """Show places of the text."""
        self._shut.setIcon(icon("mdi6.close", tokens(self.palette()).muted))
        self.title.set_full_text(title)
        self.title.setToolTip(title)
        self.ranges = [(place.start, place.end) for place in places]
        self.list.clear()
        height = self.list.fontMetrics().height() + 4
        width = max((len(str(place.line)) for place in places), default=1)
        for place in places:
            remark = f"[{place.remark}] " if place.remark else ""
            item = QListWidgetItem(f"{place.line:>{width}}  {remark}{place.text.strip()}", self.list)
            item.setToolTip(item.text())
            item.setSizeHint(QSize(0, height))  # as wide as the list: a longer text is elided
            if place.remark:
                item.setForeground(QColor(tokens(self.palette()).muted))
        rows = min(max(len(places), 1), _MOST_ROWS)
        self.list.setFixedHeight(rows * height + 2 * self.list.frameWidth())
        self.setVisible(bool(places))

    def go_to(self, number: int) -> None:
        """Go to one of the places."""
        if 0 <= number < len(self.ranges):
            self.list.setCurrentRow(number)
            self.chosen.emit(*self.ranges[number])

    def step(self, by: int) -> None:
        """Go to the next place (1) or the one before (-1), round the ends."""
        if self.ranges:
            row = self.list.currentRow()
            self.go_to((row + by) % len(self.ranges) if row >= 0 else (0 if by > 0 else len(self.ranges) - 1))

    def shut(self) -> None:
        """Close the list."""
        if self.isVisible():
            self.hide()
            self.ranges = []
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc closes."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                self.shut()
            return True
        return super().eventFilter(watched, event)
