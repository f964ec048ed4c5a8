"""Changes of the layout that are painted once, when all is in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid


@contextmanager
def painted_once(widget: QWidget) -> Iterator[None]:
    """Paint a widget when its parts are in their places: the 3D view draws a picture at each change of its size."""
    was_enabled = widget.updatesEnabled()
    widget.setUpdatesEnabled(False)
    try:
        yield
    finally:
        if isValid(widget):
            widget.setUpdatesEnabled(was_enabled)
