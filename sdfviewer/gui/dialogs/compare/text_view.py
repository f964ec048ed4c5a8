"""A difference of two texts in one column, for the little room of a dialog."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from sdfviewer.document.line_difference import CONTEXT, EqualLines, TextDifference
from sdfviewer.gui.dialogs.compare.text_pane import DifferencePane


class DifferenceView(DifferencePane):
    """Shows what is removed above what is added; what is equal is folded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Difference of the text", ("before", "after"), parent)
        self._difference = TextDifference((), (), ())
        self._context = CONTEXT
        self._opened: set[int] = set()
        self.fold_clicked.connect(self._open_fold)

    def show_difference(self, difference: TextDifference, context: int = CONTEXT) -> None:
        """Show another difference, with so many lines around each change."""
        self._difference, self._context, self._opened = difference, context, set()
        self._show()

    def _show(self) -> None:
        rows = self._difference.unified(self._context, self._opened)
        # A small view has no room for a fold at either end.
        while rows and isinstance(rows[-1], EqualLines):
            rows.pop()
        while rows and isinstance(rows[0], EqualLines):
            rows.pop(0)
        self.show_rows(rows)

    def _open_fold(self, row: int) -> None:
        fold = self.rows[row]
        assert isinstance(fold, EqualLines)
        at = self.verticalScrollBar().value()
        self._opened.add(fold.before)
        self._show()
        self.verticalScrollBar().setValue(at)
