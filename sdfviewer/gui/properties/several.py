"""What several selected things have in common, and the note about a `relative_to` that says only the default."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.frame_picker import Choice, FramePicker
from sdfviewer.gui.number_field import parse_number
from sdfviewer.gui.properties.fields import MIXED, TextField
from sdfviewer.gui.properties.keep_choice import ask_what_stays
from sdfviewer.gui.properties.section import Section
from sdfviewer.gui.settings import AngleUnit, Settings
from sdfviewer.gui.units import LENGTH, from_radians, to_radians
from sdfviewer.semantics import Model
from sdfviewer.semantics.editing.poses.moving import Move
from sdfviewer.semantics.editing.poses.numbers import written_numbers
from sdfviewer.semantics.editing.poses.writing import set_pose_component
from sdfviewer.semantics.editing.properties.values import drop_redundant_relative_to, is_redundant_relative_to
from sdfviewer.semantics.editing.retargeting import common_targets, set_relative_to_all
from sdfviewer.semantics.values import NOISE, format_number
from sdfviewer.transforms import Array, matrix_to_pose

_COMPONENTS = ("x", "y", "z", "roll", "pitch", "yaw")


def describe_several(model: Model, rows: list[int]) -> str:
    """Return how many of what are selected: ``2 links, 1 joint``."""
    kinds = Counter(model.kinds[row].value.replace("_", " ") for row in rows)
    return ", ".join(f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in kinds.items())


class SeveralSection(Section):
    """`relative_to` and raw pose of several things: a number that is typed goes to all of them."""

    for_several = True

    def __init__(self, bridge: Bridge, settings: Settings) -> None:
        super().__init__(bridge, settings)
        self.rows: list[int] = []
        self.picker = FramePicker("relative_to")
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(lambda choice: self.make(lambda: self._compute(choice.name)))
        ask_what_stays(self.picker, bridge, settings, self._compute)
        self.add_row("relative_to", self.picker, "The frame that all of these poses are measured from")
        self.fields = [TextField(name, "", self._check) for name in _COMPONENTS]
        self._units = (QLabel(LENGTH), QLabel())
        for caption, first in (("position", 0), ("rotation", 3)):
            line = QWidget()
            grid = QGridLayout(line)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(4)
            for place in range(3):
                field = self.fields[first + place]
                field.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
                field.committed.connect(lambda value, number=first + place: self._commit(number, value))
                grid.addWidget(field, 0, place)
                grid.setColumnStretch(place, 1)
            unit = self._units[first // 3]
            unit.setProperty("role", "muted")
            unit.setFixedWidth(24)
            grid.addWidget(unit, 0, 3)
            self.add_row(caption, line, f"A number goes to all selected things; {MIXED} where they differ")
        settings.changed.connect(self._refresh)

    def applies(self, model: Model, row: int) -> bool:
        return True

    def show_row(self, model: Model, row: int) -> None:
        self.show_rows(model, [row])

    def show_rows(self, model: Model, rows: list[int]) -> None:
        """Show what is common to some rows."""
        self.row, self.rows = rows[-1], rows
        editable = all(self.is_editable(row) and row > 0 for row in rows)
        written = {model.relative_to_written[row] for row in rows}
        self.picker.setEnabled(editable)
        if len(written) > 1:
            self.picker.show_choice(MIXED, None, "The selected things differ here")
        else:
            name = written.pop()
            self.picker.show_choice(name or "default", None, name or "relative_to is not written")
        self._show_numbers(np.array([written_numbers(model, row) for row in rows]), editable)

    def show_move(self, move: Move | None) -> None:
        if move is None:
            self.show_rows(self.model, self.rows)
        else:
            self._show_numbers(matrix_to_pose(move.raw_poses(self.rows)), editable=True)

    def _show_numbers(self, poses: Array, editable: bool) -> None:
        """Show what is common to poses (k, 6)."""
        unit = self.settings.angle_unit
        self._units[1].setText(unit.value)
        same = np.ptp(poses, axis=0) <= NOISE
        for number, field in enumerate(self.fields):
            value = float(poses[0, number])
            if number >= 3:
                value = from_radians(value, unit)
            field.show_value(format_number(value) if same[number] else MIXED, "", editable)

    def _refresh(self) -> None:
        if self.row >= 0 and self.isVisible():
            self.show_rows(self.model, self.rows)

    def _offer(self) -> None:
        model = self.model
        choices = [Choice(None, "their defaults", "model")]
        choices += [Choice(name, name, model.kinds[row].value) for name, row in common_targets(model, self.rows)]
        self.picker.set_choices(choices)

    def _compute(self, name: str | None) -> Edit:
        return set_relative_to_all(self.model, self.rows, name, self.settings.keep.value)

    @staticmethod
    def _check(text: str) -> str | None:
        try:
            parse_number(text)
        except ValueError as error:
            return str(error)
        return None

    def _commit(self, number: int, text: str | None) -> None:
        value = parse_number(text) if text is not None else 0.0
        if number >= 3:
            value = to_radians(value, AngleUnit(self.settings.angle_unit))
        self.make(lambda: set_pose_component(self.model, self.rows, number, value))


class RedundantSection(Section):
    """Says that `relative_to` is written but says only the default, and takes it out on request."""

    def __init__(self, bridge: Bridge, settings: Settings) -> None:
        super().__init__(bridge, settings)
        self.note = QLabel('This relative_to says only the default. <a href="remove">Remove it</a>', wordWrap=True)
        self.note.setProperty("role", "muted")
        self.note.setAccessibleName("relative_to says only the default")
        self.note.linkActivated.connect(lambda _link: self._remove())
        self.form.addRow(self.note)

    def applies(self, model: Model, row: int) -> bool:
        return row > 0 and self.is_editable(row) and is_redundant_relative_to(model, row)

    def show_row(self, model: Model, row: int) -> None:
        self.row = row

    def _remove(self) -> None:
        self.make(lambda: drop_redundant_relative_to(self.model, self.row))
