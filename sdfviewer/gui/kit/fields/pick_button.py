"""The button of a pose field that picks the pose in the 3D view."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMenu, QToolButton

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widget_properties import named, set_menu

_TIP = "Pick the pose in the 3D view: click a face, edge, corner, axis or frame. Hold the button for options."


class PickButton(QToolButton):
    """Checked while the 3D view waits for a click; its menu says what of the place is taken.

    Attributes
    ----------
    turns
        The switch that also takes the orientation of the place.
    """

    def __init__(self) -> None:
        super().__init__()
        named(self, "Pick in the 3D view", _TIP)
        self.setCheckable(True)
        self.setIconSize(QSize(16, 16))
        menu = QMenu(self)
        self.turns = menu.addAction("Turn z to the Normal of the Face")
        self.turns.setCheckable(True)
        self.turns.setChecked(True)
        self.turns.setToolTip("Off: the orientation is kept")
        set_menu(self, menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.DelayedPopup)
        on_theme_change(self._paint)
        self._paint()

    def _paint(self) -> None:
        colours = tokens(self.palette())
        self.setIcon(icon("mdi6.crosshairs-gps", colours.text, colours.disabled))
