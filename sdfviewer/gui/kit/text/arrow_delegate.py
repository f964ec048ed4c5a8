"""Cells such as ``a → b``: each side is shortened by itself, so that the arrow stays visible."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from sdfviewer.gui.kit.text.elided import elisions
from sdfviewer.gui.kit.text.plain_text import PlainDelegate

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
