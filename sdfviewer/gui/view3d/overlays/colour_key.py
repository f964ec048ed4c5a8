"""The colour key of a comparison, in a corner of the view."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.model.kinematics.conventions import TOLERANCE
from sdfviewer.number_text import format_shown
from sdfviewer.palette import difference_ramp

_MARGIN, _PADDING, _RAMP_HEIGHT = 8, 8, 10
_LEAST_RAMP, _MOST_RAMP = 40, 96
"""Widths of the ramp: in a narrow view the words need the room."""
_SHARE = 1 / 3
"""The part of the width of a view beyond which it is shortened: names of frames are pushed away from below it."""
_DIGITS = 3
EQUAL = "equal"


class ColourKey(QWidget):
    """The ramp from what is in one place to what is farthest apart, in metres or as an angle.

    Attributes
    ----------
    text
        The text at the end of the ramp, in a narrow view without its last word.
    """

    def __init__(self, canvas: QWidget, settings: Settings) -> None:
        super().__init__(canvas)
        self.setObjectName("colour_key")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas, self._settings = canvas, settings
        self.text = self._shown = self._short = ""
        self._ramp_width = _MOST_RAMP
        canvas.installEventFilter(self)
        self.hide()

    def show_largest(self, metres: float, radians: float) -> None:
        """Show the ramp up to the largest distance and the largest rotation, each in its unit; two zeros hide it.

        The ramp is for both: a frame has the colour of its distance or of its rotation, whichever is farther along it.
        """
        largest = [
            (metres, LENGTH),
            (from_radians(radians, self._settings.angle_unit), self._settings.angle_unit.value),
        ]
        parts = [f"{format_shown(size, _DIGITS)} {unit}" for size, unit in largest if size > TOLERANCE]
        self.setVisible(bool(parts))
        short = " or ".join(parts)
        text = f"{short} apart"
        if parts and text != self.text:
            self.text, self._short = text, short
            self.setAccessibleName(f"Colours: from equal to {text}")
            self._place()
            self.update()

    def _place(self) -> None:
        metrics = self.fontMetrics()
        room, around = self._canvas.width() * _SHARE, 4 * _PADDING + metrics.horizontalAdvance(EQUAL)
        is_wide = around + metrics.horizontalAdvance(self.text) + _MOST_RAMP <= room
        self._shown = self.text if is_wide else self._short
        words = around + metrics.horizontalAdvance(self._shown)
        self._ramp_width = min(max(round(room) - words, _LEAST_RAMP), _MOST_RAMP)
        width = words + self._ramp_width
        height = metrics.height() + _PADDING
        self.setGeometry(
            self._canvas.width() - width - _MARGIN, self._canvas.height() - height - _MARGIN, width, height
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = tokens(self._canvas.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.border_strong), 1))
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        equal = self.fontMetrics().horizontalAdvance(EQUAL)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colours.text))
        painter.drawText(QRectF(_PADDING, 0, equal, self.height()), middle, EQUAL)
        ramp = QRectF(2 * _PADDING + equal, (self.height() - _RAMP_HEIGHT) / 2, self._ramp_width, _RAMP_HEIGHT)
        painter.drawText(QRectF(ramp.right() + _PADDING, 0, self.width(), self.height()), middle, self._shown)
        gradient = QLinearGradient(ramp.topLeft(), ramp.topRight())
        stops = difference_ramp(colours.dark)
        for number, colour in enumerate(stops):
            gradient.setColorAt(number / (len(stops) - 1), QColor(colour))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(ramp, 2, 2)
        painter.end()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        elif event.type() == QEvent.Type.PaletteChange:
            self.update()
        return False
