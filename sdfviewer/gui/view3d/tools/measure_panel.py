"""The list of measurements, in the corner of the 3D view where it covers nothing that is measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from PySide6.QtCore import QItemSelectionModel, QPoint, QRect, QSignalBlocker, Qt
from PySide6.QtGui import QFontDatabase, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ArrowDelegate
from sdfviewer.gui.kit.widgets import named, set_menu, styled
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.tools.measuring import Anchor, AnchorKind, Reading, Relation, Row, format_csv, format_text
from sdfviewer.transforms import matrix_to_rpy

_MARGIN = 8
_WIDTH, _ROWS = 380, 5
"""Width in pixels, and how many measurements are visible at once."""
_LOW = 540
"""Height in pixels of a view of which all the advice and headings would take a third, as on a screen of 768 rows."""
_SHORT_HINTS = ("Click the first thing to measure.", "Click the second thing to measure.")
_HINTS = {
    0: "Click the first thing to measure: a frame, axis, vertex, edge or face. Ctrl+click for the surface point.",
    1: "Click the second thing to measure.",
}
_RELATIONS = {
    Relation.TO_PLANE: "Distance to the plane of the face",
    Relation.PARALLEL: "Parallel",
    Relation.SAME_PLANE: "Parallel, 0 apart: in the same plane",
    Relation.IN_PLANE: "Parallel, 0 apart: the line is in the plane",
    Relation.SAME_LINE: "Parallel, 0 apart: on the same line",
}
_CIRCLE_HINT = "Shift+click adds a third point: the circle through them."


class Picked(Protocol):
    """What the panel needs of its tool."""

    on: bool

    picked: tuple[Anchor, ...]

    @property
    def rows(self) -> list[Row]:
        """The measurements with what they say."""

    def show(self) -> None:
        """Update the panel."""


class MeasurePanel(QFrame):
    """Names, distances and angles of all measurements, and the numbers of the chosen one."""

    def __init__(self, canvas: SceneWidget, tool: Picked) -> None:
        super().__init__(canvas)
        styled(self, "tools").setObjectName("measure_panel")
        self._canvas, self._tool = canvas, tool
        self._pose_of: Callable[[str], Floats | None] = lambda _name: None
        self._advice = ""
        self._is_low = False
        self._corner = (True, True)
        """Whether it is on the right, and whether it is below."""
        self._placed_for: tuple[object, ...] = ()
        self._unfolds: bool | None = None
        """What the user has chosen; before that it is folded in a low view."""
        self._hint = styled(QLabel(wordWrap=True), "muted")
        self.table = self._build_table()
        self._numbers = QLabel()
        self._numbers.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._numbers.setToolTip(
            "p_AB: position of B in A, where A is picked first\nr p y: roll, pitch and yaw that turn A to B\n"
            "x y z: from A to B along the axes of the frame chosen below\n"
            "centre: of the circle, in the frame chosen below"
        )
        self.frame = named(
            QComboBox(
                sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon,
                minimumContentsLength=10,
            ),
            "Frame of the components",
            "The frame of the x, y and z components",
        )
        self.frame.currentIndexChanged.connect(self._show_numbers)
        canvas.settings.changed.connect(self._follow_unit)
        self.copy, self.remove, self.more = self._build_buttons()
        top = QHBoxLayout()
        top.addWidget(self._hint, 1)
        top.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        tools = QHBoxLayout()
        components = QLabel("x y z in")
        tools.addWidget(components)
        tools.addWidget(self.frame, 1)
        tools.addWidget(self.copy)
        tools.addWidget(self.remove)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.table)
        column.addWidget(self._numbers)
        column.addLayout(tools)
        self._list: tuple[QWidget, ...] = (self.table, self.more)
        self._folded: tuple[QWidget, ...] = (self._numbers, components, self.frame, self.copy, self.remove)
        self.hide()

    def _build_buttons(self) -> tuple[QToolButton, QToolButton, QToolButton]:
        copy = named(
            QToolButton(popupMode=QToolButton.ToolButtonPopupMode.MenuButtonPopup),
            "Copy the measurements",
            "Copy all measurements as text, or as CSV",
        )
        copy.setIcon(icon("mdi6.content-copy"))
        menu = QMenu(copy)
        menu.addAction("Copy as Text").triggered.connect(lambda: self.copy_rows(format_text))
        menu.addAction("Copy as CSV").triggered.connect(lambda: self.copy_rows(format_csv))
        set_menu(copy, menu)
        copy.clicked.connect(lambda: self.copy_rows(format_text))
        remove = named(QToolButton(), "Remove measurements", "Remove the selected measurements, or all")
        remove.setIcon(icon("mdi6.trash-can-outline"))
        remove.clicked.connect(self._remove)
        more = named(QToolButton(), "Components", "Show or hide the components of the chosen measurement")
        more.clicked.connect(self._fold)
        for button in (copy, remove, more):
            button.setAutoRaise(True)
        return copy, remove, more

    @property
    def _is_unfolded(self) -> bool:
        return not self._is_low if self._unfolds is None else self._unfolds

    def _fold(self) -> None:
        self._unfolds = not self._is_unfolded
        self._tool.show()

    def _follow_unit(self) -> None:
        if self._tool.on:
            self._tool.show()

    def _build_table(self) -> QTableWidget:
        table = named(QTableWidget(0, 3), "Measurements")
        for place, title in enumerate(("Name", _measure(()), "Angle")):
            table.setHorizontalHeaderItem(place, _heading(title, place))
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(22)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        header = table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.setItemDelegateForColumn(0, ArrowDelegate(table))
        table.setWordWrap(False)  # a name would break at a space, and end there
        table.itemChanged.connect(self._rename)
        table.itemSelectionChanged.connect(self._show_numbers)
        return table

    @property
    def text(self) -> str:
        """What is read of the chosen measurement."""
        return self._numbers.text()

    # --- showing ---------------------------------------------------------------------------------------------------

    def show_hint(self, anchor: Anchor | None) -> None:
        """Say what a click would pick, and what is next where one thing is picked, or what to do if it picks nothing.

        The hint takes the room of the advice, so that the list keeps its place under a moving mouse.
        """
        metrics, room = self._hint.fontMetrics(), self._hint.width()
        text = (
            self._advice
            if anchor is None
            else "\n".join(
                metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, room)
                for line in self._hints(anchor, metrics, room)
            )
        )
        self._hint.setText(text)

    def _hints(self, anchor: Anchor, metrics: QFontMetrics, room: int) -> list[str]:
        """Return the lines about what is under the mouse; after a click that is what was picked."""
        picked = self._tool.picked
        is_picked = any((one.kind, one.frame, one.label) == (anchor.kind, anchor.frame, anchor.label) for one in picked)
        if self._is_low:
            return [self._advice if is_picked else _called(anchor)]
        if picked:
            return [_called(anchor), self._advice if is_picked else "Click to measure to it."]
        return _lines(anchor, metrics, room)

    def refuse(self, reason: str) -> None:
        """Say why what was picked is not measured, until something else is pointed at."""
        self._hint.setText(reason)

    def show_rows(self, rows: Sequence[Row], picked: Sequence[Anchor], pose_of: Callable[[str], Floats | None]) -> None:
        """Show measurements, and what to pick next."""
        self._pose_of = pose_of
        self._is_low = self._canvas.height() < _LOW
        hint = (_SHORT_HINTS if self._is_low and rows else _HINTS)[min(len(picked), 1)]
        self._advice = hint if picked or not rows or self._is_low else f"{hint} {_CIRCLE_HINT}"
        self._hint.setText(self._advice)
        self._hint.setMinimumHeight((1 if self._is_low else 2) * self._hint.fontMetrics().lineSpacing())
        is_unfolded = self._is_unfolded
        arrow = f"mdi6.chevron-{'up' if is_unfolded else 'down'}"
        self.more.setIcon(icon(arrow))
        for widget in self._list:
            widget.setVisible(bool(rows))
        for widget in self._folded:
            widget.setVisible(bool(rows) and is_unfolded)
        is_new = len(rows) > self.table.rowCount()
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(rows))
            for number, (measurement, reading) in enumerate(rows):
                for place, text in enumerate((measurement.name, *self._values(reading))):
                    item = self.table.item(number, place) or QTableWidgetItem()
                    item.setText(text)
                    item.setToolTip(" to ".join(_called(anchor) for anchor in measurement.anchors))
                    if place:
                        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                    if self.table.item(number, place) is None:
                        self.table.setItem(number, place, item)
            if rows and (is_new or self.table.currentRow() < 0):
                # With Ctrl held for a point of the surface, `selectRow` would add the row to what is selected.
                self.table.selectionModel().setCurrentIndex(
                    self.table.model().index(len(rows) - 1, 0),
                    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
                )
        self.table.setHorizontalHeaderItem(1, _heading(_measure(rows), 1))
        self.table.setHorizontalHeaderItem(2, _heading(f"Angle [{self._canvas.settings.angle_unit.value}]", 2))
        self.table.setColumnHidden(2, not any(self._angle(reading) for _, reading in rows))
        shown = min(max(len(rows), 1), 1 if self._is_low else _ROWS)
        header = self.table.horizontalHeader()
        header.setVisible(not self._is_low)
        self.table.setFixedHeight((0 if self._is_low else header.sizeHint().height()) + 22 * shown + 4)
        self._offer_frames(rows)
        self._show_numbers()

    def _offer_frames(self, rows: Sequence[Row]) -> None:
        """Offer the root, the frames that are measured from, and the selection, for the components."""
        model = self._canvas.document_context.session.model
        if model is None:
            return
        anchors = [anchor.frame for row, _ in rows for anchor in row.anchors if anchor.kind is AnchorKind.FRAME]
        names = list(dict.fromkeys([model.names[0], *anchors, *self._canvas.document_context.session.selection]))
        if [self.frame.itemData(k) for k in range(self.frame.count())] == names:
            return
        chosen = self.frame.currentData()
        with QSignalBlocker(self.frame):
            self.frame.clear()
            for name in names:
                self.frame.addItem(visible(name), name)
            self.frame.setCurrentIndex(max(self.frame.findData(chosen), 0) if chosen else 0)

    def _values(self, reading: Reading | None) -> tuple[str, str]:
        """Return the cells of a measurement: where the table has no header, with their units."""
        values = _length(reading), self._angle(reading)
        if not self._is_low:
            return values
        length, angle = (f"{value} {unit}" if value else "" for value, unit in zip(values, self._units, strict=True))
        return length, angle

    @property
    def _units(self) -> tuple[str, str]:
        return LENGTH, self._canvas.settings.angle_unit.value

    def _angle(self, reading: Reading | None) -> str:
        if reading is None or reading.angle is None:
            return ""
        return f"{from_radians(reading.angle, self._canvas.settings.angle_unit):.5f}"

    def _axes(self) -> Floats:
        """Return the pose (4, 4) of the frame along whose axes the components are."""
        X = self._pose_of(self.frame.currentData() or "")
        return np.eye(4) if X is None or not np.isfinite(X).all() else X

    def _show_numbers(self) -> None:
        rows, number = self._tool.rows, self.table.currentRow()
        reading = rows[number][1] if 0 <= number < len(rows) else None
        if reading is None:
            self._numbers.setText("Cannot be measured" if rows else "")
        else:
            x, y, z = reading.components(self._axes()).tolist()
            lines = [_row("x y z" if reading.radius is None else "centre", (x, y, z), LENGTH)]
            if reading.radius is not None:
                lines.insert(0, f"Circle through 3 points, radius {reading.radius:.5f} {LENGTH}")
            if reading.X_AB is not None:
                unit = self._canvas.settings.angle_unit
                rpy = [from_radians(angle, unit) for angle in matrix_to_rpy(reading.X_AB[:3, :3]).tolist()]
                lines = [_row("p_AB", reading.X_AB[:3, 3].tolist(), LENGTH), _row("r p y", rpy, unit.value), *lines]
            if reading.relation is not None:
                lines.append(_RELATIONS[reading.relation])
            self._numbers.setText("\n".join(lines))
        beside = self._canvas.width() - self._canvas.covered_by_tools.right() - 1 - 2 * _MARGIN
        fits = beside >= self._column.minimumSize().width()
        self.setFixedWidth(min(_WIDTH, beside if fits else max(self._canvas.width() - 2 * _MARGIN, 120)))
        self._column.activate()  # else what has been folded still counts for the least height
        # `adjustSize` would keep a height for the list while there is none.
        self.resize(self.width(), self._column.totalHeightForWidth(self.width()))
        self.place()

    def place(self) -> None:
        """Take the corner in which it covers the fewest of the things that are measured.

        It changes the corner only when something is picked, and only for a better one.
        """
        picked = (self._tool.picked, tuple(self._canvas.document_context.session.measurements))
        if picked != self._placed_for:
            self._placed_for = picked
            points = self._points()
            # From the best: at the right below, where it covers neither the tools nor the view cube.
            corners = [self._corner, (True, True), (False, True), (True, False), (False, False)]
            self._corner = min(corners, key=lambda corner: _count(QRect(self._place(*corner), self.size()), points))
        self.move(self._place(*self._corner))
        self.raise_()  # in a small view it may reach below the tools

    def _place(self, is_right: bool, is_low: bool) -> QPoint:
        """Return the upper left corner of the panel in a corner of the view.

        On the left it is beside the tools, and below it is above the notices.
        """
        canvas = self._canvas
        right = max(canvas.width() - self.width() - _MARGIN, _MARGIN)
        left = min(canvas.covered_by_tools.right() + 1 + _MARGIN, right)
        x, notices = right if is_right else left, canvas.covered_by_notices
        low = canvas.height() - self.height() - _MARGIN
        if notices.intersects(QRect(x, low, self.width(), self.height())):
            low = notices.top() - self.height() - _MARGIN
        return QPoint(x, max(low, _MARGIN) if is_low else _MARGIN)

    def _points(self) -> Floats:
        """Return where in the view the ends of the last measurement are, and what is picked of the next one."""
        canvas, last = self._canvas, self._tool.rows[-1:]
        points = [reading.ends for _, reading in last if reading is not None]
        poses = [(anchor, self._pose_of(anchor.frame)) for anchor in self._tool.picked]
        points += [(X @ anchor.X_FA)[None, :3, 3] for anchor, X in poses if X is not None]
        if not points:
            return np.zeros((0, 2))
        pixels, depth = canvas.camera.project(np.concatenate(points), canvas.width(), max(canvas.height(), 1))
        return np.asarray(pixels[depth > 0])

    # --- what the user does ----------------------------------------------------------------------------------------

    def copy_rows(self, form: Callable[[Sequence[Row], Floats, str], str]) -> None:
        """Copy all measurements in one of the forms."""
        QGuiApplication.clipboard().setText(form(self._tool.rows, self._axes(), self.frame.currentData() or ""))

    def _rename(self, item: QTableWidgetItem) -> None:
        session = self._canvas.document_context.session
        name = item.text().strip()
        measurements = list(session.measurements)
        if item.column() == 0 and name and item.row() < len(measurements):
            measurements[item.row()] = replace(measurements[item.row()], name=name)
            session.set_measurements(measurements)

    def _remove(self) -> None:
        session = self._canvas.document_context.session
        chosen = {index.row() for index in self.table.selectionModel().selectedRows()}
        kept = [each for number, each in enumerate(session.measurements) if number not in chosen]
        session.set_measurements(kept if chosen else ())


def _count(covered: QRect, points: Floats) -> int:
    """Return how many of some points (k, 2) a rectangle covers, or nearly so."""
    around = covered.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
    return sum(around.contains(round(x), round(y)) for x, y in points.tolist())


def _heading(title: str, place: int) -> QTableWidgetItem:
    """Return the heading of a column, over its name or its numbers."""
    item = QTableWidgetItem(title)
    side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
    item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return item


def _called(anchor: Anchor) -> str:
    kind = anchor.kind.value.capitalize()
    return f"{kind} {anchor.label}" if anchor.kind is AnchorKind.FRAME else f"{kind} of {anchor.label}"


def _lines(anchor: Anchor, metrics: QFontMetrics, room: int) -> list[str]:
    """Return the name of an anchor, on a separate line if it is too long."""
    called = _called(anchor)
    if metrics.horizontalAdvance(called) <= room:
        return [called]
    return [called.removesuffix(anchor.label).rstrip(), anchor.label]


def _measure(rows: Sequence[Row]) -> str:
    """Return the heading of the lengths: what they are of."""
    is_circle = {reading.radius is not None for _, reading in rows if reading is not None}
    what = {frozenset({True}): "Radius", frozenset({True, False}): "Length"}
    return f"{what.get(frozenset(is_circle), 'Distance')} [{LENGTH}]"


def _length(reading: Reading | None) -> str:
    """Return the distance in metres, of a circle the radius."""
    if reading is None:
        return ""
    return f"{reading.distance:.5f}" if reading.radius is None else f"R {reading.radius:.5f}"


def _row(name: str, values: Sequence[float], unit: str) -> str:
    # What rounds to zero has no sign; adding zero turns -0.0 into 0.0.
    return f"{name:<7}" + "".join(f"{round(value, 5) + 0.0:>11.5f}" for value in values) + f"  {unit}"
