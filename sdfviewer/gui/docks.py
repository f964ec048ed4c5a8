"""The panels around the 3D view as one table, and where they stand at the first start."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QWidget

from sdfviewer.gui.settings import Settings
from sdfviewer.gui.tab_order import PanelStack, go_on

LAYOUT_VERSION = 3
"""Raised when a panel comes or goes: a layout of another version is not restored."""


@dataclass(frozen=True)
class DockSpec:
    """One panel: its id, title, the text while no file is open, whether it belongs to the 3D view, and whether it is
    hidden until it is asked for.
    """

    id: str
    title: str
    hint: str
    inner: bool = False
    on_demand: bool = False


DOCKS = (
    DockSpec("tree", "Model", "Open a file to see its frames."),
    DockSpec("properties", "Properties", "Pick a frame to see where it is and why."),
    DockSpec("joints", "Joints", "Open a file to move its joints."),
    DockSpec("graphs", "Frame Graphs", "Open a file to see what its frames name.", inner=True),
    DockSpec("problems", "Problems", "Open a file to have it checked."),
    DockSpec("source", "Source", "Open a file to read and edit its text."),
    DockSpec("compare", "Compare", "Open a file to compare its two readings.", inner=True, on_demand=True),
    DockSpec("history", "History", "Open a file to see its history.", on_demand=True),
)


class Docks:
    """The docks of a window; each shows the panel of the current file.

    The graphs dock in a window of their own around the 3D view, so that they stand below it and not below the tree.
    """

    def __init__(self, window: QMainWindow, centre: QMainWindow) -> None:
        self._window = window
        self._centre = centre
        self.docks: dict[str, QDockWidget] = {}
        self._stacks: dict[str, PanelStack] = {}
        for spec in DOCKS:
            stack = PanelStack()
            hint = QLabel(spec.hint, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
            hint.setProperty("role", "muted")
            hint.setMargin(16)
            stack.addWidget(hint)
            dock = QDockWidget(spec.title)
            dock.setObjectName(spec.id)
            dock.setAccessibleName(spec.title)
            dock.setWidget(stack)
            self.docks[spec.id] = dock
            self._stacks[spec.id] = stack
        for host in (window, centre):
            host.setDockNestingEnabled(True)
            host.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
            host.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.reset()

    def reset(self) -> None:
        """Put all docks where they stand at the first start."""
        window, centre, docks = self._window, self._centre, self.docks
        for dock in docks.values():
            dock.setFloating(False)
            dock.show()
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["tree"])
        window.splitDockWidget(docks["tree"], docks["history"], Qt.Orientation.Vertical)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, docks["properties"])
        window.splitDockWidget(docks["properties"], docks["joints"], Qt.Orientation.Vertical)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks["problems"])
        window.splitDockWidget(docks["problems"], docks["source"], Qt.Orientation.Horizontal)
        centre.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks["graphs"])
        width, height = max(window.width(), 1200), max(window.height(), 760)
        side = min(max(round(width * 0.27), 332), 420)
        window.resizeDocks(
            [docks["tree"], docks["properties"]],
            [min(max(round(width * 0.18), 208), 320), side],
            Qt.Orientation.Horizontal,
        )
        window.resizeDocks(
            [docks["properties"], docks["joints"]],
            [round(height * 0.6), round(height * 0.4)],
            Qt.Orientation.Vertical,
        )
        window.resizeDocks([docks["problems"], docks["source"]], [round(height * 0.24)] * 2, Qt.Orientation.Vertical)
        rest = width - side
        window.resizeDocks(
            [docks["problems"], docks["source"]], [round(rest * 0.52), round(rest * 0.48)], Qt.Orientation.Horizontal
        )
        centre.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks["compare"])
        centre.tabifyDockWidget(docks["graphs"], docks["compare"])
        for spec in DOCKS:
            if spec.on_demand:
                docks[spec.id].hide()
        centre.resizeDocks([docks["graphs"]], [round(height * 0.27)], Qt.Orientation.Vertical)

    def save(self, settings: Settings) -> None:
        """Remember where the docks stand."""
        settings.set_state("docks", self._window.saveState(LAYOUT_VERSION))
        settings.set_state("centre", self._centre.saveState(LAYOUT_VERSION))

    def restore(self, settings: Settings) -> bool:
        """Put the docks where they stood at the last start; return whether that was possible."""
        states: list[QByteArray | None] = [settings.state("docks"), settings.state("centre")]
        if states[0] is None or states[1] is None:
            return False
        outer = self._window.restoreState(states[0], LAYOUT_VERSION)
        return self._centre.restoreState(states[1], LAYOUT_VERSION) and outer

    def connect_tabs(self, views: PanelStack, toolbar: QWidget) -> None:
        """Let Tab lead from the 3D view through all docks in sight, as the table has them, to the toolbar."""
        parts = [views, *self._stacks.values(), toolbar]
        for stack in (views, *self._stacks.values()):
            stack.left.connect(lambda part, next: go_on(parts, part, next))

    def add_panel(self, id: str, panel: QWidget) -> None:
        """Put the panel of another file into a dock."""
        self._stacks[id].addWidget(panel)

    def remove_panel(self, id: str, panel: QWidget) -> None:
        """Take the panel of a closed file out of its dock."""
        self._stacks[id].removeWidget(panel)
        panel.deleteLater()

    def show_panel(self, id: str, panel: QWidget | None) -> None:
        """Show the panel of one file, or the hint where no file is open."""
        stack = self._stacks[id]
        if panel is None:
            stack.setCurrentIndex(0)
        else:
            stack.setCurrentWidget(panel)

    def reveal(self, id: str) -> None:
        """Bring a dock to the front and give it the keyboard."""
        dock = self.docks[id]
        dock.show()
        dock.raise_()
        panel = self._stacks[id].currentWidget()
        assert panel is not None
        panel.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def has_focus(self, id: str) -> bool:
        """Return whether the keyboard is in a dock."""
        focus = self._window.focusWidget()
        return focus is not None and self.docks[id].isAncestorOf(focus)
