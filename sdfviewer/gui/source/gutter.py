"""The margin of the editor: line numbers, problems, and what can be folded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPolygonF, QTextBlock
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.theme import tokens

if TYPE_CHECKING:
    from sdfviewer.gui.source.editor import SourceEditor

_MARK, _FOLD = 8, 14


class Gutter(QWidget):
    """Stands left of an editor's text."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAccessibleName("Line numbers")

    def wanted_width(self) -> int:
        """Return how wide it must be for the largest line number."""
        digits = max(3, len(str(self._editor.blockCount())))
        return _MARK + 4 + self._editor.fontMetrics().horizontalAdvance("9") * digits + _FOLD

    def sizeHint(self) -> QSize:
        """Return the wanted width."""
        return QSize(self.wanted_width(), 0)

    def _visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        editor = self._editor
        block = editor.firstVisibleBlock()
        while block.isValid():
            rect = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
            if rect.top() > self.height():
                return
            if block.isVisible():
                yield block, rect
            block = block.next()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines in sight."""
        colours = tokens(self.palette())
        painter = QPainter(self)
        try:
            painter.fillRect(event.rect(), QColor(colours.alternate))
            painter.setFont(self._editor.font())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            current = self._editor.textCursor().blockNumber()
            height = self._editor.fontMetrics().height()
            for block, rect in self._visible_blocks():
                line = block.blockNumber()
                severity = self._editor.line_severities.get(line)
                if severity is not None:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(QColor(colours.severity(severity)))
                    painter.drawEllipse(QPointF(_MARK / 2 + 1, rect.top() + height / 2), 3.0, 3.0)
                painter.setPen(QColor(colours.text if line == current else colours.disabled))
                box = QRectF(_MARK, rect.top(), self.width() - _MARK - _FOLD - 2, height)
                painter.drawText(box, Qt.AlignmentFlag.AlignRight, str(line + 1))
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold where the triangle is; go to the line elsewhere."""
        for block, rect in self._visible_blocks():
            if rect.top() <= event.position().y() < rect.bottom():
                if event.position().x() > self.width() - _FOLD - 2 and self._editor.folding.can_fold(
                    block.blockNumber()
                ):
                    self._editor.folding.toggle(block.blockNumber())
                    self.update()
                else:
                    self._editor.go_to(block.position())
                return
