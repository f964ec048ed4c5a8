"""What is under the mouse when widgets move or hide below it, which Qt reports only when the mouse moves."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QMouseEvent, QStatusTipEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from shiboken6 import isValid


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
