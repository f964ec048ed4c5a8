"""Saving, reloading and closing."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox

from sdfviewer.model.kinds import Kind
from tests.walk.actions import Steps, press, shot, type_text, wait
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def save_unchanged(w: Walk) -> Steps:
    """Saving a file without changes says so."""
    yield press("ctrl+s")
    yield shot("said")
    w.expect("No changes" in w.window.status.message, "the status bar says that there is nothing to save")


def _rename(w: Walk, name: str) -> Steps:
    """Rename a link, which can be done in files of each format."""
    w.session.select((w.a_thing(own=True),))
    yield press("f2")
    yield press("ctrl+a")
    yield type_text(name)
    yield press("enter")


@story
def save(w: Walk) -> Steps:
    """Ctrl+S writes the text; undo and another save bring the file back."""
    path = w.session.path
    assert path is not None
    before = path.read_bytes()
    yield from _rename(w, "renamed_and_saved")
    w.expect(w.window.isWindowModified(), "an edit marks the window")
    yield shot("edited")
    yield press("ctrl+s")
    yield shot("saved")
    w.expect(path.read_bytes() != before and b"renamed_and_saved" in path.read_bytes(), "Ctrl+S writes the file")
    w.expect(not w.window.isWindowModified(), "the mark is gone")
    yield press("ctrl+z")
    yield press("ctrl+s")
    w.expect(path.read_bytes() == before, "undone and saved, the file has its bytes again")


@story
def reload(w: Walk) -> Steps:
    """Ctrl+R reads the file again."""
    path, has_model = w.session.path, w.session.model is not None
    assert path is not None
    yield press("ctrl+r", limit=30)
    yield shot("reloaded")
    w.expect((w.session.model is not None) is has_model, "the model is there")
    before = path.read_text(encoding="utf-8")
    path.write_text(before + "<!-- changed by another program -->\n", encoding="utf-8")
    yield press("ctrl+r", limit=30)
    yield shot("changed")
    w.expect(w.session.document.text.endswith("program -->\n"), "the new text is read")
    path.write_text(before, encoding="utf-8")
    yield press("ctrl+r", limit=30)
    w.expect(w.session.document.text == before, "the old text is read again")


@story
def open_dialog(w: Walk) -> Steps:
    """Ctrl+O shows the files of the folder; Escape leaves all as it is."""
    yield press("ctrl+o")
    yield shot("dialog")
    w.expect(isinstance(w.dialog, QFileDialog), "the files are shown")
    yield press("esc")
    w.expect(not isinstance(w.dialog, QFileDialog), "Escape closes the dialog")


@story
def new_file(w: Walk) -> Steps:
    """Ctrl+N makes a file, which gets a link; it is closed without saving."""
    before, files = w.file, len(w.window.files.opened)
    yield press("ctrl+n", limit=20)
    if isinstance(w.dialog, QDialog):
        yield shot("kinds")
        yield press("enter", limit=20)
    yield wait("there is a new file", lambda: len(w.window.files.opened) == files + 1)
    yield shot("made")
    if not w.expect(w.file is not before and w.session.path is None, "a new file is shown"):
        return
    yield press("ctrl+k, l")
    yield shot("link_form")
    yield press("enter")
    yield shot("link_added")
    w.expect(w.rows(Kind.LINK), "a link can be added to it")
    w.window.files.drop(w.file)
    yield wait("the file of before is shown", lambda: w.window.current is before)


@story
def differences_of_versions(w: Walk) -> Steps:
    """A changed file is compared with what was saved; F7 goes through the changes."""
    yield from _rename(w, "renamed_and_compared")
    yield press("ctrl+k, ctrl+d", limit=20)
    yield shot("compared")
    if w.expect(w.dialog is not None, "the difference is shown"):
        yield press("f7")
        yield press("f7")
        yield shot("next_change")
        yield press("esc")
    yield press("ctrl+z")
    w.expect(not w.session.dirty, "undo brings the text back")


@story
def close_unsaved(w: Walk) -> Steps:
    """Closing a file with changes asks; Escape leaves all as it is."""
    yield from _rename(w, "renamed_and_not_saved")
    yield press("ctrl+w")
    yield shot("asked")
    w.expect(isinstance(w.dialog, QMessageBox), "it is asked what to do with the changes")
    yield press("esc")
    w.expect(w.window.current is not None and w.session.dirty, "Escape leaves the file open")
    yield shot("cancelled")
    yield press("alt+f4")
    yield shot("window_asked")
    w.expect(isinstance(w.dialog, QMessageBox), "closing the window asks, too")
    yield press("esc")
    w.expect(w.window.isVisible(), "Escape leaves the window open")
