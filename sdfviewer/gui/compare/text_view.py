"""A difference of two texts in one column, for the little room of a dialog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from sdfviewer.document.line_difference import CONTEXT, DiffLine, EqualLines, Row, TextDifference
from sdfviewer.gui.compare.text_pane import DifferencePane

_CHANGE = 24
"""How many characters of a change must have room, or else what is equal before it is left out."""
_LEFT_OUT = "…"


class DifferenceView(DifferencePane):
    """Shows what is removed above what is added; what is equal is folded.

    Of a line whose first change would be out of sight to the right, what is equal before it is left out.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Difference of the text", ("before", "after"), parent)
        self._difference = TextDifference((), (), ())
        self._context = CONTEXT
        self._opened: set[int] = set()
        self._whole: Sequence[Row] = ()
        #: Start and end of what is left out of rows.
        self._left_out: Mapping[int, tuple[int, int]] = {}
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
        self._whole = rows
        self._leave_out(self._out_of_sight())

    def _out_of_sight(self) -> dict[int, tuple[int, int]]:
        """Return what to leave out of which rows, by their numbers, so that their first changes are in sight."""
        columns = self.viewport().width() // max(self.fontMetrics().horizontalAdvance("0"), 1)
        found = {}
        for number, row in enumerate(self._whole):
            ends = _equal_before_change(row, columns) if isinstance(row, DiffLine) else None
            if ends is not None:
                found[number] = ends
        return found

    def _leave_out(self, left_out: Mapping[int, tuple[int, int]]) -> None:
        rows = list(self._whole)
        for number, (start, end) in left_out.items():
            row = rows[number]
            assert isinstance(row, DiffLine)
            assert row.partner is not None
            text, partner = (f"{each[:start]}{_LEFT_OUT}{each[end:]}" for each in (row.text, row.partner))
            rows[number] = replace(row, text=text, partner=partner)
        self._left_out = left_out
        self.show_rows(rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        left_out = self._out_of_sight()
        if left_out != self._left_out:
            at = self.verticalScrollBar().value()
            self._leave_out(left_out)
            self.verticalScrollBar().setValue(at)

    def copied_text(self, number: int, inside: QTextCursor) -> str:
        """Return the text of what is selected in a row, with what is left out in it."""
        text, first = super().copied_text(number, inside), inside.selectionStart() - inside.block().position()
        start, end = self._left_out.get(number, (-1, -1))
        at, row = start - first, self._whole[number]
        if not isinstance(row, DiffLine) or not 0 <= at < len(text):
            return text
        return text[:at] + row.text[start:end] + text[at + 1 :]

    def _open_fold(self, row: int) -> None:
        fold = self.rows[row]
        assert isinstance(fold, EqualLines)
        at = self.verticalScrollBar().value()
        self._opened.add(fold.before)
        self._show()
        self.verticalScrollBar().setValue(at)


def _equal_before_change(line: DiffLine, columns: int) -> tuple[int, int] | None:
    """Return start and end of what is left out before the first change; None where that has room as it is.

    It is the same for both lines of a pair. What is shown begins with a tag, if there is one near, and its colours.
    """
    if line.partner is None or max(len(line.text), len(line.partner)) <= columns:
        return None
    pairs = enumerate(zip(line.text, line.partner, strict=False))
    text = line.text[: next((at for at, (one, other) in pairs if one != other), None)]
    if len(text) + _CHANGE <= columns:
        return None
    start = len(text) - len(text.lstrip())
    tag = text.rfind("<")
    end = tag if len(text) - tag + start + _CHANGE <= columns else max(len(text) - columns // 3, 0)
    # What is left out must not begin or end a comment.
    is_plain = text.count("<!--", start, end) == text.count("-->", start, end)
    return (start, end) if is_plain and end > start + len(_LEFT_OUT) else None
