"""A button that shows a frame, over a searchable list of others; illegal ones are greyed with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QStandardItem
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from sdfviewer.gui.elided import ElidedButton
from sdfviewer.gui.icons import icon, kind_icon
from sdfviewer.gui.search_popup import SearchPopup, ranked
from sdfviewer.gui.theme import tokens

_CHOICE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class Choice:
    """One entry: the name to write (None: write nothing), what is shown, its kind, and why it cannot be picked."""

    name: str | None
    label: str
    kind: str
    reason: str | None = None


class FramePicker(ElidedButton):
    """Shows the present choice; a click, Space, Enter or Down opens the list.

    Attributes
    ----------
    make_footer
        Makes what stands below the list, each time that it opens; None for nothing.
    """

    #: A `Choice` that the user picked.
    picked = Signal(object)
    #: The list is about to open: whoever owns the picker sets the choices now, when they are needed.
    opening = Signal()
    #: The `Choice` that the user has come to in the list and may pick, or None.
    considered = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setStyleSheet("text-align: left; padding-left: 6px;")
        self.setIconSize(QSize(16, 16))
        self._choices: list[Choice] = []
        self.make_footer: Callable[[], QWidget] | None = None
        self._popup: _Popup | None = None
        self.clicked.connect(self.open)

    def show_choice(self, label: str, kind: str | None, tip: str = "", *, faulty: bool = False) -> None:
        """Show what is written now."""
        colours = tokens(self.palette())
        self.setToolTip(tip or label)
        if faulty:
            self.setIcon(icon("mdi6.close-octagon", colours.error))
        elif kind is not None:
            self.setIcon(kind_icon(kind, colours))
        self.set_full_text(label)

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """Set what the list holds."""
        self._choices = list(choices)

    def open(self) -> None:
        """Open the list below the button."""
        self.opening.emit()
        self._popup = _Popup(self._choices, self.make_footer() if self.make_footer is not None else None, self)
        self._popup.chosen.connect(self.picked)
        self._popup.considered.connect(self.considered)
        self._popup.open_below(self)
        self._popup.go_to(self.full_text)

    @property
    def popup(self) -> _Popup | None:
        """The open list."""
        return self._popup

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open()
        else:
            super().keyPressEvent(event)


class _Popup(SearchPopup):
    """The search line, the list, and what stands below it."""

    chosen = Signal(object)
    considered = Signal(object)

    def __init__(self, choices: Sequence[Choice], footer: QWidget | None, parent: QWidget) -> None:
        super().__init__("Find a frame", "Frames", parent)
        self._choices = choices
        self.footer = footer
        self._reason = QLabel(wordWrap=True)
        self._reason.setProperty("role", "muted")
        self.column.addWidget(self._reason)
        if footer is not None:
            self.column.addWidget(footer)
        self.results.selectionModel().currentChanged.connect(lambda *_: self._explain())
        self.show_matches("")

    def open_below(self, button: QWidget) -> None:
        """Show the list under a button, or above it where the screen ends."""
        width = max(button.width(), 280)
        height = min(360, 24 * max(4, self.items.rowCount()) + 72)
        if self.footer is not None:
            height += self.footer.sizeHint().height() + 4
        # Within the window, where there is room: what it would do is shown beside it.
        screen = button.screen().availableGeometry()
        around = button.window().frameGeometry().intersected(screen)
        corner = button.mapToGlobal(QPoint(0, button.height() + 2))
        x = max(screen.left(), min(corner.x(), around.right() - width))
        y = corner.y() if corner.y() + height <= screen.bottom() else corner.y() - button.height() - 4 - height
        self.setGeometry(x, max(screen.top(), y), width, height)
        self.show()
        self.search.setFocus()

    def go_to(self, label: str) -> None:
        """Start at the entry that is shown so, the first one where none is."""
        row = next((row for row in range(self.items.rowCount()) if self.items.index(row, 0).data() == label), 0)
        self.results.setCurrentIndex(self.items.index(row, 0))
        self._explain()

    def matches(self, text: str) -> Iterator[QStandardItem]:
        colours = tokens(self.palette())
        found = ranked(text, self._choices, lambda choice: choice.label)
        for choice in sorted(found, key=lambda choice: choice.reason is not None):
            item = QStandardItem(kind_icon(choice.kind, colours, resolved=choice.reason is None), choice.label)
            item.setData(choice, _CHOICE)
            item.setToolTip(choice.reason or choice.label)
            if choice.reason is not None:
                # Selectable, so that the keyboard reaches the reason, but greyed.
                item.setForeground(self.palette().placeholderText())
            yield item

    def show_matches(self, text: str) -> None:
        super().show_matches(text)
        self._explain()

    def _explain(self) -> None:
        choice = self.results.currentIndex().data(_CHOICE)
        if choice is None:
            self._reason.setText("No frame of this scope matches.")
        else:
            self._reason.setText(choice.reason or "")
        self._reason.setVisible(bool(self._reason.text()))
        self.considered.emit(choice if choice is not None and choice.reason is None else None)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.considered.emit(None)
        super().closeEvent(event)

    def take(self, index: QModelIndex) -> None:
        choice = index.data(_CHOICE)
        if choice.reason is None:
            self.close()
            self.chosen.emit(choice)
