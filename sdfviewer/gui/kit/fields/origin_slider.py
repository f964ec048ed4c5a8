"""A slider that is filled from a value such as zero, not from its left end."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

from sdfviewer.gui.kit.theme import tokens

_GROOVE, _HANDLE = QStyle.SubControl.SC_SliderGroove, QStyle.SubControl.SC_SliderHandle
_SLIDER = QStyle.ComplexControl.CC_Slider
TICK = 3
"""Pixels of the tick above and below the groove."""


class OriginSlider(QSlider):
    """A horizontal slider whose groove is filled between its origin and its handle.

    It looks like other sliders: the style draws an empty groove, the part of a full one that is filled, and the handle.

    Attributes
    ----------
    origin
        The value from which the groove is filled.
    is_marked
        Whether a tick marks the origin.
    """

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.origin, self.is_marked = self.minimum(), False

    def set_origin(self, origin: int, marked: bool) -> None:
        """Fill the groove from another value, marked by a tick or not."""
        if (origin, marked) != (self.origin, self.is_marked):
            self.origin, self.is_marked = origin, marked
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the groove, its filled part, the tick and the handle."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        if self.isSliderDown():
            option.activeSubControls = _HANDLE
            option.state |= QStyle.StateFlag.State_Sunken
        groove = self._rect(option, _GROOVE)
        filled, is_mirrored = self._filled(option, groove), option.upsideDown
        painter = QPainter(self)
        # The style fills a pixel of an empty groove, at its left end or, upside down, its right end. Neither is drawn.
        left, right = QRect(groove), QRect(groove)
        left.setRight(groove.center().x())
        right.setLeft(left.right() + 1)
        for half, option.upsideDown in ((left, True), (right, False)):
            self._draw(painter, half, option, self.minimum())
        # The style fills up to the handle, from the left or from the right.
        option.upsideDown = (self.origin > self.sliderPosition()) != is_mirrored
        self._draw(painter, filled, option, self.maximum())
        option.upsideDown = is_mirrored
        if self.is_marked:
            tick = QRect(self._middle(option, self.origin), groove.center().y() - TICK - 1, 1, 2 * TICK + 3)
            painter.fillRect(tick, QColor(tokens(self.palette()).muted))
        self._draw(painter, self.rect(), option, self.sliderPosition(), _HANDLE)

    def _filled(self, option: QStyleOptionSlider, groove: QRect) -> QRect:
        """Return the part of the groove between the origin and the middle of the handle."""
        ends = [self._middle(option, self.origin), self._middle(option, option.sliderPosition)]
        if not self.is_marked and self.origin in (self.minimum(), self.maximum()):
            # The groove goes on beyond the middle of the handle.
            is_left = (self.origin == self.minimum()) != option.upsideDown
            ends[0] = groove.left() if is_left else groove.right() + 1
        return QRect(min(ends), groove.top(), max(ends) - min(ends), groove.height())

    def _middle(self, option: QStyleOptionSlider, value: int) -> int:
        """Return where the middle of the handle is at a value."""
        position, option.sliderPosition = option.sliderPosition, value
        middle = self._rect(option, _HANDLE).center().x()
        option.sliderPosition = position
        return middle

    def _rect(self, option: QStyleOptionSlider, control: QStyle.SubControl) -> QRect:
        return self.style().subControlRect(_SLIDER, option, control, self)

    def _draw(
        self,
        painter: QPainter,
        part: QRect,
        option: QStyleOptionSlider,
        position: int,
        controls: QStyle.SubControl = _GROOVE,
    ) -> None:
        """Draw between the sides of a part what a slider with its handle at a position has there."""
        option.subControls, option.sliderPosition = controls, position
        painter.save()
        painter.setClipRect(part.left(), 0, part.width(), self.height())
        self.style().drawComplexControl(_SLIDER, option, painter, self)
        painter.restore()
