"""The source view, driven by keys and mouse."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import get_ident

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QDesktopServices, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement, Span
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.graphs.picture import mix
from sdfviewer.gui.kit.theme import Choice, apply_theme, tokens
from sdfviewer.gui.source import find_bar, source_view
from tests.frames import frame_in
from tests.gui.contrast import contrast
from tests.gui.source.source_window import TEXT, Window

Open = Callable[[str], Window]
URDF = """<robot name="m">
  <link name="a"/>
  <joint name="j" type="fixed">
    <parent link="a"/>
    <child link="b"/>
  </joint>
  <link name="b"/>
</robot>
"""


def replace(window: Window, old: str, new: str) -> None:
    at = window.text.index(old)
    window.session.apply(Edit("Change", window.session.document, (Replacement(at, at + len(old), new),)))


def test_typing_becomes_one_edit_after_a_pause(window: Window, qtbot: QtBot) -> None:
    window.put_caret("1 0 0")
    window.type("42")
    assert window.text == TEXT, "not while typing goes on"
    qtbot.waitUntil(lambda: "421 0 0" in window.text)
    assert frame_in(window.session.model, "m::A").raw_pose[0, 3] == 421
    window.session.undo()
    assert window.text == TEXT
    assert window.shown == TEXT


def test_a_place_in_a_file_of_contracts_is_opened_by_the_system(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window shows models only; a place in an included one is named."""
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    said: list[str] = []
    window.view.context.messages.shown.connect(said.append)
    window.view.context.requests.show_place(Span("/models/arm.contracts.toml", 0, 5, 3, 1, 3, 6))
    window.view.context.requests.show_place(Span("/models/hand.sdf", 0, 5, 7, 2, 7, 6))
    assert opened == ["/models/arm.contracts.toml"]
    assert said == [
        "/models/arm.contracts.toml:3:1 is opened in the editor of the system",
        "/models/hand.sdf:7:2 is in another file",
    ]


def test_a_burst_of_typing_is_one_undo_step(window: Window) -> None:
    window.put_caret("1 0 0")
    for digit in "987":
        window.type(digit)
        window.view.flush()
    assert "9871 0 0" in window.text
    window.session.undo()
    assert window.text == TEXT


