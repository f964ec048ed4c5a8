"""A line of text with some of its letters marked: those that a search has matched."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout

from sdfviewer.computed import equal_at_end, first_difference


def draw_marked(
    painter: QPainter,
    box: QRect,
    text: str,
    marked: Iterable[int],
    font: QFont,
    colour: QColor,
    mark: QColor | None,
    shown: str | None = None,
) -> int:
    """Draw a line of text in the middle of the height of a box, and return how much of its width it takes.

    Marked letters are bold, underlined and, if a colour is given for them, in that. `shown` is what is shown of a text
    that has been shortened; without it one that is too long is shortened in its middle.
    """
    marked = list(marked)
    if shown is None:
        shown, metrics = text, QFontMetrics(font)
        if metrics.horizontalAdvance(text) > box.width():
            # Leave room for bold letters, which are wider.
            room = max(box.width() - len(marked) - 1, 0)
            # Names of siblings often differ only at their ends.
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
    layout = QTextLayout(shown, font)
    formats = []
    for at in _marks_in(shown, text, marked):
        letter = QTextLayout.FormatRange()
        letter.start, letter.length = at, 1
        look = QTextCharFormat()
        look.setFontWeight(QFont.Weight.Bold)
        look.setFontUnderline(True)
        if mark is not None:
            look.setForeground(mark)
        letter.format = look
        formats.append(letter)
    layout.setFormats(formats)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    painter.setPen(colour)
    layout.draw(painter, QPointF(box.left(), box.top() + (box.height() - line.height()) / 2))
    return box.width() if shown != text else round(line.naturalTextWidth())


def _marks_in(shown: str, text: str, marked: list[int]) -> list[int]:
    """Return where the marked letters of a text are in what is shown of it: its beginning and its end."""
    if shown == text:
        return marked
    kept, kept_at_end = first_difference(shown, text), equal_at_end(shown, text)
    cut = len(text) - len(shown)
    return [at if at < kept else at - cut for at in marked if at < kept or at >= len(text) - kept_at_end]
