"""The text area of the editor: positions, replacements, folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from shiboken6 import isValid

from sdfviewer.gui.kit.jobs import Later
from sdfviewer.language import line_commands as lines
from sdfviewer.language.text_map import Positions, TextMap, difference, plain

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


#: Characters that are laid out in a few milliseconds.
_PART = 200_000

#: Pixels in which lines are laid out, which never wrap: narrower than any window, or there would be room to scroll.
_NARROWEST = 50


class TextArea(QPlainTextEdit):
    """Text, caret and folds.

    Attributes
    ----------
    folding
        The lines that are hidden.
    indentation
        What one level is indented by.
    label
        The name of the command that is changing the text, empty for plain typing.
    pieces
        Between the file and what is shown where that has long lines in pieces; None where it has every line whole.
    """

    #: The id of a command.
    command_wanted = Signal(str)
    undo_wanted = Signal()
    redo_wanted = Signal()
    #: Esc was pressed: close what is open around the editor.
    escaped = Signal()
    #: Other marks are shown.
    marks_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.viewport().resize(_NARROWEST, self.viewport().height())
        size = self.size()
        super().resizeEvent(QResizeEvent(size, QSize(-1, size.height())))
        # The session has the only history.
        self.setUndoRedoEnabled(False)
        self.indentation = "  "
        self.label = ""
        self.pieces: TextMap | None = None
        self._text: str | None = None
        self._places: TextMap | None = None
        self.folding = Folding(self)
        self.document().contentsChange.connect(self._forget_text)
        # The caret stays in sight at every size until the user scrolls.
        self._follows_caret = True
        self.cursorPositionChanged.connect(self._follow_caret_again)
        self.verticalScrollBar().actionTriggered.connect(self._note_scrolling)

    def _forget_text(self, _at: int, _removed: int, _added: int) -> None:
        self._text = self._places = None

    def raw_text(self) -> str:
        """Return the text with ``"\\n"`` at line ends and everything else as it is: no blank is changed."""
        if self._text is None:
            self._text = plain(self.document().toRawText())
        return self._text

    def note_text(self, text: str) -> None:
        """Take note of what `raw_text` is after a change: to read a large text out of the editor takes 10 ms."""
        self._text = text

    def places(self) -> TextMap:
        """Return the way between positions and characters of `raw_text`."""
        if self._places is None:
            self._places = TextMap(self.raw_text())
        return self._places

    def character_at(self, position: int) -> str:
        """Return the character at a position, empty at the end."""
        character = self.document().characterAt(position)
        return plain(str(character)) if position < self.document().characterCount() - 1 else ""

    def text_between(self, start: int, end: int) -> str:
        """Return the text between two positions as it is copied, without the breaks between the pieces of a line."""
        if self.pieces is not None:
            return plain(self.pieces.text[self.pieces.to_offset(start) : self.pieces.to_offset(end)])
        return plain(self.cursor_over(start, end).selectedText())

    def searched_text(self) -> str:
        """Return the text in which something is looked for: of all lines whole."""
        return self.raw_text() if self.pieces is None else self.pieces.whole

    def positions_of_found(self, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the positions of ranges of the text in which something was looked for."""
        if self.pieces is None:
            return self.places().positions_of_shown(ranges)
        return self.pieces.positions_of_whole(ranges)

    def number_of(self, block: QTextBlock) -> int | None:
        """Return the number of a line of the file, from 1; None for a further piece of one."""
        if self.pieces is not None and self.pieces.begins_inside(block.position()):
            return None
        return self.place_of(block.position())[0]

    def place_of(self, position: int) -> tuple[int, int]:
        """Return line and column in the file of a position, counted from 1."""
        block = self.document().findBlock(position)
        line, column = block.blockNumber() + 1, position - block.position() + 1
        if self.pieces is None:
            return line, column
        offset = self.pieces.to_offset(position)
        return line - self.pieces.pieces_before(position), offset - self.pieces.text.rfind("\n", 0, offset)

    def position_at(self, line: int, column: int) -> int:
        """Return the position of line and column in the file, counted from 1, or of the nearest ones there are."""
        line, column = min(max(line, 1), self.line_count()), max(column, 1)
        if self.pieces is not None:
            return self.pieces.to_position(Positions(self.pieces.text).offset(line - 1, column - 1))
        block = self.document().findBlockByNumber(line - 1)
        return block.position() + min(column, block.length()) - 1

    def line_count(self) -> int:
        """Return how many lines the file has."""
        last = self.document().characterCount() - 1
        return self.blockCount() - (0 if self.pieces is None else self.pieces.pieces_before(last))

    @contextmanager
    def doing(self, label: str) -> Iterator[None]:
        """Give what changes meanwhile a name in the history."""
        former, self.label = self.label, label
        try:
            yield
        finally:
            self.label = former

    def cursor_over(self, anchor: int, caret: int) -> QTextCursor:
        """Return a cursor that selects a piece, and keeps it selected while the text around it changes.

        A position behind the end, of a text that was longer, counts as the end.
        """
        cursor, last = QTextCursor(self.document()), self.document().characterCount() - 1
        cursor.setPosition(min(anchor, last))
        cursor.setPosition(min(caret, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace the text between two positions; keep caret, scroll bars and folds."""
        self.cursor_over(start, end).insertText(text)

    def replace_in_parts(self, start: int, end: int, text: str) -> Iterator[None]:
        """Replace the text between two positions; yields between the parts of a long one.

        Until then the text is no file's, and what is on the screen stays there.
        """
        if len(text) <= _PART:
            self.replace(start, end, text)
            return
        bar = self.verticalScrollBar()
        scrolled = bar.value()
        self.setUpdatesEnabled(False)
        try:
            while end > start:  # which takes a third of the time
                middle = max(start, end - 3 * _PART)
                self.cursor_over(middle, end).removeSelectedText()
                end = middle
                yield
            for at in range(0, len(text), _PART):
                cursor = self.cursor_over(start, start)
                cursor.insertText(text[at : at + _PART])
                start = cursor.position()
                yield
            bar.setValue(scrolled)
        finally:
            if isValid(self):  # the file may have been closed meanwhile
                self.setUpdatesEnabled(True)

    def load(self, text: str) -> Iterator[None]:
        """Load a text; yields between two parts of a long one."""
        self.setPlainText(text[:_PART])
        for start in range(_PART, len(text), _PART):
            yield
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(text[start : start + _PART])

    def passage(self) -> lines.Passage:
        """Return text and selection."""
        cursor, places = self.textCursor(), self.places()
        caret, anchor = places.shown_of_position(cursor.position()), places.shown_of_position(cursor.anchor())
        return lines.Passage(self.raw_text(), anchor, caret)

    def rewrite(self, label: str, change: Callable[[lines.Passage], lines.Passage]) -> None:
        """Change text and selection, as one step of the history."""
        if self.isReadOnly():
            return
        wanted = change(self.passage())
        replacement = difference(self.raw_text(), wanted.text)
        if replacement is not None:
            places = self.places()
            start, end = (places.position_of_shown(at) for at in (replacement.start, replacement.end))
            with self.doing(label):
                self.replace(start, end, replacement.text)
        self.select(*(self.places().position_of_shown(at) for at in (wanted.caret, wanted.anchor)))

    def go_to(self, start: int, end: int | None = None) -> None:
        """Scroll to the caret, or to the selection from ``start`` to ``end``."""
        self.select(start, end)
        self._follows_caret = True
        self._show_caret_line()

    def _show_caret_line(self) -> None:
        height = self.viewport().height()
        top = self.cursorRect().top()
        # What follows a start tag matters as much as what comes before it.
        if not height // 8 <= top <= height * 2 // 3:
            self.centerCursor()
        self._show_caret_column()

    def _show_caret_column(self) -> None:
        """Scroll sideways to the caret, and to the beginning of its line where both fit: it says more than the end."""
        bar = self.horizontalScrollBar()
        if self.cursorRect().left() + bar.value() < self.viewport().width() * 3 // 4:
            bar.setValue(0)
        else:
            self.ensureCursorVisible()

    def _follow_caret_again(self) -> None:
        self._follows_caret = True

    def _note_scrolling(self, _action: int) -> None:
        self._follows_caret = False

    def showEvent(self, event: QShowEvent) -> None:
        """Show the line of the caret, which may have moved while the text was hidden."""
        super().showEvent(event)
        if self._follows_caret:
            self._show_caret_line()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line of the caret visible."""
        # At another width Qt forgets how all lines are laid out, which takes 20 ms for 100 000, but none of them wraps.
        size = event.size()
        super().resizeEvent(QResizeEvent(size, QSize(size.width(), event.oldSize().height())))
        if self._follows_caret and self.isVisible():
            self._show_caret_line()

    def select(self, caret: int, anchor: int | None = None) -> None:
        """Put the caret somewhere, or the selection between it and ``anchor``, and scroll no more than is needed."""
        cursor = self.cursor_over(caret if anchor is None else anchor, caret)
        self.folding.show(cursor.block())
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self._show_caret_column()

    def visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Yield the visible lines and their rectangles."""
        block = self.firstVisibleBlock()
        while block.isValid():
            rect = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if rect.top() > self.viewport().height():
                return
            if block.isVisible():
                yield block, rect
            block = block.next()
