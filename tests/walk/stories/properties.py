"""The properties."""

from __future__ import annotations

import re

from PySide6.QtGui import QGuiApplication

from sdfviewer.model.kinds import Kind
from sdfviewer.session.read_only import why_read_only
from tests.walk.actions import Steps, press, shot, type_text
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def pose_number(w: Walk) -> Steps:
    """A number of the pose is typed; undo and redo work while the field has the keyboard."""
    name = w.a_thing(editable=True)
    w.session.select((name,))
    w.reveal("properties")
    before = w.session.document.text
    field = w.file.properties.pose.fields[0]
    yield w.click(w.bring(field), times=2)
    yield press("ctrl+a")
    yield type_text("1.25")
    yield shot("typing")
    yield press("enter")
    yield shot("entered")
    after = w.session.document.text
    w.expect(after != before and field.value == 1.25, "Enter writes the number")
    w.expect(field.hasFocus(), "the field keeps the keyboard")
    yield press("ctrl+z")
    yield shot("undone")
    w.expect(w.session.document.text == before, "Ctrl+Z undoes it")
    yield press("ctrl+y")
    w.expect(w.session.document.text == after, "Ctrl+Y redoes it")
    yield press("ctrl+z")
    yield press("ctrl+shift+z")
    w.expect(w.session.document.text == after, "Ctrl+Shift+Z redoes it")
    yield shot("redone")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "Ctrl+Z undoes it again")


@story
def pose_expression(w: Walk) -> Steps:
    """An expression changes the number; one that is wrong is explained."""
    name = w.a_thing(editable=True)
    w.session.select((name,))
    w.reveal("properties")
    field = w.file.properties.pose.fields[1]
    before = field.value
    yield w.click(w.bring(field), times=2)
    yield press("ctrl+a")
    yield type_text("+=0.1")
    yield press("enter")
    yield shot("added")
    w.expect(abs(field.value - before - 0.1) < 1e-9, "+=0.1 adds to the number")
    yield press("ctrl+a")
    yield type_text("12mm")
    yield press("enter")
    w.expect(abs(field.value - 0.012) < 1e-9, "12mm is a length")
    yield press("ctrl+a")
    yield type_text("1+/")
    yield press("enter")
    yield shot("wrong")
    w.expect(field.fault, "what is wrong is explained")
    yield press("esc")


@story
def pose_degrees(w: Walk) -> Steps:
    """Degrees are shown in place of radians."""
    w.session.select((w.a_thing(),))
    w.reveal("properties")
    yield press("ctrl+alt+d")
    yield shot("degrees")
    w.expect(w.action("unit.degrees"), "Ctrl+Alt+D shows degrees")
    yield press("ctrl+alt+r")
    w.expect(w.action("unit.radians"), "Ctrl+Alt+R shows radians")


@story
def scrub(w: Walk) -> Steps:
    """Dragging in a number changes it."""
    name = w.a_thing(editable=True)
    w.session.select((name,))
    w.reveal("properties")
    before = w.session.document.text
    field = w.bring(w.file.properties.pose.fields[2])
    middle = field.rect().center()
    yield w.drag(field, middle, middle + type(middle)(40, 0), drops=True)
    yield shot("dragged")
    w.expect(w.session.document.text != before, "the drag writes another number")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo brings the text back")


@story
def edit_pose(w: Walk) -> Steps:
    """Ctrl+E goes to the numbers of the pose."""
    w.session.select((w.a_thing(editable=True),))
    yield press("ctrl+e")
    yield shot("focus")
    w.expect(any(each.hasFocus() for each in w.file.properties.pose.fields), "a number has the keyboard")


@story
def paste_pose(w: Walk) -> Steps:
    """Ctrl+Shift+V writes the numbers of the clipboard as the pose."""
    w.session.select((w.a_thing(editable=True),))
    before = w.session.document.text
    QGuiApplication.clipboard().setText("0.1 0.2 0.3 0 0 0")
    yield press("ctrl+shift+v")
    yield shot("pasted")
    w.expect(re.search(r"0?\.1 0?\.2 0?\.3", w.session.document.text), "the pose is written")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo brings the text back")


@story
def change_relative_to(w: Walk) -> Steps:
    """Ctrl+Shift+R offers other frames; one is picked, and undone."""
    w.session.select((w.a_thing(editable=True),))
    before = w.session.document.text
    yield press("ctrl+shift+r")
    picker = w.file.properties.relative_to.picker
    yield shot("open")
    if not w.expect(w.is_open(picker.popup), "the list is open"):
        return
    assert picker.popup is not None
    choice = next((each for each in reversed(picker.popup.choices) if each.reason is None and each.name), None)
    w.need(choice is not None, "no other frame can be picked")
    assert choice is not None
    yield type_text(choice.label)
    yield shot("typed")
    yield press("enter")
    yield shot("picked")
    w.expect(w.session.document.text != before, "the reference is written")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo brings the text back")


@story
def change_attached_to(w: Walk) -> Steps:
    """Ctrl+Shift+A offers other frames to attach to."""
    names = [w.model.names[row] for row in w.rows(Kind.FRAME, editable=True)]
    w.session.select((names[0] if names else w.a_thing(),))
    yield press("ctrl+shift+a")
    yield shot("open" if names else "not_a_frame")
    popup = w.file.properties.attached_to.picker.popup
    if names:
        w.expect(w.is_open(popup), "the list is open")
    else:
        w.expect(w.window.status.message, "the status bar says why not")
    yield press("esc")


@story
def rename(w: Walk) -> Steps:
    """F2 renames with all references; undo brings the name back."""
    name = w.a_thing(own=True)
    w.session.select((name,))
    before = w.session.document.text
    yield press("f2")
    yield shot("f2")
    yield press("ctrl+a")
    yield type_text("renamed_by_hand")
    yield press("enter")
    yield shot("renamed")
    w.expect(w.selected.endswith("renamed_by_hand"), "the frame has the new name and stays selected")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo brings the text back")
    w.expect(w.selected == name, "undo selects what was renamed")
    yield shot("undone")


@story
def rename_preview(w: Walk) -> Steps:
    """Shift+F2 shows what a new name changes."""
    w.session.select((w.a_thing(own=True),))
    before = w.session.document.text
    yield press("shift+f2")
    yield shot("open")
    w.expect(w.dialog is not None, "a dialog is open")
    yield press("ctrl+a")
    yield type_text("another_name")
    yield shot("typed")
    yield press("esc")
    w.expect(w.session.document.text == before, "Esc changes nothing")


@story
def include_note(w: Walk) -> Steps:
    """An included frame says why it is read-only."""
    rows = [row for row in w.rows(Kind.LINK, Kind.FRAME) if why_read_only(w.session, row) is not None]
    w.need(rows, "all frames of the file can be edited")
    w.session.select((w.model.names[rows[0]],))
    w.reveal("properties")
    yield shot("note")
    w.expect(w.file.properties.note.isVisible(), "a note says why")
