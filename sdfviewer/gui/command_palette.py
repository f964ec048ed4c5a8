"""The command palette: every action by a few letters of its name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.gui.fuzzy import match_score
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import tokens

_MENU = Qt.ItemDataRole.UserRole + 1
_KEYS = Qt.ItemDataRole.UserRole + 2
_COMMAND = Qt.ItemDataRole.UserRole + 3


@dataclass(frozen=True)
class Command:
    """An action and the menu it stands in."""

    menu: str
    action: QAction


class CommandPalette(QDialog):
    """A search line over a list of commands; Enter runs the best match."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("command_palette")
        self._commands = list(commands)
        self.search = named(QLineEdit(placeholderText="Type a command"), "Command")
        self.results = named(QListView(), "Matching commands")
        self.results.setItemDelegate(_CommandDelegate(self.results))
        self.results.setUniformItemSizes(True)
        self.results.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._model = QStandardItemModel(self)
        self.results.setModel(self._model)
        self._nothing = QLabel("No command matches.", alignment=Qt.AlignmentFlag.AlignCenter)
        self._nothing.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self.search)
        layout.addWidget(self.results)
        layout.addWidget(self._nothing)
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.search.returnPressed.connect(self.run_current)
        self.results.clicked.connect(lambda _index: self.run_current())
        self._filter("")

    def open_over(self, window: QWidget) -> None:
        """Show the palette at the top middle of a window."""
        width = min(560, window.width() - 32)
        height = min(420, window.height() - 64)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.setGeometry(QRect(corner.x() + (window.width() - width) // 2, corner.y() + 48, width, height))
        self.show()
        self.search.setFocus()

    def _filter(self, text: str) -> None:
        scored = [
            (score, position, command)
            for position, command in enumerate(self._commands)
            if (score := match_score(text, f"{command.menu}: {_plain(command.action)}")) is not None
        ]
        scored.sort(key=lambda entry: (-entry[0], entry[1]))
        self._model.clear()
        for _, _, command in scored:
            item = QStandardItem(command.action.icon(), _plain(command.action))
            item.setData(command.menu.replace("/", " › "), _MENU)
            item.setData(command.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText), _KEYS)
            item.setData(command, _COMMAND)
            item.setEnabled(command.action.isEnabled())
            item.setToolTip(command.action.toolTip())
            self._model.appendRow(item)
        self.results.setVisible(bool(scored))
        self._nothing.setVisible(not scored)
        enabled = (row for row in range(self._model.rowCount()) if self._model.item(row).isEnabled())
        self.results.setCurrentIndex(self._model.index(next(enabled, 0), 0))

    def run_current(self) -> None:
        """Close and run the command that is current, if it can be run now."""
        command = self.results.currentIndex().data(_COMMAND)
        if command is not None and command.action.isEnabled():
            self.accept()
            command.action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move through the list while the line has the focus."""
        moves = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in moves:
            QApplication.sendEvent(self.results, event)
            return True
        return super().eventFilter(watched, event)


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
