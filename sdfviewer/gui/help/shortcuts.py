"""The sheet of all shortcuts: searchable, and each can be changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QAction, QColor, QFontMetrics, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import command_name, set_shortcut
from sdfviewer.gui.kit.labels import draw_marked, text_box
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import column_of, named, resize_on_screen, row_of, styled
from sdfviewer.language.fuzzy import best_matches

_ID = Qt.ItemDataRole.UserRole
_MARKS = Qt.ItemDataRole.UserRole + 1
"""The places of the letters of a command that a search has matched."""
_NATIVE = QKeySequence.SequenceFormat.NativeText
_COMMAND, _KEYS = 0, 1
_PADDING = 24
"""Pixels on both sides of the keys."""


class ShortcutSheet(QDialog):
    """All actions with their keys, by menu.

    Parameters
    ----------
    commands
        The actions with the path of their menu.
    defaults
        Their keys before anything was changed, by id.
    synonyms_of
        Gives what else people call an action.
    """

    def __init__(
        self,
        commands: Sequence[tuple[str, QAction]],
        defaults: Mapping[str, str],
        synonyms_of: Callable[[QAction], str],
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard Shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, 720, 680)
        self._actions = {action.objectName(): action for _, action in commands}
        self._menu_of = {action.objectName(): menu for menu, action in commands}
        self._synonyms = {action.objectName(): synonyms_of(action) for _, action in commands}
        self._defaults, self._settings = defaults, settings
        self._items: dict[str, QTreeWidgetItem] = {}
        self._menus: dict[str, QTreeWidgetItem] = {}
        self.search = named(QLineEdit(placeholderText="Find by name or shortcut", clearButtonEnabled=True), "Find")
        self.table = named(QTreeWidget(), "Shortcuts")
        self.table.setUniformRowHeights(True)
        self.table.setColumnCount(2)
        self.table.setHeaderLabels(["Command", "Keys"])
        self.table.header().setSectionResizeMode(_COMMAND, QHeaderView.ResizeMode.Stretch)
        self.table.header().setStretchLastSection(False)
        self.table.setItemDelegateForColumn(_COMMAND, _CommandDelegate(self.table))
        self.nothing = styled(QLabel("No match", self.table.viewport()), "muted")
        self.nothing.move(8, 8)
        self.nothing.hide()
        self.keys = named(QKeySequenceEdit(), "Shortcut of the command")
        self.problem = styled(QLabel(wordWrap=True), "error")
        self.reset_button = QPushButton("Reset")
        self.reset_button.setToolTip("Restore the default shortcut of this command")
        self.reset_all_button = QPushButton("Reset All")
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.table.currentItemChanged.connect(lambda *_items: self._show_current())
        self.keys.editingFinished.connect(lambda: self.change(self.keys.keySequence()))
        self.reset_button.clicked.connect(self._reset)
        self.reset_all_button.clicked.connect(self.reset_all)
        self._show_current()
        # The commands come in a pass of their own: to make them takes as long as to open the dialog.
        QTimer.singleShot(0, self, partial(self._fill, commands))

    def _lay_out(self) -> None:
        row = row_of(QLabel("New shortcut"), (self.keys, 1), self.reset_button)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.reset_all_button, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.rejected.connect(self.reject)
        for button in (self.reset_button, self.reset_all_button):  # Enter in a field must not change anything
            button.setAutoDefault(False)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        column_of(self.search, (self.table, 1), row, self.problem, buttons, parent=self, margins=12, spacing=8)
        self.problem.hide()

    def _fill(self, commands: Sequence[tuple[str, QAction]]) -> None:
        own = self._settings.shortcuts
        rows: dict[str, list[QTreeWidgetItem]] = {}
        for menu, action in commands:
            id = action.objectName()
            item = self._items[id] = QTreeWidgetItem([command_name(action), ""])
            item.setData(_COMMAND, _ID, id)
            item.setToolTip(_COMMAND, action.statusTip())
            self._show_keys(id, is_own=id in own)
            rows.setdefault(menu, []).append(item)
        for menu, items in rows.items():
            heading = self._menus[menu] = QTreeWidgetItem(self.table, [menu.replace("/", " › ")])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            heading.setExpanded(True)
            heading.addChildren(items)  # all at once: the table would hear of each text of an item that is in it
        self._size_keys()
        if self.search.text():
            self._filter(self.search.text())

    def _size_keys(self) -> None:
        """Give the keys the width that they need, once: a column as wide as what a search finds would jump."""
        font = self.table.font()
        font.setBold(True)  # as those that the user has changed are
        metrics = QFontMetrics(font)
        widest = max((metrics.horizontalAdvance(item.text(_KEYS)) for item in self._items.values()), default=0)
        self.table.header().resizeSection(_KEYS, widest + _PADDING)

    def _show_keys(self, id: str, *, is_own: bool) -> None:
        item, action = self._items[id], self._actions[id]
        item.setText(_KEYS, ", ".join(keys.toString(_NATIVE) for keys in action.shortcuts()))
        font = item.font(_KEYS)
        if font.bold() != is_own:
            font.setBold(is_own)
            item.setFont(_KEYS, font)

    def _filter(self, text: str) -> None:
        wanted, rows, shown = text.strip().lower(), list(self._items.items()), set[str]()
        found = best_matches(
            text, ((item.text(_COMMAND), f"{self._menu_of[id]} {self._synonyms[id]}") for id, item in rows)
        )
        for number, (id, item) in enumerate(rows):
            match = found.get(number)
            item.setData(_COMMAND, _MARKS, () if match is None else match.positions)
            fits = match is not None or wanted in item.text(_KEYS).lower()
            item.setHidden(not fits)
            if fits:
                shown.add(self._menu_of[id])
        for menu, heading in self._menus.items():
            heading.setHidden(menu not in shown)
        self.nothing.setVisible(bool(rows) and not shown)  # before the commands are there it says nothing

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
        self._show_keys(id, is_own=id in shortcuts)
        self._show_current()

    def _reset(self) -> None:
        if self.current:
            self._set(self.current, self._defaults[self.current])

    def reset_all(self) -> None:
        """Restore the default keys of all actions."""
        for id in dict(self._settings.shortcuts):
            if id in self._actions:
                self._set(id, self._defaults[id])


class _CommandDelegate(QStyledItemDelegate):
    """The name of a command, with the letters marked that a search has matched."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        marked = index.data(_MARKS)
        if not marked:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        box = text_box(option).adjusted(2, 0, -2, 0)
        shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width() - len(marked))
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_selected else QPalette.ColorRole.Text
        colour = option.palette.color(role)
        mark = colour if is_selected else QColor(tokens(option.palette).accent)
        painter.save()
        draw_marked(painter, box, text, marked, option.font, colour, mark, shown)
        painter.restore()
