"""Names of widgets for screen readers, and properties that the style sheet asks for, such as the role of a label."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget


def set_style_property(widget: QWidget, name: str, value: str | bool) -> None:
    """Set a property and paint the widget by it; nothing is done where it is the same, as that takes a while."""
    if (widget.property(name) or False) == value:
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
