"""Files with lines that Qt cannot lay out without a wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextBlock
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.language.text_map import LONGEST_LINE
from tests.frames import frame_in
from tests.gui.source.source_window import Window

Open = Callable[[str], Window]
#: More would take longer than a frame of the screen to lay out.
_MOST_AT_ONCE = 2_000
FRAMES = "".join(f'<frame name="f{number}"><pose>{number} 0 0 0 0 0</pose></frame>' for number in range(500))
LINE = f'<sdf version="1.11">\n<model name="m"><link name="L"/>{FRAMES}</model></sdf>\n'
COMMENT = f'<sdf version="1.11"><model name="m"><!-- {"some words " * 3000}--><link name="L"/></model></sdf>'
VALUE = f'<sdf version="1.11"><model name="m"><link name="L" x:y="{"v" * 30_000}" xmlns:x="u"/></model></sdf>'


def lines(window: Window) -> list[QTextBlock]:
    document = window.view.editor.document()
    return [document.findBlockByNumber(number) for number in range(document.blockCount())]


@pytest.mark.parametrize("text", [LINE, COMMENT, VALUE], ids=["elements", "comment", "value"])
def test_a_long_line_is_laid_out_in_pieces_and_stays_as_it_is(open_text: Open, text: str) -> None:
    window = open_text(text)
    assert max(block.length() for block in lines(window)) <= _MOST_AT_ONCE
    assert window.view.long_lines.isVisible()
    window.type("x")
    window.press("Return")
    window.press("Ctrl+V")
    window.view.flush()
    assert window.text == window.view.text() == text
    assert not window.session.can_undo


def test_a_line_of_usual_length_is_typed_into(open_text: Open) -> None:
    window = open_text(f"<!-- {'x' * (LONGEST_LINE - 9)} -->\n<sdf version='1.11'/>")
    assert not window.view.long_lines.isVisible()
    window.type("<!---->")
    window.view.flush()
    assert window.session.can_undo


def test_places_are_those_of_the_file(open_text: Open, qtbot: QtBot) -> None:
    window = open_text(LINE)
    window.session.select(["m::f400"])
    assert window.view.editor.textCursor().block().text() == '<frame name="f400">'
    offset = window.text.index('<frame name="f400">')
    column = offset - window.text.index("\n")
    assert window.view.caret_bar.place.text().startswith(f"Ln 2, Col {column}")
    window.put_caret('name="f300"')
    qtbot.waitUntil(lambda: window.session.selection == ("m::f300",))
    window.view.commands.ask_for_line()
    window.view.prompt.field.setText(f"2:{column}")
    QTest.keyClick(window.view.prompt.field, Qt.Key.Key_Return)
    assert window.view.offset_of(window.view.editor.textCursor().position()) == offset
    numbers = [window.view.editor.number_of(block) for block in lines(window)]
    assert [number for number in numbers if number is not None] == [1, 2, 3]


def test_problems_are_underlined(open_text: Open) -> None:
    window = open_text(LINE.replace('<frame name="f7">', '<frame name="f7" attached_to="nobody">'))
    editor = window.view.editor
    at = editor.raw_text().index("nobody")
    assert any("nobody" in each.text for each in editor.marks.problems_at(at))


def test_what_is_copied_and_found_goes_over_the_breaks(open_text: Open) -> None:
    window = open_text(LINE)
    editor = window.view.editor
    start, end = editor.raw_text().index('<frame name="f8">'), editor.raw_text().index('<frame name="f9">')
    editor.select(end, start)
    window.press("Ctrl+C")
    assert QGuiApplication.clipboard().text() == '<frame name="f8"><pose>8 0 0 0 0 0</pose></frame>'
    bar = window.view.find_bar
    bar.open(replacing=False)
    bar.pattern.setText('</frame><frame name="f9"')
    bar.go(1)
    assert editor.textCursor().selectedText() == '</frame>\u2029<frame name="f9"'


def test_an_edit_elsewhere_is_shown_and_undone(open_text: Open) -> None:
    window = open_text(LINE)
    at = window.text.index("250 0 0 0 0 0")
    window.session.apply(Edit("Move", window.session.document, (Replacement(at, at + 3, "0.5"),)))
    assert "<pose>0.5 0 0 0 0 0</pose>" in window.shown.splitlines()
    window.session.undo()
    assert "<pose>250 0 0 0 0 0</pose>" in window.shown.splitlines()


def test_break_lines_is_one_step_after_which_the_text_can_be_typed_into(open_text: Open, qtbot: QtBot) -> None:
    window = open_text(LINE)
    said: list[str] = []
    window.context.messages.shown.connect(said.append)
    QTest.mouseClick(window.view.long_lines.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.can_undo and window.session.is_current)
    assert said == ["Done: break 1 long line at 1503 places"]
    assert '\n    <frame name="f400">\n      <pose>400 0 0 0 0 0</pose>\n    </frame>\n' in window.text
    assert window.shown == window.text
    assert frame_in(window.session.model, "m::f400").raw_pose[0, 3] == 400
    assert not window.view.long_lines.isVisible()
    window.put_caret("400 0 0")
    window.type("1")
    window.view.flush()
    assert frame_in(window.session.model, "m::f400").raw_pose[0, 3] == 1400
    window.context.edits.undo()
    window.context.edits.undo()
    assert window.text == LINE
    window.view.catch_up()
    assert window.view.long_lines.isVisible()
    assert window.view.editor.isReadOnly()


@pytest.fixture
def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many characters the editor takes at once."""
    monkeypatch.setattr("sdfviewer.gui.source.text_area._PART", 5_000)
    return 5_000


