"""The manual, shortcuts, preferences and the report."""

from __future__ import annotations

from sdfviewer.gui.help.manual import Manual
from sdfviewer.gui.help.preferences import Preferences
from sdfviewer.gui.help.shortcuts import ShortcutSheet
from sdfviewer.gui.shell.crash import ReportDialog
from tests.walk.actions import Steps, press, shot, type_text
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def manual(w: Walk) -> Steps:
    """F1 opens the manual, which can be searched."""
    yield press("f1")
    yield shot("open")
    dialog = w.dialog
    if not w.expect(isinstance(dialog, Manual), "the manual is open"):
        return
    assert isinstance(dialog, Manual)
    yield w.click(dialog.search)
    yield type_text("measure")
    yield shot("search")
    yield press("enter")
    yield shot("page")
    yield press("esc")
    yield press("esc")
    w.expect(not isinstance(w.dialog, Manual), "Esc closes it")


@story
def what_is_this(w: Walk) -> Steps:
    """Shift+F1 and a click say what a panel is."""
    w.reveal("tree")
    yield press("shift+f1")
    yield w.click(w.file.tree, what="the tree")
    yield shot("explained")
    yield press("esc")


@story
def shortcuts(w: Walk) -> Steps:
    """The sheet of shortcuts can be searched."""
    yield press("ctrl+k, ctrl+b")
    yield shot("open")
    dialog = w.dialog
    if not w.expect(isinstance(dialog, ShortcutSheet), "the sheet is open"):
        return
    assert isinstance(dialog, ShortcutSheet)
    yield w.click(dialog.search)
    yield type_text("undo")
    yield shot("found")
    yield press("esc")


@story
def preferences(w: Walk) -> Steps:
    """Ctrl+, opens the preferences."""
    yield press("ctrl+,")
    yield shot("open")
    w.expect(isinstance(w.dialog, Preferences), "they are open")
    yield press("esc")
    w.expect(w.dialog is None, "Esc closes them")


@story
def report(w: Walk) -> Steps:
    """Help, Report a Problem shows what to copy."""
    yield press("ctrl+k, ctrl+i")
    yield shot("open")
    w.expect(isinstance(w.dialog, ReportDialog), "the report is open")
    yield press("esc")


@story
def menus(w: Walk) -> Steps:
    """Each menu of the menu bar opens."""
    bar = w.window.menuBar()
    for entry in bar.actions():
        name = entry.text().replace("&", "")
        if not entry.isVisible() or not name:
            continue
        yield w.click(bar, bar.actionGeometry(entry).center(), f"menu {name}")
        yield shot(name.lower().replace(" ", "_"))
        w.expect(w.menu_texts, f"{name} opens")
        yield press("esc")
        yield press("esc")


@story
def status_counts(w: Walk) -> Steps:
    """The counts of the status bar are in sight."""
    yield w.hover(w.window.status.problems, what="the count of problems")
    yield shot("bar")
    w.expect(w.window.status.problems.isVisible(), "the count of problems is in sight")
