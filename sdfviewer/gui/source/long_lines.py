"""The notice above a text whose long lines are shown in pieces, and the edit that breaks them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, indentation_step
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widgets import row_of
from sdfviewer.language.line_commands import break_lines, can_indent
from sdfviewer.language.text_map import LONGEST_LINE, TextMap, long_lines
from sdfviewer.number_text import counted

_WHY = f"Lines of more than {LONGEST_LINE // 1000} 000 characters are shown in pieces, and nothing can be typed here."
_UNBREAKABLE = f"{_WHY} They have no elements that could stand in lines of their own."
_MOST_LINES = 2


def broken_lines(document: Document) -> Edit:
    """Return the edit that puts the elements of long lines into lines of their own.

    Raises
    ------
    SdfViewerError
        If the text is not well-formed, or there is nothing to break.
    """
    if not can_indent(document):
        raise SdfViewerError("The lines cannot be broken before the errors in the XML are corrected.")
    breaks = sorted(break_lines(document.text, indentation_step(document)), key=lambda each: each.start)
    if not breaks:
        raise SdfViewerError("No long line has elements that could stand in lines of their own.")
    lines = sum(1 for _ in long_lines(document.text))
    return Edit(f"Break {counted(lines, 'long line')} at {counted(len(breaks), 'place')}", document, tuple(breaks))


class LongLines(QFrame):
    """Says why nothing can be typed, and offers to break the lines where that helps."""

    #: The lines are to be broken.
    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._sign = QLabel()
        self.text = ElidedLines("", _MOST_LINES)
        self.button = QPushButton("Break Lines")
        self.button.setToolTip(
            "Puts each element of these lines into a line of its own; changes no text, value or comment"
        )
        self.button.clicked.connect(self.wanted)
        row_of(self._sign, (self.text, 1), self.button, parent=self, margins=(8, 4, 8, 4), spacing=8)
        on_theme_change(self._paint)
        self._paint()
        self.hide()

    def _paint(self) -> None:
        self._sign.setPixmap(icon("mdi6.information-outline", tokens(self.palette()).warning).pixmap(16, 16))

    def follow(self, document: Document, places: TextMap) -> None:
        """Show or hide the notice for a document and the way it is shown."""
        if places.is_cut:
            # The first element that can be broken answers.
            can_break = document.root is not None and next(break_lines(document.text, ""), None) is not None
            self.text.set_full_text(_WHY if can_break else _UNBREAKABLE)
            self.button.setVisible(can_break)
        self.setVisible(places.is_cut)
