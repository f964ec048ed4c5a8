"""A table of frames that were moved, added, removed or renamed, or changed body."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice

from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.labels import ARROW, ArrowDelegate
from sdfviewer.gui.kit.widgets import named
from sdfviewer.model.comparison.frames import Change, FrameDifference
from sdfviewer.number_text import format_shown

_FRAME, _CHANGE, _METRES, _RADIANS, _BODY = range(5)
_NUMBER = Qt.ItemDataRole.UserRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_DIGITS = 5
#: There is room for so many rows also where there are fewer.
_FEWEST_ROWS = 4
#: Part of the width that bodies have at most, pixels of a cell beside its text, and bodies that count for that.
_MOST_OF_BODIES, _MARGINS, _MOST_MEASURED = 0.25, 16, 50


class ChangedFrameTable(QTreeWidget):
    """The frames of a difference, sorted by any column; those that others took along stand below them."""

    #: The `FrameDifference`s that are selected.
    picked = Signal(list)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        named(self, "Frames that differ")
        self._settings = settings
        self._differences: Sequence[FrameDifference] = ()
        self._root = ""
        # Numbers of differences by the name of what moved them; the rows by their numbers, and those of the
        # frames that nothing else moved by their names.
        self._along: dict[str, list[int]] = {}
        self._items: dict[int, QTreeWidgetItem] = {}
        self._heads: dict[str, QTreeWidgetItem] = {}
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setColumnCount(5)
        header = self.header()
        header.setStretchLastSection(False)
        for column in (_METRES, _RADIANS):
            self.headerItem().setTextAlignment(column, _RIGHT)
        self._name_columns()
        for column, width in ((_CHANGE, 176), (_METRES, 96), (_RADIANS, 96)):
            header.resizeSection(column, width)
        header.setSectionResizeMode(_FRAME, QHeaderView.ResizeMode.Stretch)
        for column in (_FRAME, _BODY):
            self.setItemDelegateForColumn(column, ArrowDelegate(self))
        self.itemExpanded.connect(self._fill)
        self.itemSelectionChanged.connect(self._emit_picked)
        settings.changed.connect(self._show_unit)

    def _name_columns(self) -> None:
        angle = self._settings.angle_unit.value
        self.setHeaderLabels(["Frame", "Change", f"Moved [{LENGTH}]", f"Rotated [{angle}]", "Body"])

    def show_differences(self, differences: Sequence[FrameDifference], root: str = "") -> None:
        """Show another list; names are written without that of the root model."""
        chosen = [each.name for each in self.chosen]
        opened = {self._differences[number].name for number, item in self._items.items() if item.isExpanded()}
        self._differences, self._root = differences, root
        self._along, self._items, self._heads = {}, {}, {}
        for number, each in enumerate(differences):
            if each.along:
                self._along.setdefault(each.along, []).append(number)
        with QSignalBlocker(self):
            self.setSortingEnabled(False)
            self.clear()
            self._heads = {each.name: self._item(n) for n, each in enumerate(differences) if not each.along}
            self.addTopLevelItems(list(self._items.values()))
            for name in opened & self._heads.keys():
                self._fill(self._heads[name])
                self._heads[name].setExpanded(True)
            self.sortItems(_FRAME, Qt.SortOrder.AscendingOrder)
            self.setSortingEnabled(True)
        self._share_room()
        self.mark(chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Give bodies what they need, up to a part of the table, and names of frames the rest."""
        bodies = [item.text(_BODY) for item in islice(self._items.values(), _MOST_MEASURED)]
        widest = max(map(self.fontMetrics().horizontalAdvance, bodies), default=0) + _MARGINS
        least = self.header().sectionSizeHint(_BODY)
        self.header().resizeSection(_BODY, max(min(widest, round(_MOST_OF_BODIES * self.viewport().width())), least))

    @property
    def content_height(self) -> int:
        """Pixels of the header and of the rows, of a few where there are fewer."""
        rows = max(self.topLevelItemCount(), _FEWEST_ROWS)
        row = max(self.sizeHintForRow(0), self.fontMetrics().height())
        return self.header().sizeHint().height() + rows * row + 2 * self.frameWidth()

    @property
    def chosen(self) -> list[FrameDifference]:
        """The differences that are selected."""
        return [self._differences[item.data(_FRAME, _NUMBER)] for item in self.selectedItems()]

    def mark(self, names: Iterable[str]) -> None:
        """Select the rows of frames by their names, without a signal."""
        wanted = set(names)
        with QSignalBlocker(self):
            self.clearSelection()
            for number, each in enumerate(self._differences):
                if each.name not in wanted:
                    continue
                leader = self._heads.get(each.along)
                if leader is not None:
                    self._fill(leader)
                    leader.setExpanded(True)
                index = self.indexFromItem(self._items[number])
                rows = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
                self.selectionModel().select(index, rows)
                self.scrollTo(index)

    def _fill(self, item: QTreeWidgetItem) -> None:
        """Add what a frame took along, when it is requested: a model can take thousands."""
        each = self._differences[item.data(_FRAME, _NUMBER)]
        if not item.childCount():
            item.addChildren([self._item(number) for number in self._along.get(each.name, ()) if not item.parent()])

    def _item(self, number: int) -> QTreeWidgetItem:
        each = self._differences[number]
        item = _Item()
        self._items[number] = item
        item.setData(_FRAME, _NUMBER, number)
        item.setIcon(_FRAME, kind_icon(each.kind))
        name = self._short(each.name)
        if Change.RENAMED in each.changes:
            name = f"{self._short(each.before or '')}{ARROW}{name}"
        item.setText(_FRAME, name)
        item.setToolTip(_FRAME, name)
        along = self._along.get(each.name, []) if not each.along else []
        happened = ", ".join(change.value for change in each.changes)
        item.setText(_CHANGE, f"{happened}  (+{len(along)})" if along else happened)
        if along:
            item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            item.setToolTip(_CHANGE, f"{len(along)} more frame{'s' if len(along) > 1 else ''} moved with it")
        for column in (_METRES, _RADIANS):
            item.setTextAlignment(column, _RIGHT)
        if Change.MOVED in each.changes:
            self._show_numbers(item, each)
        body, before = self._short(each.body_after), self._short(each.body_before)
        if Change.BODY in each.changes:
            body = f"{before or 'none'}{ARROW}{body or 'none'}"
        item.setText(_BODY, body or before)
        item.setToolTip(_BODY, item.text(_BODY))
        return item

    def _show_numbers(self, item: QTreeWidgetItem, each: FrameDifference) -> None:
        angle = from_radians(each.radians, self._settings.angle_unit)
        for column, value in ((_METRES, each.metres), (_RADIANS, angle)):
            item.setText(column, format_shown(value, _DIGITS))
            item.setData(column, _NUMBER, value)

    def _show_unit(self) -> None:
        self._name_columns()
        for number, item in self._items.items():
            if Change.MOVED in self._differences[number].changes:
                self._show_numbers(item, self._differences[number])

    def _short(self, name: str) -> str:
        return name.removeprefix(f"{self._root}::") if self._root else name

    def _emit_picked(self) -> None:
        self.picked.emit(self.chosen)


