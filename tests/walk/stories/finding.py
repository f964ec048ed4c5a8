"""Finding frames in the tree, in pickers and in the palette."""

from __future__ import annotations

from sdfviewer.gui.shell.command_palette import CommandPalette
from sdfviewer.model.kinds import Kind
from tests.walk.actions import Steps, press, shot, type_text
from tests.walk.story import story
from tests.walk.walk import Walk


def letters_of(name: str) -> str:
    """Return four letters from the middle of the last part of a name."""
    local = name.rpartition("::")[2]
    middle = max(len(local) // 2 - 2, 0)
    return local[middle : middle + 4]


@story
def find_frame(w: Walk) -> Steps:
    """Ctrl+F, four letters, and Enter select a frame."""
    name = w.a_thing()
    yield press("ctrl+f")
    w.expect(w.file.tree.filter.hasFocus(), "Ctrl+F puts the keyboard into the search of the tree")
    yield type_text(letters_of(name))
    yield shot("four_letters")
    found = w.file.tree.search.names
    w.expect(found, "four letters of a name find something")
    w.expect(any(letters_of(name).lower() in each.lower() for each in found), "what is found contains the letters")
    yield press("down")
    yield shot("second")
    yield press("enter")
    yield shot("selected")
    w.expect(w.selected in found, "Enter selects what was found")
    w.expect(not w.file.tree.filter.text(), "the search is empty again")


@story
def find_fuzzy(w: Walk) -> Steps:
    """Beginnings of words find a name, too."""
    name = w.a_thing().rpartition("::")[2]
    words = [part for part in name.replace("-", "_").split("_") if part]
    typed = "".join(part[:2] for part in words[:3])
    yield press("ctrl+f")
    yield type_text(typed)
    yield shot("beginnings")
    w.expect(any(each.endswith(name) for each in w.file.tree.search.names), f"‘{typed}’ finds {name}")
    yield press("esc")
    w.expect(not w.file.tree.filter.text(), "Esc empties the search")
    yield shot("esc")


@story
def find_kind(w: Walk) -> Steps:
    """A kind lists all frames of that kind."""
    yield press("ctrl+f")
    yield type_text("joint ")
    yield shot("joints")
    w.need(w.rows(Kind.JOINT), "the file has no joints")
    w.expect(w.file.tree.search.names, "the kind lists frames")


@story
def find_nothing(w: Walk) -> Steps:
    """What does not exist is not found, and Enter does nothing."""
    yield press("ctrl+f")
    yield type_text("xqzkw")
    yield shot("no_match")
    w.expect(not w.file.tree.search.names, "nothing is found")
    yield press("enter")
    w.expect(not w.session.selection, "Enter selects nothing")
    yield press("esc")


@story
def picker_letter(w: Walk) -> Steps:
    """The picker of relative_to finds by one letter."""
    name = w.a_thing(editable=True)
    w.session.select((name,))
    w.reveal("properties")
    picker = w.file.properties.relative_to.picker
    yield w.click(w.bring(picker), what="relative_to")
    yield shot("open")
    if not w.expect(w.is_open(picker.popup), "a click opens the list"):
        return
    assert picker.popup is not None
    yield type_text(picker.popup.choices[-1].label[0])
    yield shot("one_letter")
    w.expect(picker.popup.results.entries, "one letter finds frames")
    yield press("down")
    yield shot("considered")
    yield press("esc")
    w.expect(not w.is_open(picker.popup), "Esc closes the list")
    w.expect(not w.session.dirty, "nothing was edited")


@story
def palette(w: Walk) -> Steps:
    """The command palette finds an action by letters and runs it."""
    yield press("ctrl+shift+p")
    yield shot("open")
    w.expect(isinstance(w.popup, CommandPalette), "the palette is open")
    yield type_text("top vi")
    yield shot("letters")
    yield press("esc")
    yield press("ctrl+shift+p")
    yield type_text("measure")
    yield press("enter")
    yield shot("ran")
    w.expect(w.action("tool.measure"), "Enter runs the command that was found")
