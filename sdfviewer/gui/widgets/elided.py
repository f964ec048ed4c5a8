"""Labels and buttons that shorten their text instead of widening their panel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

ROOM_OF_BUTTON = 20
"""Pixels of a button beside its icon and text."""


class ElidedLabel(QLabel):
    """One line of plain text, shortened where it is too long; `full_text` keeps all of it."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(parent)
        self._mode = elide
        self.full_text = text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        self.full_text = text
        self._elide()

    def shortened(self) -> str:
        """Return the text, elided to the room."""
        return self.fontMetrics().elidedText(self.full_text, self._mode, max(24, self.width()))

    def _elide(self) -> None:
        self.setText(self.shortened())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


class PartsLabel(ElidedLabel):
    """Shows as many whole parts of a text as fit, with dots between them: half a number would be another number."""

    def shortened(self) -> str:
        """Return the parts that fit, from the first one on."""
        parts = self.full_text.split(" · ")
        while parts and self.fontMetrics().horizontalAdvance(" · ".join(parts)) > self.width():
            parts.pop()
        return " · ".join(parts)


class ElidedButton(QPushButton):
    """A button whose text is shortened; `full_text` keeps all of it.

    Attributes
    ----------
    room_at_end
        Pixels that the text leaves free at its end.
    """

    room_at_end = 0

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(parent)
        self._mode = elide
        self.full_text = text
        self.setMinimumWidth(64)
        self.set_full_text(text)

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        self.full_text = text
        self.setAccessibleName(self.accessibleName() or text)
        self._elide()

    def _elide(self) -> None:
        icon = self.iconSize().width() + 4 if not self.icon().isNull() else 0
        room = max(24, self.width() - ROOM_OF_BUTTON - icon - self.room_at_end)
        text = self.fontMetrics().elidedText(self.full_text, self._mode, room)
        self.setText(text.replace("&", "&&"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()
