"""Problems and their quick fixes."""

from __future__ import annotations

from sdfviewer.gui.kit.widgets import widgets_in
from sdfviewer.gui.problems.problem_detail import FixButton
from tests.walk.actions import Steps, press, shot, type_text, wait
from tests.walk.stories.source import child_reference
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def next_problem(w: Walk) -> Steps:
    """F8 goes from problem to problem."""
    yield press("f8")
    yield shot("first")
    if not w.session.diagnostics:
        w.expect(w.window.status.message, "the status bar says that there are no problems")
        return
    w.expect(w.is_shown("problems") or w.is_shown("source"), "the problem is in sight")
    yield press("f8")
    yield shot("next")


@story
def problems_button(w: Walk) -> Steps:
    """The count in the status bar shows the problems."""
    yield w.click(w.window.status.problems, what="the count of problems")
    yield shot("panel")
    w.expect(w.is_shown("problems"), "the panel is in sight")


@story
def faulty_reference(w: Walk) -> Steps:
    """A faulty reference leaves ghosts where frames were last; its quick fix, or undo, restores the text."""
    text, (_start, end) = w.session.document.text, child_reference(w)
    yield press("ctrl+f2")
    source = w.file.source
    source.show_range(end)
    source.editor.setFocus()
    yield type_text("x")
    yield wait("the problem is known", lambda: any(each.is_error for each in w.session.diagnostics), 10)
    yield shot("ghosts")
    yield press("ctrl+.")
    yield shot("fixes")
    w.expect(w.menu_texts or w.popup is not None, "Ctrl+. offers fixes")
    yield press("esc")
    yield press("alt+5")
    yield shot("problems")
    for _ in range(4):
        if w.text == text:
            break
        yield press("ctrl+z")
    w.expect(w.text == text, "undo brings the text back")
    yield wait("the problem is gone", lambda: w.session.document.text == text, 10)
    yield shot("undone")


@story
def broken_xml(w: Walk) -> Steps:
    """XML that cannot be read keeps the last picture; undo repairs it."""
    text = w.session.document.text
    offset, problems = text.find("</link>"), len(w.session.diagnostics)
    w.need(offset >= 0, "there is no link")
    yield press("ctrl+f2")
    w.file.source.show_range(offset)
    w.file.source.editor.setFocus()
    yield press("home")
    yield type_text("<<broken", limit=10)
    yield shot("broken")
    w.expect(len(w.session.diagnostics) != problems, "it is a problem")
    for _ in range(12):
        if w.text == text:
            break
        yield press("ctrl+z")
    w.expect(w.text == text, "undo brings the text back")
    yield wait("it is read again", lambda: w.session.document.text == text and w.session.is_current, 10)
    yield shot("repaired")


@story
def quick_fix(w: Walk) -> Steps:
    """A quick fix of the Problems panel is previewed under the mouse, and repairs a misspelt reference."""
    text, (start, end) = w.session.document.text, child_reference(w)
    yield press("ctrl+f3", limit=15)
    source = w.file.source
    source.show_range(end)
    source.editor.setFocus()
    yield type_text("x")
    yield wait("the problem is known", lambda: any(each.is_error and each.fixes for each in w.session.diagnostics), 10)
    panel = w.file.problems
    number = next((n for n, group in enumerate(panel.table.groups) if group[0].is_error and group[0].fixes), None)
    if not w.expect(number is not None, "the problem has a quick fix"):
        return
    assert number is not None
    yield w.click(panel.view.viewport(), w.list_point(panel.view, number), "the problem")
    buttons = [each for each in widgets_in(panel.detail) if isinstance(each, FixButton) and each.isVisible()]
    if not w.expect(buttons, "its detail has a button for the fix"):
        return
    yield w.hover(w.bring(buttons[0]), what="the fix")
    yield shot("previewed")
    yield w.click(buttons[0], what="the fix")
    yield shot("fixed")
    w.expect(not any(f'"{text[start:end]}x"' in each.message for each in w.session.diagnostics), "the problem is gone")
    w.expect(w.session.document.text != text[:end] + "x" + text[end:], "the fix changes the text")


@story
def cycle_fixed(w: Walk) -> Steps:
    """A cycle is one problem with its whole path; its fix is previewed in the graph and in 3D, applied, and saved.

    The moving picture of README is made of these pictures: packaging/screenshots.sh.
    """
    found = [each for each in w.session.diagnostics if each.rule.name == "relative-to-cycle" and each.fixes]
    w.need(bool(found), "there is no cycle")
    yield shot("opened")
    w.begin_counting()
    yield press("ctrl+f3", limit=15)
    yield shot("found")
    panel = w.file.problems
    number = next(n for n, group in enumerate(panel.table.groups) if group[0].rule.name == "relative-to-cycle")
    yield w.click(panel.view.viewport(), w.list_point(panel.view, number), "the cycle")
    yield shot("selected")
    buttons = [each for each in widgets_in(panel.detail) if isinstance(each, FixButton) and each.isVisible()]
    if not w.expect(buttons, "its detail has a button for the fix"):
        return
    yield w.hover(w.bring(buttons[0]), what="the fix")
    yield shot("previewed")
    yield w.click(buttons[0], what="the fix")

    def is_mended() -> bool:
        return w.session.is_current and not any(each.rule.name == "relative-to-cycle" for each in w.session.diagnostics)

    yield wait("the cycle is gone", is_mended, 10)
    w.expect_few(is_mended(), "the cycle is mended")
    yield shot("fixed")
    yield press("ctrl+s")
    yield shot("saved")
