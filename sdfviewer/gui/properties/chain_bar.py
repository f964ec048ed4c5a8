"""The heading of *Why here?*, with buttons that step through the chain."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.layouts import STRETCH, row_of
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.gui.properties.why import WhyView

STEP_MILLISECONDS = 900
"""How long each step is shown while the chain plays."""

_BUTTONS = {
    "back": ("mdi6.skip-previous", "Step back", "Step towards the root (Up in the list)"),
    "play": ("mdi6.play", "Walk", "Step from the root to this frame, in 3D and in the graphs"),
    "on": ("mdi6.skip-next", "Step on", "Step towards this frame (Down in the list)"),
}


class ChainBar(QWidget):
    """Steps through the chain; the 3D view and the graphs show how far."""

    def __init__(self, view: WhyView) -> None:
        super().__init__()
        on_theme_change(self._paint)
        self._view = view
        heading = QLabel("Why here?")
        heading.setProperty("role", "heading")
        heading.setToolTip("The frames from the root to this one; double-click a step to show it in the source")
        row = row_of(heading, STRETCH, parent=self, margins=(8, 0, 8, 0), spacing=2)
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
        view.model().modelReset.connect(self._allow)
        view.selectionModel().currentChanged.connect(self._allow)
        view.context.highlights.chain_steps_changed.connect(lambda names: None if names else self.stop())
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self._paint()
        self._allow()

    @property
    def is_playing(self) -> bool:
        """Whether the chain plays."""
        return self._clock.isActive()

    def step(self, by: int) -> None:
        """Go to the next or previous frame of the chain."""
        self.stop()
        count = len(self._view.steps)
        at = self._view.currentIndex().row()
        if count:
            at = (0 if by > 0 else count - 1) if at < 0 else min(max(at + by, 0), count - 1)
            self._view.step_to(at)

    def _allow(self) -> None:
        """Offer no step beyond the ends of the chain."""
        at, last = self._view.currentIndex().row(), len(self._view.steps) - 1
        allowed = {"back": last >= 0 and at != 0, "play": last >= 0, "on": last >= 0 and at < last}
        for key, button in self.buttons.items():
            if button.hasFocus() and not allowed[key]:
                self._view.setFocus()  # elsewhere it would end the steps
            button.setEnabled(allowed[key])

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Show no steps when another part of the window gets the focus."""
        if now is not None and now is not self._view and not self.isAncestorOf(now):
            self._view.context.highlights.show_chain(())

    def _toggle(self) -> None:
        if self._clock.isActive():
            self.stop()
        elif self._view.steps:
            self._view.step_to(0)
            self._clock.start()
            self._paint()

    def _go_on(self) -> None:
        at = self._view.currentIndex().row() + 1
        if at < len(self._view.steps):
            self._view.step_to(at)
        else:
            self.stop()

    def stop(self) -> None:
        """Pause at the current step."""
        self._clock.stop()
        self._paint()

    def _paint(self) -> None:
        colours = tokens(self.palette())
        for key, (name, _, _) in _BUTTONS.items():
            shown = "mdi6.pause" if key == "play" and self._clock.isActive() else name
            self.buttons[key].setIcon(icon(shown, colours.text, colours.disabled))
