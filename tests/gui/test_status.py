"""The status bar."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from sdfviewer.gui.shell.window import MainWindow


def test_the_facts_of_a_file_are_shown_as_links(window: MainWindow, examples: Path) -> None:
    window.files.open([examples / "arm.sdf"])
    label = next(each for each in window.status.findChildren(QLabel) if each.accessibleName() == "File")
    assert "SDFormat 1.11" in label.text()
    assert 'href="link"' in label.text()
    assert label.textFormat() == Qt.TextFormat.RichText
