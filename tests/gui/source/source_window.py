"""A source view in a window of its own."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import Document, parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.safe_text import made_plain
from sdfviewer.gui.shell.actions.table import Actions
from sdfviewer.gui.source import SourceView
from sdfviewer.language.text_map import TextMap
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange

TEXT = """<sdf version="1.11">
  <model name="m">
    <link name="L"/>
    <frame name="A">
      <pose relative_to="L">1 0 0 0 0 0</pose>
    </frame>
    <frame name="B">
      <pose relative_to="A">0 2 0 0 0 0</pose>
    </frame>
  </model>
</sdf>
"""


class Window:
    """A source view in a window of its own."""

    def __init__(self, qtbot: QtBot, text: str | Document = TEXT) -> None:
        self.context = DocumentContext(Session(parse_document(text) if isinstance(text, str) else text))
        self.changes: list[SessionChange] = []
        self.context.changed.connect(self.changes.append)
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.view = made_plain(self._make_view)
        self.window.setCentralWidget(self.view)
        self.window.resize(700, 500)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.view.editor.setFocus()
        qtbot.waitUntil(self.view.editor.hasFocus)

    def _make_view(self) -> SourceView:
        view = SourceView(self.context)
        view.set_actions(Actions(self.window))
        return view

    @property
    def session(self) -> Session:
        return self.context.session

    @property
    def text(self) -> str:
        return self.session.document.text

    def put_caret(self, before: str, after: int = 0) -> None:
        """Put the caret before the first occurrence of a text, or some characters into it."""
        text = self.shown
        self.view.editor.go_to(TextMap(text).to_position(text.index(before) + after))

    def apply_first_fix(self) -> None:
        """Choose the first of the fixes that are offered at the caret."""
        menu = self.view.commands.offer_fixes(self.view.editor.textCursor().position())
        assert menu is not None
        first = menu.actions()[0]
        menu.hide()
        first.trigger()

    def type(self, text: str) -> None:
        QTest.keyClicks(self.view.editor, text)

    def press(self, keys: str) -> None:
        """Press a key with its modifiers."""
        combination = QKeySequence(keys)[0]  # type: ignore[index]
        QTest.keyClick(self.view.editor, combination.key(), combination.keyboardModifiers())

    @property
    def pointed_at(self) -> str:
        """The text of the place that was shown last, while the caret is at its start."""
        return pointed_at(self.view)

    @property
    def shown(self) -> str:
        """What stands in the editor."""
        self.view.catch_up()
        return self.view.editor.raw_text()


def pointed_at(view: SourceView) -> str:
    """Return the text of the place that a view was asked to show, while the caret is at its start."""
    place = view.editor.marks.place
    return "" if place is None else view.editor.cursor_over(*place).selectedText()
