"""The XML editor: text, caret, marks, keys and mouse. Knows no session."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.safe_text import wrapped_tip
from sdfviewer.gui.kit.theme import monospace, on_theme_change, tokens
from sdfviewer.gui.source.carets import Carets
from sdfviewer.gui.source.keyboard import Completer, Keyboard
from sdfviewer.gui.source.text_area import TextArea
from sdfviewer.gui.source.text_marks import TextMarks
from sdfviewer.language.line_commands import pasted
from sdfviewer.language.text_map import plain

#: Pixels of the columns of light bulbs, of the dots of problems, and of folds.
_BULB, _DOT, _FOLD = 16, 8, 14
_MARKS = _BULB + _DOT


class Gutter(QWidget):
    """The margin to the left of an editor's text."""

    #: The light bulb at a position of the text.
    fixes_wanted = Signal(int)

    def __init__(self, editor: TextArea, marks: TextMarks) -> None:
        super().__init__(editor)
        self._editor = editor
        self._marks = marks
        editor.marks_changed.connect(self.update)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAccessibleName("Line numbers")

    def wanted_width(self) -> int:
        """Return how wide it must be for the largest line number."""
        digits = max(2, len(str(self._editor.blockCount())))
        return _MARKS + 4 + self._editor.fontMetrics().horizontalAdvance("9") * digits + _FOLD

    def sizeHint(self) -> QSize:
        """Return the wanted width."""
        return QSize(self.wanted_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible lines."""
        colours = tokens(self.palette())
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), QColor(colours.alternate))
            painter.setFont(self._editor.font())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            current = self._editor.textCursor().blockNumber()
            height = self._editor.fontMetrics().height()
            for block, rect in self._editor.visible_blocks():
                line = block.blockNumber()
                if line in self._marks.fixable_lines:
                    bulb = icon("mdi6.lightbulb-on-outline", "warning")
                    size = _BULB - 2
                    bulb.paint(painter, QRect(1, round(rect.top() + (height - size) / 2), size, size))
                severity = self._marks.line_severities.get(line)
                if severity is not None:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(QColor(colours.severity(severity)))
                    painter.drawEllipse(QPointF(_BULB + _DOT / 2, rect.top() + height / 2), 3.0, 3.0)
                number = self._editor.number_of(block)
                if number is not None:
                    painter.setPen(QColor(colours.text if line == current else colours.muted))
                    box = QRectF(_MARKS, rect.top(), self.width() - _MARKS - _FOLD - 2, height)
                    painter.drawText(box, Qt.AlignmentFlag.AlignRight, str(number))
                if self._editor.folding.can_fold(line):
                    self._paint_fold(painter, rect.top() + height / 2, self._editor.folding.is_folded(line))

    def _paint_fold(self, painter: QPainter, y: float, folded: bool) -> None:
        colours = tokens(self.palette())
        x = self.width() - _FOLD / 2
        right = [QPointF(x - 2, y - 4), QPointF(x + 3, y), QPointF(x - 2, y + 4)]
        down = [QPointF(x - 4, y - 2), QPointF(x + 4, y - 2), QPointF(x, y + 3)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent if folded else colours.disabled))
        painter.drawPolygon(QPolygonF(right if folded else down))

    def _block_at(self, y: float) -> QTextBlock | None:
        return next((block for block, rect in self._editor.visible_blocks() if rect.top() <= y < rect.bottom()), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold where the triangle is, offer fixes where the bulb is; select the line elsewhere."""
        block = self._block_at(event.position().y())
        if block is None:
            return
        line, x = block.blockNumber(), event.position().x()
        if x > self.width() - _FOLD - 2 and self._editor.folding.can_fold(line):
            self._editor.folding.toggle(line)
            self.update()
        elif x < _MARKS and line in self._marks.fixable_lines:
            self.fixes_wanted.emit(block.position())
        else:
            following = block.next()
            end = following.position() if following.isValid() else block.position() + block.length() - 1
            self._editor.go_to(end, block.position())
            self._editor.setFocus()

    def event(self, event: QEvent) -> bool:
        """Say what a bulb or a dot is about."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            block = self._block_at(event.pos().y())
            problems = self._marks.problems_in(block) if block is not None else []
            QToolTip.showText(event.globalPos(), wrapped_tip(each.text for each in problems), self)
            return True
        return super().event(event)


#: Sizes of the text in points.
_SMALLEST, _LARGEST = 6.0, 40.0


class SourceEditor(TextArea):
    """Edits XML.

    Attributes
    ----------
    marks
        Underlines and backgrounds.
    describe
        Returns what a tooltip says of a position.
    link_at
        Returns start and end of a name at a position that leads somewhere.
    """

    #: Go to what is named at a position.
    definition_wanted = Signal(int)
    #: The typed text is needed as an edit now.
    flush_wanted = Signal()
    #: A context menu at a place of the screen.
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_theme_change(self._follow_theme)
        self.setAccessibleName("Source")
        self.setFont(monospace())
        self._usual_size = self.font().pointSizeF()
        self.setMouseTracking(True)
        self.describe: Callable[[int], str] = lambda position: ""
        self.link_at: Callable[[int], tuple[int, int] | None] = lambda position: None
        self.marks = TextMarks(self)
        self.gutter = Gutter(self, self.marks)
        self.completer = Completer(self)
        self.carets = Carets(self)
        self.keyboard = Keyboard(self, self.completer, self.carets)
        self.marks.other_carets = lambda: self.carets.others
        self.carets.changed.connect(self._show_carets)
        self.blockCountChanged.connect(self._place_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        self.cursorPositionChanged.connect(self.marks.show)
        self._follow_font()
        self.marks.show()

    def set_locked(self, locked: bool) -> None:
        """Let nothing be typed, but the caret be moved and text be copied; or let it be typed again."""
        if locked != self.isReadOnly():
            self.setReadOnly(locked)
            if locked:  # which would take the caret, too
                mouse, keys = (
                    Qt.TextInteractionFlag.TextSelectableByMouse,
                    Qt.TextInteractionFlag.TextSelectableByKeyboard,
                )
                self.setTextInteractionFlags(mouse | keys)

    def set_blanks_shown(self, shown: bool) -> None:
        """Show or hide whitespace."""
        option = self.document().defaultTextOption()
        flag = QTextOption.Flag.ShowTabsAndSpaces
        option.setFlags(option.flags() | flag if shown else option.flags() & ~flag)
        self.document().setDefaultTextOption(option)

    # --- size --------------------------------------------------------------------------------------------------

    def zoom(self, steps: float) -> None:
        """Make the text larger or smaller by some points; 0 is the usual size."""
        font = self.font()
        wanted = font.pointSizeF() + steps if steps else self._usual_size
        font.setPointSizeF(min(max(wanted, _SMALLEST), _LARGEST))
        self.setFont(font)
        self._follow_font()

    def _follow_font(self) -> None:
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.completer.popup.setFont(self.font())
        self._place_gutter()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, else scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(event.angleDelta().y() / 120)
            event.accept()
        else:
            super().wheelEvent(event)

    def _follow_theme(self) -> None:
        self._follow_font()
        self.marks.show()

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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, and a mark behind each line that hides others."""
        super().paintEvent(event)
        if self.carets:
            with QPainter(self.viewport()) as painter:
                for caret in self.carets.rectangles():
                    painter.fillRect(caret, QColor(tokens(self.palette()).accent))
        if not self.folding.any_hidden:
            return
        with QPainter(self.viewport()) as painter:
            colours, metrics = tokens(self.palette()), self.fontMetrics()
            painter.setPen(QColor(colours.link))
            for block, rect in self.visible_blocks():
                if self.folding.is_folded(block.blockNumber()):
                    cursor = QTextCursor(block)
                    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
                    x = self.cursorRect(cursor).right() + metrics.averageCharWidth()
                    painter.drawText(QPointF(x, rect.top() + metrics.ascent()), "⋯")

    def go_to(self, start: int, end: int | None = None) -> None:
        """Scroll to the caret, or to the selection; it is the only one then."""
        self.carets.clear()
        super().go_to(start, end)

    # --- mouse and focus ---------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Show problems and meanings in tooltips, and keep the editor's keys from the window."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event.pos(), event.globalPos())
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                # Saving, undo and leaving the editor must include everything typed so far.
                self.flush_wanted.emit()
            if self.keyboard.command_of(event):
                event.accept()
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Ask for the typed text to become an edit."""
        self.flush_wanted.emit()
        super().focusOutEvent(event)

    def _show_tip(self, position: QPoint, where: QPoint) -> None:
        inside = position - self.viewport().pos()
        at = self.cursorForPosition(inside)
        # There is nothing to describe behind the end of a line.
        is_on_text = self.cursorRect(at).right() + self.fontMetrics().averageCharWidth() >= inside.x() >= 0
        problems = self.marks.problems_at(at.position())
        texts = [*(each.text for each in problems), self.describe(at.position())] if is_on_text else []
        QToolTip.showText(where, wrapped_tip(texts), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the definition of a name at Ctrl+click, add a caret at Alt+click; any other click leaves one caret."""
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.AltModifier:
            self.carets.add_at(self.cursorForPosition(event.position().toPoint()).position())
            return
        self.carets.clear()
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.definition_wanted.emit(self.cursorForPosition(event.position().toPoint()).position())
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """With Ctrl, show which names lead somewhere."""
        super().mouseMoveEvent(event)
        link = None
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier and not event.buttons():
            link = self.link_at(self.cursorForPosition(event.position().toPoint()).position())
        self.marks.link(link)
        shape = Qt.CursorShape.PointingHandCursor if link is not None else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for a menu at what was clicked, or at the caret."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            cursor = self.cursorForPosition(event.pos())
            chosen = self.textCursor()
            if not chosen.selectionStart() <= cursor.position() <= chosen.selectionEnd():
                self.setTextCursor(cursor)
            self.menu_wanted.emit(event.globalPos())
        else:
            self.menu_wanted.emit(self.viewport().mapToGlobal(self.cursorRect().bottomLeft()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Run commands, type along, complete; everything else is typing."""
        if self.keyboard.press(event):
            return
        super().keyPressEvent(event)
        self.keyboard.offer_after(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Type at all carets what an input method has composed."""
        if self.carets and event.commitString() and not self.isReadOnly():
            self.carets.insert([event.commitString()] * len(self.carets))
            event.accept()
        else:
            super().inputMethodEvent(event)

    def _show_carets(self) -> None:
        count = len(self.carets)
        self.setAccessibleDescription(f"{count} carets" if count > 1 else "")
        self.marks.show()
        self.viewport().update()

    # --- clipboard ---------------------------------------------------------------------------------------------

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the text as it is: Qt would change its blanks."""
        data = QMimeData()
        cursor = self.textCursor()
        data.setText(self.text_between(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste as one step of the history, a block of lines with the indentation of the place."""
        text = plain(source.text())
        if not source.hasText() or self.isReadOnly():
            return
        if self.carets:
            self.carets.paste(text)
        else:
            self.rewrite("Paste", lambda passage: pasted(passage, text, self.indentation))
