"""What the window shows while no file is open: how to open one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from sdfviewer.gui.icons import icon
from sdfviewer.gui.theme import tokens
from sdfviewer.resources import resource

SHOWN = 8
"""Examples on the page; the menu has all of them."""


@dataclass(frozen=True)
class Example:
    """A model that ships with the program."""

    path: Path
    title: str
    description: str


@cache
def examples() -> tuple[Example, ...]:
    """Return the models that ship with the program, in the order in which they are worth looking at."""
    folder = resource("examples")
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return tuple(Example(folder / entry["file"], entry["title"], entry["description"]) for entry in index)


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
        body = QWidget()
        body.setMaximumWidth(720)
        body.setLayout(column)
        outer.addStretch(1)
        outer.addWidget(body, 100)
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
        row.addWidget(_muted("or drop a .sdf, .world or .urdf file on this window"), 1)
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
        for number, example in enumerate(examples()[:SHOWN]):
            link = self._link(example.path, example.title, example.description)
            grid.addWidget(link, number // 2, number % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        column.addWidget(_muted("All examples are in Help › Examples."))
        column.addStretch(2)
        self.setWidget(page)

    def _link(self, path: Path, text: str, detail: str) -> QWidget:
        label = QLabel(f'<a href="open">{text}</a>')
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
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
