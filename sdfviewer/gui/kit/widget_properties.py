"""Names of widgets for screen readers, sizes of windows, properties for the style sheet, headings that fold, menus."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from sdfviewer.gui.kit.under_mouse import leave


def set_style_property(widget: QWidget, name: str, value: str | bool) -> None:
    """Set a property and paint the widget by it; nothing is done where it is the same, as that takes a while."""
    if (widget.property(name) or "") == (value or ""):
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def named(widget: AnyWidget, name: str, tip: str = "") -> AnyWidget:
    """Return a widget with its accessible name and its tooltip."""
    widget.setAccessibleName(name)
    if tip:
        widget.setToolTip(tip)
    return widget


class FoldButton(QToolButton):
    """A heading with an arrow that says whether what is below it is in sight: it is while the button is checked."""

    def __init__(self, text: str, tip: str, *, is_open: bool = False) -> None:
        super().__init__()
        named(self, text, tip)
        self.setText(text)
        self.setProperty("role", "fold")
        self.setCheckable(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggled.connect(self._turn)
        self.setChecked(is_open)
        self._turn(is_open)

    def _turn(self, on: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)


def resize_on_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window a size in logical pixels, or less where its screen is smaller: its buttons must be in reach."""
    room = window.screen().availableGeometry().size() - QSize(40, 60)  # the frame around it
    window.resize(QSize(width, height).boundedTo(room))


def set_menu(button: QToolButton | QPushButton, menu: QMenu) -> None:
    """Give a button a menu. After it has closed, the button is lit only if the mouse is over it.

    Qt does not report that the mouse has left while a menu was open, so the button would stay lit.
    """
    button.setMenu(menu)
    menu.aboutToHide.connect(lambda: QTimer.singleShot(0, button, lambda: leave(button)))