def test_all_versions_are_read_beside_the_window_when_typing_begins(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    monkeypatch.setattr(source_view, "read_all_versions", lambda: threads.append(get_ident()))
    window.put_caret("1 0 0")
    for digit in "987":
        window.type(digit)
    qtbot.waitUntil(lambda: threads != [])
    window.view.flush()
    assert len(threads) == 1
    assert threads != [get_ident()]


def test_undo_keys_go_through_the_session(window: Window) -> None:
    window.put_caret("1 0 0")
    window.type("5")
    QTest.keyClick(window.view.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.text == TEXT
    assert window.session.can_redo
    QTest.keyClick(
        window.view.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert "51 0 0" in window.text


@pytest.mark.parametrize(
    ("before", "pasted"),
    [
        ("\n  </model>", '\n    <frame name="C"/>'),
        ('<frame name="B">', '<frame name="C"/>\n    '),
        ('<link name="L"/>', '<link name="K"/>\n    '),
        ("1 0 0 0", "1 0 0 "),
    ],
)
def test_after_undo_of_a_paste_the_next_letters_land_where_it_was(
    window: Window, qtbot: QtBot, before: str, pasted: str
) -> None:
    editor, clipboard = window.view.editor, QApplication.clipboard()
    window.put_caret(before)
    at = editor.textCursor().position()
    clipboard.setText(pasted)
    window.press("Ctrl+V")
    window.view.flush()
    assert window.text == TEXT.replace(before, pasted + before, 1)
    qtbot.waitUntil(lambda: not window.context.later.has_jobs)
    window.press("Ctrl+Z")
    assert window.text == TEXT
    qtbot.waitUntil(lambda: not window.context.later.has_jobs)
    assert editor.textCursor().position() == at
    assert not editor.textCursor().hasSelection()
    window.press("Ctrl+Shift+Z")
    qtbot.waitUntil(lambda: not window.context.later.has_jobs)
    assert editor.textCursor().position() == at + len(pasted)


def test_other_line_ends_and_wide_characters_survive(open_text: Open) -> None:
    text = ("<!-- 🤖 -->\n" + TEXT).replace("\n", "\r\n")
    window = open_text(text)
    window.put_caret("1 0 0")
    window.type("7")
    QTest.keyClick(window.view.editor, Qt.Key.Key_End)
    QTest.keyClick(window.view.editor, Qt.Key.Key_Return)
    window.view.flush()
    expected = text.replace("1 0 0 0 0 0</pose>", "71 0 0 0 0 0</pose>\r\n      ", 1)
    assert window.text == expected


def test_blanks_that_look_alike_are_not_changed(open_text: Open) -> None:
    window = open_text(TEXT.replace("<link", "<!-- a\u00a0b\u2028c\t -->\n    <link"))
    assert not window.view.editor.isReadOnly()
    window.put_caret("1 0 0")
    window.type("7")
    window.view.flush()
    assert "a\u00a0b\u2028c\t -->" in window.text


def test_text_that_is_not_well_formed_keeps_the_last_model(window: Window) -> None:
    window.put_caret("</frame>", 2)
    window.type("x")
    window.view.flush()
    assert "</xframe>" in window.text
    assert frame_in(window.session.model, "m::B").raw_pose[1, 3] == 2
    assert window.view.editor.marks.line_severities


def test_an_edit_elsewhere_changes_only_its_place(window: Window) -> None:
    window.put_caret("0 2 0", 2)
    caret = window.view.editor.textCursor().position()
    replace(window, "1 0 0 0 0 0", "1.25 0 0 0 0 0")
    assert window.shown == window.text
    assert window.view.editor.textCursor().position() == caret + 3
    assert len([change for change in window.changes if change.document]) == 1, "no echo"


def test_typing_outlives_an_edit_elsewhere(window: Window, qtbot: QtBot) -> None:
    window.put_caret("0 2 0")
    window.type("4")
    replace(window, "1 0 0 0 0 0", "1.25 0 0 0 0 0")
    assert "40 2 0" in window.view.editor.raw_text()
    qtbot.waitUntil(lambda: "40 2 0" in window.text)
    assert "1.25 0 0" in window.text


def test_an_edit_elsewhere_is_shown_in_a_later_turn_and_typing_before_it_is_kept(window: Window, qtbot: QtBot) -> None:
    replace(window, "1 0 0 0 0 0", "1.25 0 0 0 0 0")
    assert window.view.editor.raw_text() == TEXT, "a turn that edits does not show the text"
    window.view.editor.go_to(TEXT.index("0 2 0"))
    window.type("4")
    qtbot.waitUntil(lambda: "40 2 0" in window.text)
    assert "1.25 0 0" in window.text
    assert window.view.editor.raw_text() == window.text


def test_an_edit_elsewhere_is_shown_to_whoever_asks_for_the_text(window: Window) -> None:
    replace(window, "1 0 0 0 0 0", "1.25 0 0 0 0 0")
    assert window.view.text() == window.text
    assert window.view.editor.raw_text() == window.text


def test_the_caret_selects_the_frame_around_it(window: Window, qtbot: QtBot) -> None:
    window.put_caret("1 0 0")
    qtbot.waitUntil(lambda: window.session.selection == ("m::A",))
    window.put_caret('"B"')
    qtbot.waitUntil(lambda: window.session.selection == ("m::B",))
    assert all(change.origin is window.view for change in window.changes)


def test_the_caret_on_an_empty_line_between_elements_keeps_the_selection(open_text: Open, qtbot: QtBot) -> None:
    window = open_text(TEXT.replace('    <frame name="B">', '\n    <frame name="B">'))
    window.put_caret("1 0 0")
    qtbot.waitUntil(lambda: window.session.selection == ("m::A",))
    window.put_caret('\n\n    <frame name="B">', after=1)
    timers = window.view.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))
    assert window.session.selection == ("m::A",)


def test_a_selection_elsewhere_moves_the_caret_there_and_back_is_no_echo(window: Window, qtbot: QtBot) -> None:
    window.session.select(["m::B"])
    assert window.view.editor.textCursor().blockNumber() == 6
    timers = window.view.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))  # an echo would come from one of them
    assert window.session.selection == ("m::B",)
    assert len(window.changes) == 1


def test_a_place_is_shown_and_marked(window: Window) -> None:
    model = window.session.model
    window.context.requests.show_place(
        model.document.span(model.elements[model.row("m::B")].children[0], "@relative_to")
    )
    assert window.pointed_at == 'relative_to="A"'
    marks = [mark.cursor.selectedText() for mark in window.view.editor.extraSelections()]
    assert 'relative_to="A"' in marks
    assert not window.view.editor.textCursor().hasSelection(), "the next key may be meant for another panel"
    window.press("Right")
    assert not window.pointed_at
    assert 'relative_to="A"' not in [mark.cursor.selectedText() for mark in window.view.editor.extraSelections()]


def test_go_to_definition_selects_no_tag(window: Window) -> None:
    window.put_caret('relative_to="A"', 14)
    window.press("F12")
    assert window.pointed_at == '<frame name="A">'
    assert not window.view.editor.textCursor().hasSelection()


