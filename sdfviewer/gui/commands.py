"""What the actions of the window do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from sdfviewer.gui.actions import ACTIONS
from sdfviewer.gui.command_palette import Command, CommandPalette
from sdfviewer.gui.crash import describe_system
from sdfviewer.gui.docks import DOCKS
from sdfviewer.gui.menus import EXAMPLES, RECENT
from sdfviewer.gui.properties.pose import write_poses_in
from sdfviewer.gui.properties.references import ReferenceSection
from sdfviewer.gui.properties.section import Section
from sdfviewer.gui.settings import QUATERNIONS, AngleUnit
from sdfviewer.gui.theme import Choice
from sdfviewer.gui.workspace import Workspace
from sdfviewer.scene.camera import NAVIGATION, VIEWS
from sdfviewer.semantics.editing.poses.numbers import Notation

if TYPE_CHECKING:
    from sdfviewer.gui.window import MainWindow

_OF_VIEWS = ("show", "compare", "camera", "tool", "axes", "edges", "depth")
#: Switches of the 3D view.
SWITCHES = [spec.id for spec in ACTIONS if spec.checkable and spec.id.split(".")[0] in _OF_VIEWS]
#: Those that the next start takes up: what somebody was just doing is not among them.
REMEMBERED = [
    *(id for id in SWITCHES if id == "tool.snap" or not id.startswith(("tool.", "compare."))),
    "source.blanks",
]


class Commands:
    """The handlers of all actions of the table, for one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.palette: CommandPalette | None = None

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return what each action of the table does."""
        handlers: dict[str, Callable[..., object]] = {
            "file.open": self._window.files.open_dialog,
            "file.reload": self._window.on_current(self._reload),
            "file.model_folders": lambda: self._window.files.choose_model_folders(),  # noqa: PLW0108
            "file.save": self._window.on_current(self._window.files.save),
            "file.save_all": self._window.files.save_all,
            "file.save_as": self._window.on_current(self._window.files.save_as),
            "file.picture": self._window.on_current(self._save_picture),
            "file.copy_picture": self._window.on_current(self._copy_picture),
            "show.display": self._window.on_current(lambda each: each.view.open_display_menu()),
            "file.close": self._window.on_current(self._window.files.close),
            "file.next": self._next_file,
            "file.quit": self._window.close,
            "edit.undo": self._window.on_current(self._undo),
            "edit.redo": self._window.on_current(self._redo),
            "edit.rename": self._edit(lambda each: self._enter(each.properties.name, each.properties.name.field)),
            "edit.pose": self._edit(lambda each: self._enter(each.properties.pose, each.properties.pose.fields[0])),
            "edit.relative_to": self._edit(lambda each: self._choose(each.properties.relative_to)),
            "edit.attached_to": self._edit(lambda each: self._choose(each.properties.attached_to)),
            "edit.copy_pose": self._edit(lambda each: each.properties.resolved.copy_pose("x y z roll pitch yaw")),
            "edit.paste_pose": self._edit(lambda each: each.properties.pose.paste()),
            "edit.select_none": self._window.on_current(lambda each: each.session.select(())),
            "camera.focus": self._window.on_current(
                lambda each: each.bridge.focus_requested.emit(each.session.selection)
            ),
            "camera.fit": self._window.on_current(lambda each: each.bridge.focus_requested.emit(())),
            # The docks are made after the actions.
            "view.reset_layout": lambda: self._window.docks.reset(),  # noqa: PLW0108
            "go.palette": self.open_palette,
            "go.filter": self._window.on_current(self._go_filter),
            "go.source": self._window.on_current(self._go_source),
            "go.parent": self._window.on_current(self._go_parent),
            "go.next_panel": lambda: self._step_panel(1),
            "go.previous_panel": lambda: self._step_panel(-1),
            "go.next_problem": self._window.on_current(lambda each: self._step_problem(each, 1)),
            "go.previous_problem": self._window.on_current(lambda each: self._step_problem(each, -1)),
            "joints.reset": self._window.on_current(lambda each: each.joints.reset()),
            "joints.random": self._window.on_current(lambda each: each.joints.randomise()),
            "joints.close_loops": self._window.on_current(lambda each: each.joints.close_loops()),
            "joints.keep_pose": self._window.on_current(lambda each: each.joints.keep_pose()),
            "joints.sweep": lambda on: self._window.on_current(lambda each: each.joints.sweep(on))(),
            "joints.lift_limits": lambda on: self._window.on_current(lambda each: each.joints.lift_limits(on))(),
            "unit.radians": self._when_on(lambda: setattr(self._window.settings, "angle_unit", AngleUnit.RADIANS)),
            "unit.degrees": self._when_on(lambda: setattr(self._window.settings, "angle_unit", AngleUnit.DEGREES)),
            "unit.quaternions": partial(self._window.settings.set_flag, QUATERNIONS),
            "help.about": self._about,
        }
        for notation in Notation:
            handlers[f"edit.write_{notation.value}"] = self._window.on_current(partial(self._write_poses_in, notation))
        for spec in ACTIONS:
            if spec.menu == "Source":
                handlers[spec.id] = self._window.on_current(partial(self._run_in_source, spec.id))
        handlers["source.blanks"] = partial(self._window.settings.set_flag, "source.blanks")
        for view in VIEWS:
            handlers[f"camera.{view}"] = self._window.on_current(partial(self._look_from, view))
        for id in SWITCHES:
            handlers[id] = partial(self._window.switch, id)
        for id in ("compare.side", "compare.zero", "compare.reading"):
            handlers[id] = partial(self._compare, id)
        for name in NAVIGATION:
            handlers[f"navigation.{name}"] = self._when_on(partial(setattr, self._window.settings, "navigation", name))
        for choice in Choice:
            handlers[f"theme.{choice.value}"] = self._when_on(partial(self._window.choose_theme, choice))
        for dock in DOCKS:
            handlers[f"panel.{dock.id}"] = partial(self._toggle_panel, dock.id)
        return handlers

    @staticmethod
    def _when_on(run: Callable[[], None]) -> Callable[[bool], None]:
        """Return a handler of one switch of a group: only the one that goes on does something."""

        def handler(on: bool) -> None:
            if on:
                run()

        return handler

    def _edit(self, run: Callable[[Workspace], object]) -> Callable[[], None]:
        """Return a handler that needs a selected frame and the properties in sight."""

        def handler(workspace: Workspace) -> None:
            if workspace.session.selected_row is None:
                self._window.status.refuse("Select a frame first.")
                return
            dock = self._window.docks.docks["properties"]
            dock.show()
            dock.raise_()
            run(workspace)

        return self._window.on_current(handler)

    @staticmethod
    def _write_poses_in(notation: Notation, workspace: Workspace) -> None:
        write_poses_in(workspace.bridge, notation)

    def _run_in_source(self, id: str, workspace: Workspace) -> None:
        """Run a command of the source in its panel."""
        self._window.docks.reveal("source")
        workspace.source.editor.setFocus()
        workspace.source.commands.run(id)

    def _reload(self, workspace: Workspace) -> None:
        if workspace.session.dirty:
            buttons = QMessageBox.StandardButton
            text = f"Reloading {workspace.name} replaces your unsaved changes; undo brings them back."
            answer = QMessageBox.question(self._window, "Reload", text, buttons.Ok | buttons.Cancel)
            if answer != buttons.Ok:
                return
        self._window.files.reload(workspace)

    def _save_picture(self, workspace: Workspace) -> None:
        start = workspace.session.path.with_suffix(".png") if workspace.session.path else Path("picture.png")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save Picture", str(start), "PNG pictures (*.png)")
        if name and workspace.view.save_picture(Path(name)):
            self._window.status.say(f"Saved {Path(name).name}")
        elif name:
            self._window.status.refuse(f"{Path(name).name} could not be written.")

    def _copy_picture(self, workspace: Workspace) -> None:
        if workspace.view.copy_picture():
            self._window.status.say("Copied the picture")

    def _enter(self, section: Section, field: QWidget) -> None:
        if section.isHidden():
            self._window.status.refuse("Select one frame; this cannot be changed for what is selected.")
        else:
            field.setFocus()

    def _choose(self, section: ReferenceSection) -> None:
        if section.isHidden():
            self._window.status.refuse(f"Select one frame that has {section.attribute}.")
        elif not section.picker.isEnabled():
            self._window.status.refuse(f"{section.attribute} of what is selected cannot be changed in this file.")
        else:
            section.picker.open()

    def _go_filter(self, workspace: Workspace) -> None:
        self._window.docks.reveal("tree")
        workspace.tree.filter.setFocus()
        workspace.tree.filter.selectAll()

    def _go_source(self, workspace: Workspace) -> None:
        model, row = workspace.session.model, workspace.session.selected_row
        if model is None or row is None:
            self._window.status.refuse("Select a frame first.")
            return
        workspace.bridge.show_place(model.document_of(row).span(model.elements[row]))
        self._window.docks.reveal("source")

    def _go_parent(self, workspace: Workspace) -> None:
        model, row = workspace.session.model, workspace.session.selected_row
        if model is not None and row is not None and model.relative_to[row] >= 0:
            workspace.session.select((model.names[int(model.relative_to[row])],))

    def _step_problem(self, workspace: Workspace, by: int) -> None:
        dock = self._window.docks.docks["problems"]
        dock.show()
        dock.raise_()
        workspace.problems.step(by)

    def _compare(self, id: str, on: bool) -> None:
        """Show the comparison that was asked for, and the panel that says what differs and why."""
        window = self._window
        window.switch(id, on)
        if not on or not window.isVisible():
            return
        if id != "compare.side" and window.actions_by_id["compare.off"].isChecked():
            window.actions_by_id["compare.ghost"].setChecked(True)
        if id != "compare.zero" and window.current is not None:
            window.docks.docks["compare"].show()
            window.docks.docks["compare"].raise_()

    def _toggle_panel(self, id: str, on: bool) -> None:
        if not hasattr(self._window, "docks") or on == (not self._window.docks.docks[id].isHidden()):
            return
        if on:
            self._window.docks.reveal(id)
        else:
            self._window.docks.docks[id].hide()

    def _step_panel(self, by: int) -> None:
        """Give the keyboard to the next of the 3D view and the panels in sight."""
        shown = ["view", *(spec.id for spec in DOCKS if self._window.docks.docks[spec.id].isVisible())]
        now = next((number for number, id in enumerate(shown) if id != "view" and self._window.docks.has_focus(id)), 0)
        target = shown[(now + by) % len(shown)]
        if target == "view":
            (self._window.welcome if self._window.current is None else self._window.current.view).setFocus(
                Qt.FocusReason.ShortcutFocusReason
            )
        else:
            self._window.docks.reveal(target)

    @staticmethod
    def _look_from(view: str, workspace: Workspace) -> None:
        if workspace.view.canvas is not None:
            workspace.view.canvas.look_from(view)

    @staticmethod
    def _undo(workspace: Workspace) -> None:
        workspace.flush()  # what is being typed is an edit too
        workspace.session.undo()

    @staticmethod
    def _redo(workspace: Workspace) -> None:
        workspace.flush()
        workspace.session.redo()

    def _next_file(self) -> None:
        if self._window.tabs.count():
            self._window.tabs.setCurrentIndex((self._window.tabs.currentIndex() + 1) % self._window.tabs.count())

    def open_palette(self) -> None:
        """Open the command palette."""
        self._window.fill_recent()
        specs = [Command(spec.menu, self._window.actions_by_id[spec.id]) for spec in ACTIONS]
        recent = [Command(RECENT, action) for action in self._window.menus.menu(RECENT).actions() if action.isEnabled()]
        examples = [Command(EXAMPLES, action) for action in self._window.menus.fill_examples(self._window.open_one)]
        self.palette = CommandPalette([*specs, *recent, *examples], self._window)
        self.palette.open_over(self._window)

    def _about(self) -> None:
        box = QMessageBox(self._window)
        box.setWindowTitle("About sdfviewer")
        box.setText("sdfviewer shows where every frame of a robot model is, why it is there, and what moves with it.")
        box.setInformativeText(describe_system())
        box.open()
