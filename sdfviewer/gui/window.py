"""The main window: one file at a time in the 3D view and the panels around it, the others in tabs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMessageBox,
    QStackedWidget,
    QTabBar,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.gui.actions import ACTIONS, build_actions, paint_icons
from sdfviewer.gui.command_palette import Command, CommandPalette
from sdfviewer.gui.crash import describe_system, show_report
from sdfviewer.gui.docks import DOCKS, Docks
from sdfviewer.gui.files import Files
from sdfviewer.gui.menus import EXAMPLES, RECENT, Menus, build_toolbar, paint_toolbar
from sdfviewer.gui.notice import NoticeBar
from sdfviewer.gui.settings import AngleUnit, Settings
from sdfviewer.gui.status import StatusBar
from sdfviewer.gui.theme import Choice, apply_theme, tokens
from sdfviewer.gui.welcome import Welcome
from sdfviewer.gui.workspace import Workspace

#: Switches of the 3D view that are remembered.
_SWITCHES = [spec.id for spec in ACTIONS if spec.checkable and spec.id.split(".")[0] in ("show", "compare", "camera")]


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
        self.actions_by_id = build_actions(self, self._handlers())
        self.addActions(list(self.actions_by_id.values()))
        self.menus = Menus(self, self.actions_by_id)
        self.toolbar = build_toolbar(self, self.actions_by_id, self.menus.menu("View/Camera"))
        self.addToolBar(self.toolbar)
        self.tabs = QTabBar(expanding=False, tabsClosable=True, movable=True, documentMode=True, drawBase=False)
        self.tabs.setAccessibleName("Open files")
        self.tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        self._tab_strip = QToolBar("Open files", objectName="tabs", movable=False)
        self._tab_strip.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._tab_strip.addWidget(self.tabs)
        self.addToolBarBreak()
        self.addToolBar(self._tab_strip)
        self.status = StatusBar(self)
        self.setStatusBar(self.status)
        self.notices = NoticeBar()
        self.welcome = Welcome(settings.recent_files)
        self._views = QStackedWidget()
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
        self.docks = Docks(self, self._centre)
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
        for id in _SWITCHES:
            action = self.actions_by_id[id]
            action.setChecked(self.settings.flag(id, action.isChecked()))
        self.actions_by_id[f"navigation.{self.settings.navigation}"].setChecked(True)
        self.actions_by_id[f"theme.{self.settings.theme.value}"].setChecked(True)
        degrees = self.settings.angle_unit is AngleUnit.DEGREES
        self.actions_by_id["unit.degrees" if degrees else "unit.radians"].setChecked(True)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(lambda _index: self._show_current())
        self.tabs.tabCloseRequested.connect(lambda index: self.files.close(self.tabs.tabData(index)))
        self.welcome.open_requested.connect(self.files.open_dialog)
        self.welcome.file_chosen.connect(lambda path: self.files.open([path]))
        self.status.problems.clicked.connect(lambda: self.docks.reveal("problems"))
        self.menus.menu(RECENT).aboutToShow.connect(self._fill_recent)
        self.menus.menu(EXAMPLES).aboutToShow.connect(lambda: self.menus.fill_examples(self._open_one))
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _scheme: self._apply_theme())
        for id, dock in self.docks.docks.items():
            action = self.actions_by_id[f"panel.{id}"]
            dock.toggleViewAction().toggled.connect(action.setChecked)
            action.setChecked(not dock.isHidden())

    def _handlers(self) -> dict[str, Callable[..., object]]:
        """Return what each action of the table does."""
        handlers: dict[str, Callable[..., object]] = {
            "file.open": self.files.open_dialog,
            "file.reload": self._with(self._reload),
            "file.save": self._with(self.files.save),
            "file.save_as": self._with(self.files.save_as),
            "file.picture": self._with(self._save_picture),
            "file.close": self._with(self.files.close),
            "file.next": self._next_file,
            "file.quit": self.close,
            "edit.undo": self._with(lambda each: each.session.undo()),
            "edit.redo": self._with(lambda each: each.session.redo()),
            "edit.rename": self._edit(lambda each: each.properties.name.field.setFocus()),
            "edit.pose": self._edit(lambda each: each.properties.pose.fields[0].setFocus()),
            "edit.relative_to": self._edit(lambda each: each.properties.relative_to.picker.open()),
            "edit.attached_to": self._edit(self._edit_attached_to),
            "edit.copy_pose": self._edit(lambda each: each.properties.resolved.copy_pose("x y z roll pitch yaw")),
            "edit.select_none": self._with(lambda each: each.session.select(())),
            "camera.focus": self._with(lambda each: each.bridge.focus_requested.emit(each.session.selection)),
            "camera.fit": self._with(lambda each: each.view.canvas and each.view.canvas.fit()),
            "view.reset_layout": self.docks_reset,
            "go.palette": self.open_palette,
            "go.filter": self._with(self._go_filter),
            "go.source": self._with(self._go_source),
            "go.parent": self._with(self._go_parent),
            "go.next_panel": lambda: self._step_panel(1),
            "go.previous_panel": lambda: self._step_panel(-1),
            "go.next_problem": self._with(lambda each: self._step_problem(each, 1)),
            "go.previous_problem": self._with(lambda each: self._step_problem(each, -1)),
            "joints.reset": self._with(lambda each: each.joints.reset()),
            "joints.random": self._with(lambda each: each.joints.randomise()),
            "joints.sweep": lambda on: self._with(lambda each: each.joints.sweep(on))(),
            "joints.lift_limits": lambda on: self._with(lambda each: each.joints.lift_limits(on))(),
            "unit.radians": lambda on: on and setattr(self.settings, "angle_unit", AngleUnit.RADIANS),
            "unit.degrees": lambda on: on and setattr(self.settings, "angle_unit", AngleUnit.DEGREES),
            "help.about": self._about,
        }
        for view in ("front", "back", "left", "right", "top", "bottom", "iso"):
            handlers[f"camera.{view}"] = self._with(
                lambda each, view=view: each.view.canvas and each.view.canvas.look_from(view)
            )
        for id in _SWITCHES:
            handlers[id] = lambda on, id=id: self._switch(id, on)
        for name in ("gazebo", "rviz", "web"):
            handlers[f"navigation.{name}"] = lambda on, name=name: on and setattr(self.settings, "navigation", name)
        for choice in Choice:
            handlers[f"theme.{choice.value}"] = lambda on, choice=choice: on and self._choose_theme(choice)
        for spec in DOCKS:
            handlers[f"panel.{spec.id}"] = lambda on, id=spec.id: self._toggle_panel(id, on)
        return handlers

    def _with(self, run: Callable[[Workspace], object]) -> Callable[[], None]:
        """Return a handler that runs on the current file, where there is one."""

        def handler() -> None:
            if self.current is not None:
                run(self.current)

        return handler

    def _edit(self, run: Callable[[Workspace], object]) -> Callable[[], None]:
        """Return a handler that needs a selected frame and the properties in sight."""

        def handler(workspace: Workspace) -> None:
            if workspace.session.selected_row is None:
                self.status.refuse("Select a frame first.")
                return
            dock = self.docks.docks["properties"]
            dock.show()
            dock.raise_()
            run(workspace)

        return self._with(handler)

    # --- files in tabs ---------------------------------------------------------------------------------------------

    @property
    def current(self) -> Workspace | None:
        """The file that is shown, None where none is open."""
        if not hasattr(self, "tabs"):
            return None
        workspace = self.tabs.tabData(self.tabs.currentIndex())
        return workspace if isinstance(workspace, Workspace) else None

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
        workspace.view.failed.connect(lambda error: show_report(error, self))
        self._show_switches(workspace)
        # The first tab becomes current before its data is set.
        with QSignalBlocker(self.tabs):
            index = self.tabs.addTab(workspace.name)
            self.tabs.setTabData(index, workspace)
            self.tabs.setCurrentIndex(index)
        self._show_current()

    def remove_workspace(self, workspace: Workspace) -> None:
        """Take a closed file out of the window."""
        index = self._index_of(workspace)
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

    def _next_file(self) -> None:
        if self.tabs.count():
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + 1) % self.tabs.count())

    def _show_current(self) -> None:
        workspace = self.current
        if workspace is None:
            self.welcome.show_recent(self.settings.recent_files)
            self._pages.setCurrentWidget(self.welcome)
        else:
            self._pages.setCurrentWidget(self._centre)
            self._views.setCurrentWidget(workspace.view)
        panels = {} if workspace is None else workspace.panels
        for spec in DOCKS:
            self.docks.show_panel(spec.id, panels.get(spec.id))
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

    def _open_one(self, path: Path) -> None:
        self.files.open([path])

    def _fill_recent(self) -> None:
        entries = [
            (f"{path.name}   {path.parent}", str(path), lambda path=path: self._open_one(path))
            for path in self.settings.recent_files
        ]
        self.menus.fill(RECENT, entries, "No files were opened before")

    def _reload(self, workspace: Workspace) -> None:
        if workspace.session.dirty:
            buttons = QMessageBox.StandardButton
            text = f"Reloading {workspace.name} replaces your unsaved changes; undo brings them back."
            answer = QMessageBox.question(self, "Reload", text, buttons.Ok | buttons.Cancel)
            if answer != buttons.Ok:
                return
        self.files.reload(workspace)

    def _save_picture(self, workspace: Workspace) -> None:
        start = workspace.session.path.with_suffix(".png") if workspace.session.path else Path("picture.png")
        name, _ = QFileDialog.getSaveFileName(self, "Save Picture", str(start), "PNG pictures (*.png)")
        if name and workspace.view.save_picture(Path(name)):
            self.status.say(f"Saved {Path(name).name}")
        elif name:
            self.status.refuse(f"{Path(name).name} could not be written.")

    def _edit_attached_to(self, workspace: Workspace) -> None:
        section = workspace.properties.attached_to
        if section.row < 0:
            self.status.refuse("Only a <frame> has attached_to.")
        else:
            section.picker.open()

    def _go_filter(self, workspace: Workspace) -> None:
        self.docks.reveal("tree")
        workspace.tree.filter.setFocus()
        workspace.tree.filter.selectAll()

    def _go_source(self, workspace: Workspace) -> None:
        model, row = workspace.session.model, workspace.session.selected_row
        if model is None or row is None:
            self.status.refuse("Select a frame first.")
            return
        workspace.bridge.show_place(model.document_of(row).span(model.elements[row]))
        self.docks.reveal("source")

    def _go_parent(self, workspace: Workspace) -> None:
        model, row = workspace.session.model, workspace.session.selected_row
        if model is not None and row is not None and model.relative_to[row] >= 0:
            workspace.session.select((model.names[int(model.relative_to[row])],))

    def _step_problem(self, workspace: Workspace, by: int) -> None:
        dock = self.docks.docks["problems"]
        dock.show()
        dock.raise_()
        workspace.problems.step(by)

    def _toggle_panel(self, id: str, on: bool) -> None:
        if not hasattr(self, "docks") or on == (not self.docks.docks[id].isHidden()):
            return
        if on:
            self.docks.reveal(id)
        else:
            self.docks.docks[id].hide()

    def _step_panel(self, by: int) -> None:
        """Give the keyboard to the next of the 3D view and the panels in sight."""
        shown = ["view", *(spec.id for spec in DOCKS if self.docks.docks[spec.id].isVisible())]
        now = next((number for number, id in enumerate(shown) if id != "view" and self.docks.has_focus(id)), 0)
        target = shown[(now + by) % len(shown)]
        if target == "view":
            (self.welcome if self.current is None else self.current.view).setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.docks.reveal(target)

    def docks_reset(self) -> None:
        """Put all panels back where they stand at the first start."""
        self.docks.reset()

    def _switch(self, id: str, on: bool) -> None:
        self.settings.set_flag(id, on)
        if hasattr(self, "files"):
            for workspace in self.files.workspaces:
                self._show_switches(workspace)

    def _show_switches(self, workspace: Workspace) -> None:
        if workspace.view.canvas is not None:
            workspace.view.canvas.set_switches({id: self.actions_by_id[id].isChecked() for id in _SWITCHES})

    def open_palette(self) -> None:
        """Open the command palette."""
        self._fill_recent()
        specs = [Command(spec.menu, self.actions_by_id[spec.id]) for spec in ACTIONS]
        recent = [Command(RECENT, action) for action in self.menus.menu(RECENT).actions() if action.isEnabled()]
        examples = [Command(EXAMPLES, action) for action in self.menus.fill_examples(self._open_one)]
        self.palette_dialog = CommandPalette([*specs, *recent, *examples], self)
        self.palette_dialog.open_over(self)

    def _about(self) -> None:
        box = QMessageBox(self)
        box.setWindowTitle("About sdfviewer")
        box.setText("sdfviewer shows where every frame of a robot model is, why it is there, and what moves with it.")
        box.setInformativeText(describe_system())
        box.open()

    # --- look ------------------------------------------------------------------------------------------------------

    def _choose_theme(self, choice: Choice) -> None:
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
        self.files.open(path for path in paths if path.is_file())

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

    def createPopupMenu(self) -> None:  # type: ignore[override]
        """Show no menu on a right click beside the panels: View › Panels has all of them."""
        return

    def place_at(self, corner: QPoint) -> None:
        """Move the window to a corner of the screen."""
        self.move(corner)
