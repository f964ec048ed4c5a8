"""Several carets: typing, deleting and pasting at all of them, as one step of the history; blocks and whole texts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import Document
from tests.gui.source.source_window import TEXT, Window


def text_of(window: Window) -> str:
    window.view.flush()
    return window.text


def test_one_occurrence_after_the_other_is_typed_over_and_undone_as_one_step(window: Window) -> None:
    carets = window.view.editor.carets
    window.put_caret("relative_to", 3)
    for count in (1, 2, 2):  # there are two
        window.press("Ctrl+D")
        assert len(carets) == count
    window.type("wr x")
    window.press("Left")
    window.press("Right")
    window.press("Backspace")
    assert text_of(window) == TEXT.replace("relative_to", "wr ")
    assert window.session.history.undo_label == "Delete at 2 carets"
    window.press("Ctrl+Z")
    assert text_of(window) == TEXT.replace("relative_to", "wr x")
    window.press("Ctrl+Z")
    assert text_of(window) == TEXT
    assert len(carets) == 1


def test_carets_in_lines_below_type_and_esc_goes_back_to_one(window: Window) -> None:
    window.put_caret("    <frame")
    for _ in range(2):
        window.press("Ctrl+Alt+Down")
    assert len(window.view.editor.carets) == 3
    assert window.view.editor.accessibleDescription() == "3 carets"
    window.type("ab")
    start = TEXT.index("    <frame")
    lines = TEXT[start:].split("\n", 3)
    assert text_of(window) == TEXT[:start] + "\n".join([*(f"ab{line}" for line in lines[:3]), lines[3]])
    window.press("Escape")
    window.press("Backspace")
    assert text_of(window).count("ab") == 2, "the caret that was added last is left"


def test_alt_click_adds_a_caret_and_takes_it_away_and_another_click_leaves_one(window: Window) -> None:
    editor = window.view.editor
    window.put_caret("<sdf")
    place = editor.cursorRect(editor.cursor_over(*[window.shown.index("<frame")] * 2)).center()
    for count in (2, 1, 2):
        QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, place)
        assert len(editor.carets) == count
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(editor.carets) == 1


def test_as_many_lines_as_carets_are_pasted_one_at_each(window: Window) -> None:
    window.put_caret("</model>")
    window.view.editor.carets.add_at(window.shown.index("</sdf>"))
    QGuiApplication.clipboard().setText("<!--a-->\n<!--b-->\n")
    window.view.editor.paste()
    assert text_of(window) == TEXT.replace("</model>", "<!--a--></model>").replace("</sdf>", "<!--b--></sdf>")


def test_a_pasted_block_is_indented_as_the_place_is_in_one_step(window: Window) -> None:
    window.put_caret("    <frame")
    QGuiApplication.clipboard().setText("<link name='n'>\n  <pose/>\n</link>\n")
    window.view.editor.paste()
    block = "    <link name='n'>\n      <pose/>\n    </link>\n"
    at = TEXT.index("    <frame")
    assert text_of(window) == TEXT[:at] + block + TEXT[at:]
    window.press("Ctrl+Z")
    assert text_of(window) == TEXT


def test_formatting_changes_blanks_in_one_step_and_leaves_the_caret_at_its_word(
    qtbot: QtBot, open_text: Callable[[str | Document], Window]
) -> None:
    crooked = TEXT.replace("    <", "<").replace("    </", "\t</").replace("\n", "\r\n")
    window = open_text(crooked)
    window.put_caret("relative_to", 3)
    window.press("Ctrl+Shift+I")
    qtbot.waitUntil(lambda: window.text != crooked)
    assert window.text == TEXT.replace("\n", "\r\n")
    shown = window.shown
    assert shown[window.view.editor.textCursor().position() - 3 :].startswith("relative_to")
    window.press("Ctrl+Z")
    assert window.text == crooked
