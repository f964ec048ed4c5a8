"""A label with links in the colours of the theme, also of one that is chosen later."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel


def repaint_links(label: QLabel) -> None:
    """Lay the text of a label out again: Qt keeps the colour that links had when it was set."""
    text = label.text()
    label.setText("")
    label.setText(text)


class LinkLabel(QLabel):
    """Rich text whose links are reached by mouse and keyboard."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text, wordWrap=True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            repaint_links(self)
