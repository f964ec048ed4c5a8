"""The Go menu, and the Source menu: the commands of the source view."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from sdfviewer.diagnostics import Span
from sdfviewer.files.paths import short_name
from sdfviewer.gui.kit.commands import FIND_FRAME, FIND_NEXT, FIND_PREVIOUS, SHOW_IN_SOURCE
from sdfviewer.gui.shell.actions.declaration import Declarations, Run, on_file
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.menus import EXAMPLES, RECENT
from sdfviewer.gui.shell.refusals import SELECT_FIRST

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

    def show(file: OpenFile) -> None:
        model = file.session.model
        row = None if model is None else row_at(model, span.start)
        if model is not None and row is not None:
            file.session.select((model.names[row],))
        app.docks.reveal("source")
        file.context.requests.show_place(span)

    app.files.open_then(Path(span.path), show)


SOURCE = Declarations("Source")
_STEPS = ("source.next_match", "source.previous_match")
_LINES, _CARETS, _FOLDING, _ZOOM = "Source/Lines", "Source/Carets", "Source/Folding", "Source/Zoom"


def _run_in_source(id: str) -> Run:
    @on_file
    def act(app: App, file: OpenFile) -> None:
        focused = QApplication.focusWidget()
        # Whoever goes through the matches from the find bar may want to change what is found, or replace it.
        if focused is None or id not in _STEPS or not file.source.find_bar.isAncestorOf(focused):
            app.docks.reveal("source")
            file.source.editor.setFocus()
        file.source.commands.run(id)

    return act


def _command(
    id: str,
    text: str,
    keys: str,
    icon: str,
    tip: str,
    *,
    menu: str = SOURCE.menu,
    section: bool = False,
    in_source: bool = True,
) -> None:
    SOURCE.action(f"source.{id}", text, keys, icon, menu=menu, section=section, in_source=in_source, tip=tip)(
        _run_in_source(f"source.{id}")
    )


# fmt: off
_command("find", "Find in Source…", "Ctrl+F", "mdi6.text-search", "Find text or a regular expression")
_command("replace", "Replace in Source…", "Ctrl+H", "mdi6.find-replace", "Find and replace text")
_command("next_match", FIND_NEXT.text, FIND_NEXT.keys, FIND_NEXT.icon, "Go to the next match or the next entry of the list")  # noqa: E501
_command("previous_match", FIND_PREVIOUS.text, FIND_PREVIOUS.keys, FIND_PREVIOUS.icon, "Go to the previous match or the previous entry of the list")  # noqa: E501
_command("line", "Go to Line…", "Ctrl+G", "mdi6.format-line-spacing", "Go to a line, or to line:column")
_command("partner", "Go to Matching Tag", "Ctrl+Shift+\\", "mdi6.code-tags", "Go from a start tag to its end tag and back")  # noqa: E501
_command("definition", "Go to Definition", "F12", "mdi6.arrow-right-top", "Go to the frame named at the caret; Ctrl+click does the same", section=True)  # noqa: E501
_command("references", "Find References", "Shift+F12", "mdi6.format-list-bulleted", "List all references to the frame at the caret")  # noqa: E501
_command("rename", "Rename Symbol…", "F2", "mdi6.rename-box", "Rename the frame at the caret and every reference to it")
_command("complete", "Trigger Completion", "Ctrl+Space", "mdi6.form-textbox", "Show completions at the caret")
_command("fix", "Quick Fix…", "Ctrl+.", "mdi6.lightbulb-on-outline", "Show quick fixes for the problem at the caret")
_command("comment", "Toggle Comment", "Ctrl+/", "mdi6.comment-outline", "Comment or uncomment the selected lines", menu=_LINES)  # noqa: E501
_command("duplicate", "Duplicate Lines", "Shift+Alt+Down", "mdi6.content-duplicate", "Duplicate the selected lines", menu=_LINES)  # noqa: E501
_command("move_up", "Move Lines Up", "Alt+Up", "mdi6.arrow-up-bold", "Move the selected lines up", menu=_LINES)
_command("move_down", "Move Lines Down", "Alt+Down", "mdi6.arrow-down-bold", "Move the selected lines down", menu=_LINES)  # noqa: E501
_command("remove_lines", "Delete Lines", "Ctrl+Shift+K", "mdi6.table-row-remove", "Delete the selected lines", menu=_LINES)  # noqa: E501
_command("indent", "Indent Lines", "Ctrl+]", "mdi6.format-indent-increase", "Increase the indentation of the selected lines", menu=_LINES)  # noqa: E501
_command("outdent", "Outdent Lines", "Ctrl+[", "mdi6.format-indent-decrease", "Decrease the indentation of the selected lines", menu=_LINES)  # noqa: E501
_command("format", "Format Document", "Ctrl+Shift+I", "mdi6.format-align-left", "Indent all lines by their depth; changes no text, value or comment", section=True)  # noqa: E501
_command("caret_above", "Add Caret Above", "Ctrl+Alt+Up", "mdi6.chevron-up", "Type in the line above, too; Alt+click adds a caret anywhere, Esc goes back to one", menu=_CARETS)  # noqa: E501
_command("caret_below", "Add Caret Below", "Ctrl+Alt+Down", "mdi6.chevron-down", "Type in the line below, too; Alt+click adds a caret anywhere, Esc goes back to one", menu=_CARETS)  # noqa: E501
_command("next_occurrence", "Add Next Occurrence", "Ctrl+D", "mdi6.cursor-text", "Select the word at the caret, then its next occurrence with a caret of its own", menu=_CARETS)  # noqa: E501
_command("widen", "Expand Selection", "Shift+Alt+Right", "mdi6.arrow-expand-horizontal", "Select the word, value, tag or element around the selection")  # noqa: E501
_command("narrow", "Shrink Selection", "Shift+Alt+Left", "mdi6.arrow-collapse-horizontal", "Return to the previous selection")  # noqa: E501
_command("fold", "Toggle Fold", "Ctrl+Shift+[", "mdi6.unfold-less-horizontal", "Fold or unfold the element around the caret", menu=_FOLDING)  # noqa: E501
_command("fold_all", "Fold All", "Ctrl+K, Ctrl+0", "mdi6.collapse-all-outline", "Fold every model, link and joint", menu=_FOLDING, in_source=False)  # noqa: E501
_command("unfold_all", "Unfold All", "Ctrl+K, Ctrl+J", "mdi6.expand-all-outline", "Show all lines", menu=_FOLDING, in_source=False)  # noqa: E501
_command("zoom_in", "Zoom In", "Ctrl+=", "mdi6.magnify-plus-outline", "Make the text larger; Ctrl+wheel does the same", menu=_ZOOM)  # noqa: E501
_command("zoom_out", "Zoom Out", "Ctrl+-", "mdi6.magnify-minus-outline", "Make the text smaller", menu=_ZOOM)
_command("zoom_reset", "Reset Zoom", "Ctrl+0", "mdi6.magnify", "Show the text at its default size", menu=_ZOOM)
# fmt: on


@SOURCE.switch("source.whitespace", "Show Whitespace", "Ctrl+K, W", "mdi6.format-pilcrow", needs_file=False)
def show_whitespace(app: App, on: bool) -> None:
    """Show spaces and tabs in the source."""
    app.settings.set_flag("source.whitespace", on)
