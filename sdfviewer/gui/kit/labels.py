"""Labels, buttons and cells whose text breaks, is shortened, or has marked letters, instead of widening their panel."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QClipboard,
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QWidget,
)

from sdfviewer.computed import equal_at_end, first_difference
from sdfviewer.gui.kit.safe_text import PlainDelegate, visible_lines
from sdfviewer.gui.kit.widgets import column_of


def repaint_links(label: QLabel) -> None:
    """Lay the text of a label out again: Qt keeps the colour that links had when it was set."""
    text = label.text()
    label.setText("")
    label.setText(text)


class LinkLabel(QLabel):
    """Rich text whose links are reached by mouse and keyboard."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text, wordWrap=True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            repaint_links(self)


BREAK = "\N{ZERO WIDTH SPACE}"
_ENDS = re.compile(r"(?<=_)(?=\w)|(?<=::)(?=\w)")
"""Where a name may go on in the next line."""


def pieces(name: str) -> list[str]:
    """Return the parts of a name between which it may break."""
    return _ENDS.split(name)


class BreakingLabel(LinkLabel):
    """Rich text whose names may break after ``_`` and ``::``; a copy of it has no breaks."""

    def setText(self, text: str) -> None:
        """Show a text."""
        super().setText(_ENDS.sub(BREAK, text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if QGuiApplication.clipboard().supportsSelection():
            self.copy(QClipboard.Mode.Selection)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.addAction("&Copy", self.copy).setEnabled(self.hasSelectedText())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def copy(self, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
        """Copy what is selected."""
        if self.hasSelectedText():
            text = self.selectedText().replace(BREAK, "")
            QGuiApplication.clipboard().setText("\n".join(text.splitlines()), mode)


class WholeLines(QWidget):
    """Labels that wrap, for a row of a form, which gives them the height that they needed at another width."""

    def __init__(self, *labels: QLabel) -> None:
        super().__init__()
        self._column = column_of(*labels, parent=self, margins=0, spacing=2)

    def event(self, event: QEvent) -> bool:
        answer = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.setMinimumHeight(max(0, self._column.heightForWidth(self.width())))
        return answer


_DOT = " · "
ROOM_OF_BUTTON = 20
"""Pixels of a button beside its icon and text."""

MOST_COMPARED = 500
"""So many shortened texts are compared with each other: each takes 10 µs."""
Elision = Qt.TextElideMode

ELISIONS = (Elision.ElideMiddle, Elision.ElideRight, Elision.ElideLeft)
"""Where a name is shortened, the best first; the next one where it would look like another name."""


def elisions(texts: Iterable[str], metrics: QFontMetrics, room: int) -> dict[str, Elision]:
    """Return where to shorten each text that is wider than some pixels, so that no two look the same if possible.

    The middle says least, except where it is all that tells two names apart: ``caster_l_wheel`` and ``caster_r_wheel``.
    """
    modes = {text: ELISIONS[0] for text in texts if metrics.horizontalAdvance(text) > room}
    if len(modes) > MOST_COMPARED:
        return modes
    for mode in ELISIONS[1:]:
        shown = Counter(metrics.elidedText(text, each, room) for text, each in modes.items())
        alike = [text for text, each in modes.items() if shown[metrics.elidedText(text, each, room)] > 1]
        others = {text: metrics.elidedText(text, mode, room) for text in alike}
        shown.update(others.values())
        modes.update({text: mode for text, other in others.items() if shown[other] == 1})
    return modes


def in_lines(text: str, room: int, metrics: QFontMetrics) -> str:
    """Return a text in lines for some pixels, of whole words, or of parts of a name that is wider.

    A part that is wider still is shortened in its middle.
    """
    lines: list[str] = []
    for word in text.split():
        parts = [word] if metrics.horizontalAdvance(word) <= room else pieces(word)
        for number, part in enumerate(parts):
            longer = lines[-1] + (part if number else f" {part}") if lines else part
            if lines and metrics.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(metrics.elidedText(part, Elision.ElideMiddle, room))
    return "\n".join(lines)


class ElidedLabel(QLabel):
    """One line of plain text, shortened where it is too long; `full_text` keeps all of it."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
    ) -> None:
        super().__init__(parent)
        self._mode = elide
        self.full_text = text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        self.full_text = text
        self._elide()

    def shortened(self) -> str:
        """Return the text, elided to the room."""
        return self.fontMetrics().elidedText(visible_lines(self.full_text), self._mode, max(24, self.width()))

    def _elide(self) -> None:
        self.setText(self.shortened())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


class YieldingLabel(ElidedLabel):
    """Takes no more room than its text needs, and less where what is beside it needs more."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def set_full_text(self, text: str) -> None:
        super().set_full_text(text)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        # A pixel more: a width in whole pixels may be that of the text less a fraction.
        width = self.fontMetrics().horizontalAdvance(self.full_text) + 1
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(24, self.sizeHint().width()), super().minimumSizeHint().height())


class PartsLabel(ElidedLabel):
    """Shows as many whole parts as fit, with dots between them: half a number would be another number."""

    def __init__(self, *parts: str, parent: QWidget | None = None) -> None:
        super().__init__(_DOT.join(parts), parent)
        self._parts = parts

    def set_full_text(self, text: str) -> None:
        """Show one part."""
        self.set_parts((text,))

    def set_parts(self, parts: Iterable[str]) -> None:
        """Show other parts, those first that are to be left last."""
        self._parts = tuple(parts)
        super().set_full_text(_DOT.join(self._parts))

    def shortened(self) -> str:
        """Return the parts that fit, from the first one on."""
        parts = [visible_lines(part) for part in self._parts]
        while parts and self.fontMetrics().horizontalAdvance(_DOT.join(parts)) > self.width():
            parts.pop()
        return _DOT.join(parts)


class ElidedButton(QPushButton):
    """A button whose text is shortened; `full_text` keeps all of it.

    Attributes
    ----------
    room_at_end
        Pixels that the text leaves free at its end.
    """

    room_at_end = 0

    def __init__(
        self, text: str = "", parent: QWidget | None = None, elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
    ) -> None:
        super().__init__(parent)
        self._mode = elide
        self.full_text = text
        self.setMinimumWidth(64)
        self.set_full_text(text)

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        self.full_text = text
        self.setAccessibleName(self.accessibleName() or text)
        self._elide()

    def _elide(self) -> None:
        icon = self.iconSize().width() + 4 if not self.icon().isNull() else 0
        room = max(24, self.width() - ROOM_OF_BUTTON - icon - self.room_at_end)
        text = self.fontMetrics().elidedText(visible_lines(self.full_text), self._mode, room)
        self.setText(text.replace("&", "&&"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


class ElidedLines(QLabel):
    """A few lines of plain text, whole words with an ellipsis where there are more; the tooltip then has all of it.

    Parameters
    ----------
    text
        All of it.
    most_lines
        How many lines are shown.
    """

    def __init__(self, text: str, most_lines: int) -> None:
        super().__init__(wordWrap=True)
        self.full_text = text
        self._most_lines = most_lines
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)
        self._elide()

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        if text != self.full_text:
            self.full_text = text
            self.setAccessibleName(text)
            self._elide()

    def fits(self, width: int, lines: int) -> bool:
        """Return whether so many lines hold all of the text at some width."""
        return self._height_of(visible_lines(self.full_text), width) <= self._height_of_lines(lines)

    def _height_of_lines(self, lines: int) -> int:
        metrics = self.fontMetrics()
        return metrics.height() + (lines - 1) * metrics.lineSpacing()

    def _height_of(self, text: str, width: int | None = None) -> int:
        room = QRect(0, 0, max(self.width() if width is None else width, 24), 1 << 20)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        return self.fontMetrics().boundingRect(room, int(flags), text).height()

    def _elide(self) -> None:
        """Show as many words as the lines hold, and take the height that they need."""
        most, whole = self._height_of_lines(self._most_lines), visible_lines(self.full_text)
        shown = whole
        if self._height_of(shown) > most:
            words = whole.split()
            texts = [" ".join(words[:number]).rstrip(".,;:") + " …" for number in range(1, len(words))]
            fitting = bisect_right(texts, most, key=self._height_of)
            shown = texts[max(fitting - 1, 0)] if texts else shown
        self.setToolTip("" if shown == whole else self.full_text)
        if self.text() != shown:
            self.setText(shown)
        self.setFixedHeight(min(self._height_of(shown), most))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._elide()


class ElidedBox(QComboBox):
    """Shows dots for what does not fit; Qt's own box cuts the text."""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Shorten the text in its middle to the room of the box."""
        super().initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideMiddle, room - 2)


ARROW = " → "
#: Pixels of a cell beside its icon and text.
_MARGINS = 10


def text_box(option: QStyleOptionViewItem) -> QRect:
    """Return where the text of a cell is."""
    style = option.widget.style() if option.widget else QApplication.style()
    return style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget)


class ArrowDelegate(PlainDelegate):
    """Shows ``a → b``."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Shorten the sides of an arrow to the room of the cell."""
        super().initStyleOption(option, index)
        room = text_box(option).width() - _MARGINS
        option.text = shorten(option.text, option.fontMetrics, room)


def shorten(text: str, metrics: QFontMetrics, room: int) -> str:
    """Return a text shortened to a width in pixels; a side that needs less than half leaves the rest to the other."""
    left, arrow, right = text.partition(ARROW)
    if not arrow or metrics.horizontalAdvance(text) <= room:
        return text
    shared = max(room - metrics.horizontalAdvance(ARROW), 0)
    wanted = [metrics.horizontalAdvance(side) for side in (left, right)]
    rooms = [max(shared // 2, shared - other) for other in reversed(wanted)]
    modes = elisions((left, right), metrics, shared // 2)
    pairs = zip((left, right), wanted, rooms, strict=True)
    # Text as wide as its room would be shortened: its width is rounded.
    return ARROW.join(
        side if own <= most else metrics.elidedText(side, modes.get(side, Qt.TextElideMode.ElideMiddle), most)
        for side, own, most in pairs
    )


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