class _Item(QTreeWidgetItem):
    """A row whose numbers sort as numbers and whose frames keep the order of the file."""

    def __lt__(self, other: QTreeWidgetItem) -> bool:
        tree = self.treeWidget()
        column = tree.sortColumn() if tree is not None else _FRAME
        mine, others = self.data(column, _NUMBER), other.data(column, _NUMBER)
        if column in (_FRAME, _METRES, _RADIANS):
            return (-math.inf if mine is None else mine) < (-math.inf if others is None else others)
        return self.text(column) < other.text(column)


def summarise(differences: Sequence[FrameDifference]) -> str:
    """Return in one sentence what happens to the frames: ``2 frames move and 3 with them, 1 appears``."""
    verbs = {
        Change.MOVED: ("moves", "move"),
        Change.APPEARED: ("appears", "appear"),
        Change.VANISHED: ("vanishes", "vanish"),
        Change.RENAMED: ("is renamed", "are renamed"),
        Change.KIND: ("changes its kind", "change their kind"),
        Change.BODY: ("changes its body", "change their body"),
        Change.UNDEFINED: ("loses its pose", "lose their pose"),
        Change.DEFINED: ("gets a pose", "get a pose"),
    }
    parts: list[str] = []
    for change, (one, many) in verbs.items():
        number = sum(change in each.changes and not each.along for each in differences)
        along = sum(change in each.changes and bool(each.along) for each in differences)
        if number:
            more = ""
            if along and change is Change.RENAMED:
                more = f": {number} directly, {along} because {_leaders(change, differences)} renamed"
                number += along
            elif along:
                more = f" and {along} more with {'it' if number == 1 else 'them'}"
            noun = "" if parts else (" frame" if number == 1 else " frames")
            parts.append(f"{number}{noun} {one if number == 1 else many}{more}")
    return ", ".join(parts) if parts else "No frame moves"


def _leaders(change: Change, differences: Sequence[FrameDifference]) -> str:
    """Return what some frames are in that took them along, with its verb: ``the link they are in is``."""
    names = {each.along for each in differences if change in each.changes and each.along}
    kinds = {each.kind for each in differences if each.name in names and change in each.changes}
    noun = kinds.pop() if len(kinds) == 1 else "frame"
    return f"the {noun} around them is" if len(names) == 1 else f"the {noun}s around them are"
