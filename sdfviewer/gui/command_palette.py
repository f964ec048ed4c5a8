"""The command palette: every action by a few letters of its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPalette, QStandardItem
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from sdfviewer.gui.search_popup import SearchPopup, ranked
from sdfviewer.gui.theme import tokens

_MENU = Qt.ItemDataRole.UserRole + 1
_KEYS = Qt.ItemDataRole.UserRole + 2
_COMMAND = Qt.ItemDataRole.UserRole + 3


@dataclass(frozen=True)
class Command:
    """An action and the menu it stands in."""

    menu: str
    action: QAction


class CommandPalette(SearchPopup):
    """A search line over a list of commands; Enter runs the best match."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        super().__init__("Type a command", "Matching commands", parent)
        self.setObjectName("command_palette")
        self._commands = list(commands)
        self.results.setItemDelegate(_CommandDelegate(self.results))
        self._nothing = QLabel("No command matches.", alignment=Qt.AlignmentFlag.AlignCenter)
        self._nothing.setProperty("role", "muted")
        self.column.setContentsMargins(8, 8, 8, 8)
        self.column.setSpacing(8)
        self.column.addWidget(self._nothing)
        self.show_matches("")

    def open_over(self, window: QWidget) -> None:
        """Show the palette at the top middle of a window."""
        width = min(560, window.width() - 32)
        height = min(420, window.height() - 64)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.setGeometry(QRect(corner.x() + (window.width() - width) // 2, corner.y() + 48, width, height))
        self.show()
        self.search.setFocus()

    def matches(self, text: str) -> Iterator[QStandardItem]:
        for command in ranked(text, self._commands, lambda each: f"{each.menu}: {_plain(each.action)}"):
            item = QStandardItem(command.action.icon(), _plain(command.action))
            item.setData(command.menu.replace("/", " › "), _MENU)
            item.setData(command.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText), _KEYS)
            item.setData(command, _COMMAND)
            item.setEnabled(command.action.isEnabled())
            item.setToolTip(command.action.toolTip())
            yield item

    def show_matches(self, text: str) -> None:
        super().show_matches(text)
        self.results.setVisible(self.items.rowCount() > 0)
        self._nothing.setVisible(self.items.rowCount() == 0)

    def take(self, index: QModelIndex) -> None:
        action = index.data(_COMMAND).action
        if action.isEnabled():
            self.close()
            action.trigger()


def _plain(action: QAction) -> str:
    return action.text().replace("&", "")


class _CommandDelegate(QStyledItemDelegate):
    """Name on the left, menu beside it in grey, shortcut on the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, 28)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        colours = tokens(option.palette)
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        group = QPalette.ColorGroup.Normal if enabled else QPalette.ColorGroup.Disabled
        box = option.rect.adjusted(30, 0, -8, 0)
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setPen(option.palette.color(group, QPalette.ColorRole.Text))
        painter.drawText(box, centre | Qt.AlignmentFlag.AlignLeft, text)
        used = option.fontMetrics.horizontalAdvance(text) + 12
        painter.setPen(colours.muted)
        painter.drawText(box.adjusted(used, 0, 0, 0), centre | Qt.AlignmentFlag.AlignLeft, index.data(_MENU))
        painter.drawText(box, centre | Qt.AlignmentFlag.AlignRight, index.data(_KEYS))
        painter.restore()
