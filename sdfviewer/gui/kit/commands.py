"""Commands: their words, icons and shortcuts, wherever a menu or a tooltip shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from sdfviewer.gui.kit.icons import action_icon
from sdfviewer.gui.kit.theme import tokens


class SharedCommand(NamedTuple):
    """What a command is called, and its icon."""

    text: str
    icon: str


FIT_ALL = SharedCommand("Fit All", "mdi6.fit-to-page-outline")
FOCUS = SharedCommand("Focus on Selection", "mdi6.image-filter-center-focus")
HIDE = SharedCommand("Hide", "mdi6.eye-off-outline")
ISOLATE = SharedCommand("Isolate", "mdi6.eye-circle-outline")
SHOW_ALL = SharedCommand("Show All", "mdi6.eye-outline")
SHOW_IN_SOURCE = SharedCommand("Show in Source", "mdi6.code-tags")
MEASURE_FROM = SharedCommand("Measure from Here", "mdi6.ruler")
SELECT_NONE = SharedCommand("Select None", "mdi6.selection-off")


def add_command(menu: QMenu, command: SharedCommand, run: Callable[[], object], text: str = "") -> QAction:
    """Add a command to a menu.

    Parameters
    ----------
    run
        What it does there.
    text
        What it is called there if that is not the same: the menu of one thing needs no selection.
    """
    action = menu.addAction(action_icon(command.icon, tokens(menu.palette())), text or command.text)
    action.triggered.connect(lambda _checked: run())
    return action


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
