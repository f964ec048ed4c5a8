"""Buttons that open a menu."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton

from sdfviewer.gui.kit.under_mouse import leave


def set_menu(button: QToolButton | QPushButton, menu: QMenu) -> None:
    """Give a button a menu. After it has closed, the button is lit only if the mouse is over it.

    Qt does not report that the mouse has left while a menu was open, so the button would stay lit.
    """
    button.setMenu(menu)
    menu.aboutToHide.connect(lambda: QTimer.singleShot(0, button, lambda: leave(button)))
