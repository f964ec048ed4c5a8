"""What Qt lacks for widgets: rows and columns in a call, names for screen readers, what is under a resting mouse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QMouseEvent, QStatusTipEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid


class _Stretch:
    """Room that grows with the layout."""


STRETCH: Final = _Stretch()
"""Takes the room that the other parts leave."""

Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | _Stretch
"""A widget or layout, perhaps with the share of the room that it takes, or pixels of space, or `STRETCH`."""
Margins = int | tuple[int, int, int, int]
"""Pixels around a layout: the same on all sides, or left, top, right and bottom."""

_Box = TypeVar("_Box", bound=QBoxLayout)


def row_of(
    *parts: Part, parent: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Return a layout of parts from left to right, which lays out ``parent`` where there is one.

    Margins and spacing are those of the style unless they are given.
    """
    return _filled(QHBoxLayout(), parts, parent, margins, spacing)


def column_of(
    *parts: Part, parent: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Return a layout of parts from top to bottom, which lays out ``parent`` where there is one.

    Margins and spacing are those of the style unless they are given.
    """
    return _filled(QVBoxLayout(), parts, parent, margins, spacing)


def line_of(*parts: Part, parent: QWidget | None = None, spacing: int = 4) -> QWidget:
    """Return a child of ``parent`` with parts from left to right and no margins, as for a row of a form."""
    line = QWidget(parent)
    row_of(*parts, parent=line, margins=0, spacing=spacing)
    return line


def _filled(
    layout: _Box, parts: tuple[Part, ...], parent: QWidget | None, margins: Margins | None, spacing: int | None
) -> _Box:
    if parent is not None:
        parent.setLayout(layout)
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, _Stretch):
            layout.addStretch(1)
        elif isinstance(part, int):
            layout.addSpacing(part)
        else:
            item, share = part if isinstance(part, tuple) else (part, 0)
            if isinstance(item, QWidget):
                layout.addWidget(item, share)
            else:
                layout.addLayout(item, share)
    return layout


@contextmanager
def painted_once(widget: QWidget) -> Iterator[None]:
    """Paint a widget when its parts are in their places: the 3D view draws a picture at each change of its size."""
    # Not `updatesEnabled`: while the window around it waits, that would keep the widget from being painted ever after.
    was_disabled = widget.testAttribute(Qt.WidgetAttribute.WA_ForceUpdatesDisabled)
    widget.setUpdatesEnabled(False)
    try:
        yield
    finally:
        if isValid(widget) and not was_disabled:
            paint_again(widget)


def paint_again(widget: QWidget) -> None:
    """Enable updates of a widget that were disabled for some passes of the event loop, and paint it."""
    widget.setUpdatesEnabled(True)
    # A repaint requested earlier is lost; request it again.
    QCoreApplication.postEvent(widget.window(), QEvent(QEvent.Type.UpdateRequest))


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


def styled(widget: AnyWidget, role: str) -> AnyWidget:
    """Return a widget that the style sheet paints in a role, such as ``muted`` or ``title``."""
    widget.setProperty("role", role)
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


def widget_under_mouse() -> QWidget | None:
    """Return the widget that the mouse is over."""
    return QApplication.widgetAt(QCursor.pos())


def has_mouse(widget: QWidget) -> bool:
    """Return whether the mouse is over a widget as it is now."""
    return widget.isVisible() and widget.rect().contains(widget.mapFromGlobal(QCursor.pos()))


def leave(widget: QWidget | None) -> None:
    """Tell a widget, and those around it, that the mouse has left, where they are hidden or elsewhere by now."""
    while widget is not None and isValid(widget):
        if widget.underMouse() and not has_mouse(widget):
            widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
            QCoreApplication.sendEvent(widget, QStatusTipEvent(""))
            widget.update()
        widget = None if widget.isWindow() else widget.parentWidget()


def widgets_in(widget: QWidget) -> Iterator[QWidget]:
    """Yield all widgets in another one, as they are when each is reached.

    What ``findChildren`` returns is kept by the widget that was asked, also when Qt has deleted it: a dock or a window
    would keep scroll bars and viewports of each file that was closed.
    """
    for child in widget.children():
        if isinstance(child, QWidget):
            yield child
            yield from widgets_in(child)


def leave_gone(top: QWidget) -> None:
    """Tell what is in a widget and is hidden or elsewhere by now that the mouse has left it."""
    for widget in list(widgets_in(top)):
        if isValid(widget) and widget.underMouse():
            leave(widget)


def ask_again(view: QAbstractItemView) -> None:
    """Let a view look what is under the resting mouse, after its rows have moved."""
    viewport = view.viewport()
    if viewport.underMouse() and widget_under_mouse() is viewport and not QGuiApplication.mouseButtons():
        at, none = QPointF(QCursor.pos()), Qt.MouseButton.NoButton
        modifiers = QGuiApplication.keyboardModifiers()
        move = QMouseEvent(QEvent.Type.MouseMove, viewport.mapFromGlobal(at), at, none, none, modifiers)
        QCoreApplication.sendEvent(viewport, move)
