"""A note that only some things are shown; a click on it shows all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from sdfviewer.display_text import visible
from sdfviewer.gui.view3d.closable_note import ClosableNote


class IsolationNote(ClosableNote):
    """Says at the top of a view what is isolated."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas, "isolation_note", "Show everything again (Ctrl+Shift+H)")

    def show_isolated(self, names: Sequence[str]) -> None:
        """Say which things, by their scoped names, are isolated; none hides the note."""
        if len(names) == 1:
            self.say(f"Only {visible(names[0].rpartition('::')[2])} is shown: Show All")
        else:
            self.say(f"Only the {len(names)} isolated things are shown: Show All" if names else "")
