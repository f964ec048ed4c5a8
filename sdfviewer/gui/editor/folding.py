"""Code folding in an editor."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit


class Folding:
    """The folded elements of an editor: the lines between an element's first and last one are hidden.

    Parameters
    ----------
    editor
        Whose lines are hidden.

    Attributes
    ----------
    last_line
        Returns the last line of what can be folded in a line, or None.
    any_hidden
        Whether any line is hidden.
    """

    def __init__(self, editor: QPlainTextEdit) -> None:
        self._editor = editor
        self.last_line: Callable[[int], int | None] = lambda line: None
        self.any_hidden = False

    def check(self) -> None:
        """Show lines that nothing hides any more: the element that was folded has changed."""
        if not self.any_hidden:
            return
        block = self._editor.document().begin()
        hidden_until = -1
        changed = self.any_hidden = False
        while block.isValid():
            line = block.blockNumber()
            following = block.next()
            if line > hidden_until and not block.isVisible():
                block.setVisible(True)
                changed = True
            if line > hidden_until and following.isValid() and not following.isVisible():
                last = self.last_line(line)
                if last is not None:
                    hidden_until, self.any_hidden = last - 1, True
            block = following
        if changed:
            self._refresh()

    def can_fold(self, line: int) -> bool:
        """Return whether an element of several lines begins in a line."""
        return self.last_line(line) is not None

    def is_folded(self, line: int) -> bool:
        """Return whether what begins in a line is folded."""
        following = self._block(line + 1)
        return following.isValid() and not following.isVisible() and self._block(line).isVisible()

    def toggle(self, line: int) -> None:
        """Fold what begins in a line, or show it again."""
        last = self.last_line(line)
        if last is not None:
            self._set(line, last, self.is_folded(line))
            self._refresh()

    def fold_all(self, folded: bool) -> None:
        """Fold every outermost element below the model or world, or show everything."""
        document = self._editor.document()
        if folded:
            self._fold_outermost()
        else:
            self._set_visible(0, document.blockCount(), True)
        self.any_hidden = folded
        self._refresh()

    def _fold_outermost(self) -> None:
        block = self._editor.document().begin()
        depth = 0
        while block.isValid():
            line = block.blockNumber()
            if (last := self.last_line(line)) is not None:
                depth += 1
                if depth > 2:  # below <sdf> and its children
                    self._set(line, last, False)
                    block = self._block(last)
                    continue
            block = block.next()

    def show(self, block: QTextBlock) -> None:
        """Unfold whatever hides a line."""
        if block.isVisible():
            return
        line = block.blockNumber()
        while (opener := block.previous()).isValid() and not block.isVisible():
            block = opener
        last = self.last_line(block.blockNumber())
        if last is not None and line < last:
            self._set(block.blockNumber(), last, True)
        block = self._block(line)
        block.setVisible(True)
        self._refresh()

    def _block(self, line: int) -> QTextBlock:
        return self._editor.document().findBlockByNumber(line)

    def _set(self, line: int, last: int, visible: bool) -> None:
        self.any_hidden |= not visible
        self._set_visible(line + 1, last, visible)
        cursor = self._editor.textCursor()
        if not cursor.block().isVisible():
            cursor.setPosition(self._block(line).position())
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
            self._editor.setTextCursor(cursor)

    def _set_visible(self, first: int, last: int, visible: bool) -> None:
        """Show or hide lines, the last one not included."""
        block = self._block(first)
        for _ in range(first, last):
            block.setVisible(visible)
            block = block.next()

    def _refresh(self) -> None:
        document = self._editor.document()
        document.markContentsDirty(0, document.characterCount())
        self._editor.viewport().update()
