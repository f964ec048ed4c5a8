"""A note at the top of a 3D view that something is not shown whole; a click on it ends that."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.view3d.top_label import TopLabel


class ClosableNote(TopLabel):
    """A text that says what a click on it ends.

    Parameters
    ----------
    canvas
        The view.
    name
        Its object name.
    tip
        What a click does.
    """

    #: The note was clicked.
    closed = Signal()

    def __init__(self, canvas: QWidget, name: str, tip: str) -> None:
        super().__init__("", canvas, "text")
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tip)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the view below begins no drag

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.closed.emit()
