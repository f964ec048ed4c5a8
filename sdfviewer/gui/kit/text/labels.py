"""Labels whose links follow the theme, whose names break, and which get room for all their lines."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QClipboard, QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from sdfviewer.gui.kit.layouts import column_of


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


BREAK = "\N{ZERO WIDTH SPACE}"
_ENDS = re.compile(r"(?<=_)(?=\w)|(?<=::)(?=\w)")
"""Where a name may go on in the next line."""


def pieces(name: str) -> list[str]:
    """Return the parts of a name between which it may break."""
    return _ENDS.split(name)


class BreakingLabel(LinkLabel):
    """Rich text whose names may break after ``_`` and ``::``; a copy of it has no breaks."""

    def setText(self, text: str) -> None:
        """Show a text."""
        super().setText(_ENDS.sub(BREAK, text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if QGuiApplication.clipboard().supportsSelection():
            self.copy(QClipboard.Mode.Selection)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.addAction("&Copy", self.copy).setEnabled(self.hasSelectedText())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def copy(self, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
        """Copy what is selected."""
        if self.hasSelectedText():
            text = self.selectedText().replace(BREAK, "")
            QGuiApplication.clipboard().setText("\n".join(text.splitlines()), mode)


class WholeLines(QWidget):
    """Labels that wrap, for a row of a form, which gives them the height that they needed at another width."""

    def __init__(self, *labels: QLabel) -> None:
        super().__init__()
        self._column = column_of(*labels, parent=self, margins=0, spacing=2)

    def event(self, event: QEvent) -> bool:
        answer = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.setMinimumHeight(max(0, self._column.heightForWidth(self.width())))
        return answer
