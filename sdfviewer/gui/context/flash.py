"""Flashes a frame in all views."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

INTERVAL_MILLISECONDS = 180
TIMES = 3


class Flash(QObject):
    """Takes the highlight from a selected frame and gives it back, a few times.

    Parameters
    ----------
    show
        Shows a frame, by its scoped name, without its highlight in all views; all highlights again for None.
    """

    def __init__(self, show: Callable[[str | None], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._name = ""
        self._left = 0
        # Started again by each step: while the window is busy no step is left out.
        self._timer = QTimer(self, singleShot=True, interval=INTERVAL_MILLISECONDS)
        self._timer.timeout.connect(self._step)

    def start(self, name: str) -> None:
        """Flash a frame, from when the views have followed its change."""
        self._show(None)
        self._name, self._left = name, 2 * TIMES
        self._timer.start()

    def _step(self) -> None:
        self._left -= 1
        self._show(self._name if self._left % 2 else None)
        if self._left > 0:
            self._timer.start()
