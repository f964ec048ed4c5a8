"""Rows and columns of widgets, each in one call; changes of them that are painted once, when all is in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget
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
