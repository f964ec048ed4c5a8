"""The source."""

from __future__ import annotations

import re

from sdfviewer.model.kinds import Kind
from tests.walk.actions import Steps, press, shot, type_text, wait
from tests.walk.story import NotHere, story
from tests.walk.walk import Walk


def in_source(w: Walk) -> str:
    """Select a link that can be edited; return its name."""
    name = w.a_name(Kind.LINK, own=True)
    w.session.select((name,))
    return name


def child_reference(w: Walk) -> tuple[int, int]:
    """Return where the name of the first child of a joint is written, in SDFormat or in a URDF."""
    w.need(w.rows(Kind.JOINT, own=True), "the file has no joint of its own")
    found = re.search(r"<child>\s*([^<\s]+)|<child link=[\"']([^\"']+)", w.session.document.text)
    if found is None:
        raise NotHere("no joint names its child")
    return found.span(1 if found[1] else 2)


@story
def show_in_source(w: Walk) -> Steps:
    """F4 shows the selection in the source; of an included frame F4 again opens its file."""
    w.session.select((w.a_thing(),))
    yield press("f4")
    yield shot("f4")
    w.expect(w.is_shown("source"), "the source is in sight")
    w.expect(w.file.source.editor.hasFocus(), "the source has the keyboard")
    files = len(w.window.files.opened)
    yield press("f4")
    yield shot("f4_again")
    w.note(f"F4 again: {len(w.window.files.opened) - files} more files are open")


@story
def complete(w: Walk) -> Steps:
    """Ctrl+Space completes the name of an element."""
    # A link that is closed in its line holds nothing that could be completed there.
    opened = re.search(r"<link\b[^<>]*[^<>/]>(?=[ \t]*\n)", w.session.document.text)
    if opened is None:
        raise NotHere("no link goes on in a line of its own")
    yield press("ctrl+f2")
    w.file.source.show_range(opened.end())
    w.file.source.editor.setFocus()
    before = w.text
    yield type_text("<")
    yield press("ctrl+space")
    popup = w.file.source.editor.completer.popup
    yield shot("offered")
    w.expect(popup.isVisible(), "completions are offered")
    yield type_text("vis")
    yield shot("letters")
    yield press("enter")
    yield shot("completed")
    w.expect(w.text.count("<visual") == before.count("<visual") + 1, "Enter completes it")
    for _ in range(8):
        if w.text == before:
            break
        yield press("ctrl+z")
    w.expect(w.text == before, "undo brings the text back")


@story
def definition(w: Walk) -> Steps:
    """F12 goes to the definition of a name, Shift+F12 lists its references."""
    offset = child_reference(w)[0] + 1
    yield press("ctrl+f2")
    source = w.file.source
    source.show_range(offset)
    source.editor.setFocus()
    yield shot("before")
    yield press("shift+f12")
    yield shot("references")
    yield press("esc")
    source.show_range(offset)
    source.editor.setFocus()
    here = source.editor.textCursor().position()
    yield press("f12")
    yield shot("definition")
    w.expect(source.editor.textCursor().position() != here, "F12 moves the caret")


@story
def go_to_line(w: Walk) -> Steps:
    """Ctrl+G goes to a line."""
    in_source(w)
    yield press("f4")
    yield press("ctrl+g")
    yield shot("asked")
    yield type_text("12")
    yield press("enter")
    yield shot("gone")
    w.expect(w.file.source.editor.textCursor().blockNumber() == 11, "the caret is in line 12")


@story
def replace(w: Walk) -> Steps:
    """Ctrl+H finds and replaces."""
    in_source(w)
    yield press("f4")
    yield press("ctrl+h")
    bar = w.file.source.find_bar
    w.expect(bar.isVisible() and bar.replacement.isVisible(), "the bar is open")
    yield press("ctrl+a")
    yield type_text("link")
    yield shot("found")
    w.expect(bar.matches, "something is found")
    yield press("esc")
    w.expect(not bar.isVisible(), "Esc closes the bar")


@story
def comment(w: Walk) -> Steps:
    """Ctrl+/ comments a line and takes the comment away."""
    text = w.session.document.text
    found = re.search(r"<pose|<origin", text)
    if found is None:
        raise NotHere("there is no pose to comment")
    offset = found.start()
    yield press("ctrl+f2")
    w.file.source.show_range(offset)
    w.file.source.editor.setFocus()
    yield press("ctrl+/")
    yield shot("commented")
    w.expect("<!--" in w.text and w.text != text, "the line is a comment")
    yield press("ctrl+z")
    w.expect(w.text == text, "undo brings the text back")


@story
def move_lines(w: Walk) -> Steps:
    """Alt+Down and Alt+Up move a line there and back."""
    text = w.session.document.text
    in_source(w)
    yield press("f4")
    yield press("alt+down")
    yield shot("down")
    w.expect(w.text != text, "the line is moved")
    yield press("alt+up")
    yield shot("up")
    w.expect(w.text == text, "and back")


@story
def typing(w: Walk) -> Steps:
    """A number typed into the text moves the link; while a tag is open the last state stays in sight."""
    text = w.session.document.text
    offset = text.find("</link>")
    w.need(offset >= 0, "there is no link")
    yield press("ctrl+f2")
    w.file.source.show_range(offset)
    w.file.source.editor.setFocus()
    yield press("home")
    yield type_text("<pose>0 0 0.3", limit=10)
    yield shot("half_typed")
    yield type_text(" 0 0 0</pose>", limit=10)
    yield shot("typed")
    for _ in range(12):
        if w.text == text:
            break
        yield press("ctrl+z")
    w.expect(w.text == text, "undo brings the text back")
    yield wait("the session has the text", lambda: w.session.document.text == text)
