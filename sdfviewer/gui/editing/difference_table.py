"""A table of frames that moved, appeared, vanished, or changed body or name."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from sdfviewer.gui.icons import kind_icon
from sdfviewer.gui.named import named
from sdfviewer.gui.number_field import format_number
from sdfviewer.gui.settings import AngleUnit
from sdfviewer.gui.theme import tokens
from sdfviewer.gui.units import LENGTH, from_radians
from sdfviewer.semantics.difference import Change, FrameDifference

_FRAME, _CHANGE, _METRES, _RADIANS, _BODY = range(5)
_NUMBER = Qt.ItemDataRole.UserRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class DifferenceTable(QTreeWidget):
    """The frames of a difference, sorted by any column."""

    #: The names before and after of the frames that are selected: `FrameDifference`s.
    picked = Signal(object)

    def __init__(self, unit: AngleUnit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "Frames that differ")
        self._unit = unit
        self._differences: Sequence[FrameDifference] = ()
        self.setHeaderLabels(["Frame", "Change", f"Moved, {LENGTH}", f"Turned, {unit.value}", "Body"])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (_FRAME, _BODY):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for column in (_METRES, _RADIANS):
            self.headerItem().setTextAlignment(column, _RIGHT)
        self.itemSelectionChanged.connect(self._tell)

    def show_differences(self, differences: Sequence[FrameDifference]) -> None:
        """Show another list."""
        self._differences = differences
        colours = tokens(self.palette())
        self.setSortingEnabled(False)
        self.clear()
        for number, each in enumerate(differences):
            item = _Item()
            item.setData(_FRAME, _NUMBER, number)
            item.setIcon(_FRAME, kind_icon(each.kind, colours))
            renamed = Change.RENAMED in each.changes
            item.setText(_FRAME, f"{each.before} → {each.after}" if renamed else each.name)
            item.setToolTip(_FRAME, item.text(_FRAME))
            item.setText(_CHANGE, ", ".join(change.value for change in each.changes))
            if Change.MOVED in each.changes:
                for column, value in ((_METRES, each.metres), (_RADIANS, from_radians(each.radians, self._unit))):
                    item.setText(column, format_number(value))
                    item.setData(column, _NUMBER, value)
            for column in (_METRES, _RADIANS):
                item.setTextAlignment(column, _RIGHT)
            changed = Change.BODY in each.changes
            body = f"{each.body_before or 'none'} → {each.body_after or 'none'}" if changed else each.body_after
            item.setText(_BODY, body or each.body_before)
            item.setToolTip(_BODY, item.text(_BODY))
            self.addTopLevelItem(item)
        self.sortItems(_FRAME, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def _tell(self) -> None:
        self.picked.emit([self._differences[item.data(_FRAME, _NUMBER)] for item in self.selectedItems()])


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
    """Return in one sentence what happens to the frames: ``2 frames move, 1 appears``."""
    verbs = {
        Change.MOVED: ("moves", "move"),
        Change.APPEARED: ("appears", "appear"),
        Change.VANISHED: ("vanishes", "vanish"),
        Change.RENAMED: ("gets another name", "get another name"),
        Change.KIND: ("becomes another kind of frame", "become another kind of frame"),
        Change.BODY: ("gets another body", "get another body"),
        Change.UNDEFINED: ("loses its pose", "lose their pose"),
        Change.DEFINED: ("gets a pose", "get a pose"),
    }
    parts: list[str] = []
    for change, (one, many) in verbs.items():
        number = sum(change in each.changes for each in differences)
        if number:
            noun = "" if parts else (" frame" if number == 1 else " frames")
            parts.append(f"{number}{noun} {one if number == 1 else many}")
    return ", ".join(parts) if parts else "No frame moves"
