"""The XML editor: margin, current line, underlined problems, completion, keys. Knows no session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRect, QStringListModel, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QCompleter, QListView, QPlainTextEdit, QTextEdit, QToolTip, QWidget

from sdfviewer.diagnostics import Severity
from sdfviewer.gui.fuzzy import match_score
from sdfviewer.gui.source.completion import Completions
from sdfviewer.gui.source.folding import Folding
from sdfviewer.gui.source.gutter import Gutter
from sdfviewer.gui.source.text_map import plain
from sdfviewer.gui.theme import monospace, tokens

#: Keys that mean something in the editor although the window has a shortcut for them.
_OWN_KEYS = ("Ctrl+F", "Ctrl+H", "F3", "Shift+F3", "Ctrl+Space", "F12", "Shift+F12")
_COMPLETING = frozenset("<\"'/ :")
_WAVE = QTextCharFormat.UnderlineStyle.WaveUnderline
#: More underlines slow the editor down and help nobody.
MOST_PROBLEMS = 400


@dataclass(frozen=True, slots=True)
class Underline:
    """A problem in editor positions: from, to, how bad, and what the tooltip says."""

    start: int
    end: int
    severity: Severity
    text: str


class SourceEditor(QPlainTextEdit):
    """Edits XML.

    Attributes
    ----------
    completions
        Returns what may be typed after a text.
    line_severities
        The worst problem of each line, counted from 0.
    """

    #: Ctrl+click or F12 at a position.
    definition_wanted = Signal(int)
    #: Shift+F12 at a position.
    references_wanted = Signal(int)
    #: Open the find bar; True: with replacing.
    find_wanted = Signal(bool)
    #: Go to the next match (1) or the one before (-1).
    next_wanted = Signal(int)
    undo_wanted = Signal()
    redo_wanted = Signal()
    #: Whatever has been typed is needed now.
    flush_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Source")
        self.setFont(monospace())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        # The session's history is the only one.
        self.setUndoRedoEnabled(False)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.completions: Callable[[str], Completions] = lambda text: Completions("", ())
        self.line_severities: dict[int, Severity] = {}
        self.indentation = "  "
        self._underlines: list[Underline] = []
        self._chosen: tuple[int, int] | None = None
        self._matches: list[tuple[int, int]] = []
        self.gutter = Gutter(self)
        self.folding = Folding(self)
        self._choices = QStringListModel(self)
        self._completer = QCompleter(self._choices, self)
        self._completer.setWidget(self)
        self.popup = QListView()
        self.popup.setAccessibleName("Completions")
        self.popup.setFont(monospace())
        self._completer.setPopup(self.popup)
        # The choices come filtered, the best first.
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.activated.connect(self._insert_completion)
        self._ending = ""
        self._typed = ""
        self.blockCountChanged.connect(self._place_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        self.cursorPositionChanged.connect(self._mark)
        self._place_gutter()
        self._mark()

    # --- text and caret ----------------------------------------------------------------------------------------

    def raw_text(self) -> str:
        """Return the text with ``"\\n"`` at line ends and everything else as it is: no blank is changed."""
        return plain(self.document().toRawText())

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace what stands between two positions; caret, scroll bars and folds stay where they are."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)

    def go_to(self, start: int, end: int | None = None) -> None:
        """Put the caret, or the selection from ``start`` to ``end``, into sight."""
        cursor = self.textCursor()
        cursor.setPosition(start if end is None else end)
        if end is not None:
            cursor.setPosition(start, QTextCursor.MoveMode.KeepAnchor)
        self.folding.show(cursor.block())
        self.setTextCursor(cursor)
        height = self.viewport().height()
        top = self.cursorRect().top()
        # What follows a start tag matters as much as what comes before it.
        if not height // 8 <= top <= height * 2 // 3:
            self.centerCursor()

    # --- marks -------------------------------------------------------------------------------------------------

    def underline(self, underlines: Sequence[Underline]) -> None:
        """Underline problems."""
        self._underlines = list(underlines)
        self.line_severities = {}
        order = list(Severity)
        for each in underlines:
            line = self.document().findBlock(each.start).blockNumber()
            known = self.line_severities.get(line)
            if known is None or order.index(each.severity) < order.index(known):
                self.line_severities[line] = each.severity
        self.gutter.update()
        self._mark()

    def choose(self, chosen: tuple[int, int] | None) -> None:
        """Mark the lines of the selected frame."""
        if chosen != self._chosen:
            self._chosen = chosen
            self._mark()

    def mark_matches(self, matches: list[tuple[int, int]]) -> None:
        """Mark what was found."""
        self._matches = matches
        self._mark()

    def _mark(self) -> None:
        colours = tokens(self.palette())
        marks: list[QTextEdit.ExtraSelection] = []
        if self._chosen is not None:
            marks.append(self._selection(*self._chosen, background=colours.selection, alpha=0.35, whole=True))
        line = self._selection(self.textCursor().position(), background=colours.hover, whole=True)
        line.cursor.clearSelection()
        marks.append(line)
        for start, end in self._matches[:MOST_PROBLEMS]:
            marks.append(self._selection(start, end, background=colours.warning, alpha=0.35))
        for each in self._underlines[:MOST_PROBLEMS]:
            mark = self._selection(each.start, each.end)
            mark.format.setUnderlineStyle(_WAVE)
            mark.format.setUnderlineColor(QColor(colours.severity(each.severity)))
            marks.append(mark)
        self.setExtraSelections(marks)
        self.gutter.update()

    def _selection(
        self, start: int, end: int | None = None, *, background: str = "", alpha: float = 1.0, whole: bool = False
    ) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(self.document())
        last = self.document().characterCount() - 1
        mark.cursor.setPosition(min(start, last))
        if end is not None:
            mark.cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        if background:
            colour = QColor(background)
            colour.setAlphaF(alpha)
            mark.format.setBackground(colour)
        if whole:
            mark.format.setProperty(QTextCharFormat.Property.FullWidthSelection, True)
        return mark

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "gutter"):
            self._place_gutter()
            self._mark()

    # --- margin ------------------------------------------------------------------------------------------------

    def _place_gutter(self, _count: int = 0) -> None:
        width = self.gutter.wanted_width()
        self.setViewportMargins(width, 0, 0, 0)
        area = self.contentsRect()
        self.gutter.setGeometry(QRect(area.left(), area.top(), width, area.height()))

    def _scroll_gutter(self, rect: QRect, dy: int) -> None:
        if dy:
            self.gutter.scroll(0, dy)
        else:
            self.gutter.update(0, rect.y(), self.gutter.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the margin as high as the text."""
        super().resizeEvent(event)
        self._place_gutter()

    # --- keys and mouse ----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Show problems in tooltips, and keep the editor's keys from the window."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event.pos(), event.globalPos())
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                # Saving, undoing, leaving: nothing typed may be missing from what comes next.
                self.flush_wanted.emit()
            if any(_means(event, keys) for keys in _OWN_KEYS):
                event.accept()
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hand over what was typed."""
        self.flush_wanted.emit()
        super().focusOutEvent(event)

    def _show_tip(self, position: QPoint, where: QPoint) -> None:
        at = self.cursorForPosition(position - self.viewport().pos()).position()
        texts = [each.text for each in self._underlines if each.start <= at <= each.end]
        if texts:
            QToolTip.showText(where, "\n\n".join(dict.fromkeys(texts)), self)
        else:
            QToolTip.hideText()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the definition of a name at Ctrl+click."""
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.definition_wanted.emit(self.cursorForPosition(event.position().toPoint()).position())
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Complete, indent, find, undo; everything else is typing."""
        popup = self.popup
        if popup.isVisible() and event.key() in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Tab,
            Qt.Key.Key_Escape,
        ):
            event.ignore()  # the completer takes these
            return
        if not self._handle(event):
            super().keyPressEvent(event)
            text = event.text()
            if popup.isVisible() or (text and text in _COMPLETING):
                self.offer()

    def _handle(self, event: QKeyEvent) -> bool:
        at = self.textCursor().position()
        acts: list[tuple[bool, Callable[[], None]]] = [
            (event.matches(QKeySequence.StandardKey.Undo), self.undo_wanted.emit),
            (event.matches(QKeySequence.StandardKey.Redo), self.redo_wanted.emit),
            (_means(event, "Ctrl+F"), partial(self.find_wanted.emit, False)),
            (_means(event, "Ctrl+H"), partial(self.find_wanted.emit, True)),
            (_means(event, "F3"), partial(self.next_wanted.emit, 1)),
            (_means(event, "Shift+F3"), partial(self.next_wanted.emit, -1)),
            (_means(event, "Ctrl+Space"), self.offer),
            (_means(event, "F12"), partial(self.definition_wanted.emit, at)),
            (_means(event, "Shift+F12"), partial(self.references_wanted.emit, at)),
            (_means(event, "Return") or _means(event, "Enter"), self._break_line),
            (_means(event, "Tab") and not self.textCursor().hasSelection(), self._indent),
        ]
        for meant, act in acts:
            if meant:
                act()
                return True
        return False

    def _indent(self) -> None:
        self.insertPlainText(self.indentation)

    def _break_line(self) -> None:
        """Start a line with the indentation of this one, deeper after a start tag."""
        cursor = self.textCursor()
        line = cursor.block().text()[: cursor.positionInBlock()]
        indent = line[: len(line) - len(line.lstrip())]
        opened = line.rstrip()
        tag = opened[opened.rfind("<") :]
        if opened.endswith(">") and not opened.endswith(("/>", "->", "?>")) and not tag.startswith("</"):
            indent += self.indentation
        cursor.insertText("\n" + indent)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    # --- completion --------------------------------------------------------------------------------------------

    def offer(self) -> None:
        """Offer what may be typed at the caret."""
        cursor = self.textCursor()
        before = QTextCursor(self.document())
        before.setPosition(cursor.position(), QTextCursor.MoveMode.KeepAnchor)
        offered = self.completions(plain(before.selectedText()))
        scores = {choice: match_score(offered.typed, choice) for choice in offered.choices}
        choices = sorted((choice for choice in scores if scores[choice] is not None), key=lambda c: -(scores[c] or 0.0))
        self._typed, self._ending = offered.typed, offered.ending
        self._choices.setStringList(choices)
        popup = self.popup
        if not choices or choices == [offered.typed]:
            popup.hide()
            return
        popup.setCurrentIndex(self._completer.completionModel().index(0, 0))
        rect = self.cursorRect().translated(self.viewport().pos())
        rect.setWidth(popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + 12)
        self._completer.complete(rect)

    def _insert_completion(self, choice: str) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(self._typed))
        before, _, after = self._ending.partition("|")
        following = self.raw_text_after(cursor.selectionEnd())
        if after or before == ">":
            unneeded = following.startswith(("=", ">")) if before != "=" + after else following.startswith("=")
            before, after = ("", "") if unneeded else (before, after)
        cursor.insertText(choice + before + after)
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.MoveAnchor, len(after))
        self.setTextCursor(cursor)
        if after:
            self.offer()

    def raw_text_after(self, position: int) -> str:
        """Return the character after a position, empty at the end."""
        character = self.document().characterAt(position)
        return str(character) if position < self.document().characterCount() - 1 else ""


def _means(event: QKeyEvent, keys: str) -> bool:
    return QKeySequence(event.keyCombination()) == QKeySequence(keys)
