"""The files in which references are updated by a rename elsewhere, each with its difference, to be left in or out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QScrollArea, QWidget

from sdfviewer.display_text import with_capital
from sdfviewer.document.document import Document
from sdfviewer.document.line_difference import edit_difference
from sdfviewer.files.paths import real_path
from sdfviewer.gui.compare.text_view import DifferenceView
from sdfviewer.gui.kit.layouts import column_of, row_of
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.number_text import counted
from sdfviewer.refactoring.renaming.dependent_files import DependentEdit

PATH_WIDTH = 520
"""Longer paths are shortened to so many pixels."""

MOST_LINES = 24
"""A difference is as high as it is long, up to so many lines; then it scrolls."""


class DependentFileGroup(QWidget):
    """One file: a check box, how many references change in it, what would be wrong there, its difference.

    Attributes
    ----------
    dependent
        The file and its edit.
    """

    #: It was left in or out.
    toggled = Signal()

    def __init__(self, dependent: DependentEdit, name: str, is_open: bool) -> None:
        super().__init__()
        self.dependent = dependent
        edits = dependent.edit.replacements
        column = column_of(parent=self, margins=(0, 0, 0, 8), spacing=4)
        row = row_of(margins=(4, 4, 8, 0), spacing=8)
        self.check = named(QCheckBox(), f"Rename in {name}", dependent.document.name)
        self.check.setText(self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, PATH_WIDTH))
        self.check.setChecked(True)
        self.check.toggled.connect(lambda _on: self.toggled.emit())
        facts = [counted(len(edits), "reference") if edits else "no references"]
        facts += ["open in a tab"] * is_open
        number = QLabel(" · ".join(facts))
        number.setProperty("role", "muted")
        row.addWidget(self.check, 1)
        row.addWidget(number)
        column.addLayout(row)
        for fault in dependent.faults:
            sentence = QLabel(with_capital(fault), wordWrap=True)
            sentence.setTextFormat(Qt.TextFormat.PlainText)
            sentence.setProperty("role", "error")
            sentence.setContentsMargins(28, 0, 8, 0)
            column.addWidget(sentence)
        self.difference = DifferenceView()
        if edits:
            self.difference.show_difference(edit_difference(dependent.document, edits), 1)
            self.difference.setFixedHeight(_height(self.difference, len(self.difference.rows)))
            column.addWidget(self.difference)


def _height(view: DifferenceView, lines: int) -> int:
    margins = 2 * int(view.document().documentMargin()) + view.horizontalScrollBar().sizeHint().height()
    return min(lines, MOST_LINES) * view.fontMetrics().lineSpacing() + margins + 12


class DependentFileList(QScrollArea):
    """All files that follow.

    Attributes
    ----------
    groups
        One for each file.
    """

    #: A file was left in or out.
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "Other files")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.groups: list[DependentFileGroup] = []
        self._left_out: set[Path | None] = set()

    def show_edits(self, dependents: Sequence[DependentEdit], near: Path, opened: Sequence[Document]) -> None:
        """Show other files; those that were left out before stay so.

        Parameters
        ----------
        near
            The folder that their paths are relative to.
        opened
            Those that are open in tabs.
        """
        self._left_out |= {each.dependent.document.path for each in self.groups if not each.check.isChecked()}
        self._left_out -= {each.dependent.document.path for each in self.groups if each.check.isChecked()}
        content = QWidget()
        column = column_of(parent=content, margins=0, spacing=0)
        self.groups = []
        for dependent in sorted(dependents, key=lambda each: not each.faults):
            path = dependent.document.path
            name = "untitled" if path is None else _short(path, near)
            group = DependentFileGroup(dependent, name, any(each is dependent.document for each in opened))
            group.check.setChecked(path not in self._left_out)
            group.toggled.connect(self.changed)
            column.addWidget(group)
            self.groups.append(group)
        column.addStretch(1)
        self.setWidget(content)

    @property
    def chosen(self) -> list[DependentEdit]:
        """The chosen files that change or would have a problem."""
        return [group.dependent for group in self.groups if group.check.isChecked()]


def _short(path: Path, near: Path) -> str:
    try:
        return os.path.relpath(real_path(path), near)
    except ValueError:  # another drive
        return str(path)
