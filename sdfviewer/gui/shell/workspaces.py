"""The workspaces: each keeps its arrangement of the panels as the user leaves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QToolBar, QWidget
from shiboken6 import isValid

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.kit.widgets import leave_gone, paint_again, painted_once
from sdfviewer.gui.shell.docks import Docks
from sdfviewer.gui.shell.layouts import WORKSPACES, WorkspaceSpec, apply_default, size_of

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
