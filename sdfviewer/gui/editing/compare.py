"""Compares the open file with another state of it, or with another file: frames in a table, lines side by sign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.document.document import Document
from sdfviewer.document.line_difference import text_difference
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.editing.difference_table import DifferenceTable, summarise
from sdfviewer.gui.editing.difference_view import DifferenceView
from sdfviewer.gui.settings import Settings
from sdfviewer.semantics.difference import FrameDifference, compare_models


class CompareDialog(QDialog):
    """What has changed from another document to the present state of the open file.

    Parameters
    ----------
    other
        The document that stands for "before".
    name
        What it is, ``the version in git's HEAD``.
    answers
        Further buttons and what they do; each closes the dialog.
    """

    def __init__(
        self,
        bridge: Bridge,
        settings: Settings,
        other: Document,
        name: str,
        answers: Mapping[str, Callable[[], None]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Compare")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(920, 600)
        self._bridge = bridge
        session = bridge.session
        here = session.path.name if session.path is not None else "this file"
        self.differences: Sequence[FrameDifference] = ()
        self.frames = DifferenceTable(settings.angle_unit)
        self.frames.picked.connect(self._show_picked)
        self.text = DifferenceView()
        hunks = text_difference(other.text, session.document.text)
        self.text.show_hunks(hunks)
        self._other_model, _ = session.load_beside(other)
        self.summary = QLabel(wordWrap=True)
        self._pages = QTabWidget(documentMode=True)
        self._frames_page = QStackedWidget()
        self._nothing = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._nothing.setProperty("role", "muted")
        for widget in (self.frames, self._nothing):
            self._frames_page.addWidget(widget)
        self._pages.addTab(self._frames_page, "Frames")
        self._pages.addTab(self.text, "Text")
        self.buttons = QDialogButtonBox()
        for label, answer in (answers or {}).items():
            button = self.buttons.addButton(label, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(lambda _=False, answer=answer: self._answer(answer))
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(QLabel(f"From <b>{name}</b> to <b>{here}</b> as it is here now", wordWrap=True))
        column.addWidget(self.summary)
        column.addWidget(self._pages, 1)
        column.addWidget(self.buttons)
        self._compare_frames()
        lines = sum(line.sign != " " for hunk in hunks for line in hunk)
        text = f"{lines} line{'s' if lines != 1 else ''} removed or added" if lines else "The text is the same"
        self.summary.setText(f"{summarise(self.differences)} · {text}")
        self.finished.connect(lambda _result: bridge.preview_changed.emit(None))

    def _compare_frames(self) -> None:
        model = self._bridge.session.model
        if model is None or self._other_model is None:
            self._nothing.setText("One of the two holds no model that can be read; compare the text.")
            self._frames_page.setCurrentWidget(self._nothing)
            self._pages.setCurrentWidget(self.text)
            return
        self.differences = compare_models(self._other_model, model)
        self.frames.show_differences(self.differences)
        if not self.differences:
            self._nothing.setText("Every frame is where it was, in the same body and under the same name.")
            self._frames_page.setCurrentWidget(self._nothing)

    def _answer(self, answer: Callable[[], None]) -> None:
        self.accept()
        answer()

    def _show_picked(self, picked: Sequence[FrameDifference]) -> None:
        """Select the frames that are still there, and show where they were as a ghost."""
        session = self._bridge.session
        model, other = session.model, self._other_model
        if model is None or other is None:
            return
        session.select([each.after for each in picked if each.after is not None], None)
        X_before = np.full((len(model), 4, 4), np.nan)
        for each in picked:
            if each.after is not None and each.before is not None:
                X_before[model.row(each.after)] = other.X_RootF[other.row(each.before)]
        self._bridge.preview_changed.emit(X_before if len(picked) else None)
