"""The table of all actions, from which menus, toolbar, tooltips and command palette are created."""

from __future__ import annotations

import sys

from sdfviewer.gui.shell.action_spec import ActionSpec
from sdfviewer.gui.shell.actions.camera_actions import CAMERA
from sdfviewer.gui.shell.actions.edit_actions import EDIT
from sdfviewer.gui.shell.actions.file_actions import FILE
from sdfviewer.gui.shell.actions.go_actions import GO
from sdfviewer.gui.shell.actions.help_actions import HELP
from sdfviewer.gui.shell.actions.joint_actions import JOINTS
from sdfviewer.gui.shell.actions.macos import for_macos
from sdfviewer.gui.shell.actions.refactor_actions import REFACTOR
from sdfviewer.gui.shell.actions.show_actions import SHOW
from sdfviewer.gui.shell.actions.source_actions import SOURCE
from sdfviewer.gui.shell.actions.tool_actions import TOOLS, VIEW_TOPICS
from sdfviewer.gui.shell.actions.view_actions import VIEW

_MODULES = (FILE, EDIT, TOOLS, REFACTOR, SOURCE, SHOW, CAMERA, VIEW, GO, JOINTS, HELP)
_ALL = tuple(spec for module in _MODULES for spec in module.specs)

ACTIONS: tuple[ActionSpec, ...] = for_macos(_ALL) if sys.platform == "darwin" else _ALL

#: Switches with which the next start begins as they were left; what somebody was just doing is not among them.
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
