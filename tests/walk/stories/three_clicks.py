"""What people need most takes no more than three clicks or keys."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QDialog

from sdfviewer.gui.kit.widgets import widgets_in
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.model.kinds import Kind
from tests.walk.actions import Steps, press, rest, shot, type_text
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def why_in_one_click(w: Walk) -> Steps:
    """A click in the tree says where a link is and why."""
    name = w.a_thing()
    w.reveal("tree")
    w.reveal("properties")
    yield rest()
    point = w.tree_point(name)
    yield rest()
    w.begin_counting()
    yield w.click(w.file.tree.view.viewport(), point, name)
    yield shot("why")
    is_said = w.file.properties.sentence.isVisible()  # perhaps above, where the panel was scrolled by another story
    w.expect_few(w.selected == name and is_said, "a sentence says why the link is where it is", 1)


@story
def problem_in_three(w: Walk) -> Steps:
    """The count in the status bar leads to the line of a problem."""
    w.need(w.session.diagnostics, "the file has no problem")
    w.begin_counting()
    yield w.click(w.window.status.problems, what="the count of problems")
    yield shot("listed")
    w.expect(w.is_shown("problems"), "the problems are in sight")
    view = w.file.problems.view
    yield w.click(view.viewport(), w.list_point(view, 0), "the first problem")
    if not w.is_shown("source"):  # on a small screen it is a tab beside the problems: a click reveals, F4 goes there
        yield press("f4")
    yield shot("shown")
    w.expect_few(w.is_shown("source"), "the line of the problem is in sight")


@story
def joint_in_two(w: Walk) -> Steps:
    """The joints with their sliders are one key or click away."""
    w.need(w.rows(Kind.JOINT), "the file has no joint")
    w.begin_counting()
    if not w.is_shown("joints"):
        button = w.window.status.strip.buttons["joints"]
        if button.isVisible():
            yield w.click(button, what="the button of the joints")
        else:
            yield press(next(spec.shortcut for spec in DOCKS if spec.id == "joints").lower())
    yield shot("joints")
    w.expect_few(w.is_shown("joints"), "the sliders are in sight", 2)


@story
def picture_in_three(w: Walk) -> Steps:
    """Someone who looks for a screenshot finds the dialog that saves the view."""
    w.begin_counting()
    yield press("ctrl+shift+p")
    yield type_text("screenshot")
    yield shot("found")
    yield press("Return")
    yield rest()
    yield shot("dialog")
    dialog = w.dialog
    w.expect_few(isinstance(dialog, QDialog), "a dialog saves a picture of the view")
    if dialog is not None:
        names = [each.text().replace("&", "") for each in widgets_in(dialog) if isinstance(each, QAbstractButton)]
        w.expect(any("ransparent" in name for name in names), "the ground can be transparent")
        w.expect(any("cube" in name for name in names), "the view cube can be left out")
        yield press("esc")
