"""Tables of frames: of those that two versions have otherwise, and of those that differ between the two conventions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from heapq import nlargest
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, AngleUnit, from_radians
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.labels import ARROW, ArrowDelegate
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import named
from sdfviewer.model.comparison.frames import Change, FrameDifference
from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.scene.marks import colours
from sdfviewer.scene.nodes import Floats

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


Index = QModelIndex | QPersistentModelIndex
FRAME, METRES, ANGLE, CAUSE = range(4)
SORTED = {Qt.SortOrder.AscendingOrder: "▴", Qt.SortOrder.DescendingOrder: "▾"}
"""What a header says of the order of its column: the mark of a styled header would cover right-aligned text."""
_SWATCH = 10
_MEASURED = 8
_MOST_DECIMALS, _NOTHING = 9, 1e-9
"""Below a nanometre all is rounding."""
_DEFAULT = "Default → in URDF"
_ABOUT = {
    METRES: "How far the frame is from its place in the URDF convention. The square has its colour in the 3D view.",
    ANGLE: "How far the frame is rotated from its orientation in the URDF convention.",
    CAUSE: "What a pose without relative_to is relative to, in SDFormat → in URDF; or which frame moves this one.",
}


class ConventionTable(QAbstractTableModel):
    """One row for each frame that differs.

    Attributes
    ----------
    farthest
        Rows of the frame table, largest difference first: of distance or rotation, whichever is the larger share.
    rows
        The same, in the order shown.
    has_rotated
        Whether one of them is rotated.
    """

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._comparison: Comparison | None = None
        self._differences: Differences | None = None
        self._sorted = METRES, Qt.SortOrder.DescendingOrder
        self._ranks: tuple[Comparison, Floats] | None = None
        self._metres: Floats = np.zeros(0)
        self._radians: Floats = np.zeros(0)
        self._columns: dict[int, tuple[Floats, int]] = {}
        self._colours: Floats = np.zeros((0, 3))
        self.farthest: list[int] = []
        self.has_rotated = False
        self.rows: list[int] = []
        settings.changed.connect(self._take_settings)

    def show_differences(self, comparison: Comparison | None, differences: Differences | None) -> None:
        """Show how far frames are apart now, without visuals, sensors and others that move with their link."""
        rows: list[int] = []
        if comparison is not None and differences is not None:
            is_vertex = comparison.model.is_vertex.tolist()
            rows = [row for row in differences.rows if is_vertex[row]]
        self._differences, self.farthest = differences, rows
        self.has_rotated = differences is not None and bool((differences.radians[rows] > _NOTHING).any())
        if comparison is self._comparison and len(rows) == len(self.rows):
            # The same frames, perhaps in another order: keep the selection and the scroll position.
            self._arrange()
            self._repaint()
            return
        self.beginResetModel()
        self._comparison = comparison
        self._arrange()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; of equal rows those that differ most come first."""
        self._sorted = column, order
        self.layoutAboutToBeChanged.emit()
        self._arrange()
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, FRAME, CAUSE)

    def _arrange(self) -> None:
        """Put the rows into the order shown."""
        rows, differences = np.array(self.farthest, dtype=np.intp), self._differences
        if differences is not None and len(rows):
            column, order = self._sorted
            keys = self._keys(column, rows, differences)
            rows = rows[np.argsort(-keys if order == Qt.SortOrder.DescendingOrder else keys, kind="stable")]
            self._metres, self._radians = differences.metres[rows], differences.radians[rows]
            self._colours = colours(differences.shares[rows], dark=tokens().dark)
        self.rows = rows.tolist()
        self._format_columns()

    def _keys(self, column: int, rows: NDArray[np.intp], differences: Differences) -> Floats:
        """Return a number (k,) for each of some rows that sorts them by a column."""
        if column == METRES:
            return np.nan_to_num(differences.metres[rows], nan=np.inf)
        if column == ANGLE:
            return np.nan_to_num(differences.radians[rows], nan=np.inf)
        assert self._comparison is not None
        if self._ranks is None or self._ranks[0] is not self._comparison:
            self._ranks = self._comparison, _ranks(self._comparison.model)
        ranks = self._ranks[1]
        if column == FRAME:
            return ranks[rows]
        # By the two names of those that are a cause themselves, then by the name of the frame that moves the others.
        causes, most = self._comparison.causes[rows], float(len(ranks))
        here, there = (ranks[each.relative_to[rows]] for each in (self._comparison.absolute, self._comparison.relative))
        keys = np.where(causes == rows, here * most + there, most**2 + ranks[causes])
        return np.where(causes < 0, np.inf, keys)

    def _format_columns(self) -> None:
        """Choose the decimals of each column, as many as its largest number needs: a column is compared at a glance."""
        degrees = self._settings.angle_unit is AngleUnit.DEGREES
        for column, values in (
            (METRES, self._metres),
            (ANGLE, np.degrees(self._radians) if degrees else self._radians),
        ):
            largest = float(values[np.isfinite(values)].max(initial=0.0))
            decimals = _DIGITS - 1 - math.floor(math.log10(largest)) if largest > _NOTHING else 0
            self._columns[column] = (values, min(max(decimals, 0), _MOST_DECIMALS))

    def _take_settings(self) -> None:
        self._format_columns()
        self._repaint()

    def _repaint(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, CAUSE))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, METRES, ANGLE)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                angle = self._settings.angle_unit.value
                text = ("Frame", f"Distance [{LENGTH}]", f"Rotated [{angle}]", _DEFAULT)[section]
                column, order = self._sorted
                return f"{text} {SORTED[order]}" if section == column else text
            if role == Qt.ItemDataRole.ToolTipRole:
                return _ABOUT.get(section)
            if section in (METRES, ANGLE):
                if role == Qt.ItemDataRole.TextAlignmentRole:
                    return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                if role == Qt.ItemDataRole.InitialSortOrderRole:
                    return Qt.SortOrder.DescendingOrder
        return None

    def longest_name(self, metrics: QFontMetrics) -> int:
        """Return the width in pixels of the longest name of a frame; of thousands only the longest are measured."""
        longest = nlargest(_MEASURED, map(self._short, self.rows), key=len)
        return max(map(metrics.horizontalAdvance, longest), default=0)

    def reason(self, number: int) -> str:
        """Return in words why a frame differs."""
        if self._comparison is None:
            return ""
        text = self._comparison.reason(self.rows[number])
        if not text and not np.isfinite(self._metres[number]):
            text = "its pose is defined in only one of the conventions"
        return text.replace(f"'{self._comparison.model.names[0]}::", "'")

    def why(self, number: int) -> str:
        """Return in a few words why a frame differs; `reason` has the sentence."""
        comparison, row = self._comparison, self.rows[number]
        cause = int(comparison.causes[row]) if comparison is not None else -1
        if comparison is None or cause < 0:
            return self.reason(number)
        if cause != row:
            return f"moves with {self._called(cause, row)}"
        here, there = (int(convention.relative_to[row]) for convention in (comparison.absolute, comparison.relative))
        return f"{self._called(here, row)}{ARROW}{self._called(there, row)}"

    def _called(self, other: int, row: int) -> str:
        """Return the name by which the element of a row may refer to another row: the shortest that is clear there."""
        model = self._comparison.model if self._comparison is not None else None
        name = model.name_in(int(model.scopes[row]), other) if model is not None and other >= 0 else None
        return self._short(other) if name is None else name

    def _short(self, row: int) -> str:
        """Return a name without that of the top model, which before every name would say nothing."""
        if self._comparison is None or row < 0:
            return "?"
        names = self._comparison.model.names
        return names[row].removeprefix(f"{names[0]}::")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        number, column = index.row(), index.column()
        if self._comparison is None:
            return None
        model, row = self._comparison.model, self.rows[number]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(model, number, column)
        if role == Qt.ItemDataRole.DecorationRole and column in (FRAME, METRES):
            kind = kind_icon(model.kinds[row].value)
            return kind if column == FRAME else swatch(self._colours[number])
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (METRES, ANGLE):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{self.why(number)}\n{self.reason(number)}" if column == CAUSE else model.names[row]
        return None

    def _text(self, model: Model, number: int, column: int) -> str:
        if column == FRAME:
            return self._short(self.rows[number])
        if column == CAUSE:
            return self.why(number)
        values, decimals = self._columns[column]
        value = float(values[number])
        return f"{value:.{decimals}f}" if math.isfinite(value) else format_shown(value)


def _ranks(model: Model) -> Floats:
    """Return the place of each frame (n,) in the order of their names; 0 for what is no frame."""
    vertices = np.flatnonzero(model.is_vertex).tolist()
    ranks = np.zeros(len(model))
    ranks[sorted(vertices, key=lambda row: model.names[row].casefold())] = np.arange(len(vertices))
    return ranks


def swatch(colour: Floats) -> QIcon:
    """Return a small square of a colour, which is the same in a selected row: it is compared with the colour key."""
    picture = QPixmap(_SWATCH, _SWATCH)
    picture.fill(QColor.fromRgbF(*(float(channel) for channel in colour)))
    square = QIcon(picture)
    square.addPixmap(picture, QIcon.Mode.Selected)
    return square
