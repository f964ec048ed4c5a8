"""The default layout of each workspace on small, normal and large screens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtWidgets import QDockWidget

from sdfviewer.gui.shell.docks import DOCKS, Docks

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
COMPARE_SHARE = 0.4
"""The part of the height that differences between the conventions have."""
_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


class ScreenSize(str, Enum):
    """How much room a window has."""

    SMALL = "small"
    NORMAL = "normal"
    LARGE = "large"


def size_of(window: QSize) -> ScreenSize:
    """Return how much room a window of some size in logical pixels has."""
    if window.width() < 1600 or window.height() < 860:
        return ScreenSize.SMALL
    return ScreenSize.LARGE if window.width() >= 2400 and window.height() >= 1200 else ScreenSize.NORMAL


@dataclass(frozen=True)
class Room:
    """The width and height that the panels share with the 3D view, in logical pixels."""

    width: int
    height: int
    size: ScreenSize

    @property
    def is_narrow(self) -> bool:
        """Whether there is no room for panels on both sides of the 3D view."""
        return self.width < 1100

    @property
    def tree(self) -> int:
        """The width of the model tree; without graphs below the 3D view there is more for it."""
        return min(max(round(self.width * 0.12), 228 if self.size is ScreenSize.SMALL else 205), 340)

    @property
    def side(self) -> int:
        """The width of properties and joints."""
        return min(max(round(self.width * 0.17), 332), 440)


@dataclass(frozen=True)
class WorkspaceSpec:
    """An arrangement of the panels for a job: its id, name, keys, what it is for, and how it is laid out by default."""

    id: str
    name: str
    shortcut: str
    description: str
    arrange: Callable[[Docks, Room], None]


def apply_default(docks: Docks, workspace: WorkspaceSpec) -> None:
    """Lay the panels out as a workspace does by default."""
    size = docks.window.size()
    for spec in DOCKS:
        dock = docks.docks[spec.id]
        dock.setFloating(False)
        (docks.centre if spec.inner else docks.window).removeDockWidget(dock)
        dock.hide()
    # Menu bar, toolbar and status bar need the rest.
    workspace.arrange(docks, Room(size.width(), size.height() - 90, size_of(size)))
    # A panel that was in sight only while others were placed may have widened the window.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    if not docks.window.isMaximized() and not docks.window.isFullScreen():
        docks.window.resize(size)


def _place(
    docks: Docks, area: Qt.DockWidgetArea, *ids: str, tabbed: bool = False, shown: bool = True
) -> list[QDockWidget]:
    """Put panels at an edge, after each other or as tabs of which the first is in front; return their docks."""
    placed = [docks.docks[id] for id in ids]
    for number, (id, dock) in enumerate(zip(ids, placed, strict=True)):
        host = docks.centre if next(spec for spec in DOCKS if spec.id == id).inner else docks.window
        if number == 0:
            host.addDockWidget(area, dock)
        elif tabbed:
            host.tabifyDockWidget(placed[0], dock)
        else:
            host.splitDockWidget(placed[number - 1], dock, _ACROSS if area is _BOTTOM else _DOWN)
        # A dock that is shown for a moment may widen the window beyond the screen.
        dock.setVisible(shown)
    placed[0].raise_()
    return placed


def _put_away(docks: Docks, area: Qt.DockWidgetArea, *ids: str) -> None:
    """Say where hidden panels appear when they are asked for."""
    _place(docks, area, *ids, tabbed=True, shown=False)


def _inspect(docks: Docks, room: Room) -> None:
    """The 3D view has half of the window at least; problems and source are folded."""
    if room.is_narrow:
        tree, *_ = side = _place(docks, _RIGHT, "tree", "properties", "joints", tabbed=True)
    else:
        (tree,) = _place(docks, _LEFT, "tree")
        side = _place(docks, _RIGHT, "properties", "joints", tabbed=room.height < 560)
    _put_away(docks, _BOTTOM, "source", "problems")
    _put_away(docks, _LEFT, "history")
    graphs = _place(docks, _BOTTOM, "graphs", "compare", tabbed=True)
    docks.docks["compare"].hide()
    if room.size is ScreenSize.SMALL:
        docks.docks["graphs"].hide()
    if room.is_narrow:
        docks.window.resizeDocks(side[:1], [room.side], _ACROSS)
    else:
        docks.window.resizeDocks([tree, side[0]], [room.tree, room.side], _ACROSS)
        docks.window.resizeDocks(side, [round(room.height * 2 / 3), round(room.height / 3)], _DOWN)
    # Half of the window is for the 3D view.
    view = (room.height + 90) * room.width * 54 // 100 // max(room.width - room.tree - room.side, 1)
    docks.centre.resizeDocks(graphs[:1], [max(room.height - view - 8, 160)], _DOWN)


def _edit(docks: Docks, room: Room) -> None:
    """The source beside the 3D view, the properties on the other side."""
    (source,) = _place(docks, _LEFT, "source")
    _put_away(docks, _LEFT, "tree", "history")
    side = _place(docks, _RIGHT, "properties", "joints", tabbed=True)
    _put_away(docks, _BOTTOM, "problems")
    _put_away(docks, _BOTTOM, "graphs", "compare")
    docks.window.resizeDocks([source, side[0]], [max(round(room.width * 0.36), 300), room.side], _ACROSS)


def _debug(docks: Docks, room: Room) -> None:
    """Both graphs large, problems and source below, the 3D view small above."""
    (problems, source) = _place(docks, _BOTTOM, "problems", "source")
    _put_away(docks, _LEFT, "tree", "history")
    (side,) = _place(docks, _RIGHT, "properties")
    _put_away(docks, _RIGHT, "joints")
    if room.size is ScreenSize.SMALL:
        side.hide()
    (graphs,) = _place(docks, _BOTTOM, "graphs")
    _put_away(docks, _BOTTOM, "compare")
    docks.window.resizeDocks([side], [room.side], _ACROSS)
    docks.window.resizeDocks([problems, source], [round(room.height * 0.3)] * 2, _DOWN)
    docks.window.resizeDocks([problems, source], [room.width // 2] * 2, _ACROSS)
    docks.centre.resizeDocks([graphs], [round(room.height * 0.45)], _DOWN)


def _compare(docks: Docks, room: Room) -> None:
    """Both conventions beside each other, with the table and the plot below."""
    (compare,) = _place(docks, _BOTTOM, "compare")
    _put_away(docks, _BOTTOM, "graphs")
    (joints,) = _place(docks, _RIGHT, "joints")
    if room.is_narrow:
        joints.hide()
    _put_away(docks, _RIGHT, "properties")
    _put_away(docks, _LEFT, "tree", "history")
    _put_away(docks, _BOTTOM, "source", "problems")
    docks.window.resizeDocks([joints], [room.side], _ACROSS)
    docks.centre.resizeDocks([compare], [round(room.height * COMPARE_SHARE)], _DOWN)


EDIT = WorkspaceSpec("edit", "Edit", "Ctrl+F2", "Show the source beside the 3D view and the properties", _edit)
DEBUG = WorkspaceSpec("debug", "Debug", "Ctrl+F3", "Show large frame graphs with the problems and the source", _debug)
COMPARE = WorkspaceSpec(
    "compare", "Compare", "Ctrl+F4", "Show the SDFormat and URDF conventions side by side", _compare
)
WORKSPACES = (
    WorkspaceSpec("inspect", "Inspect", "Ctrl+F1", "Show the model tree, a large 3D view, graphs and joints", _inspect),
    EDIT,
    DEBUG,
    COMPARE,
)