LONG = f"""<sdf version="1.9">
  <model name="m">
    <link name="L"/>
    <frame name="A"><!-- {"x" * 4} --><pose relative_to="L">1 0 0 0 0 0</pose><!-- {"x" * 200} --></frame>
    <frame name="B"/>
  </model>
</sdf>
"""


def test_an_edit_from_elsewhere_is_seen_with_the_beginning_of_its_line(open_text: Open) -> None:
    window = open_text(LONG)
    editor = window.view.editor
    window.put_caret("</frame>")
    assert editor.horizontalScrollBar().value() > 0
    editor.clearFocus()
    at = window.text.index('"L">1')
    window.session.apply(Edit("Point elsewhere", window.session.document, (Replacement(at + 1, at + 2, "B"),)))
    window.view.catch_up()
    assert _shows_caret(window)
    assert editor.horizontalScrollBar().value() == 0
    window.put_caret("</frame>")
    editor.clearFocus()
    window.context.edits.undo()
    window.view.catch_up()
    assert _shows_caret(window)
    assert editor.horizontalScrollBar().value() == 0


def test_what_the_source_undoes_is_seen_with_the_beginning_of_its_line(open_text: Open) -> None:
    window = open_text(LONG)
    editor, bar = window.view.editor, window.view.editor.horizontalScrollBar()
    window.put_caret('"L">1', 1)
    window.type("M")
    window.view.flush()
    bar.setValue(editor.cursorRect().left() + bar.value() - 2)
    window.press("Ctrl+Z")
    assert window.text == LONG
    assert bar.value() == 0


def _shows_caret(window: Window) -> bool:
    editor = window.view.editor
    return bool(editor.viewport().rect().contains(editor.cursorRect().center()))


def test_the_line_of_the_caret_stays_in_sight_at_every_size(open_text: Open, examples: Path) -> None:
    window = open_text((examples / "arm.sdf").read_text(encoding="utf-8"))
    window.put_caret('<frame name="grasp"')
    for height in (200, 700, 150):
        window.window.resize(500, height)
        QApplication.processEvents()
        assert _shows_caret(window)
    window.view.hide()
    window.put_caret('<link name="base"')
    window.view.show()
    QApplication.processEvents()
    assert _shows_caret(window)
    # Whoever scrolls away looks at something else.
    bar = window.view.editor.verticalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMaximum)
    window.window.resize(500, 400)
    QApplication.processEvents()
    assert not _shows_caret(window)


def test_a_frame_stays_selected_while_its_name_is_typed(qtbot: QtBot, open_text: Open) -> None:
    window = open_text(TEXT)
    window.put_caret('name="B"', len('name="B'))
    qtbot.waitUntil(lambda: window.session.selection == ("m::B",))
    window.type("ase")
    qtbot.waitUntil(lambda: window.session.selection == ("m::Base",))


@pytest.mark.parametrize(("text", "link"), [(TEXT, "m::L"), (URDF, "m::b")])
def test_a_link_stays_selected_while_a_tag_is_begun_at_the_end_of_its_line(
    qtbot: QtBot, open_text: Open, text: str, link: str
) -> None:
    """The model was selected as soon as the caret was behind the link, and stayed while the XML could not be read."""
    window = open_text(text)
    window.session.select((link,))
    window.put_caret(f'<link name="{link[-1]}"/>')
    window.press("End")
    qtbot.waitUntil(lambda: not window.view._rest.isActive())
    assert window.session.selection == (link,)
    window.type("<")
    qtbot.waitUntil(lambda: not window.session.is_current)
    qtbot.waitUntil(lambda: not window.view._rest.isActive())
    assert window.session.selection == (link,)


def test_a_place_is_shown_with_the_beginning_of_its_line(open_text: Open) -> None:
    window = open_text(
        '<sdf version="1.9"><model name="m"><link name="a"/>' + " " * 400 + "</model>\n          <!-- b -->\n</sdf>"
    )
    window.window.resize(400, 300)
    QApplication.processEvents()
    editor = window.view.editor
    bar = editor.horizontalScrollBar()
    bar.setValue(40)
    assert bar.value() == 40
    editor.go_to(editor.raw_text().index("<!--"))
    assert bar.value() == 0


def test_a_file_with_an_error_opens_at_it(open_text: Open, examples: Path) -> None:
    window = open_text((examples / "relative_to_cycle.sdf").read_text(encoding="utf-8"))
    problem = next(each for each in window.session.diagnostics if each.is_error)
    assert problem.span is not None
    assert window.view.editor.textCursor().blockNumber() + 1 == problem.span.line
    assert _shows_caret(window)


