"""The heading of the chain behind a pose, with buttons that walk along it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from sdfviewer.gui.icons import icon
from sdfviewer.gui.named import named
from sdfviewer.gui.properties.why import WhyView
from sdfviewer.gui.theme import tokens

STEP_MILLISECONDS = 900
"""How long a walk that goes on by itself stays at each frame."""

_BUTTONS = {
    "back": ("mdi6.skip-previous", "Step back", "Step towards the root (Up in the list)"),
    "play": ("mdi6.play", "Walk", "Walk from the root to this frame, in 3D and in the graphs"),
    "on": ("mdi6.skip-next", "Step on", "Step towards this frame (Down in the list)"),
}


class WalkBar(QWidget):
    """Steps along the chain; the 3D view and the graphs show how far the walk has come."""

    def __init__(self, view: WhyView) -> None:
        super().__init__()
        self._view = view
        heading = QLabel("Why here?")
        heading.setProperty("role", "heading")
        heading.setToolTip("The frames from the root to this one; a double click shows a step's place in the source")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(2)
        row.addWidget(heading)
        row.addStretch(1)
        self.buttons: dict[str, QToolButton] = {}
        for key, (_, name, tip) in _BUTTONS.items():
            button = named(QToolButton(), name, tip)
            button.setAutoRaise(True)
            row.addWidget(button)
            self.buttons[key] = button
        self._clock = QTimer(self, interval=STEP_MILLISECONDS)
        self._clock.timeout.connect(self._go_on)
        self.buttons["back"].clicked.connect(lambda: self.step(-1))
        self.buttons["on"].clicked.connect(lambda: self.step(1))
        self.buttons["play"].clicked.connect(self._toggle)
        view.model().modelReset.connect(self.stop)
        view.bridge.walked.connect(lambda names: None if names else self.stop())
        self._paint()

    @property
    def is_walking(self) -> bool:
        """Whether the walk goes on by itself."""
        return self._clock.isActive()

    def step(self, by: int) -> None:
        """Go one frame along the chain: from before the root on, or from this frame back."""
        self.stop()
        count = len(self._view.steps)
        at = self._view.currentIndex().row()
        if count:
            at = (0 if by > 0 else count - 1) if at < 0 else min(max(at + by, 0), count - 1)
            self._view.walk_to(at)

    def _toggle(self) -> None:
        if self._clock.isActive():
            self.stop()
        elif self._view.steps:
            self._view.walk_to(0)
            self._clock.start()
            self._paint()

    def _go_on(self) -> None:
        at = self._view.currentIndex().row() + 1
        if at < len(self._view.steps):
            self._view.walk_to(at)
        else:
            self.stop()

    def stop(self) -> None:
        """Stay where the walk has come to."""
        self._clock.stop()
        self._paint()

    def _paint(self) -> None:
        colours = tokens(self.palette())
        for key, (name, _, _) in _BUTTONS.items():
            shown = "mdi6.pause" if key == "play" and self._clock.isActive() else name
            self.buttons[key].setIcon(icon(shown, colours.text))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_clock"):
            self._paint()
        super().changeEvent(event)
