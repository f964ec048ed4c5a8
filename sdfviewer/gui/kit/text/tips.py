"""Tooltips that follow the mouse."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolTip, QWidget


def show_tip(where: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip at the mouse at once, in global coordinates; no text hides it.

    Where the screen ends, Qt puts it above or beside the mouse, on what one points at next. The mouse goes through it.
    """
    QToolTip.showText(where, text, widget)
    for tip in QApplication.topLevelWidgets():
        window = tip.windowHandle()
        if window is not None and tip.inherits("QTipLabel"):
            window.setFlag(Qt.WindowType.WindowTransparentForInput)
