"""Shortcuts in tooltips."""

from __future__ import annotations

from PySide6.QtGui import QAction, QKeySequence

COMMAND = "command"
"""The property of an action with the name that it always has."""


def tooltip(text: str, shortcut: QKeySequence | str) -> str:
    """Return a tooltip that ends in the shortcut as this platform writes it."""
    keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{text} ({keys})" if keys else text


def command_name(action: QAction) -> str:
    """Return what an action is called wherever its menu may say more, such as which edit it undoes."""
    return str(action.property(COMMAND) or action.text()).replace("&", "")


def set_shortcut(action: QAction, keys: str, *more: str) -> None:
    """Give an action its keys, which its tooltip shows."""
    action.setShortcuts([QKeySequence(each) for each in (keys, *more) if each])
    action.setToolTip(tooltip(action.statusTip() or action.text(), keys))
