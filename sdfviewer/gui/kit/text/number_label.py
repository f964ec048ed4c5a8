"""A label that shows a number with as many digits as fit."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from sdfviewer.gui.kit.fields.number_field import fitting_text


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
