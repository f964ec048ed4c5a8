"""The margin of the editor: line numbers, problems, quick fixes and folds."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF, QTextBlock
from PySide6.QtWidgets import QToolTip, QWidget

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.text.rich_text import wrapped_tip
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.source.text_area import TextArea
from sdfviewer.gui.source.text_marks import TextMarks

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
        painter = QPainter(self)
        try:
            painter.fillRect(event.rect(), QColor(colours.alternate))
            painter.setFont(self._editor.font())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            current = self._editor.textCursor().blockNumber()
            height = self._editor.fontMetrics().height()
            for block, rect in self._editor.visible_blocks():
                line = block.blockNumber()
                if line in self._marks.fixable_lines:
                    bulb = icon("mdi6.lightbulb-on-outline", colours.warning)
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
        finally:
            painter.end()

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
