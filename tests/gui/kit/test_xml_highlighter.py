"""Of a long text only what is in sight is coloured, and no other line is looked at."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QPaintEvent, QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.xml_highlighter import Highlighter
from sdfviewer.language.text_map import TextMap

LINES = 20_000


class Counting(Highlighter):
    """Counts the lines that it is asked about."""

    asked = 0

    def _colour_line(self, block: QTextBlock, state: int) -> int:
        self.asked += 1
        return super()._colour_line(block, state)


def show(qtbot: QtBot, text: str) -> tuple[QPlainTextEdit, Counting]:
    editor = QPlainTextEdit()
    editor.setPlainText(text)
    qtbot.addWidget(editor)
    highlighter = Counting(editor, tokens(editor.palette()))
    editor.resize(400, 300)
    with qtbot.waitExposed(editor):
        editor.show()
    return editor, highlighter


def colour(editor: QPlainTextEdit, line: int) -> QColor | None:
    """Return the colour of the end of a line."""
    formats = editor.document().findBlockByNumber(line).layout().formats()
    return formats[-1].format.foreground().color() if formats else None


def test_a_long_text_is_coloured_where_it_is_in_sight(qtbot: QtBot) -> None:
    editor, highlighter = show(qtbot, "<sdf>\n" + '<link name="a"/>\n' * LINES + "</sdf>")
    qtbot.waitUntil(lambda: colour(editor, 3) is not None)
    assert highlighter.asked < 200
    assert colour(editor, LINES - 5) is None
    editor.verticalScrollBar().setValue(LINES - 10)
    qtbot.waitUntil(lambda: colour(editor, LINES - 5) is not None)
    assert highlighter.asked < 400


def test_what_begins_above_the_sight_colours_what_is_in_it(qtbot: QtBot) -> None:
    comment = "<sdf>\n<!--\n" + "a <note/> of many lines\n" * LINES + "-->\n" + "<a/> 1\n" * 100 + "</sdf>"
    editor, _ = show(qtbot, comment)
    muted = QColor(tokens(editor.palette()).muted)
    editor.verticalScrollBar().setValue(LINES // 2)
    qtbot.waitUntil(lambda: colour(editor, LINES // 2 + 1) == muted)
    editor.verticalScrollBar().setValue(LINES + 40)
    qtbot.waitUntil(lambda: colour(editor, LINES + 41) not in (None, muted))


def test_typing_the_beginning_of_a_comment_asks_for_what_is_in_sight_only(qtbot: QtBot) -> None:
    editor, highlighter = show(qtbot, "<sdf>\n" + '<link name="a"/>\n' * LINES + "</sdf>")
    qtbot.waitUntil(lambda: colour(editor, 3) is not None)
    highlighter.asked = 0
    editor.textCursor().insertText("<!--")
    assert highlighter.asked < 200
    assert colour(editor, 5) == QColor(tokens(editor.palette()).muted)


def test_a_long_text_is_painted_before_it_is_coloured(qtbot: QtBot) -> None:
    asked = list[int]()

    class Watched(QPlainTextEdit):
        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            asked.append(highlighter.asked)

    editor = Watched()
    qtbot.addWidget(editor)
    editor.setPlainText("<sdf>\n" + '<link name="a"/>\n' * LINES + "</sdf>")
    highlighter = Counting(editor, tokens(editor.palette()))
    (timer,) = highlighter.findChildren(QTimer)
    with qtbot.waitExposed(editor):
        editor.show()
    qtbot.waitUntil(lambda: bool(asked) and highlighter.asked > 0 and not timer.isActive())
    asked.clear()
    before = highlighter.asked
    editor.verticalScrollBar().setValue(LINES // 2)
    qtbot.waitUntil(lambda: highlighter.asked > before)
    assert asked[:1] == [before], "the new lines are painted first, and coloured after the painting"


def test_a_long_text_that_comes_into_sight_is_coloured_when_it_is_first_painted(qtbot: QtBot) -> None:
    uncoloured = list[int]()

    class Watched(QPlainTextEdit):
        def paintEvent(self, event: QPaintEvent) -> None:
            last = self.cursorForPosition(self.viewport().rect().bottomLeft()).blockNumber()
            uncoloured.append(sum(colour(self, line) is None for line in range(last)))
            super().paintEvent(event)

    editor = Watched()
    qtbot.addWidget(editor)
    editor.setPlainText("<sdf>\n" + '<link name="a"/>\n' * LINES + "</sdf>")
    highlighter = Counting(editor, tokens(editor.palette()))
    with qtbot.waitExposed(editor):
        editor.show()
    qtbot.waitUntil(lambda: bool(uncoloured))
    editor.resize(400, 900)
    qtbot.waitUntil(lambda: colour(editor, 40) is not None)
    assert highlighter.asked < 400
    assert not any(uncoloured)


def test_the_text_is_taken_from_an_editor_that_knows_it(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QTextDocument, "toRawText", lambda _document: pytest.fail("the text is read"))
    text = "<sdf>\n<!--\n" + "words\n" * LINES + "-->\n</sdf>"
    editor = QPlainTextEdit()
    editor.setPlainText(text)
    qtbot.addWidget(editor)
    highlighter = Highlighter(editor, tokens(editor.palette()), lambda: TextMap(text))
    editor.resize(400, 300)
    with qtbot.waitExposed(editor):
        editor.show()
    editor.verticalScrollBar().setValue(LINES // 2)
    qtbot.waitUntil(lambda: colour(editor, LINES // 2 + 3) is not None)
    assert highlighter.parent() is editor
