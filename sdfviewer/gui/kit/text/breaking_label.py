"""A label in which long names break."""

from __future__ import annotations

import re

from PySide6.QtGui import QClipboard, QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QMenu

from sdfviewer.gui.kit.text.link_label import LinkLabel

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
