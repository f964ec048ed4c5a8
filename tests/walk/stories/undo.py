"""Undo, redo and the history."""

from __future__ import annotations

from tests.walk.actions import Steps, press, shot, type_text
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def nothing_to_undo(w: Walk) -> Steps:
    """Ctrl+Z without an edit says that there is nothing to undo."""
    w.need(not w.session.can_undo, "there is something to undo")
    yield press("ctrl+z")
    yield shot("said")
    w.expect("Nothing to undo" in w.window.status.message, "the status bar says so")


@story
def history(w: Walk) -> Steps:
    """The History panel lists the edits, and a click goes to a state."""
    name = w.a_thing(editable=True)
    w.session.select((name,))
    w.reveal("properties")
    before = w.session.document.text
    for number in (1, 2):
        field = w.file.properties.pose.fields[0]
        yield w.click(w.bring(field), times=2)
        yield press("ctrl+a")
        yield type_text(str(number))
        yield press("enter")
    yield press("alt+9")
    yield shot("panel")
    w.expect(w.is_shown("history"), "Alt+9 shows the panel")
    steps = w.file.history.list
    w.expect(steps.count() >= 3, "it lists the edits")
    texts = [steps.item(row).text() for row in range(steps.count())]
    first = next((row for row, text in enumerate(texts) if "open" in text.lower()), steps.count() - 1)
    yield w.click(steps.viewport(), w.list_point(steps, first), "the first state")
    yield shot("first_state")
    w.expect(w.session.document.text == before, "a click on the first state goes back to it")
