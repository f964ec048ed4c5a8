"""The table of all actions, from which menus, toolbar, tooltips and command palette are created."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace

from sdfviewer.gui.shell.action_spec import ActionSpec
from sdfviewer.gui.shell.actions.camera_actions import CAMERA
from sdfviewer.gui.shell.actions.edit_actions import EDIT
from sdfviewer.gui.shell.actions.file_actions import FILE
from sdfviewer.gui.shell.actions.go_actions import GO
from sdfviewer.gui.shell.actions.help_actions import HELP
from sdfviewer.gui.shell.actions.joint_actions import JOINTS
from sdfviewer.gui.shell.actions.refactor_actions import REFACTOR
from sdfviewer.gui.shell.actions.show_actions import SHOW
from sdfviewer.gui.shell.actions.source_actions import SOURCE
from sdfviewer.gui.shell.actions.tool_actions import TOOLS, VIEW_TOPICS
from sdfviewer.gui.shell.actions.view_actions import VIEW

#: Keys on macOS, where the system reserves some of the others.
_MACOS_KEYS = {
    "view.maximize": "Ctrl+Shift+Return",  # F11 shows the desktop
    "file.next": "Meta+Tab",  # ⌘Tab goes to the next program
    "source.complete": "Meta+Space",  # ⌘Space searches the computer
    "source.replace": "Ctrl+Alt+F",  # ⌘H hides the program
    "versions.step": "Ctrl+K, Shift+H",
    "edit.write_quaternion": "Ctrl+K, Q",  # ⌘Q quits
    "axes.relative_to": "Ctrl+Shift+0",  # ⌘⇧3 takes a picture of the screen
    "unit.degrees": "Ctrl+Alt+A",  # ⌥⌘D hides the Dock
    "edit.remove": "Ctrl+Backspace",  # most of its keyboards have no Del
}


def for_macos(specs: Iterable[ActionSpec]) -> tuple[ActionSpec, ...]:
    """Return actions with keys that macOS leaves to programs."""
    return tuple(replace(spec, shortcut=_MACOS_KEYS.get(spec.id, spec.shortcut)) for spec in specs)


_MODULES = (FILE, EDIT, TOOLS, REFACTOR, SOURCE, SHOW, CAMERA, VIEW, GO, JOINTS, HELP)
_ALL = tuple(spec for module in _MODULES for spec in module.specs)

ACTIONS: tuple[ActionSpec, ...] = for_macos(_ALL) if sys.platform == "darwin" else _ALL

#: Switches with which the next start begins as they were left; the state of a tool is not among them.
REMEMBERED = (
    *(
        spec.id
        for spec in ACTIONS
        if spec.checkable
        and spec.id.partition(".")[0] in VIEW_TOPICS
        and (spec.id == "tool.snap" or not spec.id.startswith(("tool.", "compare.")))
    ),
    "source.whitespace",
)
