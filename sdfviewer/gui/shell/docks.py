"""The panels around the 3D view, and the docks that show them."""

# ruff: noqa: E501
from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QTabBar, QWidget

from sdfviewer.gui.kit.focus import PanelStack, go_on
from sdfviewer.gui.kit.safe_text import uncorrected
from sdfviewer.gui.kit.widgets import leave_gone, painted_once, styled

#: The most of the window's height that a panel takes when it is requested at the bottom of the window.
MOST_BELOW = 0.4
#: The most of the window's width that a panel takes when it is requested beside the 3D view.
MOST_BESIDE = 0.3


@dataclass(frozen=True)
class DockSpec:
    """One panel.

    Attributes
    ----------
    id, title
        By which settings and tests find it, and what its title bar says.
    name, description, shortcut
        What its menu entry says, what it shows, and its keys.
    hint
        What it says while no file is open.
    inner
        Whether it is docked around the 3D view rather than at the edges of the window.
    on_demand
        Whether it is hidden until it is requested.
    whats_this
        What "What Is This?" says of it.
    height
        Pixels of height that it gets at least when it is requested at the bottom of the window.
    width
        Pixels of width that it gets at least when it is requested at a side of the window.
    panel
        Its class, ``module:Class``, made with the context of a file and its parent when it is first requested. Empty for
        a panel that `OpenFile` makes, since it gets more.
    """

    id: str
    title: str
    name: str
    description: str
    shortcut: str
    hint: str
    inner: bool = False
    on_demand: bool = False
    whats_this: str = ""
    height: int = 0
    width: int = 0
    panel: str = ""


# fmt: off
DOCKS = (
    DockSpec("tree", "Model", "Model Tree", "the model tree", "Alt+1", "Open a file to see its frames.", whats_this="All worlds, models, links, joints and frames as a tree. Type a few letters to find one, click to select it, right-click to change it. A filled badge marks a problem here, a hollow badge problems inside."),
    DockSpec("properties", "Properties", "Properties", "the properties", "Alt+2", "Select a frame to see where it is and why.", whats_this="The properties of the selected frame, its pose, and the chain of frames behind the pose."),
    DockSpec("joints", "Joints", "Joints", "the joint sliders", "Alt+3", "Open a file to move its joints.", whats_this="A slider and a number for each degree of freedom. Moving joints does not change the file."),
    DockSpec("graphs", "Frame Graphs", "Frame Graphs", "the frame graphs", "Alt+4", "Open a file to see its frame graphs.", inner=True, whats_this="The references between frames: <code>attached_to</code> defines what moves together, <code>relative_to</code> the frame in which a pose is given. Dashed edges are defaults. Drag the head of an edge to change it."),
    DockSpec("problems", "Problems", "Problems", "the problems", "Alt+5", "Open a file to check it for problems.", whats_this="One entry for each cause, with its location and quick fixes. Hover over a fix to preview it in the graphs and in 3D.", height=230, width=400, panel="sdfviewer.gui.problems.panel:ProblemsPanel"),
    DockSpec("source", "Source", "Source", "the source", "Alt+6", "Open a file to read and edit its text.", whats_this="The text of the file. Edit it as in any code editor; all other panels follow.", height=270, width=400),
    DockSpec("compare", "Compare", "Compare", "the differences between the two conventions", "Alt+7", "Open a file to compare the two conventions.", inner=True, on_demand=True, whats_this="The same numbers in the SDFormat convention and in the URDF convention: which frames differ, by how much, and which default causes it.", height=240),
    DockSpec("history", "History", "History", "the history of edits", "Alt+9", "Open a file to see its history.", on_demand=True, whats_this="All edits of this file. Click one to go back or forward to it; right-click to compare with it.", panel="sdfviewer.gui.compare.history:HistoryPanel"),
)
# fmt: on


