"""One column of a text difference: lines with their numbers, signs, marked words, and what is folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextLine,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from sdfviewer.document.line_difference import DiffLine, EqualLines, Row, shortened
from sdfviewer.gui.kit.theme import Tokens, monospace, on_theme_change, tokens
from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.kit.xml_highlighter import Highlighter, kinds_of_vertices
from sdfviewer.model.model import Model

SIGNS = {"-": "−", "+": "+", " ": ""}
_GAP, _SIGN, _BAR = 6, 14, 3
#: Signs that Qt's text takes for the end of a line or of a block, and what is shown for them.
_SHOWN = str.maketrans({"\r": "␍", "\u2028": "␤", "\u2029": "¶", "\ufdd0": "�", "\ufdd1": "�", "\0": "␀"})


class _Colours(Highlighter):
    """Colours rows as the source view colours lines; what is folded may open or end a comment."""

    rows: Sequence[Row] = ()

    def _row(self, block: QTextBlock) -> Row:
        number = block.blockNumber()
        return self.rows[number] if number < len(self.rows) else None

    def _colour_over(self, block: QTextBlock) -> None:
        """Write changed words in the colour of text: on the ground of a change those of XML are hard to read."""
        row = self._row(block)
        if isinstance(row, DiffLine):
            for start, end in row.changed:
                self._set_format(start, end - start, self._format(self._colours.text))

    def _text_of(self, block: QTextBlock) -> str:
        row = self._row(block)
        if not isinstance(row, EqualLines):
            return block.text()
        hidden = "\n".join(row.lines)
        # The last character leaves the same state as the whole hidden text.
        return max(("<!--", "-->"), key=hidden.rfind) if "-->" in hidden or "<!--" in hidden else ""

    def _text_before(self, block: QTextBlock) -> str:
        rows = self.rows[: block.blockNumber()]
        lines = (
            (row.text,) if isinstance(row, DiffLine) else row.lines if isinstance(row, EqualLines) else ()
            for row in rows
        )
        return "\n".join(line for group in lines for line in group)


class DifferencePane(QPlainTextEdit):
    """Shows rows: only their text is laid out, so that a long file costs no more than what has changed in it.

    Parameters
    ----------
    name
        What it shows, for a screen reader.
    columns
        Which numbers stand beside the text: ``"before"``, ``"after"``.

    Attributes
    ----------
    rows
        What is shown, a row for each block of the text.
    """

    #: The fold in a row was clicked.
    fold_clicked = Signal(int)

    def __init__(self, name: str, columns: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_theme_change(self._follow_theme)
        named(self, name)
        self.setReadOnly(True)
        self.setFont(monospace())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        # The text can be read, selected and copied with the keyboard too.
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._columns = columns
        self.rows: Sequence[Row] = ()
        self._digits = 1
        self._current = range(0)
        self._margin = _Margin(self)
        self.highlighter = _Colours(self, tokens(self.palette()))
        self.updateRequest.connect(lambda _rect, _dy: self._margin.update())
        self._place_margin()

    @property
    def content_height(self) -> int:
        """Pixels of all rows, half a row more, so that it does not scroll by a pixel, and a scroll bar below them."""
        beside = 2 * (int(self.document().documentMargin()) + self.frameWidth())
        bar = self.horizontalScrollBar().sizeHint().height()
        return round((len(self.rows) + 0.5) * self.fontMetrics().lineSpacing()) + beside + bar

    def set_model(self, model: Model | None) -> None:
        """Colour the names of a model's frames by their kind."""
        self.set_kinds(kinds_of_vertices(model))

    def set_kinds(self, kinds: Mapping[str, str]) -> None:
        """Colour names by their kind, see :func:`~sdfviewer.gui.kit.xml_highlighter.kinds_of_vertices`."""
        self.highlighter.set_kinds(kinds)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; of lines that would take long to lay out, the part with their first change."""
        rows = [shortened(row) if isinstance(row, DiffLine) else row for row in rows]
        self.rows = rows
        self._current = range(0)
        last = next((row for row in reversed(rows) if row is not None), None)
        below = len(last.lines) if isinstance(last, EqualLines) else 0
        self._digits = len(str(max(last.before or 1, last.after or 1) + below)) if last is not None else 1
        self.highlighter.rows = rows
        self.setPlainText("\n".join(row.text.translate(_SHOWN) if isinstance(row, DiffLine) else "" for row in rows))
        self._place_margin()

    def go_to(self, rows: range) -> None:
        """Scroll a change into the upper part, sideways to its first words, and mark it as the current one."""
        self._current = rows
        block = self.document().findBlockByNumber(rows.start)
        cursor = self.textCursor()
        cursor.setPosition(block.position())
        self.setTextCursor(cursor)
        in_sight = self.viewport().height() // max(self.fontMetrics().lineSpacing(), 1)
        self.verticalScrollBar().setValue(max(block.firstLineNumber() - in_sight // 4, 0))
        self._scroll_sideways()
        self._margin.update()

    def _scroll_sideways(self) -> None:
        """Bring the first changed words of the current change into sight."""
        row = self.rows[self._current.start]
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        left = right = 0.0
        if isinstance(row, DiffLine) and row.changed:
            self.cursorRect()  # lays the line out, at which the cursor is
            line = self.document().findBlockByNumber(self._current.start).layout().lineAt(0)
            left, right = (self._x(line, row.text, at) for at in row.changed[0])
        bar.setValue(round(left) - width // 3 if right > width else 0)

    # --- painting --------------------------------------------------------------------------------------------------

    def rows_in_sight(self) -> Iterator[tuple[int, Row, QTextBlock, QRectF]]:
        """Yield the rows that can be seen, with their block and place."""
        block = self.firstVisibleBlock()
        while block.isValid():
            rect = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if rect.top() > self.viewport().height():
                return
            number = block.blockNumber()
            # Below the last line Qt counts the blank at the end of the text as a part of it.
            rect.setHeight(block.layout().boundingRect().height())
            if block.isVisible() and number < len(self.rows):
                yield number, self.rows[number], block, rect
            block = block.next()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background of the lines, then the lines."""
        colours = tokens(self.palette())
        with QPainter(self.viewport()) as painter:
            width = self.viewport().width()
            for _, row, block, rect in self.rows_in_sight():
                band = QRectF(0, rect.top(), width, rect.height())
                if row is None:
                    painter.fillRect(band, QBrush(QColor(colours.hover), Qt.BrushStyle.BDiagPattern))
                elif isinstance(row, EqualLines):
                    painter.fillRect(band, QColor(colours.panel))
                    painter.setPen(QColor(colours.muted))
                    text = f"… {len(row.lines)} equal lines"
                    painter.drawText(band.adjusted(self.document().documentMargin(), 0, 0, 0), _MIDDLE, text)
                elif row.sign != " ":
                    painter.fillRect(band, blend(colours, row.sign, 0.13))
                    self._mark_words(painter, row, block, rect, colours)
        super().paintEvent(event)

    def _mark_words(self, painter: QPainter, row: DiffLine, block: QTextBlock, rect: QRectF, colours: Tokens) -> None:
        line = block.layout().lineAt(0)
        strong = QColor(colours.accent if row.sign == "+" else colours.error)
        for start, end in row.changed:
            left, right = (self._x(line, row.text, at) for at in (start, end))
            span = QRectF(rect.left() + left, rect.top(), max(right - left, 2.0), rect.height())
            painter.fillRect(span, blend(colours, row.sign, 0.38))
            # Not by the shade alone.
            painter.fillRect(QRectF(span.left(), span.bottom() - 1.5, span.width(), 1.5), strong)

    @staticmethod
    def _x(line: QTextLine, text: str, at: int) -> float:
        # PySide also returns the final position, which its type stubs do not say.
        x: tuple[float, int] = line.cursorToX(_units(text, at))  # type: ignore[assignment]
        return x[0]

    # --- margin ----------------------------------------------------------------------------------------------------

    @property
    def _number_width(self) -> int:
        return self.fontMetrics().horizontalAdvance("9") * max(self._digits, 2)

    def _place_margin(self) -> None:
        width = _BAR + _GAP + (self._number_width + _GAP) * len(self._columns) + _SIGN
        self.setViewportMargins(width, 0, 0, 0)
        area = self.contentsRect()
        self._margin.setGeometry(area.left(), area.top(), width, area.height())

    def paint_margin(self, painter: QPainter) -> None:
        """Paint numbers and signs beside the rows in sight."""
        colours = tokens(self.palette())
        painter.fillRect(self._margin.rect(), QColor(colours.alternate))
        painter.setFont(self.font())
        for number, row, _, rect in self.rows_in_sight():
            band = QRectF(0, rect.top(), self._margin.width(), rect.height())
            if isinstance(row, EqualLines):
                painter.fillRect(band, QColor(colours.panel))
                painter.setPen(QColor(colours.muted))
                painter.drawText(band, Qt.AlignmentFlag.AlignCenter, "⋯")
            elif row is not None:
                if row.sign != " ":
                    painter.fillRect(band, blend(colours, row.sign, 0.13))
                self._paint_numbers(painter, row, band, colours)
            if number in self._current:
                painter.fillRect(QRectF(0, rect.top(), _BAR, rect.height()), QColor(colours.accent))

    def _paint_numbers(self, painter: QPainter, row: DiffLine, band: QRectF, colours: Tokens) -> None:
        left = _BAR + _GAP // 2
        painter.setPen(QColor(colours.muted if row.sign != " " else colours.disabled))
        for column in self._columns:
            number = getattr(row, column)
            if number is not None:
                place = QRectF(left, band.top(), self._number_width, band.height())
                painter.drawText(place, _MIDDLE | Qt.AlignmentFlag.AlignRight, str(number))
            left += self._number_width + _GAP
        painter.setPen(QColor(colours.text))
        place = QRectF(left, band.top(), _SIGN - _GAP / 2, band.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, SIGNS[row.sign])

    # --- events ----------------------------------------------------------------------------------------------------

    def fold_at(self, y: float) -> int | None:
        """Return the row of the fold at a height, None if there is none."""
        for number, row, _, rect in self.rows_in_sight():
            if isinstance(row, EqualLines) and rect.top() <= y < rect.bottom():
                return number
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        fold = self.fold_at(event.position().y())
        if fold is not None and event.button() == Qt.MouseButton.LeftButton:
            self.fold_clicked.emit(fold)
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        on_fold = not event.buttons() and self.fold_at(event.position().y()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if on_fold else Qt.CursorShape.IBeamCursor)

    def copied_text(self, number: int, inside: QTextCursor) -> str:
        """Return the text of what is selected in a row."""
        return inside.selectedText()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the lines of the text, without the rows that stand for others or for nothing."""
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        parts = []
        block = self.document().findBlock(start)
        while block.isValid() and block.position() <= end:
            row = self.rows[block.blockNumber()] if block.blockNumber() < len(self.rows) else None
            if isinstance(row, DiffLine):
                inside = QTextCursor(block)
                inside.setPosition(max(start, block.position()))
                inside.setPosition(min(end, block.position() + block.length() - 1), QTextCursor.MoveMode.KeepAnchor)
                parts.append(self.copied_text(block.blockNumber(), inside))
            block = block.next()
        copied = QMimeData()
        copied.setText("\n".join(parts))
        return copied

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_margin()
        if self._current:
            self._scroll_sideways()

    def _follow_theme(self) -> None:
        self.highlighter.set_colours(tokens(self.palette()))


def _units(text: str, at: int) -> int:
    """Return a place in a text as Qt counts, in UTF-16 units."""
    return at if text.isascii() else len(text[:at].encode("utf-16-le")) // 2


_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class _Margin(QWidget):
    """The numbers and signs left of a pane's text."""

    def __init__(self, pane: DifferencePane) -> None:
        super().__init__(pane)
        self._pane = pane
        self.setAccessibleName("Line numbers")

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._pane.paint_margin(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        fold = self._pane.fold_at(event.position().y())
        if fold is not None:
            self._pane.fold_clicked.emit(fold)


def blend(colours: Tokens, sign: str, share: float) -> QColor:
    """Return the colour of added or removed text, thinned with the background."""
    over, under = QColor(colours.accent if sign == "+" else colours.error), QColor(colours.base)
    red, green, blue = (
        share * one + (1 - share) * other
        for one, other in ((over.redF(), under.redF()), (over.greenF(), under.greenF()), (over.blueF(), under.blueF()))
    )
    return QColor.fromRgbF(red, green, blue)
