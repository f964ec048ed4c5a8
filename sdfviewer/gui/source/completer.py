"""The completion popup."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QCompleter, QListView, QStyleOptionViewItem

from sdfviewer.gui.kit.safe_text import PlainDelegate
from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.source.text_area import TextArea
from sdfviewer.language.completion import Completions, Ending
from sdfviewer.language.fuzzy import match_score

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
