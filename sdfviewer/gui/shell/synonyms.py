"""What people call the actions of the window who look for them: the command palette finds them by these words, too."""

from __future__ import annotations

from PySide6.QtGui import QAction

SYNONYMS = {
    "file.picture": "screenshot picture png photo snapshot render transparent",
    "file.copy_picture": "clipboard picture",
    "joints.record": "gif mp4 video movie animation",
    "file.resources": "missing meshes textures assets",
    "file.moveit": "srdf planning groups states collision matrix disable collisions end effector",
    "refactor.disable_collisions": "srdf moveit self collision matrix acm allowed ignore pair",
    "refactor.keep_true": "contract lock assert guard constraint test invariant",
    "edit.join_robot": "attach gripper flange combine merge robots mount",
    "file.fetch": "fuel gazebo online",
    "file.merge": "conflict three-way diff3 git changed combine reload",
    "file.export": "convert urdf mjcf save as",
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
    "refactor.group": "nest submodel limb arm encapsulate structure",
    "refactor.ungroup": "dissolve nested unnest explode flatten",
    "edit.relative_to": "parent reference frame",
    "edit.mate": "snap align attach",
    "edit.set_coordinate": "position rotation height same",
    "edit.mirror": "symmetry flip left right",
    "edit.duplicate": "copy clone",
    "edit.remove": "delete erase",
    "go.palette": "search command",
    "go.filter": "search find",
    "go.tree_order": "sort kinematic tree hierarchy",
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
"""Words by the id of an action."""


def synonyms_of(action: QAction) -> str:
    """Return what else people call an action, empty where they call it by its name."""
    return SYNONYMS.get(action.objectName(), "")
