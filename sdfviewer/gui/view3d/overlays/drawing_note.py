"""What a 3D view says while it has no picture yet."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.gui.kit.jobs import delayed

PATIENCE_MILLISECONDS = 250
"""A picture that comes sooner needs no note, which would only flash."""


class DrawingNote(QLabel):
    """A quiet text in the middle of a view that software takes a while to draw."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__("Drawing…", canvas)
        self.setProperty("role", "muted")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas = canvas
        self._soon = delayed(self, self._appear, PATIENCE_MILLISECONDS)
        self.hide()

    def expect(self) -> None:
        """Appear soon, unless there is a picture by then."""
        if self.isHidden() and not self._soon.isActive():
            self._soon.start()

    def end(self) -> None:
        """Go: there is a picture."""
        self._soon.stop()
        self.hide()

    def _appear(self) -> None:
        self.adjustSize()
        self.move(self._canvas.rect().center() - self.rect().center())
        self.show()
