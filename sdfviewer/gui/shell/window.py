"""The main window: it puts its parts together and shows the current file in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QShortcut,
    QShowEvent,
    QStatusTipEvent,
)
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QStackedWidget, QToolBar, QWidget

from sdfviewer.diagnostics import Span
from sdfviewer.gui.context.settings import QUATERNIONS, Settings
from sdfviewer.gui.context.topics import WrittenValueRequest
from sdfviewer.gui.context.written_back import ContextRequest, PlaceRequest
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.focus import PanelStack
from sdfviewer.gui.kit.jobs import Later, delayed
from sdfviewer.gui.kit.safe_text import settled_at_once
from sdfviewer.gui.kit.theme import theme_steps
from sdfviewer.gui.kit.widgets import column_of, paint_again, painted_once
from sdfviewer.gui.shell.actions.converting import CONVERT
from sdfviewer.gui.shell.actions.edit_actions import add_mesh, join_dropped, show_switches
from sdfviewer.gui.shell.actions.go_actions import open_at
from sdfviewer.gui.shell.actions.table import ACTIONS, REMEMBERED, Actions, offer_tree_menu
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.comparing import Comparisons
from sdfviewer.gui.shell.crash import show_report
from sdfviewer.gui.shell.docks import DOCKS, Docks
from sdfviewer.gui.shell.files.disk_changes import DiskChanges
from sdfviewer.gui.shell.files.file_recovery import FileRecovery
from sdfviewer.gui.shell.files.file_saving import FileSaving
from sdfviewer.gui.shell.files.file_tabs import FileTabs
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.files.opening import OpeningBar
from sdfviewer.gui.shell.files.rename_propagation import RenamePropagation
from sdfviewer.gui.shell.menus import Menus, build_toolbar
from sdfviewer.gui.shell.notice import ErrorNotices, NoticeBar, tell_written
from sdfviewer.gui.shell.status import StatusBar
from sdfviewer.gui.shell.welcome import Welcome, remove_stale_thumbnails
from sdfviewer.gui.shell.window_place import WindowPlace
from sdfviewer.gui.shell.workspaces import COMPARE, COMPARE_SHARE, EDIT, Workspaces, WorkspaceSpec
from sdfviewer.gui.tree.listing import TreeOrder
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.model.kinds import Kind
from sdfviewer.session.session_change import SessionChange


class MainWindow(QMainWindow):
    """The window of the program.

    Attributes
    ----------
    app
        Its parts, as actions, dialogs and panels use them.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self._theme = settings.theme
        self._had_differences: bool | None = None
        # Panels get their sizes only when all are placed.
        self._fit_soon = delayed(self, self._fit_comparison)
        # Each pass of the event loop restyles a part, so that the window answers meanwhile.
        self._theming: Iterator[None] = iter(())
        self._later = Later(self)
        self.setAcceptDrops(True)
        self.setWindowTitle("sdfviewer")
        self.notices = NoticeBar()
        self.status = StatusBar(self)
        self.setStatusBar(self.status)
        self.comparisons = Comparisons(settings, self)
        self.files = Files(settings, self.notices, self.status, self)
        self.saving = FileSaving(self.files, settings, self.notices, self.status, self)
        self.saving.saved.connect(self.files.note_saved)
        self.disk = DiskChanges(self.files, self.saving, self.notices, self.status, self.comparisons, self)
        self.recovery = FileRecovery(self.files, self.disk, self.notices, self.status, self)
        self.actions_by_id = self._make_actions()
        self._take_idle_keys()
        self.menus = Menus(self, ACTIONS, self.actions_by_id, settings, self.open_one, self.files)
        self.toolbar = build_toolbar(ACTIONS, self.actions_by_id, self.menus.menu("View/Camera"))
        self.addToolBar(self.toolbar)
        self.tabs = FileTabs(self.files, self.saving)
        self._tab_strip = QToolBar("Open files", movable=False)
        self._tab_strip.setObjectName("tabs")
        self._tab_strip.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._tab_strip.addWidget(self.tabs)
        self.addToolBarBreak()
        self.addToolBar(self._tab_strip)
        self._build_middle()
        if not probe().problem:
            # Qt replaces a window that gets its first OpenGL widget later, which flickers.
            QOpenGLWidget(self).hide()
        self.docks = Docks(self, self._centre)
        self.docks.connect_tabs(self.views, self.toolbar)
        self.files.panels_in_sight = lambda: self.docks.in_sight
        self._place = WindowPlace(self, settings)
        self.workspaces = Workspaces(self.docks, self._middle, self.views, settings)
        self.status.strip.follow(self.docks)
        self.app = App(
            settings,
            self.notices,
            self.status,
            self.comparisons,
            self.files,
            self.saving,
            self.disk,
            self.docks,
            self.workspaces,
            self.welcome,
            self.actions_by_id,
            self.menus,
            self.toolbar,
            self,
        )
        self.rename_propagation = RenamePropagation(self.app)
        self._restore()
        self.actions_by_id.connect(self.app)
        self._connect()
        self._show_current()

    def _build_middle(self) -> None:
        """Make the 3D views, or the welcome page where no file is open, over which the notices float."""
        self.welcome = Welcome(self.settings)
        self.views = PanelStack()
        self.views.setWhatsThis(
            "<b>3D view</b><br>The robot with its frames, joint axes and sensors. Drag to orbit, click to select; the "
            "tools at the left move, rotate and measure.<br><i>F1 opens the manual.</i>"
        )
        self._centre = QMainWindow()
        self._centre.setWindowFlags(Qt.WindowType.Widget)
        self._centre.setCentralWidget(self.views)
        self._centre.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        # Without a file the welcome page takes the room of the 3D view and of the graphs.
        self._pages = QStackedWidget()
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self._centre)
        self._middle = QWidget()
        column_of(self._pages, parent=self._middle, margins=0, spacing=0)
        self._opening = OpeningBar(self._pages, self._middle)
        self.notices.setParent(self._middle)
        self.notices.hide()
        self.notices.float_over(self.views, self.welcome)
        self.setCentralWidget(self._middle)

    def _make_actions(self) -> Actions:
        actions = Actions(self, self.settings.shortcuts)
        # Before window, menus and toolbar have them: each of these would follow each change of each action.
        actions.enable(False)
        actions.paint()
        self.addActions(list(actions.values()))
        return actions

    # --- set-up ----------------------------------------------------------------------------------------------------

    def _restore(self) -> None:
        self.workspaces.restore()
        self._show_workspace(self.workspaces.current)
        for id in REMEMBERED:
            action = self.actions_by_id[id]
            action.setChecked(self.settings.flag(id, action.isChecked()))
        self._show_settings()

    def _show_settings(self) -> None:
        """Check the switches of what is set elsewhere too."""
        degrees = self.settings.angle_unit is AngleUnit.DEGREES
        self.actions_by_id["unit.degrees" if degrees else "unit.radians"].setChecked(True)
        self.actions_by_id[QUATERNIONS].setChecked(self.settings.flag(QUATERNIONS, False))
        self.actions_by_id[f"navigation.{self.settings.navigation}"].setChecked(True)
        self.actions_by_id[f"theme.{self.settings.theme.value}"].setChecked(True)
        if self._theme is not self.settings.theme:
            self._theme = self.settings.theme
            self._apply_theme()

    def _connect(self) -> None:
        self.errors = ErrorNotices(self.notices, self.workspaces, self.actions_by_id)
        self.files.making.connect(self._make_room)
        self.files.added.connect(self._add)
        self.files.removed.connect(self._remove)
        self.files.current_changed.connect(self._change_file)
        self.files.current_changed.connect(self.status.clear_message)
        self.files.opening_changed.connect(self._show_opening)
        self._opening.cancelled.connect(self._cancel_opening)
        self.welcome.open_requested.connect(self.files.open_dialog)
        self.welcome.new_requested.connect(lambda: self.files.new("model"))
        self.welcome.file_chosen.connect(self.open_one)
        # Of a panel that comes to the front of other tabs Qt says nothing to the panel.
        self.docks.docks["problems"].visibilityChanged.connect(self._begin_at_problem)
        self.status.problems.clicked.connect(lambda: self.docks.reveal("problems"))
        self.status.strip.wanted.connect(self.docks.reveal)
        self.status.kind_wanted.connect(self._list_kind)
        self.workspaces.changed.connect(self._show_workspace)
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _scheme: self._apply_theme())
        self.settings.changed.connect(self._show_settings)
        for id, dock in self.docks.docks.items():
            action = self.actions_by_id[f"panel.{id}"]
            # Qt unchecks its own action also where only the window around the dock is hidden.
            dock.toggleViewAction().toggled.connect(partial(self._follow_dock, id, action, dock))
            action.setChecked(not dock.isHidden())

    def _follow_dock(self, id: str, action: QAction, dock: QDockWidget, _shown: bool) -> None:
        action.setChecked(not dock.isHidden())
        if self.current is not None and not dock.isHidden():
            self.current.make(id)

    def _show_workspace(self, workspace: WorkspaceSpec) -> None:
        self.actions_by_id[f"workspace.{workspace.id}"].setChecked(True)
        self.actions_by_id["show.shapes"].setChecked(workspace.id == EDIT.id)
        self.status.clear_message()
        self._fit_soon.start()
        for file in self.files.opened:
            self.errors.withdraw(file)

    def _fit_comparison(self) -> None:
        """Leave the room to the 3D views in the Compare workspace while there are no differences to list."""
        if self.workspaces.current is not COMPARE or self.current is None or self.workspaces.is_maximized:
            return
        panel = self.current.compare
        before, self._had_differences = self._had_differences, not panel.is_empty
        if not panel.isVisible() or self._had_differences is before:
            return
        least = panel.least_height
        if panel.is_empty:
            self.docks.set_height("compare", least)
        elif before is False or panel.height() <= least:
            self.docks.set_height("compare", round(self._centre.height() * COMPARE_SHARE))

    def _list_kind(self, kind: str) -> None:
        """List all frames of a kind in the model tree."""
        if self.current is not None:
            self.docks.reveal("tree")
            self.current.tree.filter.clear()
            self.current.tree.arrange(TreeOrder.KIND, frozenset({Kind(kind)}))

    def _list(self, what: str) -> None:
        """Show what the overview of a robot counts: a kind of frames, the problems, or the files that it names."""
        if what == "problems":
            self.docks.reveal("problems")
        elif what == "resources":
            self.actions_by_id["file.resources"].trigger()
        else:
            self._list_kind(what)

    # --- files -----------------------------------------------------------------------------------------------------

    @property
    def current(self) -> OpenFile | None:
        """The file that is shown, None where none is open."""
        return self.files.current

    def _add(self, file: OpenFile) -> None:
        """Take a file that was opened into the panels."""
        self.views.addWidget(file.view)
        file.view.keep_clear_of(self.notices)
        file.state_changed.connect(partial(self._show_state_of, file))
        file.context.changed.connect(partial(self._forget_message, file))
        file.context.motion.drag_began.connect(self.status.clear_message)
        file.context.messages.shown.connect(lambda text: self.status.show_message(self._said_of(file, text)))
        file.context.messages.written.connect(lambda text, path: tell_written(self.notices, text, path, file))
        file.context.messages.refused.connect(lambda text: self.status.refuse(self._said_of(file, text)))
        file.context.requests.mesh.connect(lambda drop: add_mesh(self.app, file, drop))
        file.context.requests.robot.connect(lambda drop: join_dropped(self.app, file, drop))
        file.context.requests.place.connect(partial(self._show_place, file, in_front=True))
        file.context.requests.place_behind.connect(partial(self._show_place, file))
        file.context.requests.other_file.connect(partial(open_at, self.app))
        file.context.requests.written_value.connect(partial(self._ask_for_value, file))
        file.context.written_back.places_wanted.connect(partial(self._ask_for_place, file))
        file.context.written_back.ways_wanted.connect(partial(self._ask_in_context, file))
        file.context.requests.model_folders.connect(
            lambda folders: self.files.use_folders(file, list(map(Path, folders)))
        )
        file.context.requests.locate.connect(partial(self.files.locate_folder, file))
        file.context.requests.download.connect(self.actions_by_id["file.fetch"].trigger)
        file.view.set_actions(self.actions_by_id)
        file.view.failed.connect(lambda error: show_report(error, self))
        show_switches(self.app, file)
        self.rename_propagation.attach(file)
        self.errors.announce(file)

    def _said_of(self, file: OpenFile, text: str) -> str:
        """Return a message of a file, with its name where another file is in front."""
        return text if file is self.current or file.name in text else f"{file.name}: {text}"

    def _forget_message(self, file: OpenFile, change: SessionChange) -> None:
        """Remove the message of the action before: it is about the text and the selection of then."""
        if file is self.current and (change.document or change.selection):
            self.status.clear_earlier_message()

    def _make_room(self, file: OpenFile) -> None:
        """Take the panels of a file that is being opened.

        Each is taken in the turn in which it is made: to take all of them at once would hold the window up.
        """
        file.place_of = lambda id: self.views if id == "view" else self.docks.stacks[id]
        file.panel_made.connect(partial(self._take_panel, file))

    def _take_panel(self, file: OpenFile, id: str) -> None:
        """Take a panel that was made into its dock."""
        self.docks.add_panel(id, file.panels[id])
        actions = self.actions_by_id
        if id == "tree":
            offer_tree_menu(file, actions)
        elif id == "joints":
            file.joints.set_actions(actions[spec.id] for spec in ACTIONS if spec.menu == "Joints")
            file.joints.sweep_changed.connect(actions["joints.sweep"].setChecked)
            file.joints.motion_wanted.connect(lambda: actions["joints.motion"].setChecked(True))
        elif id == "properties":
            file.properties.conversion_wanted.connect(actions[CONVERT].trigger)
            file.properties.source_wanted.connect(actions["go.source"].trigger)
            file.properties.action_wanted.connect(lambda id: actions[id].trigger())
            file.properties.list_wanted.connect(self._list)
        elif id == "problems":
            file.problems.source_wanted.connect(partial(self.docks.reveal, "source"))
        elif id == "source":
            file.source.set_actions(actions)
        elif id == "compare":
            file.compare.set_actions(actions)
            file.compare.refreshed.connect(self._fit_soon.start)
        elif id == "history":
            file.history.comparison_wanted.connect(lambda index: self.comparisons.open_step(file, index))
        if file is self.current:
            self.docks.show_panel(id, file.panels[id])

    def _ask_for_value(self, file: OpenFile, wanted: WrittenValueRequest) -> None:
        from sdfviewer.gui.operations.place_cards import ValueDialog  # noqa: PLC0415  # few files are xacro

        self.app.open_dialog(ValueDialog(file.context, wanted, self))

    def _ask_for_place(self, file: OpenFile, request: PlaceRequest) -> None:
        from sdfviewer.gui.operations.place_cards import PlaceCard  # noqa: PLC0415  # few files are xacro

        self.app.open_dialog(PlaceCard(file.context, request, self))

    def _ask_in_context(self, file: OpenFile, request: ContextRequest) -> None:
        from sdfviewer.gui.operations.place_cards import ContextCard  # noqa: PLC0415  # many files include none

        self.app.open_dialog(ContextCard(file.context, request, self.app.project_files, self))

    def _show_place(self, file: OpenFile, span: Span, *, in_front: bool = False) -> None:
        is_new = "source" not in file.panels
        self.docks.open_behind("source")
        if in_front:
            self.docks.show("source", keyboard=file.view)  # who only looks does not type into the text
        if is_new:  # it has not heard what was requested
            file.source.show_place(span)

    def _remove(self, file: OpenFile) -> None:
        """Take a closed file out of the panels."""
        self.notices.forget(file)
        self.errors.forget(file)
        self.rename_propagation.detach(file)
        self.views.delete_panel(file.view)
        for id, panel in file.panels.items():
            self.docks.remove_panel(id, panel)
        if not self.files.opened:
            self._had_differences = None
        self._show_tabs()  # a file behind the current one can be closed, too

    def _show_tabs(self) -> None:
        """Show the tabs of the files while there are several."""
        self._tab_strip.setVisible(len(self.files.opened) > 1)

    def _change_file(self) -> None:
        self.actions_by_id["tool.alone"].setChecked(False)  # what an edit does is no mode from another file
        self._show_current()

    def _show_current(self) -> None:
        file = self.current
        with painted_once(self):
            with nullcontext() if file is None else settled_at_once(lambda: (file.view, *file.panels.values())):
                self._show_views(file)
            self.notices.follow(file)
        self._show_state()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the keyboard on, as when what has it is hidden: never into a panel behind a tab."""
        has_moved = super().focusNextPrevChild(next)
        panel = self.docks.panel_at(self.focusWidget())
        if panel is not None and self.docks.is_behind(panel) and self.current is not None:
            self.current.view.setFocus()
        return has_moved

    def _show_views(self, file: OpenFile | None) -> None:
        if file is None:
            self._pages.setCurrentWidget(self.welcome)
            self.docks.fold_below()
        else:
            was_welcome = self._pages.currentWidget() is self.welcome
            if was_welcome:
                self.docks.unfold_below()
            self._pages.setCurrentWidget(self._centre)
            self.views.setCurrentWidget(file.view)
            if was_welcome:
                # Otherwise what comes next after the welcome page has the keyboard, such as a button below.
                file.view.setFocus()
            for id in self.docks.in_sight:
                file.make(id)
        panels = {} if file is None else file.panels
        for spec in DOCKS:
            self.docks.show_panel(spec.id, panels.get(spec.id))
        for other in self.files.opened:
            if other is not file and "joints" in other.panels:
                other.joints.sweep(False)
        joints = file.joints if file is not None and "joints" in file.panels else None
        self.actions_by_id["joints.lift_limits"].setChecked(joints is not None and joints.limits_lifted)
        self.actions_by_id["joints.motion"].setChecked(joints is not None and not joints.motion.isHidden())
        self.app.close_forms(None if file is None else file.context)
        self._show_tabs()
        self.actions_by_id.enable(file is not None)

    def _show_state_of(self, file: OpenFile) -> None:
        if file is self.current:
            self._show_state()

    def _show_state(self) -> None:
        """Show the name, the dirty mark, the counts and what can be undone."""
        current = self.current
        self.setWindowTitle("sdfviewer" if current is None else f"{current.name}[*] – sdfviewer")
        if self.isWindowModified() != (is_modified := current is not None and current.session.dirty):
            self.setWindowModified(is_modified)  # all parts of the window hear of it, also where it is the same
        self.setWindowFilePath("" if current is None else str(current.session.path or ""))
        self.status.show_file(current)
        history = None if current is None else current.session.history
        undo, redo = (None, None) if history is None else (history.undo_label, history.redo_label)
        can_save = current is not None and (current.session.dirty or current.session.path is None)
        self.actions_by_id.name_step("edit.undo", undo)
        self.actions_by_id.name_step("edit.redo", redo)
        self.actions_by_id["file.save"].setEnabled(can_save)
        idle = {
            self._nothing_to_undo: ("edit.undo", undo is None),
            self._nothing_to_redo: ("edit.redo", redo is None),
            self._nothing_to_save: ("file.save", not can_save),
        }
        for shortcut, (id, is_idle) in idle.items():
            shortcut.setKeys(self.actions_by_id[id].shortcuts())
            shortcut.setEnabled(current is not None and is_idle)

    def _take_idle_keys(self) -> None:
        """Take the keys of actions that are disabled because there is nothing to undo, redo or save, and say so."""
        self._nothing_to_undo, self._nothing_to_redo, self._nothing_to_save = (QShortcut(self) for _ in range(3))
        self._nothing_to_undo.activated.connect(self._undo_typing)
        self._nothing_to_redo.activated.connect(partial(self.status.show_message, "Nothing to redo."))
        self._nothing_to_save.activated.connect(self._save_typing)

    def _undo_typing(self) -> None:
        """Undo what is being typed, which no history has yet; say so where there is nothing to undo at all."""
        if self.current is None:
            return
        self.current.flush()
        undo = self.actions_by_id["edit.undo"]
        if undo.isEnabled():
            undo.trigger()
        else:
            keys = self.actions_by_id["joints.reset"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            reset = keys or "Reset All in the Joints menu"
            joints = f" Joint positions are not part of the file; {reset} resets them."
            has_moved = any(any(values) for values in self.current.session.positions.values())
            self.status.show_message("Nothing to undo." + joints * has_moved)

    def _save_typing(self) -> None:
        """Save what is being typed, which is no edit yet; say so where there is nothing to save at all."""
        if self.current is None:
            return
        self.current.flush()
        if self.current.session.dirty or self.current.session.path is None:
            self.saving.save(self.current)
        else:
            self.status.show_message("No changes to save.")

    def open_one(self, path: Path) -> None:
        """Open one file."""
        self.files.open_soon([path])

    def _begin_at_problem(self, is_in_sight: bool) -> None:
        """Show the problem where the user works, as soon as the problems are in sight."""
        if is_in_sight and self.current is not None and "problems" in self.current.panels:
            self.current.problems.begin_at_hand()

    def _show_opening(self) -> None:
        """Show the progress of a file that is being opened, in place of the welcome page."""
        self._opening.follow(self.files.opening)
        shows_pages = self.files.opening is None or self.current is not None
        if shows_pages and self._pages.isHidden():
            # What appears is laid out, and the 3D view begins with OpenGL. To paint it takes two turns of its own.
            for part in (self, self._pages):
                part.setUpdatesEnabled(False)
                self._later.do(partial(paint_again, part))
        self._pages.setVisible(shows_pages)

    def _cancel_opening(self) -> None:
        if self.files.opening is not None:
            self.files.opening.cancel()

    # --- look ------------------------------------------------------------------------------------------------------

    def _apply_theme(self) -> None:
        """Begin to paint everything in the theme of the settings."""
        self._theming = self._change_theme()
        self._go_on_theming()

    def _change_theme(self) -> Iterator[None]:
        """Paint everything in the theme of the settings, and show it when all is done; yields between the turns."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        with ExitStack() as stack:
            for widget in application.topLevelWidgets():
                if widget.isVisible():
                    stack.enter_context(painted_once(widget))
            yield from theme_steps(application, self.settings.theme)
            yield
            self.repaint_icons()
            self._show_state()
            yield

    def _go_on_theming(self) -> None:
        if next(self._theming, self) is not self:
            self._later.do(self._go_on_theming)

    def repaint_icons(self) -> None:
        """Give all actions their icons again: the menus of macOS hold pictures of them."""
        self.actions_by_id.paint()

    # --- events ----------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Show the tips of actions as messages are shown: Qt writes them over the file, and cuts them."""
        if isinstance(event, QStatusTipEvent):
            self.status.show_tip(event.tip())
            return True
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.files.open_soon(paths)

    def showEvent(self, event: QShowEvent) -> None:
        """Tick the panels that are there: of those that a layout hid before the window is seen, Qt says nothing."""
        for id, dock in self.docks.docks.items():
            self.actions_by_id[f"panel.{id}"].setChecked(not dock.isHidden())
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        # Some network file systems never report changes: returning to the window is the moment to look.
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.disk.look_at_disk()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.saving.may_close(self.files.opened):
            event.ignore()
            return
        self.files.cancel_openings()
        remove_stale_thumbnails(self.settings)
        self._place.save()
        self.workspaces.save()
        for file in tuple(self.files.opened):
            self.files.drop(file)
        event.accept()

    def keep_unsaved_work(self) -> None:
        """Write all unsaved work where it survives a crash."""
        for file in self.files.opened:
            file.keep_unsaved_work()

    def createPopupMenu(self) -> None:
        """Show no menu on a right click beside the panels: the status bar has all of them."""
