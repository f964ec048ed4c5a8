"""The main window: one file at a time in the 3D view and the panels around it, the others in tabs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QStackedWidget,
    QTabBar,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.gui.actions import ACTIONS, build_actions, paint_icons
from sdfviewer.gui.commands import REMEMBERED, SWITCHES, Commands
from sdfviewer.gui.crash import show_report
from sdfviewer.gui.docks import DOCKS, Docks
from sdfviewer.gui.editing.commands import EditingCommands
from sdfviewer.gui.files import Files
from sdfviewer.gui.menus import EXAMPLES, RECENT, Menus, build_toolbar, paint_toolbar
from sdfviewer.gui.notice import NoticeBar
from sdfviewer.gui.settings import QUATERNIONS, AngleUnit, Settings
from sdfviewer.gui.status import StatusBar
from sdfviewer.gui.tab_order import PanelStack
from sdfviewer.gui.theme import Choice, apply_theme, tokens
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.gui.welcome import Welcome
from sdfviewer.gui.workspace import Workspace


class MainWindow(QMainWindow):
    """The window of the program."""

    #: Another file is shown, or none.
    current_changed = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.setAcceptDrops(True)
        self.setWindowTitle("sdfviewer")
        self.files = Files(self)
        self.commands = Commands(self)
        self.editing = EditingCommands(self)
        self.actions_by_id = build_actions(self, {**self.commands.handlers(), **self.editing.handlers()})
        self.addActions(list(self.actions_by_id.values()))
        self.menus = Menus(self, self.actions_by_id)
        self.toolbar = build_toolbar(self, self.actions_by_id, self.menus.menu("View/Camera"))
        self.addToolBar(self.toolbar)
        self.tabs = QTabBar(expanding=False, tabsClosable=True, movable=True, documentMode=True, drawBase=False)
        self.tabs.setAccessibleName("Open files")
        self.tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        self._tab_strip = QToolBar("Open files", movable=False)
        self._tab_strip.setObjectName("tabs")
        self._tab_strip.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._tab_strip.addWidget(self.tabs)
        self.addToolBarBreak()
        self.addToolBar(self._tab_strip)
        self.status = StatusBar(self)
        self.setStatusBar(self.status)
        self.notices = NoticeBar()
        self.welcome = Welcome(settings.recent_files)
        self._views = PanelStack()
        self._centre = QMainWindow()
        self._centre.setWindowFlags(Qt.WindowType.Widget)
        self._centre.setCentralWidget(self._views)
        self._centre.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        # Without a file the welcome takes the room of the 3D view and of the graphs.
        self._pages = QStackedWidget()
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self._centre)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notices)
        column.addWidget(self._pages, 1)
        self.setCentralWidget(middle)
        self.resize(1440, 900)
        if not probe().problem:
            # A window that gets its first OpenGL widget later is made anew by Qt, which flickers.
            QOpenGLWidget(self).hide()
        self.docks = Docks(self, self._centre)
        self.docks.connect_tabs(self._views, self.toolbar)
        self._restore()
        self._connect()
        self.repaint_icons()
        self._show_current()

    # --- set-up ----------------------------------------------------------------------------------------------------

    def _restore(self) -> None:
        geometry = self.settings.state("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self.docks.restore(self.settings)
        for id in REMEMBERED:
            action = self.actions_by_id[id]
            action.setChecked(self.settings.flag(id, action.isChecked()))
        self.actions_by_id[f"navigation.{self.settings.navigation}"].setChecked(True)
        self.actions_by_id[f"theme.{self.settings.theme.value}"].setChecked(True)
        self._show_units()

    def _show_units(self) -> None:
        """Check the switches of the units, which the properties set too."""
        degrees = self.settings.angle_unit is AngleUnit.DEGREES
        self.actions_by_id["unit.degrees" if degrees else "unit.radians"].setChecked(True)
        self.actions_by_id[QUATERNIONS].setChecked(self.settings.flag(QUATERNIONS, False))

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(lambda _index: self._show_current())
        self.tabs.tabCloseRequested.connect(lambda index: self.files.close(self.tabs.tabData(index)))
        self.welcome.open_requested.connect(self.files.open_dialog)
        self.welcome.file_chosen.connect(lambda path: self.files.open([path]))
        self.status.problems.clicked.connect(lambda: self.docks.reveal("problems"))
        self.menus.menu(RECENT).aboutToShow.connect(self.fill_recent)
        self.menus.menu(EXAMPLES).aboutToShow.connect(lambda: self.menus.fill_examples(self.open_one))
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _scheme: self._apply_theme())
        self.settings.changed.connect(self._show_units)
        for id, dock in self.docks.docks.items():
            action = self.actions_by_id[f"panel.{id}"]
            # Qt unchecks its own action also where only the window around the dock is hidden.
            dock.toggleViewAction().toggled.connect(partial(self._follow_dock, action, dock))
            action.setChecked(not dock.isHidden())

    @staticmethod
    def _follow_dock(action: QAction, dock: QDockWidget, _shown: bool) -> None:
        action.setChecked(not dock.isHidden())

    # --- files in tabs ---------------------------------------------------------------------------------------------

    @property
    def current(self) -> Workspace | None:
        """The file that is shown, None where none is open."""
        if not hasattr(self, "tabs"):
            return None
        workspace = self.tabs.tabData(self.tabs.currentIndex())
        return workspace if isinstance(workspace, Workspace) else None

    def on_current(self, run: Callable[[Workspace], object]) -> Callable[[], None]:
        """Return a handler that runs on the current file, where there is one."""

        def handler() -> None:
            if self.current is not None:
                run(self.current)

        return handler

    def add_workspace(self, workspace: Workspace) -> None:
        """Show a file that has been opened."""
        self._views.addWidget(workspace.view)
        for id, panel in workspace.panels.items():
            self.docks.add_panel(id, panel)
        workspace.state_changed.connect(self._show_state)
        workspace.bridge.said.connect(self.status.say)
        workspace.bridge.refused.connect(self.status.refuse)
        workspace.bridge.changed.connect(lambda _change: self._update_actions())
        workspace.bridge.place_requested.connect(lambda _span: self.docks.docks["source"].show())
        workspace.joints.set_actions(self.actions_by_id[spec.id] for spec in ACTIONS if spec.menu == "Joints")
        workspace.joints.sweep_changed.connect(self.actions_by_id["joints.sweep"].setChecked)
        workspace.view.set_actions(self.actions_by_id)
        workspace.source.set_actions(self.actions_by_id)
        workspace.view.failed.connect(lambda error: show_report(error, self))
        self._show_switches(workspace)
        self.editing.attach(workspace)
        self.editing.offers.attach(workspace)
        # The first tab becomes current before its data is set.
        with QSignalBlocker(self.tabs):
            index = self.tabs.addTab(workspace.name)
            self.tabs.setTabData(index, workspace)
            self.tabs.setCurrentIndex(index)
        self._show_current()

    def remove_workspace(self, workspace: Workspace) -> None:
        """Take a closed file out of the window."""
        index = self._index_of(workspace)
        self.editing.offers.detach(workspace)
        self.tabs.removeTab(index)
        self._show_current()
        self._views.removeWidget(workspace.view)
        workspace.view.deleteLater()
        for id, panel in workspace.panels.items():
            self.docks.remove_panel(id, panel)
        workspace.deleteLater()

    def _index_of(self, workspace: Workspace) -> int:
        return next(index for index in range(self.tabs.count()) if self.tabs.tabData(index) is workspace)

    def show_workspace(self, workspace: Workspace) -> None:
        """Bring a file to the front."""
        self.tabs.setCurrentIndex(self._index_of(workspace))

    def _show_current(self) -> None:
        workspace = self.current
        if workspace is None:
            self.welcome.show_recent(self.settings.recent_files)
            self._pages.setCurrentWidget(self.welcome)
        else:
            self.files.catch_up(workspace)
            self._pages.setCurrentWidget(self._centre)
            self._views.setCurrentWidget(workspace.view)
        panels = {} if workspace is None else workspace.panels
        for spec in DOCKS:
            self.docks.show_panel(spec.id, panels.get(spec.id))
        for other in self.files.workspaces:
            if other is not workspace:
                other.joints.sweep(False)
        lifted = workspace is not None and workspace.joints.limits_lifted
        self.actions_by_id["joints.lift_limits"].setChecked(lifted)
        self._tab_strip.setVisible(self.tabs.count() > 1)
        self._show_state()
        self.current_changed.emit()

    def _show_state(self) -> None:
        """Show names, dirty marks and counts anew."""
        for index in range(self.tabs.count()):
            workspace = self.tabs.tabData(index)
            self.tabs.setTabText(index, workspace.name + (" •" if workspace.session.dirty else ""))
            self.tabs.setTabToolTip(index, str(workspace.session.path or ""))
        current = self.current
        self.setWindowTitle("sdfviewer" if current is None else f"{current.name}[*] – sdfviewer")
        self.setWindowModified(current is not None and current.session.dirty)
        self.setWindowFilePath("" if current is None else str(current.session.path or ""))
        self.status.show_workspace(current)
        self._update_actions()

    def _update_actions(self) -> None:
        current = self.current
        for spec in ACTIONS:
            self.actions_by_id[spec.id].setEnabled(not spec.needs_file or current is not None)
        if current is None:
            return
        history = current.session.history
        for id, label in (("edit.undo", history.undo_label), ("edit.redo", history.redo_label)):
            action = self.actions_by_id[id]
            verb = "Undo" if id == "edit.undo" else "Redo"
            action.setEnabled(label is not None)
            action.setText(f"{verb} {label}" if label else verb)
        self.actions_by_id["file.save"].setEnabled(current.session.dirty)

    # --- what actions do -------------------------------------------------------------------------------------------

    def open_one(self, path: Path) -> None:
        """Open one file."""
        self.files.open([path])

    def fill_recent(self) -> None:
        """List the files opened before in their menu."""
        entries = [
            (f"{path.name}   {path.parent}", str(path), partial(self.open_one, path))
            for path in self.settings.recent_files
        ]
        self.menus.fill(RECENT, entries, "No files were opened before")

    def switch(self, id: str, on: bool) -> None:
        """Remember a switch of the 3D views and show it in all of them."""
        self.settings.set_flag(id, on)
        if hasattr(self, "files"):
            for workspace in self.files.workspaces:
                self._show_switches(workspace)

    def _show_switches(self, workspace: Workspace) -> None:
        workspace.view.set_switches({id: self.actions_by_id[id].isChecked() for id in SWITCHES})

    # --- look ------------------------------------------------------------------------------------------------------

    def choose_theme(self, choice: Choice) -> None:
        """Remember a theme and paint the program in it."""
        self.settings.theme = choice
        self._apply_theme()

    def _apply_theme(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        apply_theme(application, self.settings.theme)
        self.repaint_icons()
        self._show_state()

    def repaint_icons(self) -> None:
        """Give all actions their icons in the colours of the theme."""
        colours = tokens(QGuiApplication.palette())
        paint_icons(self.actions_by_id, colours)
        paint_toolbar(self.toolbar, colours)

    # --- events ----------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.files.open(paths)

    def changeEvent(self, event: QEvent) -> None:
        # Some network file systems never tell: coming back to the window is the moment to look.
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and hasattr(self, "files"):
            self.files.look_at_disk()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.files.may_close(self.files.workspaces):
            event.ignore()
            return
        self.settings.set_state("geometry", self.saveGeometry())
        self.docks.save(self.settings)
        for workspace in tuple(self.files.workspaces):
            self.files.drop(workspace)
        event.accept()

    def keep_unsaved_work(self) -> None:
        """Write all unsaved work where it survives a crash."""
        for workspace in self.files.workspaces:
            workspace.keep_unsaved_work()

    def createPopupMenu(self) -> None:
        """Show no menu on a right click beside the panels: View › Panels has all of them."""
