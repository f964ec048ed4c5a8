"""What people call the actions of the window who look for them: the command palette finds them by these words, too."""

from __future__ import annotations

from PySide6.QtGui import QAction

from sdfviewer.operations.table import OPERATIONS

SYNONYMS = {
    **{each.menu.id: each.menu.words for each in OPERATIONS.values() if each.menu is not None and each.menu.words},
    "file.picture": "screenshot picture png photo snapshot render transparent",
    "file.copy_picture": "clipboard picture",
    "joints.record": "gif mp4 video movie animation",
    "file.resources": "missing meshes textures assets",
    "file.moveit": "srdf planning groups states collision matrix disable collisions end effector",
    "file.fetch": "fuel gazebo online",
    "file.merge": "conflict three-way diff3 git changed combine reload",
    "file.export": "convert urdf mjcf save as",
    "file.page": "html webpage website share browser",
    "source.format": "indent pretty print beautify reformat tidy whitespace",
    "source.caret_above": "multiple cursors multi-cursor column",
    "source.caret_below": "multiple cursors multi-cursor column",
    "source.next_occurrence": "multiple cursors multi-cursor select same word",
    "tool.measure": "ruler distance length dimension",
    "tool.move": "gizmo translate drag transform",
    "tool.rotate": "gizmo turn transform",
    "tool.resize": "scale size stretch extrude dimension handle",
    "tool.pose": "ik inverse kinematics drag",
    "camera.fit": "home reset view zoom all",
    "camera.focus": "zoom to center look at",
    "camera.orthographic": "perspective parallel",
    "show.frames": "tf axes triads coordinate systems",
    "show.wireframe": "mesh lines edges",
    "show.transparent": "alpha see through opacity",
    "show.joints": "axis hinge",
    "show.inertia": "mass moment",
    "show.centres": "com gravity",
    "show.everything": "declutter",
    "depth.xray": "x-ray occlusion",
    "visible.isolate": "solo only",
    "section.x": "clip cut slice",
    "joints.reset": "home zero default pose",
    "joints.random": "shuffle",
    "joints.motion": "timeline animation keyframes trajectory",
    "joints.sweep": "animate play",
    "workspace.compare": "urdf difference",
    "compare.ghost": "compare overlay",
    "compare.side": "compare split conventions",
    "compare.urdf": "convert requirements check",
    "versions.head": "git diff",
    "versions.saved": "diff changes",
    "file.duplicate_package": "copy clone folder ros rename fork model directory",
    "edit.duplicate_limb": "copy clone arm leg limb below chain",
    "edit.copy": "clipboard xml element",
    "edit.copy_limb": "clipboard xml arm leg limb chain subtree",
    "go.palette": "search command",
    "go.filter": "search find",
    "go.tree_order": "sort kinematic tree hierarchy",
    "go.who_moved": "blame git history commit author changed last annotate",
    "unit.degrees": "deg angle",
    "unit.radians": "rad angle",
    "theme.dark": "night black mode",
    "theme.light": "day white mode",
    "help.manual": "documentation docs",
    "help.shortcuts": "keys hotkeys keyboard",
    "view.maximize": "fullscreen zoom panel",
    "view.performance": "fps meter speed profile slow",
    "view.reset_layout": "docks panels restore",
}
"""Words by the id of an action; an operation declares its own."""


def synonyms_of(action: QAction) -> str:
    """Return what else people call an action, empty where they call it by its name."""
    return SYNONYMS.get(action.objectName(), "")
