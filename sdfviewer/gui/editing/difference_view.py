"""A difference of two texts as people read it: one column, signs, both line numbers, what changed within a line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from sdfviewer.document.line_difference import DiffLine, Hunk
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import Tokens, monospace, tokens

MOST_LINES = 4000
"""Longer differences are cut: nobody reads on, and the window must not wait for them."""


class DifferenceView(QPlainTextEdit):
    """Shows hunks; removed lines are red with a minus, added ones blue with a plus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "Difference of the text")
        self.setReadOnly(True)
        self.setFont(monospace())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._hunks: Sequence[Hunk] = ()

    def show_hunks(self, hunks: Sequence[Hunk]) -> None:
        """Show another difference."""
        self._hunks = hunks
        lines: list[DiffLine | None] = []
        for hunk in hunks:
            lines += [None] * bool(lines) + list(hunk)
        left_out = max(0, len(lines) - MOST_LINES)
        lines = lines[:MOST_LINES]
        width = len(str(max((line.before or line.after or 0 for line in lines if line is not None), default=0)))
        rows = ["" if line is None else _row(line, width) for line in lines]
        if left_out:
            rows.append(f"… and {left_out} more lines")
        self.setPlainText("\n".join(rows))
        self._paint(lines, width)

    def _paint(self, lines: Sequence[DiffLine | None], width: int) -> None:
        colours = tokens(self.palette())
        selections: list[QTextEdit.ExtraSelection] = []
        block = self.document().firstBlock()
        for line in lines:
            if line is not None and line.sign != " ":
                added = line.sign == "+"
                start = block.position()
                selections.append(_selection(self, start, start, _blend(colours, added, 0.16), whole=True))
                if line.changed is not None and line.changed[0] < line.changed[1]:
                    first = start + _margin(width)
                    strong = _blend(colours, added, 0.42)
                    selections.append(_selection(self, first + line.changed[0], first + line.changed[1], strong))
            block = block.next()
        self.setExtraSelections(selections)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_hunks"):
            self.show_hunks(self._hunks)


def _margin(width: int) -> int:
    return 2 * width + 5


def _row(line: DiffLine, width: int) -> str:
    before, after = (str(number) if number is not None else "" for number in (line.before, line.after))
    sign = "−" if line.sign == "-" else line.sign
    return f"{before:>{width}} {after:>{width}}  {sign} {line.text}"


def _selection(
    view: QPlainTextEdit, start: int, end: int, colour: QColor, *, whole: bool = False
) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    style = QTextCharFormat()
    style.setBackground(colour)
    if whole:
        style.setProperty(QTextFormat.Property.FullWidthSelection, True)
    cursor = QTextCursor(view.document())
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    selection.cursor = cursor
    selection.format = style
    return selection


def _blend(colours: Tokens, added: bool, share: float) -> QColor:
    """Return the colour of added or removed text, thinned with the background."""
    over, under = QColor(colours.accent if added else colours.error), QColor(colours.base)
    red, green, blue = (
        share * one + (1 - share) * other
        for one, other in (
            (over.redF(), under.redF()),
            (over.greenF(), under.greenF()),
            (over.blueF(), under.blueF()),
        )
    )
    return QColor.fromRgbF(red, green, blue)
