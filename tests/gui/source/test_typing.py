"""Typing in the source as somebody does who is used to a code editor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, qInstallMessageHandler
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent, QKeySequence, QTextDocument, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import DeferredFixes, Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.source.beside_text import CaretBar
from sdfviewer.language import completion
from sdfviewer.refactoring.quick_fixes import QuickFixProvider
from tests.frames import frame_in
from tests.gui.source.source_window import TEXT, Window

Open = Callable[[str | Document], Window]


def tip_at_caret(window: Window) -> str:
    editor = window.view.editor
    at = editor.cursorRect().center() + editor.viewport().pos()
    QApplication.sendEvent(editor, QHelpEvent(QEvent.Type.ToolTip, at, editor.mapToGlobal(at)))
    text = QToolTip.text().rpartition("</p>")[0].removeprefix("<p>").replace("<br>", "\n")
    QToolTip.hideText()
    return unescape(text)


def partners(window: Window) -> list[tuple[int, int]]:
    return [(each.selectionStart(), each.selectionEnd()) for each in window.view.editor.marks.partner_cursors]


def labels(window: Window) -> list[str]:
    return [step.label for step in window.session.history.steps[1:]]


# --- typing ----------------------------------------------------------------------------------------------------------


def test_a_frame_is_written_with_few_keys(window: Window, qtbot: QtBot) -> None:
    editor, popup = window.view.editor, window.view.editor.completer.popup
    window.put_caret("\n  </model>")
    window.press("Return")
    QTest.keyClicks(editor, "<frame")
    assert popup.viewport().x() == 1, "a frame tells it from the text"
    QTest.keyClick(popup, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "C")
    window.press("Tab")
    window.press("Return")
    QTest.keyClicks(editor, "<pos")
    QTest.keyClick(popup, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "1 2 3 0 0 0")
    window.view.flush()
    added = '    <frame name="C">\n      <pose>1 2 3 0 0 0</pose>\n    </frame>\n'
    assert window.text == TEXT.replace("  </model>", added + "  </model>")
    assert frame_in(window.session.model, "m::C").raw_pose[1, 3] == 2


def test_completions_longer_than_the_screen_is_wide_are_shortened(open_text: Callable[[str], Window]) -> None:
    name = "very_long_name_" * 40
    window = open_text(TEXT.replace('"A"', f'"{name}"'))
    popup = window.view.editor.completer.popup
    window.put_caret("\n  </model>")
    window.press("Return")
    QTest.keyClicks(window.view.editor, '<frame name="C" attached_to="')
    assert popup.isVisible()
    assert name in window.view.editor.completer.choices.stringList()
    assert popup.horizontalScrollBar().maximum() == 0
    assert popup.screen().availableGeometry().contains(popup.geometry())


def test_a_completion_for_a_text_that_has_changed_inserts_nothing(window: Window) -> None:
    editor, popup = window.view.editor, window.view.editor.completer.popup
    window.put_caret("\n  </model>")
    window.press("Return")
    QTest.keyClicks(editor, "<frame")
    assert popup.isVisible()
    with _no_warnings():
        editor.setPlainText("")  # as another file on the disk does
        QTest.keyClick(popup, Qt.Key.Key_Return)
    assert editor.toPlainText() == ""


@contextmanager
def _no_warnings() -> Iterator[None]:
    found: list[str] = []
    before = qInstallMessageHandler(lambda _kind, _context, text: found.append(text))
    try:
        yield
    finally:
        qInstallMessageHandler(before)
    assert not found


def test_the_icon_of_a_button_without_room_is_no_picture(window: Window) -> None:
    with _no_warnings():
        picture = icon("mdi6.eye", "#000000").pixmap(QSize(0, 16))
    assert picture.isNull()


def test_a_quote_typed_all_the_same_is_the_one_that_is_there(window: Window) -> None:
    window.put_caret("\n  </model>")
    window.type(' <frame name="new" attached_to="L"/')
    window.view.editor.completer.popup.hide()
    window.type(">")
    window.put_caret('"new"', 5)
    window.type(' x=""')
    assert '<frame name="new" x="" attached_to="L"/>\n' in window.shown


@pytest.mark.parametrize("file_quote", ["'", '"'])
@pytest.mark.parametrize("typed_quote", ["'", '"'])
def test_ones_own_quotes_are_never_doubled(qtbot: QtBot, file_quote: str, typed_quote: str) -> None:
    window = Window(qtbot, TEXT.replace('"', file_quote))
    window.put_caret("<link name=", 5)
    for key in f" x={typed_quote}forearm{typed_quote}":
        window.type(key)
        window.view.editor.completer.popup.hide()
    assert f"<link x={typed_quote}forearm{typed_quote} name={file_quote}L{file_quote}/>" in window.shown


def test_an_end_tag_typed_all_the_same_is_the_one_that_is_there(window: Window) -> None:
    popup = window.view.editor.completer.popup
    window.put_caret("\n  </model>")
    for key in '<frame name="new"><pose>1 2 3 0 0 0</pose></frame> <!-- on -->':
        QTest.keyClicks(popup if popup.isVisible() else window.view.editor, key)
    popup.hide()
    window.view.flush()
    written = '<frame name="new"><pose>1 2 3 0 0 0</pose></frame> <!-- on -->\n'
    assert written in window.text
    assert window.text.count("</frame>") == TEXT.count("</frame>") + 1
    assert window.session.is_current


def test_every_word_is_an_undo_step_and_the_caret_follows(window: Window) -> None:
    window.put_caret("\n  </model>")
    window.press("Return")
    window.type("<!--")
    window.type("some more words")
    states = []
    for _ in range(3):
        window.press("Ctrl+Z")
        states.append(window.shown[window.shown.index("<!--") : window.shown.index("-->")])
        assert window.view.editor.passage().caret == window.shown.index("-->")
    assert states == ["<!--some more ", "<!--some ", "<!--"]
    window.put_caret("<sdf")
    window.press("Ctrl+Shift+Z")
    assert window.view.editor.passage().caret == window.shown.index("-->"), "redo shows what it does"


def test_a_burst_is_read_once_however_many_words_it_has(window: Window) -> None:
    window.put_caret("</frame>")
    window.type("a b c")
    window.view.flush()
    assert len([change for change in window.changes if change.document]) == 1
    assert labels(window) == ["Type ‘a’", "Type ‘b’", "Type ‘c’"]
    window.session.go_to(1)
    assert window.shown == TEXT.replace("</frame>", "a </frame>", 1)


def test_steps_are_named_after_what_was_done(window: Window) -> None:
    window.put_caret("1 0 0")
    window.type("7")
    window.press("Ctrl+/")
    QGuiApplication.clipboard().setText("x")
    window.press("Ctrl+V")
    window.press("Ctrl+Shift+K")
    window.view.flush()
    assert labels(window) == ["Type ‘7’", "Comment", "Paste", "Delete lines"]


def test_line_keys(window: Window) -> None:
    lines = TEXT.split("\n")
    window.put_caret('<link name="L"/>')
    window.press("Alt+Down")
    assert window.shown.split("\n")[2:4] == [lines[3], lines[2]]
    window.press("Alt+Up")
    window.press("Shift+Alt+Down")
    assert window.shown.split("\n")[2:4] == [lines[2], lines[2]]
    window.press("Ctrl+Shift+K")
    assert window.shown == TEXT
    window.put_caret('<link name="L"/>')
    window.press("Ctrl+]")
    assert window.shown.split("\n")[2] == "  " + lines[2]
    window.press("Ctrl+[")
    window.press("Ctrl+/")
    assert window.shown.split("\n")[2] == '    <!-- <link name="L"/> -->'
    window.press("Ctrl+/")
    assert window.shown == TEXT
    assert window.session.history.index, "all of them are undo steps"


def test_lines_that_are_selected_go_in_and_out_with_tab(window: Window) -> None:
    window.put_caret('<frame name="A"')
    window.view.editor.moveCursor(window.view.editor.textCursor().MoveOperation.Start)
    window.press("Ctrl+A")
    window.press("Tab")
    assert window.shown.startswith('  <sdf version="1.11">\n    <model')
    window.press("Shift+Tab")
    assert window.shown == TEXT


def test_a_selection_widens_and_comes_back(window: Window) -> None:
    window.put_caret("2 0 0 0 0</pose>")
    seen = []
    for _ in range(4):
        window.press("Shift+Alt+Right")
        seen.append(window.view.editor.passage())
    assert [each.text[each.start : each.end] for each in seen][:3] == [
        "2",
        "0 2 0 0 0 0",
        '<pose relative_to="A">0 2 0 0 0 0</pose>',
    ]
    for expected in reversed(seen[:3]):
        window.press("Shift+Alt+Left")
        assert window.view.editor.passage() == expected


def test_home_goes_to_the_text_and_then_to_the_margin(window: Window) -> None:
    window.put_caret('name="A"')
    cursor = window.view.editor.textCursor
    window.press("Home")
    assert cursor().positionInBlock() == 4
    window.press("Home")
    assert cursor().positionInBlock() == 0
    window.press("Shift+Home")
    assert cursor().selectedText() == "    "


def test_a_line_below_is_begun_from_anywhere_in_a_line(window: Window) -> None:
    window.put_caret('<frame name="A"')
    window.press("Ctrl+Return")
    assert '    <frame name="A">\n      \n      <pose' in window.shown


def test_escape_closes_what_is_open_around_the_editor(window: Window) -> None:
    window.put_caret('name="A"', 7)
    window.press("Shift+F12")
    assert window.view.places.isVisible()
    window.press("Escape")
    assert not window.view.places.isVisible()
    window.press("Ctrl+F")
    window.view.editor.setFocus()
    window.press("Escape")
    assert not window.view.find_bar.isVisible()


def test_backspace_takes_a_step_of_indentation_and_a_pair_of_quotes(window: Window) -> None:
    window.put_caret('<pose relative_to="A"')
    window.press("Backspace")
    assert window.view.editor.textCursor().positionInBlock() == 4
    window.press("Ctrl+Z")
    window.put_caret("<link name", 5)
    window.type(" x=")
    assert '<link x="" name' in window.shown
    window.press("Backspace")
    assert "<link x= name" in window.shown


def test_a_material_of_a_urdf_is_renamed_at_the_caret(open_text: Open) -> None:
    text = (
        '<robot name="r">\n  <material name="blue"/>\n  <link name="base">\n    <visual>\n'
        '      <geometry><sphere radius="1"/></geometry>\n      <material name="blue"/>\n    </visual>\n'
        "  </link>\n</robot>\n"
    )
    window = open_text(text)
    for name, old, new in (('<material name="blue"', "blue", "sky"), ('<link name="base"', "base", "body")):
        window.put_caret(name, len(name) - 2)
        window.view.commands.ask_for_name()
        prompt = window.view.prompt
        assert prompt.field.text() == old
        prompt.field.setText(new)
        QTest.keyClick(prompt.field, Qt.Key.Key_Return)
        text = text.replace(f'"{old}"', f'"{new}"')
        assert window.text == text


# --- going somewhere -------------------------------------------------------------------------------------------------


def test_a_line_is_gone_to(window: Window) -> None:
    prompt = window.view.prompt
    window.press("Ctrl+G")
    assert prompt.isVisible()
    assert "1 to 12" in prompt.question.text()
    picture = prompt.grab().toImage()
    edge = [picture.pixelColor(0, y).name().upper() for y in (8, picture.height() // 2, picture.height() - 8)]
    assert edge == [tokens().outline] * 3
    for wrong in ("x", ""):
        prompt.field.setText(wrong)
        QTest.keyClick(prompt.field, Qt.Key.Key_Return)
        assert prompt.refusal.isVisible()
    prompt.field.setText("5:7")
    QTest.keyClick(prompt.field, Qt.Key.Key_Return)
    assert window.shown == TEXT, "the editor has not seen that key"
    cursor = window.view.editor.textCursor()
    assert (cursor.blockNumber() + 1, cursor.positionInBlock() + 1) == (5, 7)
    assert not prompt.isVisible()
    window.press("Ctrl+G")
    QTest.keyClick(prompt.field, Qt.Key.Key_Escape)
    assert not prompt.isVisible()
    assert window.view.editor.hasFocus()


def test_tags_that_belong_together_are_marked_and_gone_to(window: Window, qtbot: QtBot) -> None:
    window.put_caret('frame name="B"', 1)
    start, end = window.shown.index('<frame name="B"') + 1, window.shown.index("</frame>\n  </model>") + 2
    qtbot.waitUntil(lambda: partners(window) == [(start, start + 5), (end, end + 5)])
    marks = [mark for mark in window.view.editor.extraSelections() if mark.cursor.selectedText() == "frame"]
    assert {(mark.format.background().color().name(), mark.format.foreground().color().name()) for mark in marks} == {
        (tokens().selection.lower(), tokens().text.lower())
    }, "the colour of a tag is hard to read on that of a selection"
    window.press("Ctrl+Shift+\\")
    assert window.view.editor.textCursor().position() == end
    window.press("Ctrl+Shift+\\")
    assert window.view.editor.textCursor().position() == start


def test_marks_follow_while_something_is_typed(open_text: Open) -> None:
    window = open_text(MISSPELT)
    marks = window.view.editor.marks
    at = window.shown.index('"AA"')
    (problem,) = marks.problems_at(at)
    window.put_caret("<model")
    window.type("12345")
    assert marks.problems_at(at + 5) == [problem]
    assert marks.problems_at(at - 10) == []


def test_the_bar_says_where_the_caret_is(window: Window, qtbot: QtBot) -> None:
    bar = window.view.caret_bar
    window.put_caret("0 2 0")
    qtbot.waitUntil(lambda: bar.place.text().startswith("Ln 8, Col 29"))
    assert [(each.tag, each.name) for each in bar.around] == [
        ("sdf", None),
        ("model", "m"),
        ("frame", "B"),
        ("pose", None),
    ]
    assert "Spaces: 2  ·  LF  ·  UTF-8" in bar.place.text()
    bar.path.linkActivated.emit("2")
    assert window.view.editor.textCursor().position() == window.shown.index('<frame name="B"')


def test_the_bar_shows_a_name_without_the_references_of_xml(window: Window, qtbot: QtBot) -> None:
    """At the start of the tag the name came from the text, where it is escaped."""
    start = '<frame name="B'
    window.put_caret(start, after=len(start))
    window.type("&amp;")
    window.put_caret(start)
    written = QTextDocument()

    def shown() -> str:
        written.setHtml(window.view.caret_bar.path.text())
        return written.toPlainText()

    qtbot.waitUntil(lambda: shown().endswith("frame B&"))


def test_the_path_in_the_bar_is_shortened_as_soon_as_text_is_selected(window: Window, qtbot: QtBot) -> None:
    bar = window.view.caret_bar
    window.window.resize(bar.place.sizeHint().width() + 190, 500)
    window.put_caret("0 2 0")
    qtbot.waitUntil(lambda: bar.place.text().startswith("Ln 8"))
    around, kind = bar.around, bar.place.text().split("  ·  ", 1)[1]
    bar.show_place(around, 8, 29, 123456, kind)
    QApplication.processEvents()
    written = QTextDocument()
    written.setHtml(bar.path.text())
    assert bar.path.fontMetrics().horizontalAdvance(written.toPlainText()) <= bar.path.width()


# --- names -----------------------------------------------------------------------------------------------------------


def test_a_name_is_renamed_where_it_is(window: Window) -> None:
    prompt = window.view.prompt
    window.put_caret('"A">0 2', 1)
    window.press("F2")
    assert prompt.question.text() == "New name of frame m::A"
    assert prompt.field.text() == "A"
    prompt.field.setText("B")
    QTest.keyClick(prompt.field, Qt.Key.Key_Return)
    assert prompt.isVisible(), "that name is taken"
    assert prompt.refusal.text()
    prompt.field.setText("mount")
    QTest.keyClick(prompt.field, Qt.Key.Key_Return)
    assert window.text == TEXT.replace('"A"', '"mount"')
    window.press("Ctrl+Z")
    assert window.text == TEXT, "one step"


def test_the_frame_that_is_renamed_is_that_of_the_question_whatever_was_edited_meanwhile(window: Window) -> None:
    session = window.view.context.session
    window.put_caret('"A">0 2', 1)
    window.press("F2")
    at = session.document.text.index("<frame")
    session.apply(Edit("Add", session.document, (Replacement(at, at, '<frame name="first"/>'),)))
    before = session.document.text
    window.view.prompt.field.setText("mount")
    QTest.keyClick(window.view.prompt.field, Qt.Key.Key_Return)
    assert session.document.text == before.replace('"A"', '"mount"')


def test_the_tooltip_of_a_name_says_what_it_means(window: Window) -> None:
    window.put_caret('"A">0 2', 2)
    assert tip_at_caret(window).split("\n") == ["frame m::A", "pose in m: 1 0 0 0 0 0", "relative_to m::L", "-:4"]


def test_the_tooltip_of_markup_says_what_the_specification_does(window: Window) -> None:
    window.put_caret("pose relative_to", 2)
    assert tip_at_caret(window) == "<pose>: optional; pose, '0 0 0 0 0 0' by default"
    window.put_caret("version", 2)
    assert tip_at_caret(window) == "version: required; string"
    assert window.view.insight.describe(window.shown.index("1 0 0 0") + 2) == ""


def test_a_name_under_ctrl_and_the_mouse_is_a_link(window: Window) -> None:
    insight = window.view.insight
    at = window.shown.index('"A">0 2') + 1
    assert insight.link_at(at) == (at, at + 1)
    assert insight.link_at(window.shown.index("1 0 0")) is None


# --- fixes -----------------------------------------------------------------------------------------------------------

MISSPELT = TEXT.replace('relative_to="A"', 'relative_to="AA"').replace('name="A"', 'name="AAB"')


def test_a_problem_is_fixed_where_it_is(open_text: Open) -> None:
    window = open_text(MISSPELT)
    window.put_caret('"AA"', 2)
    window.apply_first_fix()
    assert 'AA"' not in window.text
    assert not [problem for problem in window.session.diagnostics if problem.is_error]


def test_a_misspelt_tag_is_fixed_at_both_ends(open_text: Open) -> None:
    window = open_text(TEXT.replace("<frame ", "<fraem ", 1).replace("</frame>", "</fraem>", 1))
    window.put_caret("<fraem", 2)
    window.apply_first_fix()
    assert window.text == TEXT


def test_a_bulb_is_at_what_can_be_fixed(open_text: Open) -> None:
    window = open_text(MISSPELT)
    marks, gutter = window.view.editor.marks, window.view.editor.gutter
    assert marks.fixable_lines == {7}
    offered: list[int] = []
    gutter.fixes_wanted.connect(offered.append)
    height = window.view.editor.fontMetrics().lineSpacing()
    QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(6, 6 + 7 * height))
    assert offered
    QApplication.activePopupWidget().close()


def test_beside_a_bulb_the_mark_of_the_problem_is_seen(open_text: Open) -> None:
    window = open_text(MISSPELT)
    marks, gutter = window.view.editor.marks, window.view.editor.gutter
    line = 7
    assert line in marks.fixable_lines
    picture = gutter.grab().toImage()
    height = window.view.editor.fontMetrics().lineSpacing()
    middle = 6 + line * height
    seen = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(middle - 4, middle + 12)}
    assert tokens().severity(marks.line_severities[line]) != tokens().warning, "the colour of the bulb"
    assert tokens().severity(marks.line_severities[line]).lower() in seen


def test_the_bulb_of_a_problem_without_fixes_goes_out(open_text: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuickFixProvider, "fixes", lambda *_: iter(()))
    window = open_text(MISSPELT)
    marks, gutter = window.view.editor.marks, window.view.editor.gutter
    assert marks.fixable_lines == {7}
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    height = window.view.editor.fontMetrics().lineSpacing()
    QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(6, 6 + 7 * height))
    assert said[-1] == "No quick fix helps here: change it by hand."
    assert marks.fixable_lines == set()
    assert window.shown[window.view.editor.textCursor().position() :].startswith('relative_to="AA"'), (
        "the caret is at the problem"
    )


def test_without_completions_that_is_reported(window: Window) -> None:
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    window.put_caret("0 2 0 0", 2)
    window.press("Ctrl+Space")
    assert said == ["No completions here."]


def test_where_nothing_can_be_fixed_that_is_reported(window: Window) -> None:
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    window.press("Ctrl+.")
    assert said == ["No problem here."]


def test_names_folds_and_what_is_edited_elsewhere_stay_while_a_tag_is_begun(window: Window) -> None:
    view, name = window.view, 'relative_to="'

    def meant() -> str:
        return view.insight.describe(window.shown.rindex(name) + len(name))

    def folds() -> list[int]:
        lines = window.shown.splitlines()
        return [
            number for number, line in enumerate(lines) if "typed" not in line and view.editor.folding.last_line(number)
        ]

    before, folded = meant(), folds()
    assert before
    window.put_caret("  </model>")
    window.type('<link name="typed"')
    view.flush()
    assert not window.session.is_current
    assert meant() == before
    assert folds() == folded
    at = window.shown.index("1 0 0 0")
    view.editor.go_to(at, at + 1)
    window.type("3")
    view.flush()
    assert frame_in(window.session.model, "m::A").raw_pose[0, 3] == 3, "what is XML by itself counts"


def test_a_missing_end_tag_is_reported_and_the_model_stays(window: Window) -> None:
    at = window.shown.index('    </frame>\n    <frame name="B"')
    window.view.editor.go_to(at)
    window.press("Ctrl+Shift+K")
    window.view.flush()
    assert frame_in(window.session.model, "m::B").raw_pose[1, 3] == 2
    (problem,) = window.session.diagnostics
    assert "<frame> is not closed" in problem.message
    assert window.view.editor.marks.line_severities
    window.type("<")
    assert window.view.editor.completer.choices.stringList() == ["pose"], "as it is in a frame now"


# --- what is copied and seen -----------------------------------------------------------------------------------------


def test_what_is_copied_is_what_is_there(open_text: Open) -> None:
    window = open_text(TEXT.replace("<link", "<!-- a\u00a0b é🤖 -->\n    <link"))
    window.press("Ctrl+A")
    window.press("Ctrl+C")
    assert QGuiApplication.clipboard().text() == window.text


def test_without_a_selection_the_line_is_copied_and_cut(window: Window) -> None:
    window.put_caret("<link")
    window.press("Ctrl+C")
    assert QGuiApplication.clipboard().text() == '    <link name="L"/>\n'
    window.press("Ctrl+X")
    assert window.shown == TEXT.replace('    <link name="L"/>\n', "")


def test_the_wheel_zooms_with_control(window: Window) -> None:
    editor = window.view.editor
    size = editor.font().pointSizeF()
    middle = QPointF(editor.viewport().rect().center())
    turn = QWheelEvent(
        middle,
        editor.mapToGlobal(middle),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(editor.viewport(), turn)
    assert editor.font().pointSizeF() == size + 2
    assert editor.gutter.width() == editor.gutter.wanted_width()
    window.press("Ctrl+0")
    assert editor.font().pointSizeF() == size


def test_all_elements_fold_to_a_line_each(window: Window) -> None:
    window.view.commands.run("source.fold_all")
    visible = [number for number in range(11) if window.view.editor.document().findBlockByNumber(number).isVisible()]
    assert visible == [0, 1, 2, 3, 5, 6, 8, 9, 10, 11][: len(visible)]
    window.view.commands.run("source.unfold_all")
    window.put_caret("1 0 0")
    window.press("Ctrl+Shift+[")
    assert window.view.editor.folding.is_folded(3), "the innermost element that has lines to hide"


def test_the_context_menu_has_the_commands_of_the_place(window: Window) -> None:
    editor = window.view.editor
    centre = editor.cursorRect().center()
    QApplication.sendEvent(
        editor.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, centre, editor.viewport().mapToGlobal(centre)),
    )
    menu = QApplication.activePopupWidget()
    assert menu is not None
    texts = [action.text() for action in menu.actions()]
    menu.close()
    assert {"Cut", "Copy", "Paste"} <= set(texts)


# --- files of all kinds ----------------------------------------------------------------------------------------------

BODY = TEXT.replace("<link", "<!-- é -->\n    <link")


@pytest.mark.parametrize(
    "data",
    [
        BODY.encode("utf-8-sig"),
        BODY.replace("\n", "\r\n").encode(),
        BODY.replace("    ", "\t\t").replace("  ", "\t").encode(),
        b"\xff\xfe" + BODY.encode("utf-16-le"),
        b"\xfe\xff" + BODY.replace("\n", "\r\n").encode("utf-16-be"),
        b'<?xml version="1.0" encoding="iso-8859-1"?>\n' + BODY.encode("latin-1"),
        BODY.replace("\n", "\r\n", 4).encode(),
        b"<!-- caf\xe9 -->\n" + BODY.encode() + b"<!-- \xff\xfe -->\n",
    ],
    ids=[
        "utf-8 with mark",
        "crlf",
        "tabs",
        "utf-16",
        "utf-16 big-endian, crlf",
        "latin-1",
        "both line ends",
        "bytes that are no text",
    ],
)
def test_a_key_changes_its_bytes_and_no_others(open_text: Open, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a b é.sdf"
    path.write_bytes(data)
    document = open_document(path)
    window = open_text(document)
    window.put_caret("1 0 0 0")
    window.type("4")
    window.view.flush()
    window.session.save()
    four, one = (text.encode(document.encoding.name) for text in ("41 0 0 0", "1 0 0 0"))
    at = data.index(one)
    assert path.read_bytes() == data[:at] + four + data[at + len(one) :]


def test_what_the_editor_cannot_hold_is_shown_as_something_else_and_stays(open_text: Open) -> None:
    text = TEXT.replace('name="A"', 'name="A\ufdd0\udce9"')
    window = open_text(text)
    editor = window.view.editor
    assert not editor.isReadOnly()
    assert 'name="A\ufffd\ufffd"' in editor.toPlainText()
    at = text.index("1 0 0")
    window.session.apply(Edit("Move", window.session.document, (Replacement(at, at + 1, "77"),)))
    window.put_caret("77 0 0")
    window.type("5")
    window.view.flush()
    assert window.text == text.replace("1 0 0", "577 0 0", 1)


def test_a_new_line_ends_like_the_others_and_tabs_stay_tabs(open_text: Open) -> None:
    text = TEXT.replace("    ", "\t\t").replace("  ", "\t").replace("\n", "\r\n")
    window = open_text(text)
    assert window.view.editor.indentation == "\t"
    window.put_caret("\n\t</model>")
    window.press("Return")
    window.type("<joint")
    window.view.editor.completer.popup.hide()
    window.view.flush()
    assert "\r\n\t\t<joint\r\n\t</model>" in window.text


def test_what_xml_cannot_hold_in_latin_1_becomes_a_reference(open_text: Open, tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b'<?xml version="1.0" encoding="iso-8859-1"?>\n' + TEXT.encode("latin-1"))
    window = open_text(open_document(path))
    window.put_caret('name="L"', 6)
    window.view.editor.insertPlainText("Ω")
    window.view.flush()
    window.session.save()
    assert b'name="&#937;L"' in path.read_bytes()


def test_what_latin_1_lacks_in_a_comment_makes_the_file_utf_8_in_the_editor_too(
    qtbot: QtBot, open_text: Open, tmp_path: Path
) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b'<?xml version="1.0" encoding="iso-8859-1"?>\n' + BODY.encode("latin-1"))
    window = open_text(open_document(path))
    window.put_caret("<!-- \xe9", 6)
    window.view.editor.insertPlainText("€")
    window.view.flush()
    typed = window.text
    window.session.save()
    assert path.read_bytes().decode() == window.text == typed.replace("iso-8859-1", "UTF-8")
    qtbot.waitUntil(lambda: 'encoding="UTF-8"' in window.view.editor.toPlainText())
    window.session.undo()
    assert window.text == typed


def test_the_question_for_the_name_of_a_world_says_world_once(open_text: Callable[[str], Window]) -> None:
    window = open_text('<sdf version="1.9"><world name="shapes"/></sdf>')
    window.put_caret("shapes")
    window.press("F2")
    assert window.view.prompt.question.text() == "New name of the world"
    assert window.view.prompt.field.text() == "shapes"


def test_in_a_narrow_panel_the_innermost_element_keeps_its_tag_and_name(qtbot: QtBot) -> None:
    bar = CaretBar()
    qtbot.addWidget(bar)
    with qtbot.waitExposed(bar):
        bar.show()
    around = [completion.Open(*each) for each in (("sdf", None), ("model", "arm"), ("joint", "elbow"))]
    bar.resize(700, 24)
    bar.show_place(around, 104, 20, 0, "UTF-8  ·  LF")
    assert bar.place.text().endswith("LF")
    bar.resize(220, 24)
    assert "joint elbow</a>" in bar.path.text()
    assert bar.place.text() == "Ln 104, Col 20"
    assert bar.place.toolTip().endswith("LF")


@pytest.mark.parametrize("name", ["elbow", "left_gripper_finger_tip_joint"])
@pytest.mark.parametrize("width", range(240, 420, 15))
def test_the_path_in_the_bar_always_fits(qtbot: QtBot, name: str, width: int) -> None:
    bar = CaretBar()
    qtbot.addWidget(bar)
    bar.resize(width, 24)
    with qtbot.waitExposed(bar):
        bar.show()
    around = [completion.Open(*each) for each in (("sdf", None), ("model", "arm"), ("joint", name), ("child", None))]
    bar.show_place(around, 104, 20, 0, "UTF-8  ·  LF")
    written = QTextDocument()
    written.setHtml(bar.path.text())
    assert bar.path.fontMetrics().horizontalAdvance(written.toPlainText()) <= bar.path.width()


@pytest.mark.parametrize(("behind", "is_offered"), [('="true"', False), ("", True)])
def test_what_is_typed_whole_is_offered_only_for_what_it_brings_along(
    open_text: Open, behind: str, is_offered: bool
) -> None:
    pose = f"<pose degree{behind}>0 0 0 0 0 0</pose>"
    window = open_text(f'<sdf version="1.9"><model name="m"><link name="a">{pose}</link></model></sdf>')
    window.put_caret(f"degree{behind}>", len("degree"))
    window.type("s")
    assert window.view.editor.completer.popup.isVisible() is is_offered


@pytest.mark.parametrize(("keys", "is_end"), [("Ctrl+Home", False), ("Ctrl+End", True)])
def test_keys_that_lead_to_the_ends_of_the_text_are_not_those_of_the_list(
    window: Window, keys: str, is_end: bool
) -> None:
    editor, popup = window.view.editor, window.view.editor.completer.popup
    window.put_caret("<frame")
    window.type("<l")
    assert popup.isVisible()
    combination = QKeySequence(keys)[0]  # type: ignore[index]
    QTest.keyClick(popup, combination.key(), combination.keyboardModifiers())
    assert not popup.isVisible()
    assert editor.textCursor().atEnd() if is_end else editor.textCursor().atStart()


def test_fixes_that_take_long_to_find_are_offered_when_they_are_found(
    open_text: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """Fixes for which xacro has to be evaluated are found in the background."""
    monkeypatch.setattr(DeferredFixes, "are_at_hand", property(lambda fixes: fixes.is_computed))
    window = open_text(MISSPELT)
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    window.put_caret('"AA"', 2)
    window.press("Ctrl+.")
    assert said[-1] == "Looking for quick fixes…"
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions()
    menu.close()
