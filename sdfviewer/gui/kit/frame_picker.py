"""A button that shows a frame, over a searchable list of others; illegal ones are greyed with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from sdfviewer.display_text import as_sentence
from sdfviewer.gui.kit.icons import icon, kind_icon
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.labels import ElidedButton
from sdfviewer.gui.kit.search import Candidate, Row, SearchPopup
from sdfviewer.gui.kit.widgets import styled
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTarget

REST_MILLISECONDS = 120
"""How long the current entry rests before its preview is computed."""

_ARROW = 14
"""Pixels of the arrow at the end of the button."""

LEAST_HEIGHT = 180
"""Pixels of a list that opens beside its button."""


class FrameChoice(NamedTuple):
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
        Makes what is below the list, each time that it opens; None for nothing.
    beside
        Where there is no room below the button, the list opens beside it and no higher than this part of the window:
        what is above shows what a choice would do. None: it opens above the button.
    """

    #: A `FrameChoice` that the user picked.
    picked = Signal(FrameChoice)
    #: The list is about to open: the owner of the picker sets the choices now.
    opening = Signal()
    #: The current `FrameChoice` of the list if it can be picked, or None.
    considered = Signal(FrameChoice)

    room_at_end = 16

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # Only the button: the list below it belongs to it, and padding would take the handle of its scroll bar away.
        self.setStyleSheet("FramePicker { text-align: left; padding-left: 6px; }")
        self.setIconSize(QSize(16, 16))
        self._choices: list[FrameChoice] = []
        self.make_footer: Callable[[], QWidget] | None = None
        self.beside: QWidget | None = None
        self._popup: _Popup | None = None
        self.clicked.connect(self.open)

    def show_choice(self, label: str, kind: str | None, tip: str = "", *, faulty: bool = False) -> None:
        """Show what is written now."""
        self.setToolTip(tip or label)
        if faulty:
            self.setIcon(icon("mdi6.close-octagon", "error"))
        else:  # without a kind not the icon of what was shown before
            self.setIcon(QIcon() if kind is None else kind_icon(kind))
        self.set_full_text(label)

    def set_choices(self, choices: Sequence[FrameChoice]) -> None:
        """Set what the list holds."""
        self._choices = list(choices)

    def open(self) -> None:
        """Open the list below the button."""
        self.opening.emit()
        self._popup = _Popup(self._choices, self.make_footer() if self.make_footer is not None else None, self)
        self._popup.chosen.connect(self.picked)
        self._popup.considered.connect(self.considered)
        self._popup.open_below(self, self.beside)
        self._popup.go_to(self.full_text)
        self._popup.cut_no_row(self)

    @property
    def popup(self) -> _Popup | None:
        """The open list."""
        return self._popup

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the arrow of a field that opens a list, as a combo box has it."""
        super().paintEvent(event)
        sign = icon("mdi6.chevron-down", "muted" if self.isEnabled() else "disabled")
        with QPainter(self) as painter:
            sign.paint(painter, self.width() - _ARROW - 6, (self.height() - _ARROW) // 2, _ARROW, _ARROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open()
        else:
            super().keyPressEvent(event)


class _Popup(SearchPopup):
    """The search line, the list, and what is below it."""

    chosen = Signal(FrameChoice)
    considered = Signal(FrameChoice)

    def __init__(self, choices: Sequence[FrameChoice], footer: QWidget | None, parent: QWidget) -> None:
        candidates = [Candidate(each, each.label, rank=int(each.reason is not None)) for each in choices]
        super().__init__("Find a frame", "Frames", "No frame of this scope matches.", candidates, parent)
        self.choices = choices
        self.footer = footer
        self._considered: FrameChoice | None = None
        self._rest = delayed(self, self._consider, REST_MILLISECONDS)
        self.reason = styled(QLabel(wordWrap=True), "muted")
        self.column.addWidget(self.reason)
        if footer is not None:
            self.column.addWidget(footer)
        self.results.current_changed.connect(lambda hit: self._explain(None if hit is None else hit.entry))

    def open_below(self, button: QWidget, beside: QWidget | None = None) -> None:
        """Show the list under a button; where the screen ends above it, or beside it and below the top of a part."""
        width = max(button.width(), 280)
        height = min(360, 24 * max(4, len(self.choices)) + 72)
        if self.footer is not None:
            height += self.footer.sizeHint().height() + 4
        # Keep it within the window, so that its preview remains visible beside it.
        screen = button.screen().availableGeometry()
        around = button.window().frameGeometry().intersected(screen)
        corner = button.mapToGlobal(QPoint(0, button.height() + 2))
        x = max(screen.left(), min(corner.x(), around.right() - width))
        below, above = screen.bottom() - corner.y(), corner.y() - button.height() - 4 - screen.top()
        goes_below = height <= below or above < below
        if goes_below:
            height, y = min(height, below), corner.y()
        else:  # above the button, never over it
            height = min(height, above)
            y = corner.y() - button.height() - 4 - height
        if beside is not None and not goes_below:
            top = max(beside.mapToGlobal(QPoint(0, 0)).y(), screen.top())
            height = min(height, max(screen.bottom() - top, LEAST_HEIGHT))
            right = corner.x() + button.width() + 4
            x = right if right + width <= around.right() else max(corner.x() - width - 4, screen.left())
            y = screen.bottom() - height
        self.setGeometry(x, max(screen.top(), y), width, height)
        self.show()
        self.search.setFocus()

    def cut_no_row(self, button: QWidget) -> None:
        """Become lower by the part of a row that there is no room for, at the edge that is away from the button."""
        self.column.activate()
        cut, box = self.results.height_of_cut_row(), self.geometry()
        if box.top() < button.mapToGlobal(QPoint(0, 0)).y():
            self.setGeometry(box.adjusted(0, cut, 0, 0))
        else:
            self.setGeometry(box.adjusted(0, 0, 0, -cut))

    def go_to(self, label: str) -> None:
        """Start at the entry that is shown so, the first one where none is."""
        labels = [choice.label for choice in self.results.entries]
        self.results.set_current(labels.index(label) if label in labels else 0)
        self._explain(self.results.current)
        self._consider()

    def describe(self, entry: FrameChoice) -> Row:
        sign = kind_icon(entry.kind, resolved=entry.reason is None)
        return Row(
            entry.label, sign, tip=as_sentence(entry.reason or "") or entry.label, dimmed=entry.reason is not None
        )

    def can_take(self, entry: FrameChoice) -> bool:
        # Disabled choices can be current, so that the keyboard reaches their reason.
        return entry.reason is None

    def _explain(self, choice: FrameChoice | None) -> None:
        self.reason.setText(as_sentence("" if choice is None else choice.reason or ""))
        self.reason.setVisible(bool(self.reason.text()))
        self._rest.start()

    def _consider(self) -> None:
        self._rest.stop()
        choice = self.results.current
        choice = choice if choice is not None and self.can_take(choice) else None
        if choice is not self._considered:
            self._considered = choice
            self.considered.emit(choice)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._rest.stop()
        self.considered.emit(None)
        super().closeEvent(event)

    def take(self, entry: FrameChoice) -> None:
        if entry.reason is None:
            self.close()
            self.chosen.emit(entry)


def choice_of(model: Model, target: ReferenceTarget) -> FrameChoice:
    """Return a frame that a reference names as pickers show it; the default holds where it has no name."""
    kind = model.kinds[target.row] if target.row >= 0 else Kind.WORLD
    name = target.name
    label = f"default: {model.local_names[target.row]}" if name is None else model.reference_label(name, target.row)
    return FrameChoice(name, label, kind.value, target.reason)
