"""Seeing only what is needed."""

from __future__ import annotations

from sdfviewer.gui.tree.tree_model import EYE
from tests.walk.actions import Steps, press, shot
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def hide(w: Walk) -> Steps:
    """H hides the selection, Ctrl+Shift+H shows all."""
    at, name = w.find_in_3d(lambda _name: True)
    yield w.click(w.canvas, at, "a link")
    yield press("h")
    yield shot("hidden")
    w.expect(name in w.session.visibility.hidden, "H hides it")
    yield press("ctrl+shift+h")
    yield shot("all")
    w.expect(w.session.visibility.is_default, "Ctrl+Shift+H shows all")


@story
def isolate(w: Walk) -> Steps:
    """Shift+H shows only the selection."""
    w.a_thing()  # beside what is selected
    at, name = w.find_in_3d(lambda _name: True)
    yield w.click(w.canvas, at, "a link")
    yield press("shift+h")
    yield shot("only")
    w.expect(name in w.session.visibility.only, "only the selection is in sight")
    w.expect(w.file.view.isolation_note.isVisible(), "a note says so")
    yield w.click(w.file.view.isolation_note, what="the note")
    yield shot("note_clicked")
    w.expect(w.session.visibility.is_default, "a click on the note shows all")


@story
def eye(w: Walk) -> Steps:
    """The eye of a row hides it."""
    name = w.a_thing()
    w.reveal("tree")
    w.tree_point(name)
    tree = w.file.tree
    index = tree.source.index_of(w.model.row(name)).siblingAtColumn(EYE)
    yield w.hover(tree.view.viewport(), tree.view.visualRect(index).center(), "the eye")
    yield shot("hover")
    yield w.click(tree.view.viewport(), tree.view.visualRect(index).center(), "the eye")
    yield shot("hidden")
    w.expect(name in w.session.visibility.hidden, "the eye hides the row")
    yield w.click(tree.view.viewport(), tree.view.visualRect(index).center(), "the eye")
    w.expect(not w.session.visibility.hidden, "the eye shows it again")


@story
def sections(w: Walk) -> Steps:
    """Shift+X, Y and Z cut the model open, and the same key shows it whole again."""
    w.need(w.session.model, "the file has no model")
    yield w.click(w.canvas, w.empty_in_3d(), "the ground")
    for axis in "xyz":
        yield press(f"shift+{axis}")
        yield shot(f"across_{axis}")
        w.expect(w.session.section is not None, f"Shift+{axis.upper()} cuts")
        yield press(f"shift+{axis}")
        w.expect(w.session.section is None, f"Shift+{axis.upper()} again shows it whole")
    yield shot("whole")


@story
def section_note(w: Walk) -> Steps:
    """A click on the note of a section shows the model whole again."""
    w.need(w.session.model, "the file has no model")
    yield w.click(w.canvas, w.empty_in_3d(), "the ground")
    yield press("shift+y")
    note = w.file.view.section_note
    w.expect(note.isVisible(), "a note says what is cut")
    yield w.click(note, what="the note")
    yield shot("whole")
    w.expect(w.session.section is None, "a click on the note shows it whole")


@story
def display_menu(w: Walk) -> Steps:
    """The button of the tools opens sizes and filters."""
    yield w.click(w.file.view.strip.display_button, what="Sizes and Filters")
    yield shot("open")
    yield press("esc")
