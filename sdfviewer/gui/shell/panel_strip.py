"""The buttons of hidden panels in the status bar."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QToolButton, QWidget

from sdfviewer.gui.shell.docks import DOCKS, Docks
from sdfviewer.gui.widgets.named import named
from sdfviewer.gui.widgets.shortcuts import tooltip
from sdfviewer.gui.widgets.under_mouse import leave_gone


class PanelStrip(QWidget):
    """Shows the folded panels; a click on one shows it."""

    #: The id of a panel that should be shown.
    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        # A layout hides all panels before it shows those that it has.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show)
        self._docks: dict[str, QDockWidget] = {}
        self.buttons: dict[str, QToolButton] = {}
        for spec in DOCKS:
            if spec.id == "problems":
                continue  # their count, beside the strip, shows them
            button = named(QToolButton(), spec.name, tooltip(f"Show {spec.description}", spec.shortcut))
            button.setText(spec.name)
            button.setAutoRaise(True)
            button.clicked.connect(lambda _=False, id=spec.id: self.wanted.emit(id))
            button.hide()
            row.addWidget(button)
            self.buttons[spec.id] = button

    def follow(self, docks: Docks) -> None:
        """Show buttons for the docks that are hidden, from now on."""
        self._docks = docks.docks
        for dock in self._docks.values():
            dock.toggleViewAction().toggled.connect(lambda _on: self._soon.start())
        self._show()

    def _show(self) -> None:
        for id, button in self.buttons.items():
            # Not whether it is visible: a panel behind another tab is not folded.
            button.setVisible(self._docks[id].isHidden())
        leave_gone(self)  # buttons move below a resting mouse when a key shows or hides a panel
