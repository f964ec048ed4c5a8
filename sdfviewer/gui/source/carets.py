"""Several carets in the editor: typing, deleting and pasting at all of them, each burst one step of the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QTextCursor

from sdfviewer.gui.source.text_area import TextArea
from sdfviewer.language.markup import WORD
from sdfviewer.language.text_map import plain
from sdfviewer.language.typing import break_line
from sdfviewer.number_text import counted

MOST = 500
"""More carets than this are not added: each is an edit of its own at every key."""
_KEEP, _MOVE = QTextCursor.MoveMode.KeepAnchor, QTextCursor.MoveMode.MoveAnchor
_To = QTextCursor.MoveOperation
_Keys = QKeySequence.StandardKey
#: What moves each caret; with Shift the same selects.
_MOVES: dict[_Keys, tuple[_To, bool]] = {
    _Keys.MoveToNextChar: (_To.NextCharacter, False),
    _Keys.MoveToPreviousChar: (_To.PreviousCharacter, False),
    _Keys.MoveToNextWord: (_To.NextWord, False),
    _Keys.MoveToPreviousWord: (_To.PreviousWord, False),
    _Keys.MoveToNextLine: (_To.Down, False),
    _Keys.MoveToPreviousLine: (_To.Up, False),
    _Keys.MoveToStartOfLine: (_To.StartOfBlock, False),
    _Keys.MoveToEndOfLine: (_To.EndOfBlock, False),
    _Keys.SelectNextChar: (_To.NextCharacter, True),
    _Keys.SelectPreviousChar: (_To.PreviousCharacter, True),
    _Keys.SelectNextWord: (_To.NextWord, True),
    _Keys.SelectPreviousWord: (_To.PreviousWord, True),
    _Keys.SelectNextLine: (_To.Down, True),
    _Keys.SelectPreviousLine: (_To.Up, True),
    _Keys.SelectStartOfLine: (_To.StartOfBlock, True),
    _Keys.SelectEndOfLine: (_To.EndOfBlock, True),
}
#: What is deleted where nothing is selected.
_DELETIONS: dict[_Keys, _To] = {
    _Keys.Delete: _To.NextCharacter,
    _Keys.DeleteStartOfWord: _To.PreviousWord,
    _Keys.DeleteEndOfWord: _To.NextWord,
}
#: What a key that types has none of.
_COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_WIDTH = 2
"""Pixels of a caret beside the main one, which does not blink."""


class Carets(QObject):
    """The carets of an editor beside the one that Qt knows, which is always the one added last.

    They stay at their characters while the text changes around them.

    Attributes
    ----------
    goes_on
        Whether what is changed now belongs to the step of the history before: nothing was moved since.
    """

    #: Carets have come, gone or moved.
    changed = Signal()

    def __init__(self, editor: TextArea) -> None:
        super().__init__(editor)
        self._editor = editor
        self._others: list[QTextCursor] = []
        self._column = 0
        self.goes_on = False

    def __len__(self) -> int:
        return 1 + len(self._others)

    def __bool__(self) -> bool:
        """Whether there are several."""
        return bool(self._others)

    @property
    def others(self) -> Sequence[QTextCursor]:
        """Those beside the main one, with what they select."""
        return self._others

    def rectangles(self) -> Iterator[QRect]:
        """Yield where the other ones are painted."""
        for cursor in self._others:
            rect = self._editor.cursorRect(cursor)
            yield QRect(rect.left(), rect.top(), _WIDTH, rect.height())

    def clear(self) -> None:
        """Go back to one."""
        self.goes_on = False
        if self._others:
            self._others = []
            self.changed.emit()

    # --- adding --------------------------------------------------------------------------------------------------

    def add_line(self, by: int) -> None:
        """Add one in the line above the uppermost (-1) or below the lowest (1), in the same column."""
        main = self._editor.textCursor()
        if not self._others:
            self._column = main.positionInBlock()
        edge = (min if by < 0 else max)(self._all(), key=lambda cursor: cursor.position())
        block = edge.block()
        while (block := block.previous() if by < 0 else block.next()).isValid() and not block.isVisible():
            pass  # folded lines are not typed in
        if block.isValid():
            self._add(block.position() + min(self._column, block.length() - 1))

    def add_at(self, position: int) -> None:
        """Add one at a position, or take away the one there."""
        others = [cursor for cursor in self._others if cursor.position() != position]
        if others and position == self._editor.textCursor().position():
            self._editor.setTextCursor(others.pop())
        elif len(others) == len(self._others):
            self._add(position)
            return
        self._others, self.goes_on = others, False
        self.changed.emit()

    def add_occurrence(self) -> bool:
        """Select the word at the caret, or add a caret at the next occurrence of what is selected.

        Return whether there is one.
        """
        editor, main = self._editor, self._editor.textCursor()
        places = editor.places()
        if not main.hasSelection():
            line, at = main.block().text(), main.positionInBlock()
            word = next((each for each in WORD.finditer(line) if each.start() <= at <= each.end()), None)
            if word is None:
                return False
            begin = main.block().position()
            editor.select(begin + word.end(), begin + word.start())
            return True
        text, words = editor.raw_text(), plain(main.selectedText())
        taken = {places.shown_of_position(cursor.selectionStart()) for cursor in self._all()}
        at = behind = places.shown_of_position(main.selectionEnd())
        has_wrapped = False
        while True:
            at = text.find(words, at)
            if at < 0 and has_wrapped:
                return False
            if at < 0:
                at, has_wrapped = 0, True
            elif has_wrapped and at >= behind:
                return False
            elif at in taken:
                at += len(words)
            else:
                self._add(places.position_of_shown(at + len(words)), places.position_of_shown(at))
                return True

    def _add(self, caret: int, anchor: int | None = None) -> None:
        main = self._editor.textCursor()
        if len(self) >= MOST or (anchor is None and caret == main.position()):
            return
        self.goes_on = False
        self._others.append(main)
        self._editor.select(caret, anchor)
        self.changed.emit()

    def _all(self) -> list[QTextCursor]:
        """Return all, the main one too, in the order of the text."""
        return sorted([*self._others, self._editor.textCursor()], key=lambda cursor: cursor.position())

    # --- keys ----------------------------------------------------------------------------------------------------

    def press(self, event: QKeyEvent) -> bool:
        """Do at all carets what a key does at one; return False where there is one, or the key means something else."""
        if not self._others:
            return False
        moves = next((each for keys, each in _MOVES.items() if event.matches(keys)), None)
        handled = True
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        elif moves is not None:
            self._move(moves[0], _KEEP if moves[1] else _MOVE)
        elif event.matches(_Keys.Copy):
            handled = self._copy()
        else:
            handled = not self._editor.isReadOnly() and self._edit(event)
        return handled

    def _edit(self, event: QKeyEvent) -> bool:
        deleted = next((to for keys, to in _DELETIONS.items() if event.matches(keys)), None)
        if event.key() == Qt.Key.Key_Backspace and not event.modifiers() & _COMMAND:
            deleted = _To.PreviousCharacter
        if deleted is not None:
            self._delete(deleted)
        elif event.matches(_Keys.Cut):
            if self._copy():
                self._delete(None)
        else:
            return self._type(event)
        return True

    def _type(self, event: QKeyEvent) -> bool:
        text = event.text()
        if event.modifiers() & _COMMAND or not text:
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shown, step, places = self._editor.raw_text(), self._editor.indentation, self._editor.places()
            at = [places.shown_of_position(cursor.selectionStart()) for cursor in self._all()]
            self.insert([break_line(shown, each, step).before for each in at])
        elif event.key() == Qt.Key.Key_Tab:
            self.insert([self._editor.indentation] * len(self))
        elif text.isprintable():
            self.insert([text] * len(self))
        else:
            return False
        return True

    def insert(self, texts: Sequence[str], label: str = "Type") -> None:
        """Write a text at each caret, in the order of the text, in place of what it selects."""
        self._change(label, lambda cursor, number: cursor.insertText(texts[number]))

    def paste(self, text: str) -> None:
        """Paste a text at each caret: of as many lines as there are carets, one at each."""
        lines = text.removesuffix("\n").split("\n")
        self.insert(lines if len(lines) == len(self) else [text] * len(self), "Paste")
        self.goes_on = False

    def _delete(self, to: QTextCursor.MoveOperation | None) -> None:
        def delete(cursor: QTextCursor, _number: int) -> None:
            if not cursor.hasSelection() and to is not None:
                cursor.movePosition(to, _KEEP)
            cursor.removeSelectedText()

        self._change("Delete", delete)

    def _copy(self) -> bool:
        """Copy what is selected, a line for each caret; return whether anything is."""
        chosen = [plain(cursor.selectedText()) for cursor in self._all() if cursor.hasSelection()]
        if chosen:
            QGuiApplication.clipboard().setText("\n".join(chosen))
        return bool(chosen)

    def _change(self, verb: str, change: Callable[[QTextCursor, int], object]) -> None:
        """Change the text at each caret, as one change of the text."""
        main = self._editor.textCursor()
        cursors = sorted([*self._others, main], key=lambda cursor: cursor.position())
        whole = QTextCursor(self._editor.document())
        with self._editor.doing(f"{verb} at {counted(len(cursors), 'caret')}"):
            whole.beginEditBlock()
            for number, cursor in enumerate(cursors):
                change(cursor, number)
            whole.endEditBlock()
        self.goes_on = True
        self._show(main)

    def _move(self, to: QTextCursor.MoveOperation, mode: QTextCursor.MoveMode) -> None:
        main = self._editor.textCursor()
        for cursor in (*self._others, main):
            cursor.movePosition(to, mode)
        self.goes_on = False
        self._show(main)

    def _show(self, main: QTextCursor) -> None:
        """Show the main caret where it is now; carets that have met are one."""
        taken = {main.position()}
        others = []
        for cursor in self._others:
            if cursor.position() not in taken:
                taken.add(cursor.position())
                others.append(cursor)
        self._others = others
        self._editor.setTextCursor(main)
        self._editor.ensureCursorVisible()
        self.changed.emit()
