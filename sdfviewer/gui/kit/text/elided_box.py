"""A combo box that shortens the name of its choice where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ElidedBox(QComboBox):
    """Shows dots for what does not fit; Qt's own box cuts the text."""

    @property
    def shown_text(self) -> str:
        """The text as it is shown."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._elide(option)

    def _elide(self, option: QStyleOptionComboBox) -> str:
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        return option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideMiddle, room - 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the box with the shortened text."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._elide(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
