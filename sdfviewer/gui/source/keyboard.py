"""Key handling of the editor: commands, automatic insertion, caret movement."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QTextCursor

from sdfviewer.gui.kit.fields import CTRL_Y
from sdfviewer.gui.source.carets import Carets
from sdfviewer.gui.source.completer import Completer
from sdfviewer.gui.source.text_area import TextArea
from sdfviewer.language import line_commands as lines
from sdfviewer.language.text_map import plain
from sdfviewer.language.typing import Typed, break_line, respond

#: Characters with which something else goes along.
_ASSISTED = frozenset(">=\"'/-")
#: Characters after which something may be offered at once.
_COMPLETING = frozenset("<\"'/ :>=")
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier
_COMMAND = _CONTROL | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_QUOTES = ("'", '"')
_QUOTED = ("='", '="')
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_OF_CARETS = ("source.caret_above", "source.caret_below", "source.next_occurrence")
_OF_POPUP = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)


class Keyboard:
    """The keys of an editor.

    Attributes
    ----------
    commands
        What keys mean here although the window may have a shortcut for them: ids by key sequence.
    innermost
        Returns the tag of the innermost element that is open at an offset of the text.
    """

    def __init__(self, editor: TextArea, completer: Completer, carets: Carets) -> None:
        self._editor = editor
        self._carets = carets
        self._completer = completer
        self.commands: Mapping[str, str] = {}
        self.innermost: Callable[[int], str | None] = lambda at: None
        # Typing what was inserted automatically moves over it: the quote behind "=", and
        # the rest of an end tag or of the end of a comment.
        self._quoted_at = self._end_tag_at = -1

    def command_of(self, event: QKeyEvent) -> str:
        """Return the id of the command that a key means here, empty if there is none."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        variants = [modifiers.value | event.key()]
        if modifiers & _SHIFT and not 0x41 <= event.key() <= 0x5A and event.key() < 0x100:
            # A character that needs Shift is still the same character.
            variants.append((modifiers & ~_SHIFT).value | event.key())
        names = (QKeySequence(variant).toString() for variant in variants)
        return next((self.commands[name] for name in names if name in self.commands), "")

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key means; return whether that is all there is to do."""
        editor = self._editor
        if self._completer.popup.isVisible() and event.key() in _OF_POPUP:
            event.ignore()  # the list takes these
            return True
        command = self.command_of(event)
        if not command and self._carets.press(event):
            return True
        if command:
            if command not in _OF_CARETS:
                self._carets.clear()
            editor.command_wanted.emit(command)
        elif event.matches(QKeySequence.StandardKey.Undo):
            editor.undo_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Redo) or QKeySequence(event.keyCombination()) == CTRL_Y:
            editor.redo_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            return self._copy_line()
        elif event.matches(QKeySequence.StandardKey.Cut):
            return self._cut_line()
        elif event.key() in _ENTER and event.modifiers() & _COMMAND == _CONTROL and not editor.isReadOnly():
            editor.moveCursor(QTextCursor.MoveOperation.EndOfBlock)
            self._write(lambda text, at: break_line(text, at, editor.indentation))
        elif event.key() == Qt.Key.Key_Home and not event.modifiers() & _COMMAND:
            self._go_home(bool(event.modifiers() & _SHIFT))
        elif event.key() == Qt.Key.Key_Escape:
            self._completer.forget_stops()
            editor.escaped.emit()
        else:
            return not editor.isReadOnly() and not event.modifiers() & _COMMAND and self._type(event)
        return True

    def _type(self, event: QKeyEvent) -> bool:
        """Do what a key types; return False where it types what it does everywhere."""
        editor, key = self._editor, event.key()
        handled, at = True, editor.textCursor().position()
        is_quoted = event.text() in _QUOTES and at == self._quoted_at
        is_there = is_quoted and event.text() == editor.character_at(at - 1)
        goes_on = event.text() and at == self._end_tag_at and event.text() == editor.character_at(at)
        if event.text():
            self._quoted_at = self._end_tag_at = -1
        if key in _ENTER and not event.modifiers() & _SHIFT:
            self._write(lambda text, at: break_line(text, at, editor.indentation))
        elif key == Qt.Key.Key_Backtab or (key == Qt.Key.Key_Tab and event.modifiers() & _SHIFT):
            editor.rewrite("Outdent", lambda passage: lines.outdent(passage, editor.indentation))
        elif key == Qt.Key.Key_Tab:
            self._tab()
        elif key == Qt.Key.Key_Backspace:
            handled = self._delete_pair()
        elif is_there:
            self._completer.offer()
        elif is_quoted:  # the quotes that "=" has brought are to be others
            self._write(lambda text, at: Typed(event.text(), event.text(), skipped=1), erased=1)
            self._completer.offer()
        elif goes_on:
            editor.select(at + 1)
            self._end_tag_at = at + 1 if event.text() != ">" else -1
        elif event.text() and event.text() in _ASSISTED:
            self._type_along(event)
        else:
            handled = False
        return handled

    def _type_along(self, event: QKeyEvent) -> None:
        """Type a character with its automatic insertions."""
        editor = self._editor
        typed = self._write(lambda text, at: respond(text, at, event.text(), self.innermost))
        at = editor.textCursor().position()
        if typed.before in _QUOTED:
            self._quoted_at = at
        if typed.skipped and typed.before in ("/", "-"):
            self._end_tag_at = at
            self._completer.popup.hide()
        else:
            self.offer_after(event)

    def offer_after(self, event: QKeyEvent) -> None:
        """Offer completions after a key that is likely to start or continue a name."""
        text = event.text()
        is_word = text.isalnum() or text == "_"
        is_typed = len(text) == 1 and not event.modifiers() & _COMMAND and (is_word or text in _COMPLETING)
        if is_typed or self._completer.popup.isVisible():
            self._completer.offer()

    # --- typing --------------------------------------------------------------------------------------------------

    def _write(self, respond_at: Callable[[str, int], Typed], erased: int = 0) -> Typed:
        """Write what is typed at the caret, in place of the selection, as one change; return what that was.

        ``erased`` characters before the caret are replaced.
        """
        editor, passage = self._editor, self._editor.passage()
        start = passage.start
        typed = respond_at(passage.text[:start] + passage.text[passage.end :], start)
        cursor, places = editor.textCursor(), editor.places()
        cursor.setPosition(places.position_of_shown(start - erased))
        cursor.setPosition(places.position_of_shown(passage.end + typed.skipped), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(typed.before + typed.behind)
        cursor.setPosition(cursor.position() - len(typed.behind))
        editor.setTextCursor(cursor)
        editor.ensureCursorVisible()
        return typed

    def _tab(self) -> None:
        editor = self._editor
        if "\n" in plain(editor.textCursor().selectedText()):
            editor.rewrite("Indent", lambda passage: lines.indent(passage, editor.indentation))
        elif not self._completer.go_to_stop():
            editor.insertPlainText(editor.indentation)

    def _delete_pair(self) -> bool:
        """Delete both of a pair of quotes with nothing in between, or blanks back to the step of indentation before."""
        editor = self._editor
        cursor = editor.textCursor()
        at = cursor.position()
        blanks = cursor.block().text()[: cursor.positionInBlock()]
        step = len(editor.indentation)
        pair = editor.character_at(at - 1) + editor.character_at(at) if at else ""
        if cursor.hasSelection():
            return False
        if pair in ('""', "''") and editor.character_at(at - 2) == "=":
            editor.replace(at - 1, at + 1, "")
        elif blanks and not blanks.strip(" ") and not editor.indentation.strip(" ") and len(blanks) >= step:
            editor.replace(at - ((len(blanks) - 1) % step + 1), at, "")
        else:
            return False
        return True

    # --- caret and clipboard -------------------------------------------------------------------------------------

    def _go_home(self, keep_anchor: bool) -> None:
        """Go to the first character of the line that is no blank, or from there to its beginning."""
        cursor = self._editor.textCursor()
        line, begin = cursor.block().text(), cursor.block().position()
        first = begin + len(line) - len(line.lstrip())
        mode = QTextCursor.MoveMode.KeepAnchor if keep_anchor else QTextCursor.MoveMode.MoveAnchor
        cursor.setPosition(begin if cursor.position() == first else first, mode)
        self._editor.setTextCursor(cursor)

    def _copy_line(self) -> bool:
        """Copy the line of the caret where nothing is selected; return whether that was so."""
        cursor = self._editor.textCursor()
        if cursor.hasSelection():
            return False
        cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        data = QMimeData()
        data.setText(plain(cursor.selectedText()) + "\n")
        QGuiApplication.clipboard().setMimeData(data)
        return True

    def _cut_line(self) -> bool:
        if self._editor.isReadOnly() or not self._copy_line():
            return False
        self._editor.rewrite("Cut", lines.remove)
        return True
