"""The table of frames that differ between the two conventions, sorted by one of its columns."""

from __future__ import annotations

import math
from heapq import nlargest
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPixmap

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, AngleUnit
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.labels import ARROW
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.scene.marks import colours
from sdfviewer.scene.nodes import Floats

Index = QModelIndex | QPersistentModelIndex
FRAME, METRES, ANGLE, CAUSE = range(4)
SORTED = {Qt.SortOrder.AscendingOrder: "▴", Qt.SortOrder.DescendingOrder: "▾"}
"""What a header says of the order of its column: the mark of a styled header would cover right-aligned text."""
_SWATCH = 10
_DIGITS, _MEASURED = 5, 8
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
