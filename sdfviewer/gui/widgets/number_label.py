"""A label that shows a number with as many digits as fit."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from sdfviewer.gui.widgets.number_field import fitting_text
from sdfviewer.number_text import DIGITS


class NumberLabel(QLabel):
    """One number, right-aligned; it asks for no width and drops digits where it is narrow."""

    def __init__(self) -> None:
        super().__init__()
        self._value, self._digits = math.nan, DIGITS
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_number(self, value: float, digits: int = DIGITS) -> None:
        """Show another number with this many significant digits at most."""
        self._value, self._digits = value, digits
        self.setText(fitting_text(value, self.width(), self.fontMetrics(), digits))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_number(self._value, self._digits)
