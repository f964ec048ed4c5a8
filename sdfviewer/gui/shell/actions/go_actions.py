"""The Go menu: the command palette, and navigation between panels, problems and frames."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from sdfviewer.diagnostics import Span
from sdfviewer.files.paths import short_name
from sdfviewer.gui.kit.commands import FIND_FRAME, SHOW_IN_SOURCE
from sdfviewer.gui.shell.action_spec import SELECT_FIRST
from sdfviewer.gui.shell.actions.declaration import Declarations, on_file
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.menus import EXAMPLES, RECENT

GO = Declarations("Go")
_LEAST_SOURCE = 200
"""Pixels of height of a Source panel in which an element and what is around it can be read."""


@GO.action("go.palette", "Command Palette…", "Ctrl+Shift+P", "mdi6.magnify", needs_file=False, toolbar=True)
def open_palette(app: App) -> None:
    """Find any action by a few letters of its name."""
    from sdfviewer.gui.shell.command_palette import Command, CommandPalette

    app.menus.fill_recent()
    app.menus.fill_examples()
    commands = [Command(*each) for each in app.menus.commands()]
    for path in (RECENT, EXAMPLES):
        commands += [Command(path, action) for action in app.menus.menu(path).actions() if action.isEnabled()]
    palette = CommandPalette(commands, app.dialog_parent)
    palette.open_over(app.dialog_parent)


@GO.action("go.filter", FIND_FRAME.text, FIND_FRAME.keys, FIND_FRAME.icon)
@on_file
def find_frame(app: App, file: OpenFile) -> None:
    """Find a frame in the model tree by a part of its name."""
    app.docks.reveal("tree")
    file.tree.filter.setFocus()
    file.tree.filter.selectAll()


@GO.action("go.tree_order", "Next Order of the Model Tree", "Ctrl+G, T", "mdi6.sort-variant")
@on_file
def order_tree(app: App, file: OpenFile) -> None:
    """List the model tree as written, by kinematics, by relative_to, by attached_to, or by kind and name."""
    app.docks.reveal("tree")
    file.tree.show_next_order()


@GO.action("go.source", SHOW_IN_SOURCE.text, "F4", SHOW_IN_SOURCE.icon, section=True)
@on_file
def show_in_source(app: App, file: OpenFile) -> None:
    """Show the selected frame in the source; of an included one the include, and then the file that defines it."""
    from sdfviewer.language.names import place_in_file

    model, row = file.session.model, file.session.selected_row
    if model is None or row is None:
        app.messages.refuse(SELECT_FIRST)
        return
    span, place = model.document_of(row).span(model.elements[row]), place_in_file(model, row)
    path = Path(span.path)
    is_elsewhere = span.path != file.session.document.name and path.is_file() and path != file.session.path
    if is_elsewhere and (place is None or (app.docks.has_focus("source") and file.source.is_at(place))):
        app.messages.clear_message()
        open_at(app, span)
        return
    app.docks.make_room("source", _LEAST_SOURCE)
    file.context.requests.show_place(place or span)
    app.docks.reveal("source")
    if is_elsewhere:
        keys = app.actions["go.source"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        again = f"Press {keys} again" if keys else "Do this again"
        app.messages.show_message(f"{model.names[row]} is defined in {short_name(path)}. {again} to open it.")


@GO.action("go.parent", "Select relative_to", "Alt+Up", "mdi6.arrow-up")
@on_file
def select_relative_to(_app: App, file: OpenFile) -> None:
    """Select the frame in which the pose of the selected frame is given."""
    model, row = file.session.model, file.session.selected_row
    if model is not None and row is not None and model.relative_to[row] >= 0:
        file.session.select((model.names[int(model.relative_to[row])],))


@GO.action("go.who_moved", "Who Moved This?", "Ctrl+G, H", "mdi6.source-commit")
@on_file
def show_who_moved(app: App, file: OpenFile) -> None:
    """Show the commits of the git history that changed each step of the selected frame's chain."""
    if file.session.path is None:
        app.messages.refuse("Save the file first: it has no history.")
        return
    if file.session.selected_row is None:
        app.messages.refuse(SELECT_FIRST)
        return
    app.docks.reveal("properties")
    file.properties.show_who_moved()


def _step_panel(app: App, by: int) -> None:
    """Move the keyboard focus to the next of the 3D view and the visible panels."""
    shown = ["view", *(spec.id for spec in DOCKS if app.docks.docks[spec.id].isVisible())]
    now = next((number for number, id in enumerate(shown) if id != "view" and app.docks.has_focus(id)), 0)
    target = shown[(now + by) % len(shown)]
    if target != "view":
        app.docks.reveal(target)
        return
    view = app.welcome if app.files.current is None else app.files.current.view
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)


@GO.action("go.next_panel", "Next Panel", "F6", section=True, needs_file=False)
def next_panel(app: App) -> None:
    """Move the keyboard focus to the next panel."""
    _step_panel(app, 1)


@GO.action("go.previous_panel", "Previous Panel", "Shift+F6", needs_file=False)
def previous_panel(app: App) -> None:
    """Move the keyboard focus to the previous panel."""
    _step_panel(app, -1)


def _step_problem(app: App, file: OpenFile, by: int) -> None:
    # An empty panel would cover half of the 3D view, and one in front of the source the place that is gone to.
    if file.session.diagnostics:
        app.docks.show_beside("problems", "source")
    file.problems.step(by)


@GO.action("go.next_problem", "Next Problem", "F8", "mdi6.alert-circle-outline", section=True)
@on_file
def next_problem(app: App, file: OpenFile) -> None:
    """Select the next problem."""
    _step_problem(app, file, 1)


@GO.action("go.previous_problem", "Previous Problem", "Shift+F8")
@on_file
def previous_problem(app: App, file: OpenFile) -> None:
    """Select the previous problem."""
    _step_problem(app, file, -1)


def open_at(app: App, span: Span) -> None:
    """Open the file of a span, or show it if it is open; then select the frame written there and show its source."""
    from sdfviewer.language.names import row_at

    path = Path(span.path)

    def show_when_open() -> None:
        file = app.files.find(path)
        if file is not None or app.files.opening is None:
            app.files.opening_changed.disconnect(show_when_open)
        if file is not None:
            model = file.session.model
            row = None if model is None else row_at(model, span.start)
            if model is not None and row is not None:
                file.session.select((model.names[row],))
            app.docks.reveal("source")
            file.context.requests.show_place(span)

    app.files.opening_changed.connect(show_when_open)
    app.files.open_soon([path])
