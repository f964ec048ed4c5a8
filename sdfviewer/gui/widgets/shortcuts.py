"""Shortcuts in tooltips."""

from __future__ import annotations

from PySide6.QtGui import QAction, QKeySequence


def tooltip(text: str, shortcut: QKeySequence | str) -> str:
    """Return a tooltip that ends in the shortcut as this platform writes it."""
    keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{text} ({keys})" if keys else text


def set_shortcut(action: QAction, keys: str, *more: str) -> None:
    """Give an action its keys, which its tooltip shows."""
    action.setShortcuts([QKeySequence(each) for each in (keys, *more) if each])
    action.setToolTip(tooltip(action.statusTip() or action.text(), keys))