def test_problems_are_underlined_and_reported(open_text: Open, examples: Path) -> None:
    window = open_text((examples / "relative_to_cycle.sdf").read_text(encoding="utf-8"))
    editor = window.view.editor
    assert len(editor.marks.line_severities) >= 3, "every edge of the cycle"
    position = editor.raw_text().index('relative_to="carriage_mount"') + 3
    editor.go_to(position)
    at = editor.cursorRect().center() + editor.viewport().pos()
    QApplication.sendEvent(editor, QHelpEvent(QEvent.Type.ToolTip, at, editor.mapToGlobal(at)))
    assert "cycle" in QToolTip.text()
    QToolTip.hideText()


def test_control_click_goes_to_what_a_name_means(window: Window) -> None:
    editor = window.view.editor
    window.put_caret('"A">0 2', 1)
    at = editor.cursorRect().center()
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, at)
    assert editor.textCursor().blockNumber() == 3
    assert window.session.selection == ("m::A",)


def test_references_are_marked_and_visited(window: Window) -> None:
    editor = window.view.editor
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    window.put_caret('name="A"', 7)
    QTest.keyClick(editor, Qt.Key.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    assert said[-1] == "m::A is named in 1 place; F3 goes there"
    assert window.view.places.list.item(0).text() == '8  <pose relative_to="A">0 2 0 0 0 0</pose>'
    QTest.keyClick(editor, Qt.Key.Key_F3)
    assert editor.textCursor().selectedText() == 'relative_to="A"'
    window.type("x")
    window.view.flush()
    assert not window.view.places.isVisible(), "the places are others now"


@pytest.mark.parametrize("is_referred_to", [True, False])
def test_what_plugins_say_of_a_name_is_among_its_references(open_text: Open, is_referred_to: bool) -> None:
    frame = '<frame name="f" attached_to="tip"/>' if is_referred_to else ""
    plugin = '<plugin name="p" filename="lib.so">\n<at>tip</at>\n<at>m::tip</at>\n<at>other</at>\n</plugin>'
    window = open_text(f'<sdf version="1.9"><model name="m">\n<link name="tip"/>\n{frame}\n{plugin}\n</model></sdf>')
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    window.put_caret('"tip"', 3)
    QTest.keyClick(window.view.editor, Qt.Key.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    listed = window.view.places.list
    mentions = [
        "5  [in a plugin, not changed by Rename] <at>tip</at>",
        "6  [in a plugin, not changed by Rename] <at>m::tip</at>",
    ]
    if is_referred_to:
        mentions.insert(0, f"3  {frame}")
    assert [listed.item(row).text() for row in range(listed.count())] == mentions
    who = "m::tip is named in 1 place, and" if is_referred_to else "Nothing refers to m::tip, but"
    assert said[-1] == f"{who} plugins mention it in 2 places; F3 goes to the next one"
    window.view.places.go_to(listed.count() - 1)
    assert window.view.editor.textCursor().selectedText() == "m::tip"


def test_a_narrow_list_of_references_shows_each_of_them(open_text: Open) -> None:
    """A horizontal scroll bar lay over the second one, and the long title widened the panel."""
    plugin = f'<plugin name="p" filename="lib.so"><at>tip</at> <!-- {"long " * 60}--></plugin>'
    frame = '<frame name="f" attached_to="tip"/>'
    window = open_text(f'<sdf version="1.9"><model name="m">\n<link name="tip"/>\n{frame}\n{plugin}\n</model></sdf>')
    least = window.view.minimumSizeHint().width()
    window.put_caret('"tip"', 3)
    QTest.keyClick(window.view.editor, Qt.Key.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    places = window.view.places
    assert places.list.count() == 2
    assert places.list.horizontalScrollBar().maximum() == 0
    last = places.list.visualItemRect(places.list.item(1))
    assert places.list.viewport().rect().contains(last)
    assert "long long" in places.list.item(1).toolTip()
    assert places.title.full_text == places.title.toolTip()
    assert window.view.minimumSizeHint().width() == least


def test_nothing_refers_to_an_unused_name(open_text: Open) -> None:
    window = open_text('<sdf version="1.9"><model name="m"><link name="alone"/></model></sdf>')
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    window.put_caret('"alone"', 3)
    QTest.keyClick(window.view.editor, Qt.Key.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    assert said[-1] == "Nothing refers to m::alone."


def _delete_the_rest(window: Window, before: str) -> None:
    """Delete everything from a text on, which is no edit of the session yet."""
    window.put_caret(before)
    window.press("Ctrl+Shift+End")
    window.press("Delete")
    assert window.view.pause.isActive()


def test_a_listed_place_of_an_earlier_text_is_not_gone_to(window: Window, qt_messages: list[str]) -> None:
    window.put_caret('name="A"', 7)
    window.press("Shift+F12")
    _delete_the_rest(window, "<link")
    window.view.places.go_to(0)
    assert not window.view.places.isVisible()
    assert qt_messages == []


def test_a_frame_selected_while_its_text_is_deleted_is_not_gone_to(window: Window, qt_messages: list[str]) -> None:
    _delete_the_rest(window, "<link")
    window.session.select(("m::B",))
    assert window.view.editor.textCursor().position() == len(window.shown)
    assert qt_messages == []


def test_a_place_is_shown_where_typing_has_moved_it(window: Window, qt_messages: list[str]) -> None:
    model = window.session.model
    assert model is not None
    span = window.session.document.span(model.elements[model.row("m::B")])
    window.put_caret("<frame")
    window.type("<!-- new --> ")
    window.view.show_place(span)
    assert window.pointed_at == '<frame name="B">'
    _delete_the_rest(window, "<link")
    window.view.show_place(span)
    assert qt_messages == []


def test_a_name_that_means_nothing_is_refused(window: Window) -> None:
    refused: list[str] = []
    window.context.messages.refused.connect(refused.append)
    replace(window, 'relative_to="A"', 'relative_to="Z"')
    window.put_caret('"Z"', 1)
    QTest.keyClick(window.view.editor, Qt.Key.Key_F12)
    assert refused == ["there is no 'Z' here"]


def test_completion_offers_names_and_inserts_the_chosen_one(window: Window, qtbot: QtBot) -> None:
    editor = window.view.editor
    window.put_caret('A">0 2')
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    QTest.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(editor.completer.popup.isVisible)
    QTest.keyClicks(editor.completer.popup, "L")
    QTest.keyClick(editor.completer.popup, Qt.Key.Key_Return)
    assert '<pose relative_to="L">0 2 0' in editor.raw_text()
    window.view.flush()
    assert window.session.model.relative_to[window.session.model.row("m::B")] == window.session.model.row("m::L")


def test_elements_and_attributes_are_completed_as_they_are_typed(window: Window, qtbot: QtBot) -> None:
    editor = window.view.editor
    window.put_caret("  </model>", 0)
    window.type("<fra")
    qtbot.waitUntil(editor.completer.popup.isVisible)
    QTest.keyClick(editor.completer.popup, Qt.Key.Key_Return)
    assert '<frame name=""></frame>' in editor.raw_text()
    QTest.keyClicks(editor, 'x"')
    QTest.keyClicks(editor, " att")
    qtbot.waitUntil(editor.completer.popup.isVisible)
    QTest.keyClick(editor.completer.popup, Qt.Key.Key_Return)
    assert '<frame name="x" attached_to=""></frame>' in editor.raw_text()
    assert editor.raw_text()[editor.textCursor().position()] == '"', "the caret is between the quotes"
    editor.completer.popup.hide()


def test_a_new_line_is_indented_like_its_neighbours(window: Window) -> None:
    window.put_caret("\n      <pose")
    QTest.keyClick(window.view.editor, Qt.Key.Key_Return)
    assert '<frame name="A">\n      \n' in window.view.editor.raw_text()


def test_an_element_folds_and_shows_when_something_in_it_is_wanted(window: Window) -> None:
    editor = window.view.editor
    assert editor.folding.can_fold(3)
    editor.folding.toggle(3)
    assert not editor.document().findBlockByNumber(4).isVisible()
    assert editor.document().findBlockByNumber(5).isVisible(), "the end tag stays"
    replace(window, "0 2 0 0 0 0", "0 3 0 0 0 0")
    assert editor.folding.is_folded(3), "an edit elsewhere opens nothing"
    model = window.session.model
    window.context.requests.show_place(model.document.span(model.elements[model.row("m::A")].children[0]))
    assert editor.document().findBlockByNumber(4).isVisible()


def test_many_lines_fold_over_several_turns(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn of the event loop looks at a slice of the lines, and an edit meanwhile disturbs nothing."""
    monkeypatch.setattr("sdfviewer.gui.source.text_area.SLICE", 40)
    links = "\n".join(f'<link name="L{n}">\n<inertial>\n</inertial>\n</link>' for n in range(60))
    window = Window(qtbot, f'<sdf version="1.9">\n<model name="m">\n{links}\n</model>\n</sdf>')
    editor = window.view.editor
    looked: list[int] = []
    last_line = editor.folding.last_line
    monkeypatch.setattr(editor.folding, "last_line", lambda line: (looked.append(line), last_line(line))[1])

    def hidden() -> int:
        blocks = (editor.document().findBlockByNumber(line) for line in range(editor.blockCount()))
        return sum(not block.isVisible() for block in blocks)

    editor.folding.fold_all(True)
    assert max(looked) <= 40
    assert 0 < hidden() <= 40
    replace(window, 'name="m">', 'name="m">\n')
    qtbot.waitUntil(lambda: hidden() == 2 * 60)
    editor.folding.fold_all(False)
    assert hidden() >= 2 * 60 - 40
    qtbot.waitUntil(lambda: not editor.folding.any_hidden)
    assert hidden() == 0


def test_lines_in_which_nothing_folds_are_looked_at_over_several_turns(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look at a line takes longer than to hide one, and in a text that cannot be read nothing hides any."""
    monkeypatch.setattr("sdfviewer.gui.source.text_area.SLICE", 60)
    window = Window(qtbot, '<sdf version="1.9">\n<model name="m">\n' + '<link name="a"/>\n' * 60 + "</model>\n</sdf>")
    folding, looked = window.view.editor.folding, list[int]()
    monkeypatch.setattr(folding, "last_line", looked.append)
    folding.fold_all(True)
    assert len(looked) <= 10
    qtbot.waitUntil(lambda: max(looked) == window.view.editor.blockCount() - 1)


@pytest.mark.parametrize("folded", [True, False])
def test_a_check_under_way_knows_what_is_folded_meanwhile(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, folded: bool
) -> None:
    monkeypatch.setattr("sdfviewer.gui.source.text_area.SLICE", 40)
    links = "\n".join(f'<link name="L{n}">\n<inertial>\n</inertial>\n</link>' for n in range(60))
    window = Window(qtbot, f'<sdf version="1.9">\n<model name="m">\n{links}\n</model>\n</sdf>')
    folding = window.view.editor.folding
    # The last line is hidden, or the first ones are, and the check has seen it, or not.
    folding.toggle(238 if folded else 2)
    qtbot.waitUntil(lambda: not folding.is_at_work)
    folding.check()
    assert folding.is_at_work
    if folded:
        folding.toggle(238)
        folding.toggle(2)
    else:
        folding.fold_all(False)
    qtbot.waitUntil(lambda: not folding.is_at_work)
    assert folding.any_hidden is folded


def test_find_goes_round_and_replace_all_is_one_edit(window: Window, qtbot: QtBot) -> None:
    editor, bar = window.view.editor, window.view.find_bar
    QTest.keyClick(editor, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    assert bar.isVisible()
    bar.pattern.setText("relative_to")
    assert bar.count.text() == "2 found"
    for expected in ("1 of 2", "2 of 2", "1 of 2"):
        QTest.keyClick(bar.pattern, Qt.Key.Key_Return)
        assert bar.count.text() == expected
    bar.pattern.setText('relative_to="(.)"')
    bar.expression.setChecked(True)
    bar.replacement.setText(r'relative_to="__model__" x="\1"')
    bar.replace_all()
    assert window.text.count('relative_to="__model__" x="L"') == 1
    window.session.undo()
    assert window.text == TEXT
    QTest.keyClick(bar.pattern, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_the_find_field_keeps_its_width_in_a_narrow_panel(window: Window, qtbot: QtBot) -> None:
    bar = window.view.find_bar
    bar.open(True)
    qtbot.wait(0)
    assert bar.minimumSizeHint().width() <= 384
    assert min(bar.pattern.minimumWidth(), bar.replacement.minimumWidth()) >= find_bar.FIELD_WIDTH >= 120
    fields = [bar.case, bar.word, bar.expression]
    assert all(option.toolTip() and option.accessibleName() for option in fields)


def test_the_find_bar_leaves_a_narrow_panel_as_it_is(window: Window, qtbot: QtBot) -> None:
    view, bar = window.view, window.view.find_bar
    before = view.minimumSizeHint().width()
    bar.open(True)
    bar.pattern.setText("relative_to")
    assert view.minimumSizeHint().width() == before

    def is_beside() -> bool:
        return bar.case.mapTo(bar, QPoint()).x() > bar.pattern.geometry().right()

    qtbot.waitUntil(is_beside)
    window.window.resize(before, 500)
    qtbot.waitUntil(lambda: not is_beside())
    assert window.window.width() == before
    shown = [bar.pattern, bar.count, bar.case, bar.close_button, bar.replacement]
    assert all(bar.rect().contains(widget.geometry()) for widget in shown)
    assert not any(a.geometry().intersects(b.geometry()) for a, b in itertools.combinations(shown, 2))
    assert bar.count.text() == "2 found"
    window.window.resize(700, 500)
    qtbot.waitUntil(is_beside)


def test_the_match_that_is_selected_is_the_strongest(window: Window, qapp: QApplication) -> None:
    editor, bar = window.view.editor, window.view.find_bar
    for choice in (Choice.LIGHT, Choice.DARK):
        apply_theme(qapp, choice)
        usual = editor.palette().highlight().color()
        window.put_caret("<model")
        bar.open(False)
        bar.pattern.setText("relative_to")
        (other, _) = [mark for mark in editor.extraSelections() if mark.cursor.selectedText() == "relative_to"]
        assert editor.palette().highlight().color() == usual
        bar.go(1)
        ground, tint = tokens().base, other.format.background().color()
        selected = editor.palette().highlight().color().name()
        assert contrast(selected, ground) >= 2 * contrast(mix(tint.name(), ground, tint.alphaF()), ground)
        assert contrast(editor.palette().highlightedText().color().name(), selected) >= 4.5
        bar.close_bar()
        assert editor.palette().highlight().color() == usual


def test_a_match_that_ends_at_the_caret_is_marked_as_the_selected_one(window: Window) -> None:
    editor, bar = window.view.editor, window.view.find_bar
    usual = editor.palette().highlight().color()
    bar.open(False)
    bar.pattern.setText('name="B"')
    window.put_caret('name="B"', len('name="B"'))
    bar.go(1)
    assert bar.count.text() == "1 of 1"
    assert editor.palette().highlight().color() != usual


def test_a_wrong_expression_is_reported_not_raised(window: Window) -> None:
    bar = window.view.find_bar
    bar.open(False)
    bar.expression.setChecked(True)
    bar.pattern.setText("(")
    assert "unterminated" in bar.count.toolTip()  # what has no room is shortened
    bar.replace_all()
    assert window.text == TEXT


def test_leaving_the_editor_hands_over_what_was_typed(window: Window) -> None:
    window.put_caret("1 0 0")
    window.type("3")
    window.view.find_bar.open(False)
    assert "31 0 0" in window.text


def test_a_click_on_the_margin_folds(window: Window) -> None:
    editor = window.view.editor
    gutter = editor.gutter
    height = editor.fontMetrics().lineSpacing()
    QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(gutter.width() - 6, 6 + 3 * height + height // 2))
    assert any(editor.folding.is_folded(line) for line in (2, 3, 4))


@pytest.mark.parametrize("end", ["\r", "\u2029", "\u2028", "\x85"])
def test_lines_that_end_otherwise_are_painted_and_folded(qtbot: QtBot, end: str) -> None:
    text = TEXT.replace('<link name="L"/>', f'<link name="L"/>{end}{end}{end}')
    window = Window(qtbot, text)
    editor = window.view.editor
    assert not editor.gutter.grab().isNull()  # painting raised an IndexError for the lines that only the editor has
    block = editor.document().find('<frame name="B">').block()
    assert editor.folding.last_line(block.blockNumber()) == block.blockNumber() + 2
    editor.folding.toggle(block.blockNumber())
    assert not block.next().isVisible()
    assert window.text == text


def test_the_indentation_of_a_line_counts_to_its_element(qtbot: QtBot, window: Window) -> None:
    window.put_caret('<frame name="B"')
    window.press("Home")  # from the first character to the beginning of the line
    window.press("End")
    qtbot.waitUntil(lambda: window.session.selection == ("m::B",))
    window.session.select(("m::A",))
    window.put_caret('    <frame name="B"')
    window.press("Right")
    qtbot.waitUntil(lambda: window.session.selection == ("m::B",))
    window.put_caret("    </frame>\n    <frame")
    window.press("Right")
    qtbot.waitUntil(lambda: window.session.selection == ("m::A",))
    window.put_caret("  </model>")
    window.press("Right")
    qtbot.waitUntil(lambda: window.session.selection == ("m",))


def test_another_width_lays_no_line_out_again(qtbot: QtBot) -> None:
    links = "".join(f'    <link name="l{number}"/>\n' for number in range(500))
    window = Window(qtbot, TEXT.replace('    <link name="L"/>\n', links + '    <link name="L"/>\n'))
    editor = window.view.editor
    window.put_caret('<link name="l400"/>')
    QApplication.processEvents()
    block = editor.textCursor().block()
    window.put_caret("<sdf")
    QApplication.processEvents()
    assert block.layout().lineCount() == 1
    for width in (900, 300, 600):
        window.window.resize(width, 500)
        qtbot.waitUntil(lambda width=width: window.view.width() == width)  # type: ignore[misc]
        assert block.layout().lineCount() == 1
        longest = max(editor.fontMetrics().horizontalAdvance(line) for line in TEXT.splitlines())
        is_cut = longest > editor.viewport().width()
        assert (editor.horizontalScrollBar().maximum() > 0) == is_cut


def test_a_step_in_the_find_bar_does_not_look_at_all_matches(window: Window) -> None:
    class Unsearched(list[tuple[int, int]]):
        def __iter__(self) -> Iterator[tuple[int, int]]:
            raise AssertionError("a large text has 100 000 matches")

        def __contains__(self, _item: object) -> bool:
            raise AssertionError("a large text has 100 000 matches")

    window.put_caret("<sdf")
    bar = window.view.find_bar
    bar.open(False)
    bar.pattern.setText("frame")
    bar.matches = matches = Unsearched(bar.matches)
    cursor = window.view.editor.textCursor
    for step, number in ((1, 0), (1, 1), (-1, 0), (-1, len(matches) - 1), (1, 0)):
        bar.go(step)
        assert (cursor().selectionStart(), cursor().selectionEnd()) == matches[number]
        assert bar.count.text() == f"{number + 1} of {len(matches)}"


def test_find_in_a_large_text_takes_several_turns(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_bar, "SLICE", 3)
    total = TEXT.count("e")
    assert total > 9
    window.put_caret("</model>")
    window.view.find_bar.open(False)
    bar = window.view.find_bar
    QTest.keyClicks(bar.pattern, "e")
    assert len(bar.matches) == 3
    assert bar.count.text() == "3+ found"
    qtbot.waitUntil(lambda: len(bar.matches) == total)
    selected = window.view.editor.textCursor().selectionStart()
    assert selected == TEXT.index("e", TEXT.index("</model>")), "the first match from the caret, not from the beginning"
    assert bar.count.text().endswith(f"of {total}")

    QTest.keyClicks(bar.pattern, "\\b")
    assert not bar.matches
    QTest.keyClick(bar.pattern, Qt.Key.Key_Backspace)
    QTest.keyClick(bar.pattern, Qt.Key.Key_Backspace)
    bar.go(-1)
    assert len(bar.matches) == total, "the match before may be the last one"


def test_every_match_in_sight_is_marked_wherever_the_text_is_scrolled_to(qtbot: QtBot) -> None:
    links = "".join(f'    <link name="l{number}"/>\n' for number in range(1000))
    window = Window(qtbot, TEXT.replace('    <link name="L"/>\n', links))
    editor = window.view.editor
    window.put_caret("<sdf")
    window.view.find_bar.open(False)
    window.view.find_bar.pattern.setText("link name")
    editor.verticalScrollBar().setValue(700)
    in_sight = {block.blockNumber() for block, _ in editor.visible_blocks()}
    marked = {mark.cursor.blockNumber() for mark in editor.extraSelections()}
    assert in_sight <= marked
    assert len(marked) < len(in_sight) + 5


def test_the_find_bar_can_be_closed_with_the_mouse(window: Window) -> None:
    bar = window.view.find_bar
    bar.open(False)
    assert bar.isVisible()
    bar.close_button.click()
    assert not bar.isVisible()
    assert window.view.editor.hasFocus()


@pytest.mark.parametrize(
    ("uri", "refusal"),
    [
        ("model://nowhere", "'model://nowhere' is not found"),
        ("part.stl", "part.stl does not open here, since it is not a model"),
        ("hand.sdf", ""),
    ],
)
def test_a_uri_opens_its_model_or_says_why_not(qtbot: QtBot, tmp_path: Path, uri: str, refusal: str) -> None:
    for name in ("part.stl", "hand.sdf"):
        (tmp_path / name).write_text("<sdf/>", encoding="utf-8")
    text = f'<sdf version="1.11"><world name="w"><include><uri>{uri}</uri></include></world></sdf>'
    window = Window(qtbot, parse_document(text, tmp_path / "world.sdf"))
    refused: list[str] = []
    opened: list[Span] = []
    window.context.messages.refused.connect(refused.append)
    window.context.requests.other_file.connect(opened.append)
    window.put_caret(uri, 2)
    window.press("F12")
    assert refused == [refusal] * bool(refusal)
    assert [Path(span.path).name for span in opened] == [uri] * (not refusal)


def test_a_large_number_of_matches_is_shown_whole(qtbot: QtBot) -> None:
    window = Window(qtbot, TEXT.replace("</sdf>", "<!-- " + "zz " * 9_000 + "--></sdf>"))
    bar = window.view.find_bar
    bar.open(replacing=False)
    bar.pattern.setText("zz")
    window.window.resize(420, 400)
    for _ in range(3):
        bar.go(1)
    qtbot.waitUntil(lambda: bar.count.text() == "3 of 9000")
    assert bar.count.width() >= bar.count.fontMetrics().horizontalAdvance("3 of 9000")
