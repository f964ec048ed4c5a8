"""The workspaces: the arrangement of each at first, by the size of the screen, and as the user leaves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QStackedWidget, QToolBar, QWidget
from shiboken6 import isValid

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.kit.widgets import leave_gone, paint_again, painted_once
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
    if window.width() < 1800 or window.height() < 860:
        return ScreenSize.SMALL
    return ScreenSize.LARGE if window.width() >= 2400 and window.height() >= 1200 else ScreenSize.NORMAL


@dataclass(frozen=True)
class Area:
    """The width and height that the panels share with the 3D view, in logical pixels."""

    width: int
    height: int
    size: ScreenSize

    @property
    def is_narrow(self) -> bool:
        """Whether panels beside the 3D view must share one column as tabs."""
        return self.width < 1100

    @property
    def is_low(self) -> bool:
        """Whether there is no room for three panels above each other."""
        return self.height < 850

    @property
    def is_upright(self) -> bool:
        """Whether a narrow window has the height for all panels below each other, and for graphs below the 3D view."""
        return self.is_narrow and self.height >= 1200

    @property
    def tree(self) -> int:
        """The width of a model tree beside the 3D view."""
        return min(max(round(self.width * 0.15), 205), 340)

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
    arrange: Callable[[Docks, Area], None]


def apply_default(docks: Docks, workspace: WorkspaceSpec) -> None:
    """Lay the panels out as a workspace does by default."""
    size = docks.window.size()
    docks.forget_room()
    for spec in DOCKS:
        dock = docks.docks[spec.id]
        if dock.isFloating():  # Qt hides and shows the others too
            dock.setFloating(False)
        (docks.centre if spec.inner else docks.window).removeDockWidget(dock)
        dock.hide()
    # Menu bar, toolbar and status bar need the rest.
    workspace.arrange(docks, Area(size.width(), size.height() - 90, size_of(size)))
    for spec in DOCKS:  # what the workspace does not mention
        host = docks.centre if spec.inner else docks.window
        if host.dockWidgetArea(docks.docks[spec.id]) is Qt.DockWidgetArea.NoDockWidgetArea:
            _put_away(docks, _BOTTOM if spec.inner else _LEFT, spec.id)
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
    """Say where hidden panels appear when they are requested."""
    _place(docks, area, *ids, tabbed=True, shown=False)


def _inspect(docks: Docks, area: Area) -> None:
    """The 3D view has half of the window, the graphs what is left below it; problems and source are folded.

    On a small screen the other panels share one column, so that the 3D view is wide and leaves room for the graphs. On
    a low one problems and source come beside the 3D view: below it and the graphs, each would be a strip. On the
    smallest the panels are tabs, also problems and source, and the graphs are folded until they are requested. On an
    upright one all are below each other.
    """
    is_small = area.size is ScreenSize.SMALL
    if area.is_upright:
        column = _place(docks, _RIGHT, "tree", "properties", "joints")
        docks.window.resizeDocks(column, [round(area.height * share) for share in (0.4, 0.32, 0.28)], _DOWN)
    elif area.is_narrow:
        column = _place(docks, _RIGHT, "tree", "properties", "joints", "source", "problems", tabbed=True)
        for dock in column[3:]:
            dock.hide()
    elif is_small:
        column = _place(docks, _LEFT, "tree", "properties", "joints")
        if area.is_low:
            docks.window.tabifyDockWidget(column[1], column[2])
            column[1].raise_()
            docks.window.resizeDocks(column[:2], [round(area.height * 0.4), round(area.height * 0.6)], _DOWN)
        else:
            docks.window.resizeDocks(column, [round(area.height * share) for share in (0.33, 0.4, 0.27)], _DOWN)
    else:
        (tree,) = _place(docks, _LEFT, "tree")
        column = _place(docks, _RIGHT, "properties", "joints")
        docks.window.resizeDocks([tree], [area.tree], _ACROSS)
        docks.window.resizeDocks(column, [round(area.height / 2)] * 2, _DOWN)
    docks.window.resizeDocks(column[:1], [area.side], _ACROSS)
    if not area.is_narrow or area.is_upright:
        _put_away(docks, _RIGHT if is_small and area.is_low else _BOTTOM, "source", "problems")
    _put_away(docks, _LEFT if not is_small else _RIGHT, "history")
    graphs = _place(docks, _BOTTOM, "graphs", "compare", tabbed=True)
    docks.docks["compare"].hide()
    beside = area.side if is_small else area.tree + area.side
    view = (area.height + 90) * area.width // 2 // (area.width - beside - 8)
    height = round(area.height * 0.35) if area.is_upright else area.height - view - 8
    docks.centre.resizeDocks(graphs[:1], [max(height, 130)], _DOWN)
    graphs[0].setVisible(not area.is_narrow or area.is_upright)


def _edit(docks: Docks, area: Area) -> None:
    """The source beside the 3D view, the properties on the other side, or on a narrow screen behind the source.

    On an upright one, model tree and properties are below the source.
    """
    if area.is_upright:
        column = _place(docks, _LEFT, "source", "tree", "properties")
        docks.window.tabifyDockWidget(column[-1], docks.docks["joints"])
        docks.docks["joints"].show()
        column[-1].raise_()
        docks.window.resizeDocks(column[:1], [round(area.width * 0.5)], _ACROSS)
        docks.window.resizeDocks(column, [round(area.height * share) for share in (0.5, 0.2, 0.3)], _DOWN)
    elif area.is_narrow:
        (source, *_) = _place(docks, _LEFT, "source", "properties", "joints", tabbed=True)
        docks.window.resizeDocks([source], [round(area.width * 0.5)], _ACROSS)
    else:
        (source,) = _place(docks, _LEFT, "source")
        side = _place(docks, _RIGHT, "tree", "properties")
        docks.window.tabifyDockWidget(side[-1], docks.docks["joints"])
        docks.docks["joints"].show()
        side[-1].raise_()
        docks.window.resizeDocks([source, side[0]], [max(round(area.width * 0.36), 300), area.side], _ACROSS)
        docks.window.resizeDocks(side, [round(area.height * 0.4), round(area.height * 0.6)], _DOWN)
    _put_away(docks, _LEFT, *(("history",) if not docks.docks["tree"].isHidden() else ("tree", "history")))
    _put_away(docks, _BOTTOM, "problems")
    _put_away(docks, _BOTTOM, "graphs", "compare")


def _debug(docks: Docks, area: Area) -> None:
    """Both graphs large with a small 3D view beside them, problems and source below."""
    (problems, source) = _place(docks, _BOTTOM, "problems", "source")
    has_tree = area.size is not ScreenSize.SMALL
    if has_tree:
        (tree,) = _place(docks, _LEFT, "tree")
        docks.window.resizeDocks([tree], [area.tree], _ACROSS)
    _put_away(docks, _LEFT, *(("history",) if has_tree else ("tree", "history")))
    (side,) = _place(docks, _RIGHT, "properties")
    _put_away(docks, _RIGHT, "joints")
    if area.size is not ScreenSize.LARGE:
        side.hide()
    (graphs,) = _place(docks, _LEFT, "graphs")
    _put_away(docks, _BOTTOM, "compare")
    docks.window.resizeDocks([side], [area.side], _ACROSS)
    docks.window.resizeDocks([problems, source], [round(area.height * (0.42 if area.is_narrow else 0.36))] * 2, _DOWN)
    share = 0.58 if area.is_narrow else 0.5  # a line of the source can be scrolled, the words of a fix cannot
    docks.window.resizeDocks([problems, source], [round(area.width * part) for part in (share, 1 - share)], _ACROSS)
    middle = area.width if side.isHidden() else area.width - area.side
    # In a narrow window the 3D view needs room for a notice beside its tools.
    docks.centre.resizeDocks([graphs], [round(middle * (0.6 if area.is_narrow else 0.68))], _ACROSS)


def _compare(docks: Docks, area: Area) -> None:
    """Both conventions beside each other, with the table and the plot below."""
    (compare,) = _place(docks, _BOTTOM, "compare")
    _put_away(docks, _BOTTOM, "graphs")
    (joints,) = _place(docks, _RIGHT, "joints")
    if area.is_narrow:
        joints.hide()
    _put_away(docks, _RIGHT, "properties")
    _put_away(docks, _LEFT, "tree", "history")
    _put_away(docks, _BOTTOM, "source", "problems")
    docks.window.resizeDocks([joints], [area.side], _ACROSS)
    docks.centre.resizeDocks([compare], [round(area.height * COMPARE_SHARE)], _DOWN)


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


LAYOUT_VERSION = 4
"""The version of the layout, raised when a panel is added or removed; other versions are not restored."""


@dataclass(frozen=True)
class _Before:
    """The layout before one panel has filled the window, and what is hidden meanwhile."""

    window: QByteArray
    centre: QByteArray
    hidden: list[QWidget]


class Workspaces(QObject):
    """Switches between the arrangements of a window's panels, and lets one panel fill the window.

    Attributes
    ----------
    current
        The workspace shown.
    """

    #: Another workspace is shown.
    changed = Signal(WorkspaceSpec)

    def __init__(self, docks: Docks, middle: QWidget, views: QStackedWidget, settings: Settings) -> None:
        super().__init__(docks.window)
        self._docks, self._middle, self._views, self._settings = docks, middle, views, settings
        id = settings.workspace
        self.current: WorkspaceSpec = next((each for each in WORKSPACES if each.id == id), WORKSPACES[0])
        self._before: _Before | None = None
        self._later = Later(self)
        self._apply_default()

    # --- switching -------------------------------------------------------------------------------------------------

    def switch(self, workspace: WorkspaceSpec, *then: Callable[[], object]) -> None:
        """Show another workspace as the user left it, do what belongs to that, and paint the window.

        Each takes a pass of the event loop of its own: in one they hold the window up for a tenth of a second and more.
        Until the last the window shows what it has shown.
        """
        self.finish()
        for job in then:
            self._later.do(job)
        if workspace is self.current:
            return
        self._docks.window.setUpdatesEnabled(False)
        self._later.do(self._paint)
        self._later.do(partial(leave_gone, self._docks.window))
        self.save()
        focused = self._docks.window.focusWidget()
        self.current = workspace
        self._settings.workspace = workspace.id
        if not self.restore():
            self.reset()
        self.changed.emit(workspace)
        self._keep_keyboard(focused)

    def _keep_keyboard(self, focused: QWidget | None) -> None:
        """Leave the keyboard where it was, or give it to the 3D view where that is out of sight now."""
        view = self._views.currentWidget()
        if focused is None or view is None:
            return
        if not isValid(focused) or focused.visibleRegion().isEmpty():
            # Otherwise what comes next has the keyboard, such as the search of a panel.
            view.setFocus()
        elif self._docks.window.focusWidget() is not focused:
            # In an active window Qt moved it on while the panels were laid out.
            focused.setFocus()

    def finish(self) -> None:
        """Do now what is left of a switch for later passes."""
        self._later.flush()

    def _paint(self) -> None:
        paint_again(self._docks.window)

    def reset(self) -> None:
        """Show the default layout of the current workspace."""
        with painted_once(self._docks.window):
            self.restore_maximized()
            self._docks.unfold_below()
            self._apply_default()

    def _apply_default(self) -> None:
        with self._of_any_size():
            apply_default(self._docks, self.current)

    def _key(self, part: str) -> str:
        # What fits a large screen is cut on a small one: each size has its own. So has each version of the layouts:
        # a newer program that is opened again finds what it has left.
        return f"{self.current.id}/{size_of(self._docks.window.size()).value}/{LAYOUT_VERSION}/{part}"

    def save(self) -> None:
        """Remember the layout of the current workspace."""
        self.restore_maximized()
        self._docks.unfold_below()
        self._settings.set_state(self._key("window"), self._docks.window.saveState(LAYOUT_VERSION))
        self._settings.set_state(self._key("centre"), self._docks.centre.saveState(LAYOUT_VERSION))

    def restore(self) -> bool:
        """Show the current workspace as it was left on a screen of this size; return whether that was possible."""
        outer, inner = self._settings.state(self._key("window")), self._settings.state(self._key("centre"))
        if outer is None or inner is None:
            return False
        self.restore_maximized()
        return self._restore_states(outer, inner)

    def _restore_states(self, outer: QByteArray, inner: QByteArray) -> bool:
        """Arrange the panels at the edges, then those around the 3D view; return whether both were possible.

        To Qt the toolbars are part of a layout. The tabs of the files are one: the files that are open now decide.
        """
        docks = self._docks
        hidden = {bar: bar.isHidden() for bar in docks.window.findChildren(QToolBar)}
        with self._of_any_size():
            restored = docks.window.restoreState(outer, LAYOUT_VERSION)
            for bar, is_hidden in hidden.items():
                bar.setHidden(is_hidden)
            return docks.centre.restoreState(inner, LAYOUT_VERSION) and restored

    @contextmanager
    def _of_any_size(self) -> Iterator[None]:
        """Let the middle and the 3D view be as small as they get, so that they take no room from the panels around.

        While panels around the 3D view change places, those that go and those that come need room together; so do the
        two views of Compare until the second one goes.
        """
        for widget in (self._middle, self._views):
            widget.setMinimumSize(1, 1)
        try:
            yield
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        finally:
            for widget in (self._middle, self._views):
                widget.setMinimumSize(0, 0)

    # --- one panel in the whole window ---------------------------------------------------------------------------

    @property
    def is_maximized(self) -> bool:
        """Whether one panel fills the window."""
        return self._before is not None

    def maximize(self, id: str | None) -> None:
        """Let a panel fill the window, or the 3D view where there is no id."""
        self.restore_maximized()
        with painted_once(self._docks.window):
            self._hide_all_but(id)
        self._find_keyboard(id)
        self._later.do(partial(self._find_keyboard, id))  # bars of tabs are hidden then

    def _find_keyboard(self, id: str | None) -> None:
        """Give the keyboard to the panel that fills the window where what has it is out of sight."""
        focused, view = self._docks.window.focusWidget(), self._views.currentWidget()
        if focused is not None and not focused.visibleRegion().isEmpty():
            return
        if id is not None:
            self._docks.focus(id)
        elif view is not None:
            view.setFocus()

    def _hide_all_but(self, id: str | None) -> None:
        docks = self._docks
        self._before = _Before(
            docks.window.saveState(LAYOUT_VERSION),
            docks.centre.saveState(LAYOUT_VERSION),
            [dock for name, dock in docks.docks.items() if name != id and dock.isVisible() and not dock.isFloating()],
        )
        if id is not None:
            # Docks take the room of a central widget that is hidden.
            self._before.hidden.append(self._views if docks.is_inner(id) else self._middle)
        for widget in self._before.hidden:
            widget.hide()

    def restore_maximized(self) -> None:
        """Show all panels again after one has filled the window."""
        before, self._before = self._before, None
        if before is not None:
            with painted_once(self._docks.window):
                for widget in before.hidden:
                    widget.show()
                self._restore_states(before.window, before.centre)
