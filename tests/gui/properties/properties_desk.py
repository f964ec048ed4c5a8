"""A session and its properties panel in a window of their own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.properties.fields import TextField
from sdfviewer.gui.properties.panel import PropertiesPanel
from sdfviewer.session.session import Session


class PropertiesDesk:
    """A session on a text and its properties panel, shown."""

    def __init__(self, qtbot: QtBot, folder: Path, text: str, width: int = 360) -> None:
        self.context = DocumentContext(Session(parse_document(text)))
        self.settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
        self.panel = PropertiesPanel(self.context, self.settings)
        qtbot.addWidget(self.panel)
        self.panel.resize(width, 900)
        with qtbot.waitActive(self.panel):
            self.panel.show()
            self.panel.activateWindow()

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.context.session.document.text

    def line(self, path: str) -> QLineEdit:
        """Return the line of a property."""
        field = self.panel.details.field(path)
        assert isinstance(field, TextField)
        return field.edit

    def enter(self, path: str, text: str) -> None:
        """Type a value of a property in place of the one before, and press Enter."""
        line = self.line(path)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Backspace)
        QTest.keyClick(line, Qt.Key.Key_Return)
