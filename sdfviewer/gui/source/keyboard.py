"""Key handling of the editor: commands, automatic insertion, caret movement, and the completion popup."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QObject, QPersistentModelIndex, QSize, QStringListModel, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QApplication, QCompleter, QListView, QStyleOptionViewItem

from sdfviewer.gui.kit.fields import CTRL_Y
from sdfviewer.gui.kit.safe_text import PlainDelegate
from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.source.carets import Carets
from sdfviewer.gui.source.text_area import TextArea
from sdfviewer.language import line_commands as lines
from sdfviewer.language.completion import Completions, Ending
from sdfviewer.language.fuzzy import match_score
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


#: What may follow the caret where a choice brings its ending along; before a word it would be in the way.
_ROOM = frozenset(" \t\n<")
#: The most width of a choice in pixels.
MOST_WIDE = 600


class _ChoiceDelegate(PlainDelegate):
    """Leaves out the middle of a choice that would make the list too wide."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(min(size.width(), MOST_WIDE), size.height())


class Completer(QObject):
    """Offers completions in an editor.

    Attributes
    ----------
    find
        Returns what may be typed after a text.
    popup
        The list.
    """

    def __init__(self, editor: TextArea) -> None:
        super().__init__(editor)
        self._editor = editor
        self.find: Callable[[str], Completions] = lambda text: Completions("", ())
        self._offered = Completions("", ())
        #: The places that Tab goes to, as they move with the text.
        self._stops: list[QTextCursor] = []
        self.choices = QStringListModel(self)
        self._completer = QCompleter(self.choices, self)
        self._completer.setWidget(editor)
        self.popup = named(QListView(), "Completions")
        self.popup.setObjectName("completions")  # the style sheet gives it a frame
        self.popup.setFont(editor.font())
        self._completer.setPopup(self.popup)
        self.popup.installEventFilter(self)
        self.popup.setItemDelegate(_ChoiceDelegate(self.popup))
        self.popup.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        # The choices come filtered, the best first.
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.activated.connect(self._insert)

    def offer(self) -> bool:
        """Offer what may be typed at the caret, and return whether there is anything."""
        editor = self._editor
        text = editor.raw_text()
        offered = self._offered = self.find(text[: editor.places().shown_of_position(editor.textCursor().position())])
        scores = {choice: match_score(offered.typed, choice) for choice in offered.choices}
        choices = sorted((choice for choice in scores if scores[choice] is not None), key=lambda c: -(scores[c] or 0.0))
        is_all_there = choices == [offered.typed] and not self._ending(offered.typed).text
        if editor.isReadOnly() or not choices or is_all_there:
            self.popup.hide()
            return False
        self.choices.setStringList(choices)
        self.popup.setCurrentIndex(self._completer.completionModel().index(0, 0))
        rect = editor.cursorRect().translated(editor.viewport().pos())
        # Below the start of the typed word, so that the list does not move while typing.
        rect.translate(-editor.fontMetrics().horizontalAdvance(offered.typed), 0)
        rect.setWidth(self.popup.sizeHintForColumn(0) + self.popup.verticalScrollBar().sizeHint().width() + 12)
        self._completer.complete(rect)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hand on to the editor what leads to the ends of the text; Qt would take it for the ends of the list."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.popup.hide()
            QApplication.sendEvent(self._editor, event)
            return True
        return super().eventFilter(watched, event)

    def _ending(self, choice: str) -> Ending:
        """Return what a choice brings along at the caret: existing quotes and an existing end tag are kept."""
        following = self._editor.character_at(self._editor.textCursor().position())
        ending = self._offered.endings.get(choice, Ending(""))
        has_room = not following or following in _ROOM or (following in "/>" and ending.text.startswith("="))
        return ending if has_room else Ending("")

    def _insert(self, choice: str) -> None:
        editor = self._editor
        cursor, ending = editor.textCursor(), self._ending(choice)
        caret = editor.places().shown_of_position(cursor.position())
        if not editor.raw_text().endswith(self._offered.typed, 0, caret):
            return  # the text has changed since the list was offered
        start = cursor.position() - len(self._offered.typed)
        with editor.doing(f"Complete “{choice}”"):
            editor.replace(start, cursor.position(), choice + ending.text)
        at = start + len(choice)
        self._stops = [self._between(at + first, at + last) for first, last in ending.stops]
        cursor.setPosition(at if self._stops else at + len(ending.text))
        editor.setTextCursor(cursor)
        if self.go_to_stop():
            self.offer()

    def _between(self, start: int, end: int) -> QTextCursor:
        cursor = self._editor.cursor_over(start, end)
        # Text typed there belongs to the placeholder before it.
        cursor.setKeepPositionOnInsert(False)
        return cursor

    def go_to_stop(self) -> bool:
        """Go to the next place of what was inserted; return whether there was one, in the line of the caret."""
        while self._stops:
            stop = self._stops.pop(0)
            here = self._editor.textCursor()
            if stop.block() == here.block() and stop.selectionEnd() >= here.position():
                self._editor.setTextCursor(stop)
                return True
        return False

    def forget_stops(self) -> None:
        """Let Tab be Tab again."""
        self._stops.clear()