class Docks:
    """The docks of a window; each shows the panel of the current file.

    Attributes
    ----------
    window
        The window.
    centre
        The window inside of it, around the 3D view: the graphs are docked there, below the view and not below the tree.
    docks
        The docks by the id of their panel.
    """

    def __init__(self, window: QMainWindow, centre: QMainWindow) -> None:
        self.window = window
        self.centre = centre
        self.docks: dict[str, QDockWidget] = {}
        self.stacks: dict[str, PanelStack] = {}
        #: Hidden until a file is open.
        self._waiting: set[str] = set()
        #: The heights of the docks before and after one of them got room.
        self._room_made: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
        for spec in DOCKS:
            stack = PanelStack()
            hint = styled(QLabel(spec.hint, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, margin=16), "muted")
            stack.addWidget(hint)
            dock = QDockWidget(spec.title)
            dock.setObjectName(spec.id)
            dock.setAccessibleName(spec.title)
            dock.setWhatsThis(f"<b>{spec.title}</b><br>{spec.whats_this}<br><i>F1 opens the manual.</i>")
            dock.setWidget(stack)
            # Raise a panel that is docked again above those that took its place.
            dock.topLevelChanged.connect(lambda floating, dock=dock: None if floating else dock.raise_())
            # Such as a tab behind another one, to which a key has switched.
            dock.visibilityChanged.connect(lambda visible, dock=dock: None if visible else leave_gone(dock))
            dock.visibilityChanged.connect(partial(self._pass_keyboard_on, spec.id))
            dock.toggleViewAction().toggled.connect(partial(self._forget_waiting, spec.id))
            self.docks[spec.id] = dock
            self.stacks[spec.id] = stack
        for host in (window, centre):
            host.setDockNestingEnabled(True)
            host.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
            host.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)

    def connect_tabs(self, views: PanelStack, toolbar: QWidget) -> None:
        """Make Tab go from the 3D view through all visible docks, in the order of the table, to the toolbar."""
        parts = [views, *self.stacks.values(), toolbar]
        for stack in (views, *self.stacks.values()):
            stack.left.connect(lambda part, next: go_on(parts, part, next))

    @property
    def in_sight(self) -> list[str]:
        """The ids of the docks that are not hidden; some may be behind others as tabs."""
        return [id for id, dock in self.docks.items() if not dock.isHidden()]

    def add_panel(self, id: str, panel: QWidget) -> None:
        """Put the panel of another file into a dock: one that was corrected when it was made."""
        with uncorrected():
            self.stacks[id].addWidget(panel)

    def remove_panel(self, id: str, panel: QWidget) -> None:
        """Take the panel of a closed file out of its dock."""
        self.stacks[id].delete_panel(panel)

    def show_panel(self, id: str, panel: QWidget | None) -> None:
        """Show the panel of one file, or the hint where no file is open."""
        stack = self.stacks[id]
        if panel is None:
            stack.setCurrentIndex(0)
        else:
            stack.setCurrentWidget(panel)

    def show(self, id: str, *, keyboard: QWidget | None = None) -> None:
        """Raise a dock; the keyboard of one that it covers goes to it, or to another widget."""
        focused = self.panel_at(self.window.focusWidget())
        self._raise(id)
        if keyboard is None or focused is None:
            self._take_keyboard_from(focused, id)
        elif focused != id and self._are_tabs(id, focused):
            keyboard.setFocus()

    def _pass_keyboard_on(self, id: str, is_in_front: bool) -> None:
        """Give the keyboard of a dock that a tab covers to that tab: what is not seen takes no keys."""
        if not is_in_front and self.has_focus(id):  # Qt has not placed them yet
            QTimer.singleShot(0, self.window, self._find_keyboard)

    def _find_keyboard(self) -> None:
        focused = self.panel_at(self.window.focusWidget())
        if focused is not None and self.is_behind(focused):
            for other, dock in self.docks.items():
                if dock.isVisible() and not self.is_behind(other):
                    self._take_keyboard_from(focused, other)

    def _take_keyboard_from(self, focused: str | None, id: str) -> None:
        if focused is not None and focused != id and self._are_tabs(id, focused):
            self.focus(id)

    def _raise(self, id: str) -> None:
        dock = self.docks[id]
        if dock.isVisible() and not dock.isFloating() and not self.is_behind(id):
            return  # it would be painted again, with the whole window
        with painted_once(self.window):
            self._open(id)
            dock.raise_()

    def open_behind(self, id: str) -> None:
        """Show a hidden dock; where others are tabs of its place, they stay in front and where they are."""
        dock = self.docks[id]
        if not dock.isHidden():
            return
        tops = {other: other.y() for other in self.docks.values() if other.isVisible()}
        with painted_once(self.window):
            self._open(id)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            for other in self._host(id).tabifiedDockWidgets(dock):
                if other in tops and other.y() != tops[other]:
                    self._set_heights({other.objectName(): other.height() + other.y() - tops[other]})

    def _open(self, id: str) -> None:
        """Show a hidden dock, without covering the one that is in front where both are tabs of one place."""
        dock = self.docks[id]
        if not dock.isHidden():
            return
        spec = next(spec for spec in DOCKS if spec.id == id)
        host = self._host(id)
        area = host.dockWidgetArea(dock)
        with painted_once(self.window):
            dock.show()
            # Until then it has the size of where it was shown last.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            # On a small screen it must leave room for the 3D view.
            if area is Qt.DockWidgetArea.BottomDockWidgetArea:
                most = max(round(self.window.height() * MOST_BELOW), dock.minimumSizeHint().height())
                now = self._front_of(id).height()
                height = min(max(now, spec.height), most)
                if height != now:
                    self._set_heights({id: height})
            elif area in (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea):
                least = min(spec.width, round(self.window.width() * MOST_BESIDE))
                if self._front_of(id).width() < least:
                    host.resizeDocks([dock], [least], Qt.Orientation.Horizontal)

    def _front_of(self, id: str) -> QDockWidget:
        """Return the dock in front at the place of another, which has the size of the place; the others may not yet."""
        dock = self.docks[id]
        tabs = self._host(id).tabifiedDockWidgets(dock)
        return next((tab for tab in tabs if not tab.visibleRegion().isEmpty()), dock)

    def make_room(self, id: str, height: int) -> None:
        """Give a visible dock a minimum height if the window has room."""
        dock = self.docks[id]
        if dock.isVisible() and not dock.isFloating() and dock.height() < height:
            before = self._heights()
            self._set_heights({id: min(height, self.window.height() * 3 // 5)})
            self._room_made[id] = before, self._heights()

    def give_room_back(self, id: str) -> None:
        """Take from a dock the height that it got by `make_room`, unless its height has been changed since then."""
        before, after = self._room_made.pop(id, ({}, {}))
        now = self._heights()
        if id in now and now[id] == after.get(id):
            changed = [name for name in now if name in before and before[name] != after.get(name)]
            self._set_heights({name: now[name] + before[name] - after.get(name, now[name]) for name in changed})

    def forget_room(self) -> None:
        """Leave all docks the heights that they have."""
        self._room_made.clear()

    def _heights(self) -> dict[str, int]:
        """Return the heights of the docks in sight at the edges of the window."""
        shown = {id: dock for id, dock in self.docks.items() if dock.isVisible() and not self.is_behind(id)}
        return {id: dock.height() for id, dock in shown.items() if not self.is_inner(id) and not dock.isFloating()}

    def _set_heights(self, heights: dict[str, int]) -> None:
        """Let docks of one window, the outer or the inner one, be so high, at once."""
        if not heights:
            return
        host = self._host(next(iter(heights)))
        # The size that something needed that is hidden now is no longer valid.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        bars = [each for each in host.children() if isinstance(each, QTabBar)]
        bar = max((bar.height() for bar in bars if not bar.visibleRegion().isEmpty()), default=0)
        docks = [self.docks[id] for id in heights]
        # Qt takes the height of a dock among tabs for that of the dock and the tabs.
        among_tabs = [any(not each.isHidden() for each in host.tabifiedDockWidgets(dock)) for dock in docks]
        sizes = [height + bar * is_tab for height, is_tab in zip(heights.values(), among_tabs, strict=True)]
        host.resizeDocks(docks, sizes, Qt.Orientation.Vertical)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def set_height(self, id: str, height: int) -> None:
        """Let a dock be so high inside its title bar."""
        dock = self.docks[id]
        host = self._host(id)
        title = dock.height() - self.stacks[id].height()
        # The size that another panel in the dock needed is no longer valid.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        host.resizeDocks([dock], [height + title], Qt.Orientation.Vertical)

    def _forget_waiting(self, id: str, _shown: bool) -> None:
        if not self.docks[id].isHidden():
            self._waiting.discard(id)

    def fold_below(self) -> None:
        """Hide the docks below the middle until a file is open: without one they are empty, and cover its examples."""
        for id, dock in self.docks.items():
            is_below = self.window.dockWidgetArea(dock) is Qt.DockWidgetArea.BottomDockWidgetArea
            if is_below and not dock.isFloating() and not dock.isHidden():
                dock.hide()
                self._waiting.add(id)

    def unfold_below(self) -> None:
        """Show the docks again that were hidden until a file is open."""
        waiting, self._waiting = self._waiting, set()
        for id in waiting:
            self.docks[id].show()

    def is_behind(self, id: str) -> bool:
        """Return whether a dock is open behind another tab."""
        dock = self.docks[id]
        return dock.isVisible() and dock.visibleRegion().isEmpty()

    def show_beside(self, id: str, other: str) -> None:
        """Show a dock, but leave another one in front that is in sight, where both are tabs of one place."""
        is_in_sight = self.docks[other].isVisible() and not self.is_behind(other)
        if is_in_sight and not self.docks[id].isHidden() and self._are_tabs(id, other):
            return
        with painted_once(self.window):
            self.show(id)
            if is_in_sight and self._are_tabs(id, other):  # of a hidden dock that is not known before
                self.show(other)

    def _are_tabs(self, id: str, other: str) -> bool:
        """Return whether two docks are tabs of one place, of which one is in front."""
        host = self._host(id)
        return self.is_inner(id) is self.is_inner(other) and self.docks[id] in host.tabifiedDockWidgets(
            self.docks[other]
        )

    def _host(self, id: str) -> QMainWindow:
        return self.centre if self.is_inner(id) else self.window

    @staticmethod
    def is_inner(id: str) -> bool:
        """Return whether a dock is beside the 3D view, inside the middle of the window."""
        return next(spec.inner for spec in DOCKS if spec.id == id)

    def reveal(self, id: str) -> None:
        """Raise a dock and focus it."""
        self._raise(id)
        self.focus(id)

    def focus(self, id: str) -> None:
        """Give the keyboard to the panel of a dock."""
        panel = self.stacks[id].currentWidget()
        assert panel is not None
        panel.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def panel_at(self, widget: QWidget | None) -> str | None:
        """Return the id of the panel that a widget is in, None where it is in none."""
        while widget is not None:
            if isinstance(widget, QDockWidget) and self.docks.get(widget.objectName()) is widget:
                return widget.objectName()
            widget = widget.parentWidget()
        return None

    def has_focus(self, id: str) -> bool:
        """Return whether the keyboard is in a dock."""
        focus = self.window.focusWidget()
        return focus is not None and self.docks[id].isAncestorOf(focus)
