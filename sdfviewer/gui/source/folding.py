"""Which lines an element can be folded to, and folding them in an editor."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from sdfviewer.document.document import Document


def foldable_lines(document: Document) -> dict[int, int]:
    """Return the last line of the element that each line opens, for elements of more than two lines; from 0.

    Where several elements begin in one line the outermost counts.
    """
    lines: dict[int, int] = {}
    if document.root is None:
        return lines
    stack = [document.root]
    while stack:
        element = stack.pop()
        start, end = document.offsets(element, "element")
        first, last = document.position(start)[0] - 1, document.position(end)[0] - 1
        if last - first >= 2:
            lines.setdefault(first, last)
            stack.extend(reversed(element.children))
    return lines


class Folding:
    """The folded elements of an editor: the lines between an element's first and last one are hidden."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        self._editor = editor
        self._lines: dict[int, int] = {}

    def set_lines(self, lines: dict[int, int]) -> None:
        """Take what can be folded; lines hidden by what can no longer be folded are shown."""
        self._lines = lines
        block = self._editor.document().begin()
        hidden_until = -1
        changed = False
        while block.isValid():
            line = block.blockNumber()
            if line > hidden_until and not block.isVisible():
                block.setVisible(True)
                changed = True
            if line in lines and line > hidden_until and block.next().isValid() and not block.next().isVisible():
                hidden_until = lines[line] - 1
            block = block.next()
        if changed:
            self._refresh()

    def can_fold(self, line: int) -> bool:
        """Return whether an element of several lines begins in a line."""
        return line in self._lines

    def is_folded(self, line: int) -> bool:
        """Return whether what begins in a line is folded."""
        following = self._block(line + 1)
        return line in self._lines and following.isValid() and not following.isVisible()

    def toggle(self, line: int) -> None:
        """Fold what begins in a line, or show it again."""
        if line in self._lines:
            self._set(line, self.is_folded(line))
            self._refresh()

    def fold_all(self, folded: bool) -> None:
        """Fold every element below the root and its first child, or show everything."""
        starts = sorted(self._lines)
        for line in starts if not folded else starts[2:]:
            self._set(line, not folded)
        self._refresh()

    def show(self, block: QTextBlock) -> None:
        """Unfold whatever hides a line."""
        if block.isVisible():
            return
        for line, last in self._lines.items():
            if line < block.blockNumber() < last and self.is_folded(line):
                self._set(line, True)
        block.setVisible(True)
        self._refresh()

    def _block(self, line: int) -> QTextBlock:
        return self._editor.document().findBlockByNumber(line)

    def _set(self, line: int, visible: bool) -> None:
        last = self._lines[line]
        block = self._block(line + 1)
        while block.isValid() and block.blockNumber() < last:
            block.setVisible(visible)
            block = block.next()
        cursor = self._editor.textCursor()
        if not cursor.block().isVisible():
            cursor.setPosition(self._block(line).position())
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
            self._editor.setTextCursor(cursor)

    def _refresh(self) -> None:
        document = self._editor.document()
        document.markContentsDirty(0, document.characterCount())
        self._editor.viewport().update()
