"""A line that holds one number: checked while it is typed, stepped by the arrow keys, with all its digits."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QWidget

DIGITS = 6
"""Significant digits shown while a field is not being edited."""
FEWEST_DIGITS = 3
"""How many are left where there is little room."""
ROOM_AROUND = 20
"""Pixels of a field beside its text."""


def format_shown(value: float, digits: int = DIGITS) -> str:
    """Return a number as people write it: no exponent in the everyday range, no trailing zeros, a real minus never.

    The ASCII minus is kept so that what is shown can be copied into a file.
    """
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "-∞")
    # Anything below a nanometre is the rounding of a rotation, not a length that someone wrote.
    if abs(value) < 1e-9:
        return "0"
    text = f"{value:.{digits}g}"
    # An exponent takes the room of some digits.
    return f"{value:.{max(digits - 2, FEWEST_DIGITS)}g}" if "e" in text else text


def format_exact(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    return repr(float(value)).removesuffix(".0")


def parse_number(text: str) -> float:
    """Return the number that a text stands for; ``pi`` may be a factor or divided, as in ``-pi/2`` or ``2*pi``.

    Raises
    ------
    ValueError
        With a sentence that can be shown beside the field.
    """
    written = text.strip().replace(",", ".").replace("π", "pi").replace("−", "-")
    if not written:
        raise ValueError("A number is missing here.")
    value = 1.0
    try:
        for position, factors in enumerate(written.split("/")):
            for factor in factors.split("*"):
                number = _parse_factor(factor.strip())
                value = value * number if position == 0 else value / number
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"“{text.strip()}” is not a number.") from None
    if not math.isfinite(value):
        raise ValueError("The number must be finite.")
    return value


def _parse_factor(text: str) -> float:
    sign = -1.0 if text.startswith("-") else 1.0
    if text.lstrip("+-").lower() == "pi":
        return sign * math.pi
    return float(text)


class NumberField(QLineEdit):
    """One number in the unit that the field shows; what the number means is its user's business.

    Attributes
    ----------
    step
        By how much an arrow key changes it; ten times that with Ctrl, a tenth with Shift.
    fault
        Why the text is no number, empty where it is one.
    """

    #: The user finished another value.
    committed = Signal(float)

    def __init__(self, name: str, step: float = 0.01, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step = step
        self.fault = ""
        self._value = 0.0
        self.setAccessibleName(name)
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
        self._value = value
        self._mark("")
        self._show()
        self.setToolTip(f"{self.accessibleName()}: {format_exact(value)}")
        self.setModified(False)

    def _show(self) -> None:
        """Show the number: with all digits where it is edited, else with as many as there is room for."""
        if self.hasFocus() and math.isfinite(self._value):
            self.setText(format_exact(self._value))
        else:
            texts = [format_shown(self._value, digits) for digits in range(DIGITS, FEWEST_DIGITS - 1, -1)]
            room, width_of = self.width() - ROOM_AROUND, self.fontMetrics().horizontalAdvance
            self.setText(next((text for text in texts if width_of(text) <= room), texts[-1]))
            self.setCursorPosition(0)

    def _mark(self, fault: str) -> None:
        self.fault = fault
        if bool(self.property("invalid")) != bool(fault):
            self.setProperty("invalid", bool(fault))
            self.style().unpolish(self)
            self.style().polish(self)
        if fault:
            self.setToolTip(fault)

    def _check(self, text: str) -> None:
        try:
            parse_number(text)
        except ValueError as error:
            self._mark(str(error))
        else:
            self._mark("")

    def _commit(self) -> None:
        if not self.isModified():
            return
        try:
            value = parse_number(self.text())
        except ValueError:
            self.refuse()
            return
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.committed.emit(value)

    def refuse(self) -> None:
        """Take back what was typed, which is no number."""
        self.set_value(self._value)

    def _step_by(self, steps: float, modifiers: Qt.KeyboardModifier) -> None:
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            steps *= 10
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            steps /= 10
        # Steps land on multiples of themselves, so that 0.1 + 0.2 reads 0.3.
        value = round(self._value + steps * self.step, 12)
        self.set_value(value)
        self.committed.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._commit()
            self._step_by(1 if event.key() == Qt.Key.Key_Up else -1, event.modifiers())
        elif event.key() == Qt.Key.Key_Escape and self.isModified():
            self.set_value(self._value)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.isModified():
            self._show()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # A wheel that passes over a field in a scrolling panel must not change a robot.
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if math.isfinite(self._value):
            self.setText(format_exact(self._value))
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self.isModified():
            self.set_value(self._value)
