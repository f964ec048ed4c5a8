"""Code folding in an editor."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from sdfviewer.gui.kit.jobs import Later

SLICE = 10_000
"""So many lines are shown or hidden in one pass of the event loop, some 15 ms."""
_LOOKED_AT = 6
"""To ask whether an element begins in a line takes as long as to hide so many."""


class Folding:
    """The folded elements of an editor: the lines between an element's first and last one are hidden.

    What goes through all lines does a slice of them at once, and the others in later passes of the event loop.

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
        self._checking: Iterator[None] = iter(())
        self._folding: Iterator[None] = iter(())
        self._changes = 0
        self._later = Later(editor)

    @property
    def is_at_work(self) -> bool:
        """Whether there are more lines to go through."""
        return self._later.has_jobs

    def check(self) -> None:
        """Show lines that nothing hides any more: the element that was folded has changed."""
        if self.any_hidden:
            self._checking = self._check()
            self._go_on()

    def _go_on(self) -> None:
        """Do the next slice: first of what is folded, then of what is checked."""
        for steps in (self._folding, self._checking):
            if next(steps, self) is not self:
                self._later.do(self._go_on)
                return

    def _check(self) -> Iterator[None]:
        document = self._editor.document()
        revision, changes = document.revision(), self._changes
        block = document.begin()
        hidden_until, begin = -1, 0
        changed = any_hidden = False
        while block.isValid():
            line = block.blockNumber()
            if line - begin >= SLICE:
                if changed:
                    self._refresh(begin, line)
                begin, changed = line, False
                yield
                if document.revision() != revision:
                    return  # another check follows
            following = block.next()
            if line > hidden_until and not block.isVisible():
                block.setVisible(True)
                changed = True
            if line > hidden_until and following.isValid() and not following.isVisible():
                last = self.last_line(line)
                if last is not None:
                    hidden_until, any_hidden = last - 1, True
            block = following
        if self._changes == changes:  # or lines may have been hidden, or shown, behind it
            self.any_hidden = any_hidden
        if changed:
            self._refresh(begin)

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
        self.any_hidden = True
        self._folding = self._fold_outermost() if folded else self._show_all()
        self._go_on()

    def _fold_outermost(self) -> Iterator[None]:
        block = self._editor.document().begin()
        depth = begin = work = 0
        while block.isValid():
            line = block.blockNumber()
            if work >= SLICE:
                work = 0
                place = QTextCursor(block)  # which stays there while text is edited
                self._refresh(begin, line)
                yield
                block = place.block()
                begin = line = block.blockNumber()
            work += _LOOKED_AT
            if (last := self.last_line(line)) is not None:
                depth += 1
                if depth > 2:  # below <sdf> and its children
                    self._set(line, last, False)
                    work += last - line
                    block = self._block(last)
                    continue
            block = block.next()
        self._refresh(begin)

    def _show_all(self) -> Iterator[None]:
        document = self._editor.document()
        begin = 0
        while begin < document.blockCount():
            if begin:
                yield
            end = min(begin + SLICE, document.blockCount())
            self._set_visible(begin, end, True)
            self._refresh(begin, end)
            begin = end
        self.any_hidden = False

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
        self._changes += 1
        block = self._block(first)
        for _ in range(first, last):
            block.setVisible(visible)
            block = block.next()

    def _refresh(self, begin: int = 0, end: int | None = None) -> None:
        """Lay some lines out again, up to one that is not included."""
        document = self._editor.document()
        first, behind = self._block(begin), self._block(document.blockCount() if end is None else end)
        start = first.position() if first.isValid() else 0
        stop = behind.position() if behind.isValid() else document.characterCount()
        document.markContentsDirty(start, stop - start)
        self._editor.viewport().update()
