"""The buttons of hidden panels in the status bar."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

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
        # Buttons move below a resting mouse when a key shows or hides a panel.
        self._moved = QTimer(self, singleShot=True, interval=0)
        self._moved.timeout.connect(lambda: leave_gone(self))
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
        for id, dock in docks.docks.items():
            # Not whether it is visible: a panel behind another tab is not folded.
            dock.toggleViewAction().toggled.connect(lambda _on, id=id, dock=dock: self._show(id, dock.isHidden()))
            self._show(id, dock.isHidden())

    def _show(self, id: str, folded: bool) -> None:
        if id in self.buttons:
            self.buttons[id].setVisible(folded)
            self._moved.start()
