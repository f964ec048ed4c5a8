"""The raw pose: three lengths and three angles in the frame that `relative_to` names."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.number_field import NumberField
from sdfviewer.gui.properties.section import Section
from sdfviewer.gui.settings import Settings
from sdfviewer.gui.units import LENGTH, angle_step, from_radians, to_radians
from sdfviewer.semantics import Model
from sdfviewer.semantics.editing import refactor
from sdfviewer.transforms import matrix_to_pose, pose_to_matrix

_NAMES = ("x", "y", "z", "roll", "pitch", "yaw")


class PoseSection(Section):
    """Six numbers; only those that change are written anew."""

    def __init__(self, bridge: Bridge, settings: Settings) -> None:
        super().__init__(bridge, settings)
        self.fields = [NumberField(name) for name in _NAMES]
        self._units = (QLabel(LENGTH), QLabel())
        for caption, first in (("position", 0), ("rotation", 3)):
            line = QWidget()
            grid = QGridLayout(line)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(4)
            for place in range(3):
                grid.addWidget(self.fields[first + place], 0, place)
                grid.setColumnStretch(place, 1)
            unit = self._units[first // 3]
            unit.setProperty("role", "muted")
            unit.setFixedWidth(24)
            grid.addWidget(unit, 0, 3)
            tip = "x, y, z" if first == 0 else "roll, pitch, yaw about the fixed axes x, y, z"
            self.add_row(caption, line, tip)
        for field in self.fields:
            field.committed.connect(self._commit)
        settings.changed.connect(self._show_unit)
        self._raw = np.zeros(6)
        self._show_unit()

    def applies(self, model: Model, row: int) -> bool:
        return row > 0 or not model.is_world

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        # As written where six numbers are: a pitch beyond 90° does not come back from a matrix.
        exact = row in model.scope.exact_poses
        self._raw = matrix_to_pose(model.raw_poses[row]) if exact else np.array(model.scope.raw_poses[row], dtype=float)
        for number, field in enumerate(self.fields):
            field.setReadOnly(not self.is_editable(row))
            field.set_value(self._shown(number))

    def _shown(self, number: int) -> float:
        value = float(self._raw[number])
        # Sixteen digits: a written 0.1 comes back as 0.1 from a rotation matrix.
        value = from_radians(value, self.settings.angle_unit) if number >= 3 else value
        return float(f"{value:.15g}")

    def _show_unit(self) -> None:
        unit = self.settings.angle_unit
        self._units[1].setText(unit.value)
        for number, field in enumerate(self.fields):
            field.step = angle_step(unit) if number >= 3 else 0.01
            field.set_value(self._shown(number))

    def _commit(self) -> None:
        if self.row < 0:
            return
        pose = self._raw.copy()
        for number, field in enumerate(self.fields):
            if field.value != self._shown(number):
                pose[number] = to_radians(field.value, self.settings.angle_unit) if number >= 3 else field.value
        row = self.row
        self.make(lambda: refactor.set_raw_pose(self.model, row, pose_to_matrix(pose)))
