"""A label that shows a number with as many decimals as fit."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from sdfviewer.gui.widgets.number_field import fitting_rounded
from sdfviewer.gui.widgets.units import LENGTH_DECIMALS


class NumberLabel(QLabel):
    """One number, right-aligned; it asks for no width and drops decimals where it is narrow."""

    def __init__(self) -> None:
        super().__init__()
        self._value, self._decimals = math.nan, LENGTH_DECIMALS
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_number(self, value: float, decimals: int = LENGTH_DECIMALS) -> None:
        """Show another number with this many decimals at most."""
        self._value, self._decimals = value, decimals
        self.setText(fitting_rounded(value, self.width(), self.fontMetrics(), decimals))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_number(self._value, self._decimals)