def test_a_text_is_shown_in_parts_when_its_lines_are_broken_and_when_that_is_undone(
    open_text: Open, qtbot: QtBot, in_small_parts: int
) -> None:
    window = open_text(LINE)
    editor, made = window.view.editor, list[int]()
    editor.document().contentsChange.connect(lambda at, removed, added: made.extend((removed // 3, added)))
    window.view.long_lines.button.click()
    qtbot.waitUntil(lambda: window.session.can_undo and not editor.isReadOnly())
    assert window.shown == window.text == window.view.text()
    window.context.edits.undo()
    qtbot.waitUntil(lambda: editor.pieces is not None)
    assert window.text == LINE
    window.context.edits.redo()
    qtbot.waitUntil(lambda: window.shown == window.text)
    assert not window.session.can_redo
    assert in_small_parts / 2 < max(made) <= in_small_parts


def test_what_is_asked_between_two_parts_is_answered_for_the_whole_text(
    open_text: Open, qtbot: QtBot, in_small_parts: int
) -> None:
    window = open_text(LINE)
    with qtbot.waitSignal(window.view.editor.document().contentsChange):
        window.view.long_lines.button.click()
    assert window.view.editor.toPlainText() != window.text
    offset = window.text.index('<frame name="f400">')
    assert window.view.position_of(offset) == offset
    assert window.shown == window.text


def test_an_edit_between_two_parts_is_shown(open_text: Open, qtbot: QtBot, in_small_parts: int) -> None:
    window = open_text(LINE)
    with qtbot.waitSignal(window.view.editor.document().contentsChange):
        window.view.long_lines.button.click()
    at = window.text.index("250 0 0 0 0 0")
    window.session.apply(Edit("Move", window.session.document, (Replacement(at, at + 3, "0.5"),)))
    qtbot.waitUntil(lambda: window.shown == window.text)
    assert "<pose>0.5 0 0 0 0 0</pose>" in window.shown
    assert not window.view.editor.isReadOnly()


def test_lines_are_broken_and_read_beside_the_window(
    open_text: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_text(LINE)
    threads: list[threading.Thread] = []

    def noting(function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **words: object) -> object:
            threads.append(threading.current_thread())
            return function(*arguments, **words)

        return call

    for name in ("sdfviewer.gui.source.source_view.broken_lines", "sdfviewer.session.session_reader.read_text"):
        module, _, function = name.rpartition(".")
        monkeypatch.setattr(name, noting(getattr(import_module(module), function)))
    monkeypatch.setattr(Document, "edited", noting(Document.edited))
    window.view.long_lines.button.click()
    qtbot.waitUntil(lambda: window.session.can_undo and window.session.is_current)
    assert len(threads) == 3
    assert threading.main_thread() not in threads


def test_a_text_that_changes_before_its_lines_are_broken_stays(open_text: Open, qtbot: QtBot) -> None:
    window = open_text(LINE)
    refused: list[str] = []
    window.context.messages.refused.connect(refused.append)
    window.view.long_lines.button.click()
    at = window.text.index("250 0 0 0 0 0")
    window.session.apply(Edit("Move", window.session.document, (Replacement(at, at + 3, "0.5"),)))
    after = window.text
    qtbot.waitUntil(lambda: bool(refused))
    assert "changed" in refused[0]
    assert window.text == after


def test_a_fault_in_breaking_lines_is_said(open_text: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("injected")

    window = open_text(LINE)
    monkeypatch.setattr("sdfviewer.gui.source.source_view.broken_lines", fail)
    with qtbot.waitSignal(window.context.messages.refused) as said:
        window.view.long_lines.button.click()
    assert "internal error (ZeroDivisionError: injected" in said.args[0]
    assert window.text == LINE


ALONE = f"<!-- {'some words ' * 3000}-->\n" + '<sdf version="1.11"><model name="m"><link name="L"/></model></sdf>'


@pytest.mark.parametrize(("text", "offered"), [(LINE, True), (COMMENT, True), (VALUE, True), (ALONE, False)])
def test_break_lines_is_offered_as_long_as_there_is_something_to_break(
    open_text: Open, qtbot: QtBot, text: str, offered: bool
) -> None:
    window = open_text(text)
    assert window.view.long_lines.button.isVisible() == offered
    with qtbot.waitSignal(window.context.messages.shown if offered else window.context.messages.refused):
        window.view.long_lines.button.click()
    window.view.catch_up()
    assert window.session.can_undo == offered
    assert not window.view.long_lines.button.isVisible()


def test_a_line_that_becomes_long_while_typing_is_shown_in_pieces(open_text: Open) -> None:
    text = f'<sdf version="1.11"><model name="m"><!-- {"some words " * 1_800}--><link name="L"/></model></sdf>'
    window = open_text(text)
    assert not window.view.editor.isReadOnly()
    window.put_caret("some words ")
    QGuiApplication.clipboard().setText("more words " * 1_000)
    window.press("Ctrl+V")
    window.view.flush()
    window.view.catch_up()
    assert len(window.text) == len(text) + 11_000
    assert max(block.length() for block in lines(window)) <= _MOST_AT_ONCE
    assert window.view.long_lines.isVisible()
