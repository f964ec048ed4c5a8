"""What an edit could not carry over, as a list beside the lines that it changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from sdfviewer.gui.icons import icon
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import tokens


class LossList(QListWidget):
    """Sentences that begin with ``file:line:``; the open file goes without its name."""

    def __init__(self, sentences: Sequence[str], file: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "What is not carried over")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        sign = icon("mdi6.alert-outline", tokens().warning)
        for sentence in sentences:
            item = QListWidgetItem(sign, _short(sentence, file))
            item.setToolTip(sentence)
            self.addItem(item)


def _short(sentence: str, file: str) -> str:
    """Return a sentence with ``Line 12`` before it, and the name of its file where that is another one."""
    place, _, text = sentence.partition(": ")
    path, _, line = place.rpartition(":")
    name = "" if path == file else f"{Path(path).name}, "
    where = f"{name}line {line}"
    return f"{where[:1].upper() + where[1:] if not name else where}: {text}"
