"""Short messages about one open file."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class FileMessages(QObject):
    """Messages of the parts of one file to whoever shows them, such as the status bar."""

    #: A sentence about what was done.
    shown = Signal(str)
    #: The reason why something that the user requested was not done.
    refused = Signal(str)

    def show(self, text: str) -> None:
        """Show what was done."""
        self.shown.emit(text)

    def refuse(self, reason: str) -> None:
        """Show why something that the user requested was not done."""
        self.refused.emit(reason)
