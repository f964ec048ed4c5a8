"""The Source menu: the commands of the source view."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from sdfviewer.gui.kit.commands import FIND_NEXT, FIND_PREVIOUS
from sdfviewer.gui.shell.actions.declaration import Declarations, Run, on_file
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile

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
