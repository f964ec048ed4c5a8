"""Accessible names of widgets."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def named(widget: AnyWidget, name: str, tip: str = "") -> AnyWidget:
    """Return a widget with its accessible name and its tooltip."""
    widget.setAccessibleName(name)
    if tip:
        widget.setToolTip(tip)
    return widget
