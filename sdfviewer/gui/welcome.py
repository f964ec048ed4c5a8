"""What the window shows while no file is open: how to open one."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from sdfviewer.gui.icons import icon
from sdfviewer.gui.theme import tokens
from sdfviewer.resources import resource

_FIRST_COMMENT = re.compile(r"<!--\s*(.+?)(?:\.\s|\.?\s*-->|\n\s*\n)", re.DOTALL)
SHOWN = 8


def example_files() -> list[Path]:
    """Return the models that ship with the program, by name."""
    return sorted([*resource("examples").glob("*.sdf"), *resource("examples").glob("*.world")])


def describe_example(path: Path) -> str:
    """Return the first sentence of an example's first comment."""
    with path.open(encoding="utf-8") as file:
        found = _FIRST_COMMENT.search(file.read(2000))
    return " ".join(found[1].split()) if found else ""


def title_of(path: Path) -> str:
    """Return a file's name as words."""
    return path.stem.replace("_", " ").capitalize()


class Welcome(QScrollArea):
    """Open a file, one of the recent ones, or an example."""

    open_requested = Signal()
    file_chosen = Signal(object)

    def __init__(self, recent: list[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Welcome")
        self.show_recent(recent)

    def show_recent(self, recent: list[Path]) -> None:
        """Show the page anew with these recent files."""
        colours = tokens(self.palette())
        page = QWidget()
        outer = QHBoxLayout(page)
        outer.setContentsMargins(24, 24, 24, 24)
        column = QVBoxLayout()
        column.setSpacing(8)
        outer.addStretch(1)
        outer.addLayout(column, 6)
        outer.addStretch(1)
        column.addStretch(1)
        title = QLabel("sdfviewer")
        title.setProperty("role", "title")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.8)
        title.setFont(font)
        column.addWidget(title)
        column.addWidget(_muted("See where every frame of a robot model is, why it is there, and what moves with it."))
        column.addSpacing(8)
        row = QHBoxLayout()
        opener = QPushButton(icon("mdi6.folder-open-outline", colours.accent_text), "Open File…")
        opener.setProperty("role", "primary")
        opener.setToolTip("Open SDFormat files (Ctrl+O)")
        opener.clicked.connect(self.open_requested)
        row.addWidget(opener)
        row.addWidget(_muted("or drop a .sdf, .world or .urdf file on this window"))
        row.addStretch(1)
        column.addLayout(row)
        if recent:
            column.addSpacing(12)
            column.addWidget(_heading("Recent"))
            for path in recent[:5]:
                column.addWidget(self._link(path, path.name, str(path.parent)))
        column.addSpacing(12)
        column.addWidget(_heading("Examples"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for number, path in enumerate(example_files()[:SHOWN]):
            grid.addWidget(self._link(path, title_of(path), describe_example(path)), number // 2, number % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        column.addWidget(_muted("All examples are in Help › Examples."))
        column.addStretch(2)
        self.setWidget(page)

    def _link(self, path: Path, text: str, detail: str) -> QWidget:
        label = QLabel(f'<a href="open">{text}</a>')
        label.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard)
        label.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        label.linkActivated.connect(lambda _link: self.file_chosen.emit(path))
        label.setToolTip(str(path))
        label.setAccessibleName(f"Open {path.name}")
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(label)
        if detail:
            column.addWidget(_muted(detail))
        column.addStretch(1)
        return box


def _muted(text: str) -> QLabel:
    label = QLabel(text, wordWrap=True)
    label.setProperty("role", "muted")
    return label


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "heading")
    return label
