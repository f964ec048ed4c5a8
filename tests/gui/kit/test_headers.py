"""The headers of tables."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QStyle, QStyleOptionHeader, QTableWidget
from pytestqt.qtbot import QtBot


def test_the_header_of_a_column_is_above_its_text(qtbot: QtBot) -> None:
    table = QTableWidget(1, 1)
    qtbot.addWidget(table)
    table.show()
    header = table.horizontalHeader()
    option = QStyleOptionHeader()
    header.initStyleOption(option)
    option.rect = QRect(0, 0, 100, 24)  # type: ignore[attr-defined]
    label = header.style().subElementRect(QStyle.SubElement.SE_HeaderLabel, option, header)
    # So much Qt leaves free beside the text of an item.
    margin = table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, table) + 1
    assert (label.left(), 99 - label.right()) == (margin, margin)
