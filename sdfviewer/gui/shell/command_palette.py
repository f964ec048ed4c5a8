"""The command palette: every action by a few letters of its name, or by what people call it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.kit.commands import command_name
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.search import Candidate, Row, SearchHit, SearchPopup
from sdfviewer.operations.table import OPERATIONS

_HIGHEST = 420
"""Logical pixels that the palette is high at most."""
#: A match whose score is lower than the best by more is of another kind, and not what was meant.
_SAME_KIND = 15.0
_NAMED_BY_MENU = frozenset(
    {
        "File/New",
        "File/Compare With",
        "Edit/Write Pose In",
        "Edit/Add",
        "Edit/Tool",
        "View/Show",
        "View/Show/Edges in 3D",
        "View/Show/Frames Behind Surfaces",
        "View/Show/Ghost",
        "View/Show/Section",
        "View/Camera",
        "View/Camera/Mouse Navigation",
        "View/Appearance/Angles",
        "View/Appearance/Theme",
        "View/Workspace",
        "Help/Examples",
    }
)
"""Menus whose entries say what is done only together with the name of the menu: New, Model."""


@dataclass(frozen=True)
class Command:
    """An action and its menu, and why the menu does not offer it now."""

    menu: str
    action: QAction
    refusal: str = ""

    @property
    def name(self) -> str:
        """What it is called, without its menu."""
        return command_name(self.action)

    @property
    def full_name(self) -> str:
        """What it is called outside its menu."""
        return f"{self.menu.rpartition('/')[2]}: {self.name}" if self.menu in _NAMED_BY_MENU else self.name

    @property
    def place(self) -> str:
        """The menus that its full name does not say."""
        menu = self.menu.rpartition("/")[0] if self.menu in _NAMED_BY_MENU else self.menu
        return menu.replace("/", " › ")

    @property
    def is_offered(self) -> bool:
        """Whether it can be run."""
        return not self.refusal and self.action.isEnabled()


class CommandPalette(SearchPopup):
    """A search line over a list of commands; Enter runs the best match."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        self._highest = _HIGHEST
        candidates = [Candidate(each, each.full_name, f"{each.menu} {synonyms_of(each.action)}") for each in commands]
        super().__init__("Type a command", "Matching commands", "No command matches.", candidates, parent)
        self.setObjectName("command_palette")
        self.results.setMinimumHeight(1)  # Qt asks for several rows, of which one match would leave all but one empty
        self.column.setContentsMargins(8, 8, 8, 8)
        self.column.setSpacing(8)

    def open_over(self, window: QWidget) -> None:
        """Show the palette at the top middle of a window."""
        width = min(560, window.width() - 32)
        self._highest = min(_HIGHEST, window.height() - 64)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.setGeometry(QRect(corner.x() + (window.width() - width) // 2, corner.y() + 48, width, self._highest))
        self._fit()
        self.show()
        self.search.setFocus()

    def _show_hits(self, hits: Sequence[SearchHit[Command]]) -> None:
        super()._show_hits(hits)
        self._fit()

    def _fit(self) -> None:
        """Become as high as what was found, up to a limit."""
        around = self.height() - self.results.viewport().height()
        self.resize(self.width(), min(around + self.results.rows_height(), self._highest))

    def describe(self, entry: Command) -> Row:
        action = entry.action
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        # As in the menus, a tick says that something is on.
        is_on = action.isCheckable() and action.isChecked()
        sign = icon("mdi6.check") if is_on else action.icon()
        tip = entry.refusal or action.toolTip()
        return Row(entry.full_name, sign, entry.place, keys, tip, dimmed=not entry.is_offered)

    def can_take(self, entry: Command) -> bool:
        return entry.is_offered

    def first_row(self, hits: Sequence[SearchHit[Command]]) -> int:
        # Enter must not run something else because what was meant is refused now.
        return super().first_row([hit for hit in hits if hit.match.score > hits[0].match.score - _SAME_KIND])

    def take(self, entry: Command) -> None:
        if entry.action.isEnabled():  # one that is refused says why
            self.close()
            entry.action.trigger()


SYNONYMS = {
    **{each.menu.id: each.menu.words for each in OPERATIONS.values() if each.menu is not None and each.menu.words},
    "file.picture": "screenshot picture png jpg photo snapshot render transparent",
    "file.copy_picture": "clipboard picture",
    "joints.record": "gif mp4 video movie animation record",
    "file.quit": "exit",
    "file.reload": "refresh",
    "file.xacro_arguments": "args evaluate",
    "file.xacro_expansion": "evaluate",
    "file.resources": "missing meshes textures assets",
    "file.moveit": "srdf planning groups states collision matrix disable collisions end effector",
    "file.fetch": "fuel gazebo online",
    "file.merge": "conflict three-way diff3 git changed combine reload",
    "file.export": "convert urdf mjcf mujoco stl gltf obj save as",
    "file.page": "html webpage website share browser",
    "edit.preferences": "settings options",
    "edit.mirror": "symmetric left right",
    "edit.pose": "origin",
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
    "show.labels": "names",
    "show.grid": "ground floor plane",
    "show.display": "font",
    "show.inertia": "mass moment",
    "show.centres": "com gravity",
    "show.everything": "declutter",
    "depth.xray": "x-ray occlusion",
    "visible.isolate": "solo only",
    "section.x": "clip cut slice",
    "joints.reset": "home zero default pose",
    "joints.random": "shuffle",
    "joints.motion": "timeline animation keyframe keyframes trajectory",
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
    "panel.problems": "errors warnings validate lint check cycle",
    "panel.history": "log commits",
    "go.palette": "search command",
    "go.filter": "search find",
    "go.tree_order": "sort kinematic tree hierarchy",
    "go.who_moved": "blame git history commit author changed last annotate",
    "unit.degrees": "deg angle units",
    "unit.radians": "rad angle units",
    "theme.dark": "night black mode",
    "theme.light": "day white mode",
    "help.manual": "documentation docs",
    "help.about": "license version",
    "help.tour": "welcome demo introduction",
    "help.shortcuts": "keys hotkeys keyboard",
    "view.maximize": "fullscreen zoom panel",
    "view.performance": "fps meter speed profile slow",
    "view.reset_layout": "docks panels restore",
}
"""Words by the id of an action; an operation declares its own."""


def synonyms_of(action: QAction) -> str:
    """Return what else people call an action, empty where they call it by its name."""
    return SYNONYMS.get(action.objectName(), "")
