"""A column of labels that keeps room for all their lines."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget


class WholeLines(QWidget):
    """Labels that wrap, for a row of a form, which gives them the height that they needed at another width."""

    def __init__(self, *labels: QLabel) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        for label in labels:
            self._column.addWidget(label)

    def event(self, event: QEvent) -> bool:
        answer = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.setMinimumHeight(max(0, self._column.heightForWidth(self.width())))
        return answer
