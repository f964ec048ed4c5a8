"""A ring around what has the keyboard, where nothing else would show it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QTabBar,
    QWidget,
)

from sdfviewer.gui.kit.theme import tokens

#: What shows by its border or caret that it has the keyboard.
SHOW_IT = (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QTabBar,
)
WIDTH, RADIUS = 2, 4


def mark_focus(_before: QWidget | None, widget: QWidget | None) -> None:
    """Put a ring around the widget that has the keyboard now, if it came there by a key."""
    if widget is None or isinstance(widget, SHOW_IT) or widget.isWindow():
        return
    by_mouse = QApplication.mouseButtons() != Qt.MouseButton.NoButton
    if not by_mouse and widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
        FocusRing(widget).show()


class FocusRing(QWidget):
    """The ring, which is removed when the focus leaves."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(widget.size())
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.resize(self._widget.size())
        elif event.type() == QEvent.Type.FocusOut:
            watched.removeEventFilter(self)
            self.hide()
            self.deleteLater()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            colours = tokens(self.palette())
            # A checked button already has a border in the accent colour.
            is_on = isinstance(self._widget, QAbstractButton) and self._widget.isChecked()
            painter.setPen(QPen(QColor(colours.text if is_on else colours.accent), WIDTH))
            half = WIDTH / 2
            painter.drawRoundedRect(self.rect().toRectF().adjusted(half, half, -half, -half), RADIUS, RADIUS)
        finally:
            painter.end()
