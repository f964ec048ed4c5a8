"""Flashes a frame in all views."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

INTERVAL_MILLISECONDS = 160
TIMES = 3


class Flash(QObject):
    """Highlights one frame after the other.

    Parameters
    ----------
    highlight
        Highlights a frame by its scoped name in all views, None highlights none.
    """

    def __init__(self, highlight: Callable[[str | None], None], parent: QObject) -> None:
        super().__init__(parent)
        self._highlight = highlight
        self._name = ""
        self._left = 0
        self._timer = QTimer(self, interval=INTERVAL_MILLISECONDS)
        self._timer.timeout.connect(self._step)

    def start(self, name: str) -> None:
        """Flash a frame."""
        self._name, self._left = name, 2 * TIMES
        self._step()
        self._timer.start()

    def _step(self) -> None:
        self._left -= 1
        self._highlight(self._name if self._left % 2 else None)
        if self._left <= 0:
            self._timer.stop()
