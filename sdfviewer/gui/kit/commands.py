"""Commands: their words, icons and shortcuts, wherever a menu or a tooltip shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from sdfviewer.gui.kit.icons import icon


class SharedCommand(NamedTuple):
    """What a command is called, its icon, and its keys where a tooltip elsewhere names them."""

    text: str
    icon: str
    keys: str = ""


FIT_ALL = SharedCommand("Fit All", "mdi6.fit-to-page-outline")
FOCUS = SharedCommand("Focus on Selection", "mdi6.image-filter-center-focus")
HIDE = SharedCommand("Hide", "mdi6.eye-off-outline")
ISOLATE = SharedCommand("Isolate", "mdi6.eye-circle-outline")
SHOW_ALL = SharedCommand("Show All", "mdi6.eye-outline", "Ctrl+Shift+H")
SHOW_IN_SOURCE = SharedCommand("Show in Source", "mdi6.code-tags")
MEASURE_FROM = SharedCommand("Measure from Here", "mdi6.ruler")
OPEN = SharedCommand("Open…", "mdi6.folder-open-outline", "Ctrl+O")
NEW_MODEL = SharedCommand("Model", "mdi6.file-plus-outline", "Ctrl+N")
COPY_POSE = SharedCommand("Copy Pose", "mdi6.content-copy", "Ctrl+Shift+C")
CLOSE_LOOPS = SharedCommand("Close Loops", "mdi6.vector-link", "Ctrl+Alt+K")
SAVE_POSE = SharedCommand("Save Pose…", "mdi6.bookmark-plus-outline", "Ctrl+Alt+P")
REMOVE_SECTION = SharedCommand("Remove Section Plane", "mdi6.cube-outline", "Shift+Q")
FIND_FRAME = SharedCommand("Find Frame", "mdi6.file-tree-outline", "Ctrl+F")
FIND_NEXT = SharedCommand("Find Next", "mdi6.arrow-down", "F3")
FIND_PREVIOUS = SharedCommand("Find Previous", "mdi6.arrow-up", "Shift+F3")
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
    action = menu.addAction(icon(command.icon), text or command.text)
    action.triggered.connect(lambda _checked: run())
    return action


COMMAND = "command"
"""The property of an action with the name that it always has."""


def tooltip(text: str, shortcut: QKeySequence | str) -> str:
    """Return a tooltip that ends in the shortcut as this platform writes it."""
    keys = shortcut and QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{text} ({keys})" if keys else text


def command_name(action: QAction) -> str:
    """Return what an action is called wherever its menu may say more, such as which edit it undoes."""
    return str(action.property(COMMAND) or action.text()).replace("&", "")


def set_shortcut(action: QAction, keys: str, *more: str) -> None:
    """Give an action its keys, which its tooltip shows."""
    action.setShortcuts([QKeySequence(each) for each in (keys, *more) if each])
    action.setToolTip(tooltip(action.statusTip() or action.text(), keys))
