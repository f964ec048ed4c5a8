"""Changes of the layout that are painted once, when all is in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid


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
