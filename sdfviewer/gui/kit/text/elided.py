"""Labels, buttons and cells such as ``a → b`` that shorten their text instead of widening their panel."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from sdfviewer.gui.kit.text.labels import pieces
from sdfviewer.gui.kit.text.plain_text import PlainDelegate
from sdfviewer.gui.kit.text.rich_text import visible_lines

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
        self,
        text: str = "",
        parent: QWidget | None = None,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
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
        self,
        text: str = "",
        parent: QWidget | None = None,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
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

    @property
    def shown_text(self) -> str:
        """The text as it is shown."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._elide(option)

    def _elide(self, option: QStyleOptionComboBox) -> str:
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        return option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideMiddle, room - 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the box with the shortened text."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._elide(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


ARROW = " → "
#: Pixels of a cell beside its icon and text.
_MARGINS = 10


class ArrowDelegate(PlainDelegate):
    """Shows ``a → b``."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Shorten the sides of an arrow to the room of the cell."""
        super().initStyleOption(option, index)
        style = option.widget.style() if option.widget else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget).width() - _MARGINS
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
