"""Short messages about one open file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from sdfviewer.display_text import as_done
from sdfviewer.session.other_files import OtherEdits


class FileMessages(QObject):
    """Messages of the parts of one file to whoever shows them, such as the status bar."""

    #: A sentence about what was done.
    shown = Signal(str)
    #: What was written, in a sentence, and the file or folder.
    written = Signal(str, Path)
    #: The reason why something that the user requested was not done.
    refused = Signal(str)

    def show(self, text: str) -> None:
        """Show what was done."""
        self.shown.emit(text)

    def show_written(self, text: str, path: Path) -> None:
        """Show that a file or folder was written, and let the user open it."""
        self.written.emit(text, path)

    def show_done(self, label: str, others: OtherEdits | None) -> None:
        """Show which edit was made, and in which other files."""
        names = ", ".join(path.name for path in others.touched) if others is not None else ""
        self.show(as_done(label) + (f" (in {names}, saved with this file)" if names else ""))

    def refuse(self, reason: str) -> None:
        """Show why something that the user requested was not done."""
        self.refused.emit(reason)
