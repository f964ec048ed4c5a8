"""The command palette: every action by a few letters of its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.widgets.icons import icon
from sdfviewer.gui.widgets.incremental_search import Candidate, SearchHit
from sdfviewer.gui.widgets.match_list import Row
from sdfviewer.gui.widgets.search_popup import SearchPopup
from sdfviewer.gui.widgets.shortcuts import command_name
from sdfviewer.gui.widgets.theme import tokens

_HIGHEST = 420
"""Logical pixels that the palette is high at most."""


@dataclass(frozen=True)
class Command:
    """An action and its menu, and why the menu does not offer it now."""

    menu: str
    action: QAction
    refusal: str = ""

    @property
    def is_offered(self) -> bool:
        """Whether it can be run."""
        return not self.refusal and self.action.isEnabled()


class CommandPalette(SearchPopup):
    """A search line over a list of commands; Enter runs the best match."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        self._highest = _HIGHEST
        candidates = [Candidate(each, command_name(each.action), each.menu) for each in commands]
        super().__init__("Type a command", "Matching commands", "No command matches.", candidates, parent)
        self.setObjectName("command_palette")
        self.results.setMinimumHeight(1)  # Qt asks for several rows, of which one match would leave all but one empty
        self.column.setContentsMargins(8, 8, 8, 8)
        self.column.setSpacing(8)

    def open_over(self, window: QWidget) -> None:
        """Show the palette at the top middle of a window."""
        width = min(560, window.width() - 32)
        self._highest = min(_HIGHEST, window.height() - 64)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.setGeometry(QRect(corner.x() + (window.width() - width) // 2, corner.y() + 48, width, self._highest))
        self._fit()
        self.show()
        self.search.setFocus()

    def _show_hits(self, hits: Sequence[SearchHit[Command]]) -> None:
        super()._show_hits(hits)
        self._fit()

    def _fit(self) -> None:
        """Become as high as what was found, up to a limit."""
        around = self.height() - self.results.viewport().height()
        self.resize(self.width(), min(around + self.results.rows_height(), self._highest))

    def describe(self, entry: Command) -> Row:
        action = entry.action
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        menu = entry.menu.replace("/", " › ")
        # As in the menus, a tick says that something is on.
        is_on = action.isCheckable() and action.isChecked()
        sign = icon("mdi6.check", tokens(self.palette()).text) if is_on else action.icon()
        tip = entry.refusal or action.toolTip()
        return Row(command_name(action), sign, menu, keys, tip, dimmed=not entry.is_offered)

    def can_take(self, entry: Command) -> bool:
        return entry.is_offered

    def take(self, entry: Command) -> None:
        if entry.is_offered:
            self.close()
            entry.action.trigger()
