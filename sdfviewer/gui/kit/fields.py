"""Fields of forms: a line whose undo ends with it, a number in the unit that is shown, a button that picks a pose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QToolButton,
    QWidget,
)

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.safe_text import safe_tip, show_tip
from sdfviewer.gui.kit.widgets import named, set_menu, set_style_property
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import DIGITS, FEWEST_DIGITS, format_exact, format_shown

LENGTH = "m"


class AngleUnit(str, Enum):
    """In which unit angles are shown and typed; files always hold what they held."""

    RADIANS = "rad"
    DEGREES = "°"


def from_radians(angle: float, unit: AngleUnit) -> float:
    """Return an angle in the unit that is shown."""
    return math.degrees(angle) if unit is AngleUnit.DEGREES else angle


def to_radians(value: float, unit: AngleUnit) -> float:
    """Return a shown angle in radians."""
    return math.radians(value) if unit is AngleUnit.DEGREES else value


def angle_step(unit: AngleUnit) -> float:
    """Return by how much an arrow key changes an angle, in the unit that is shown."""
    return 1.0 if unit is AngleUnit.DEGREES else 0.01


#: Not the standard key for redo everywhere, but everywhere in the window.
CTRL_Y = QKeySequence(Qt.KeyboardModifier.ControlModifier | Qt.Key.Key_Y)
_OWN_LETTERS = (Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X)
"""What a line does with Ctrl and a letter everywhere; all else is a shortcut of the window first."""

BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
"""Why a field has the focus where its text is selected, so that typing replaces it."""


class LineEdit(QLineEdit):
    """A line whose Undo and Redo belong to the window once what was typed is committed.

    Qt's own line takes these keys even where it has nothing to undo, and on some systems Ctrl+E and others that move
    the cursor.
    """

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._belongs_to_window(event):
                event.ignore()
                return False
            if self._is_history_key(event):  # of which Qt's own line knows only the standard ones
                event.accept()
                return True
        return super().event(event)

    def _belongs_to_window(self, event: QKeyEvent) -> bool:
        if self._is_history_key(event):
            return not self._has_own_history(event)
        is_letter = Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z
        has_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        return is_letter and has_control and event.key() not in _OWN_LETTERS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._is_history_key(event):
            super().keyPressEvent(event)
        elif not self._has_own_history(event):
            event.ignore()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
        else:
            self.redo()

    @staticmethod
    def _is_history_key(event: QKeyEvent) -> bool:
        return (
            event.matches(QKeySequence.StandardKey.Undo)
            or event.matches(QKeySequence.StandardKey.Redo)
            # Not the standard shortcut on every system, but used everywhere in this window.
            or QKeySequence(event.keyCombination()) == CTRL_Y
        )

    def _has_own_history(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.isModified() and self.isUndoAvailable()
        return self.isRedoAvailable()


PIXELS_A_STEP = 4
"""By so much the mouse is dragged for one step."""
_HELP = "Drag to change the value (Shift: ×0.1, Ctrl: ×10), or type an expression such as 12mm, pi/2 or +=0.1"
ROOM_AROUND = 9
"""Pixels of a field beside its text: borders, padding, and the margins of the line."""

WIDE_NUMBER = "-0.0000000"
"""As wide as a number of a pose with all digits; who shows several gives each the room, so that they read alike."""


def fitting_text(value: float, room: int, metrics: QFontMetrics) -> str:
    """Return a number with as many significant digits, six at most, as there is room for in pixels."""
    texts = [format_shown(value, each) for each in range(DIGITS, FEWEST_DIGITS - 1, -1)]
    if 1e-9 <= abs(value) < 1.0:
        # Leading zeros leave small numbers less room for digits.
        texts += [f"{value:.{each}g}" for each in range(FEWEST_DIGITS - 1, 0, -1)]
    return next((each for each in texts if metrics.horizontalAdvance(each) <= room), texts[-1])


@dataclass
class _Scrub:
    """A drag in the field: where it began, at which number, and whether the mouse has moved."""

    x: float
    start: float
    has_moved: bool = False


class NumberField(LineEdit):
    """One number in the unit that the field shows; what the number means is its user's business.

    Attributes
    ----------
    step
        By how much an arrow key, or some pixels of dragging, change it; ten times that with Ctrl, a tenth with Shift.
    unit
        The unit of the number, which expressions without units are in.
    can_scrub
        Whether dragging in the field, while it is not being edited, changes the number.
    fault
        Why the text is no number, empty where it is one.
    """

    #: The user finished another value.
    committed = Signal(float)
    #: The number while the user drags; `committed` follows on release, unless Escape cancels the drag.
    scrubbed = Signal(float)

    def __init__(self, name: str, step: float = 0.01, parent: QWidget | None = None, *, unit: str = "") -> None:
        super().__init__(parent)
        self.step = step
        self.unit = unit
        self.can_scrub = True
        self._is_fresh = False
        self._scrub: _Scrub | None = None
        self._is_followed = False
        self.fault = ""
        self._value = 0.0
        self.setAccessibleName(name)
        self.setProperty("role", "number")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(56)
        self.textEdited.connect(self._check)
        self.editingFinished.connect(self._commit)
        self.set_value(0.0)

    @property
    def value(self) -> float:
        """The last valid value."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show another value."""
        self._set(value, followed=False)

    def follow(self, value: float) -> None:
        """Show a value that changes by itself, as while a motion plays: with all digits only when it is edited."""
        self._set(value, followed=True)

    def _set(self, value: float, *, followed: bool) -> None:
        self._value, self._is_followed = value, followed
        self._mark("")
        self._show()
        self.setToolTip(f"{self.accessibleName()}: {format_exact(value)}\n{_HELP}")
        self.setModified(False)

    def setReadOnly(self, on: bool) -> None:
        super().setReadOnly(on)
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Show by the mouse that dragging changes the number."""
        can_scrub = self.can_scrub and not self.isReadOnly() and not self.hasFocus()
        self.setCursor(Qt.CursorShape.SizeHorCursor if can_scrub else Qt.CursorShape.IBeamCursor)

    def _show(self) -> None:
        """Show the number: with all digits where it is edited, else with as many as there is room for."""
        if self.hasFocus() and not self._is_followed and math.isfinite(self._value):
            self.setText(format_exact(self._value))
        else:
            self.setText(fitting_text(self._value, self.width() - ROOM_AROUND, self.fontMetrics()))
        if self.hasFocus():
            self._select_all()  # the next number replaces it; a cursor before the first digit would be on it
        else:
            self.setCursorPosition(0)  # if it is too long, show its beginning

    def _begin_edit(self) -> None:
        """Show all digits of a number that has changed by itself: the user does something with it."""
        if self._is_followed and not self.isModified():
            self._is_followed = False
            self._show()

    def _mark(self, fault: str) -> None:
        self.fault = fault
        set_style_property(self, "invalid", bool(fault))
        if fault:
            self.setToolTip(fault)

    def _check(self, text: str) -> None:
        try:
            self.parse(text)
        except ValueError as error:
            self._mark(str(error))
        else:
            self._mark("")

    def _commit(self) -> None:
        if not self.isModified():
            return
        try:
            value = self.parse(self.text())
        except ValueError as error:
            self.refuse(str(error))
            return
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.committed.emit(value)

    def parse(self, text: str) -> float:
        """Return the number of a text in this field; see :func:`parse_number`."""
        return parse_number(text, self.unit, self._value)

    def refuse(self, fault: str) -> None:
        """Restore the value, and say why: the input is not a number."""
        self.set_value(self._value)
        self.explain(fault)

    def explain(self, text: str) -> None:
        """Say below the field why it does not show what was typed."""
        show_tip(self.mapToGlobal(self.rect().bottomLeft()), safe_tip(text), self)

    def _stepped(self, start: float, steps: float, modifiers: Qt.KeyboardModifier) -> float:
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            steps *= 10
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            steps /= 10
        # Steps land on multiples of themselves, so that 0.1 + 0.2 reads 0.3.
        return round(start + steps * self.step, 12)

    def _step_by(self, steps: float, modifiers: Qt.KeyboardModifier) -> None:
        value = self._stepped(self._value, steps, modifiers)
        self.set_value(value)
        self.committed.emit(value)

    # --- dragging ----------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._begin_edit()
        is_fresh, self._is_fresh = self._is_fresh, False
        if not (is_fresh and self._begin_scrub(event)):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._select_all()  # it is one number, of which Qt would take the digits on one side of the point
        if not self.isModified():
            self._begin_scrub(event)  # Qt's own line would select less as soon as the mouse moves

    def _begin_scrub(self, event: QMouseEvent) -> bool:
        """Begin to drag where that changes the number, and return whether it does."""
        can_scrub = self.can_scrub and not self.isReadOnly() and math.isfinite(self._value)
        if can_scrub and event.button() == Qt.MouseButton.LeftButton:
            self._scrub = _Scrub(event.position().x(), self._value)
        return self._scrub is not None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        scrub = self._scrub
        if scrub is None:
            super().mouseMoveEvent(event)
            return
        moved = event.position().x() - scrub.x
        scrub.has_moved |= abs(moved) >= QApplication.startDragDistance()
        if not scrub.has_moved:
            return
        value = self._stepped(scrub.start, round(moved / PIXELS_A_STEP), event.modifiers())
        if value != self._value:
            self._value = value
            self.setText(format_exact(value))
            self.setModified(False)
            self.scrubbed.emit(value)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        scrub, self._scrub = self._scrub, None
        if scrub is None:
            super().mouseReleaseEvent(event)
        elif not scrub.has_moved:
            self._select_all()  # a click: to type another number
        else:
            value = self._value
            self.clearFocus()
            if value != scrub.start:
                self.committed.emit(value)

    def _end_scrub(self, scrub: _Scrub) -> None:
        self._scrub = None
        self.set_value(scrub.start)
        self.scrubbed.emit(scrub.start)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._begin_edit()
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._commit()
            self._step_by(1 if event.key() == Qt.Key.Key_Up else -1, event.modifiers())
        elif event.key() == Qt.Key.Key_Escape and self._scrub is not None:
            self._end_scrub(self._scrub)
        elif event.key() == Qt.Key.Key_Escape and self.isModified():
            self.set_value(self._value)
        elif event.matches(QKeySequence.StandardKey.Copy) and not self.hasSelectedText():
            QGuiApplication.clipboard().setText(format_exact(self._value))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.isModified():
            self._show()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Scrolling a panel with the wheel must not change the field under the pointer.
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_fresh = event.reason() == Qt.FocusReason.MouseFocusReason
        self._is_followed = False
        self.setCursor(Qt.CursorShape.IBeamCursor)
        if math.isfinite(self._value):
            self.setText(format_exact(self._value))
            self.setCursorPosition(0)
        if event.reason() in BY_KEYBOARD:
            self._select_all()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an ellipsis where the end of a number that is being edited has no room."""
        super().paintEvent(event)
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        cut = self.cut_from(contents.right())
        if not self.hasFocus() or cut is None:
            return
        is_selected = self.selectionStart() <= cut < self.selectionEnd()
        role = QPalette.ColorRole.Highlight if is_selected else QPalette.ColorRole.Base
        pen = QPalette.ColorRole.HighlightedText if is_selected else QPalette.ColorRole.Text
        box = QRect(contents)
        box.setLeft(self._left_of(cut))
        with QPainter(self) as painter:
            painter.fillRect(box, self.palette().color(role))
            painter.setPen(self.palette().color(pen))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, "…")

    def cut_from(self, right: int) -> int | None:
        """Return the first character that an ellipsis before some pixel replaces, None where the end is in sight."""
        text, metrics = self.text(), self.fontMetrics()
        if self._left_of(len(text)) <= right:
            return None
        room = right - metrics.horizontalAdvance("…")
        cut = next((index for index in range(len(text)) if self._left_of(index + 1) > room), 0)
        return cut if self.cursorPosition() <= cut else None  # what is being typed stays in sight

    def _left_of(self, index: int) -> int:
        """Return where a character begins, in pixels of the field."""
        text, metrics = self.text(), self.fontMetrics()
        cursor = metrics.horizontalAdvance(text[: self.cursorPosition()])
        return self.cursorRect().center().x() + metrics.horizontalAdvance(text[:index]) - cursor

    def _select_all(self) -> None:
        """Select the text with the cursor at its beginning, so that the beginning stays visible."""
        self.setSelection(len(self.text()), -len(self.text()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_cursor()
        if not self.isModified():
            self.set_value(self._value)


class NumberLabel(QLabel):
    """One number, right-aligned; it asks for no width and drops digits where it is narrow."""

    def __init__(self) -> None:
        super().__init__()
        self._value = math.nan
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_number(self, value: float) -> None:
        """Show another number."""
        self._value = value
        self.setText(fitting_text(value, self.width(), self.fontMetrics()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_number(self._value)


_TIP = "Pick the pose in the 3D view: click a face, edge, corner, axis or frame. Hold the button for options."


class PickButton(QToolButton):
    """Checked while the 3D view waits for a click; its menu says what of the place is taken.

    Attributes
    ----------
    turns
        The switch that also takes the orientation of the place.
    """

    def __init__(self) -> None:
        super().__init__()
        named(self, "Pick in the 3D view", _TIP)
        self.setCheckable(True)
        self.setIconSize(QSize(16, 16))
        menu = QMenu(self)
        self.turns = menu.addAction("Turn z to the Normal of the Face")
        self.turns.setCheckable(True)
        self.turns.setChecked(True)
        self.turns.setToolTip("Off: the orientation is kept")
        set_menu(self, menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.DelayedPopup)
        self.setIcon(icon("mdi6.crosshairs-gps"))
