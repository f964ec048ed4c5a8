"""A list of what an edit cannot convert."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from sdfviewer.diagnostics import PlacedSentence, SdfViewerError
from sdfviewer.display_text import visible, with_capital
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.refactoring.editable import reasons_of

MOST_ROWS = 5
"""The number of visible sentences; the list scrolls to further ones."""
_SIZE = (560, 240)


class LossList(QListWidget):
    """Sentences, those at a place without the name of their file where that is open."""

    def __init__(self, sentences: Sequence[str], file: str) -> None:
        super().__init__()
        named(self, "Losses")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setIconSize(QSize(16, 16))
        sign = icon("mdi6.alert-outline", tokens().warning)
        for sentence in sentences:
            item = QListWidgetItem(sign, without_path(sentence, file))
            item.setToolTip(sentence)
            self.addItem(item)

    def sizeHint(self) -> QSize:  # Qt's name
        rows = sum(self.sizeHintForRow(row) for row in range(min(self.count(), MOST_ROWS)))
        return QSize(super().sizeHint().width(), rows + 2 * self.frameWidth() + 4)


def without_path(sentence: str, file: str) -> str:
    """Return a sentence with ``Line 12`` before it, or ``other.sdf, line 12`` where its file is another one."""
    if not isinstance(sentence, PlacedSentence):
        return visible(with_capital(sentence))
    written_in = Path(sentence.path)
    where = "Line" if written_in.absolute() == Path(file).absolute() else f"{written_in.name}, line"
    return visible(f"{where} {sentence.line}: {sentence.words}")


class RefusalDialog(QDialog):
    """Lists the reasons why a file cannot be converted, each with its line."""

    def __init__(self, action: str, error: SdfViewerError, file: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(action.rstrip("…"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        column = column_of(QLabel("This file cannot be converted."), parent=self, margins=16, spacing=12)
        self.reasons = LossList(reasons_of(error), file)
        column.addWidget(self.reasons)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
