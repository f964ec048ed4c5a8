"""The sheet of all shortcuts: searchable, and each can be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.widgets.named import named
from sdfviewer.gui.widgets.shortcuts import command_name, set_shortcut

_ID = Qt.ItemDataRole.UserRole
_NATIVE = QKeySequence.SequenceFormat.NativeText
_COMMAND, _KEYS = 0, 1


class ShortcutSheet(QDialog):
    """All actions with their keys, by menu.

    Parameters
    ----------
    commands
        The actions with the path of their menu.
    defaults
        Their keys before anything was changed, by id.
    """

    def __init__(
        self,
        commands: Sequence[tuple[str, QAction]],
        defaults: Mapping[str, str],
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard Shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        room = self.screen().availableGeometry().size() - QSize(80, 120)
        self.resize(QSize(720, 680).boundedTo(room))
        self._actions = {action.objectName(): action for _, action in commands}
        self._defaults, self._settings = defaults, settings
        self._items: dict[str, QTreeWidgetItem] = {}
        self.search = named(QLineEdit(placeholderText="Find by name or shortcut", clearButtonEnabled=True), "Find")
        self.table = named(QTreeWidget(), "Shortcuts")
        self.table.setColumnCount(2)
        self.table.setHeaderLabels(["Command", "Keys"])
        self.table.header().setSectionResizeMode(_COMMAND, QHeaderView.ResizeMode.Stretch)
        self.table.header().setStretchLastSection(False)
        self.keys = named(QKeySequenceEdit(), "Shortcut of the command")
        self.problem = QLabel(wordWrap=True)
        self.problem.setProperty("role", "error")
        self.reset_button = QPushButton("Reset")
        self.reset_button.setToolTip("Restore the default shortcut of this command")
        self.reset_all_button = QPushButton("Reset All")
        self._fill(commands)
        self.table.resizeColumnToContents(_KEYS)  # once: a column as wide as what a search finds would jump
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.table.currentItemChanged.connect(lambda *_items: self._show_current())
        self.keys.editingFinished.connect(lambda: self.change(self.keys.keySequence()))
        self.reset_button.clicked.connect(self._reset)
        self.reset_all_button.clicked.connect(self.reset_all)
        self._show_current()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(QLabel("New shortcut"))
        row.addWidget(self.keys, 1)
        row.addWidget(self.reset_button)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.reset_all_button, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.rejected.connect(self.reject)
        for button in (self.reset_button, self.reset_all_button):  # Enter in a field must not change anything
            button.setAutoDefault(False)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self.table, 1)
        column.addLayout(row)
        column.addWidget(self.problem)
        column.addWidget(buttons)
        self.problem.hide()

    def _fill(self, commands: Sequence[tuple[str, QAction]]) -> None:
        menus: dict[str, QTreeWidgetItem] = {}
        for menu, action in commands:
            if menu not in menus:
                menus[menu] = QTreeWidgetItem(self.table, [menu.replace("/", " › ")])
                menus[menu].setFlags(Qt.ItemFlag.ItemIsEnabled)
                menus[menu].setExpanded(True)
            item = QTreeWidgetItem(menus[menu], [command_name(action), ""])
            item.setData(_COMMAND, _ID, action.objectName())
            item.setToolTip(_COMMAND, action.statusTip())
            self._items[action.objectName()] = item
            self._show_keys(action.objectName())

    def _show_keys(self, id: str) -> None:
        item, action = self._items[id], self._actions[id]
        item.setText(_KEYS, ", ".join(keys.toString(_NATIVE) for keys in action.shortcuts()))
        font = item.font(_KEYS)
        font.setBold(id in self._settings.shortcuts)
        item.setFont(_KEYS, font)

    def _filter(self, text: str) -> None:
        wanted = text.lower()
        for number in range(self.table.topLevelItemCount()):
            menu = self.table.topLevelItem(number)
            assert menu is not None
            shown = 0
            for place in range(menu.childCount()):
                item = menu.child(place)
                assert item is not None
                fits = wanted in f"{menu.text(0)} {item.text(_COMMAND)} {item.text(_KEYS)}".lower()
                item.setHidden(not fits)
                shown += fits
            menu.setHidden(not shown)

    @property
    def current(self) -> str:
        """The id of the action chosen, empty where none is."""
        item = self.table.currentItem()
        return str(item.data(_COMMAND, _ID) or "") if item is not None else ""

    def choose(self, id: str) -> None:
        """Choose an action."""
        self.table.setCurrentItem(self._items[id])

    def _show_current(self) -> None:
        id = self.current
        self.problem.hide()
        self.keys.setEnabled(bool(id))
        self.reset_button.setEnabled(id in self._settings.shortcuts)
        self.keys.setKeySequence(self._actions[id].shortcut() if id else QKeySequence())

    def change(self, keys: QKeySequence) -> None:
        """Give the chosen action other keys, unless another action of the same place has them; none is allowed."""
        id = self.current
        if not id or keys == self._actions[id].shortcut():
            return
        context = self._actions[id].shortcutContext()
        taken = next(
            (
                action
                for other, action in self._actions.items()
                if other != id and action.shortcutContext() is context and keys in action.shortcuts()
            ),
            None,
        )
        if taken is not None and not keys.isEmpty():
            name = command_name(taken)
            self.problem.setText(f"{keys.toString(_NATIVE)} belongs to “{name}”. Change that one first.")
            self.problem.show()
            return
        self._set(id, keys.toString())

    def _set(self, id: str, keys: str) -> None:
        shortcuts = dict(self._settings.shortcuts)
        if keys == self._defaults[id]:
            shortcuts.pop(id, None)
        else:
            shortcuts[id] = keys
        self._settings.shortcuts = shortcuts
        set_shortcut(self._actions[id], keys)
        self._show_keys(id)
        self._show_current()

    def _reset(self) -> None:
        if self.current:
            self._set(self.current, self._defaults[self.current])

    def reset_all(self) -> None:
        """Restore the default keys of all actions."""
        for id in dict(self._settings.shortcuts):
            if id in self._actions:
                self._set(id, self._defaults[id])
