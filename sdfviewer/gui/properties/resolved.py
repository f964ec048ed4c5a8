"""Where the selection ends up: its pose in any other frame, at the joint positions as they stand."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.frame_picker import Choice, FramePicker
from sdfviewer.gui.icons import icon
from sdfviewer.gui.named import named
from sdfviewer.gui.number_field import format_exact, format_number
from sdfviewer.gui.pose_text import FORMS, Array
from sdfviewer.gui.properties.section import Section
from sdfviewer.gui.settings import Settings
from sdfviewer.gui.theme import tokens
from sdfviewer.gui.units import LENGTH, from_radians
from sdfviewer.semantics import Model
from sdfviewer.transforms import invert, matrix_to_pose

_NAMES = ("x", "y", "z", "roll", "pitch", "yaw")


class ResolvedSection(Section):
    """X_GF of the selected frame F in a frame G that the user picks; the root by default."""

    #: The user has picked another frame G.
    reference_changed = Signal()

    def __init__(self, bridge: Bridge, settings: Settings) -> None:
        super().__init__(bridge, settings)
        self.reference: str | None = None
        self.picker = FramePicker("Pose is shown in")
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(lambda choice: self.set_reference(choice.name))
        self.copy = named(QToolButton(), "Copy pose", "Copy the pose (Ctrl+Shift+C copies x y z roll pitch yaw)")
        self.copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copy)
        for name in FORMS:
            menu.addAction(f"Copy as {name}").triggered.connect(lambda _=False, name=name: self.copy_pose(name))
        self.copy.setMenu(menu)
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.picker, 1)
        row.addWidget(self.copy)
        self.add_row("resolved in", line, "The pose at the joint positions as they stand, measured from this frame")
        self.numbers = QWidget()
        grid = QGridLayout(self.numbers)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(2)
        self._values = []
        for number, name in enumerate(_NAMES):
            label = QLabel()
            label.setAlignment(label.alignment() | label.alignment().AlignRight)
            label.setAccessibleName(f"Resolved {name}")
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setTextInteractionFlags(label.textInteractionFlags().TextSelectableByMouse)
            grid.addWidget(label, number // 3, number % 3)
            grid.setColumnStretch(number % 3, 1)
            self._values.append(label)
        self._units = (QLabel(LENGTH), QLabel())
        for line_number, unit in enumerate(self._units):
            unit.setProperty("role", "muted")
            unit.setFixedWidth(24)
            grid.addWidget(unit, line_number, 3)
        self.add_row("", self.numbers)
        settings.changed.connect(self.show_pose)

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        if self.reference is not None and self.reference not in model.rows_by_name:
            self.reference = None
        reference = 0 if self.reference is None else model.rows_by_name[self.reference]
        self.picker.show_choice(model.names[reference], model.kinds[reference].value)
        self.copy.setIcon(icon("mdi6.content-copy", tokens(self.palette()).text))
        self.show_pose()

    @property
    def X_GF(self) -> Array | None:
        """The pose (4, 4) that is shown, None where it is undefined."""
        if self.row < 0 or self.bridge.session.model is None:
            return None
        X = self.bridge.session.X_RootF
        reference = 0 if self.reference is None else self.model.rows_by_name[self.reference]
        X_GF = invert(X[reference]) @ X[self.row]
        return X_GF if np.isfinite(X_GF).all() else None

    def show_pose(self) -> None:
        """Show the numbers anew: joints or units have changed."""
        X_GF = self.X_GF
        unit = self.settings.angle_unit
        self._units[1].setText(unit.value)
        self.copy.setEnabled(X_GF is not None)
        for number, label in enumerate(self._values):
            if X_GF is None:
                label.setText("–")
                label.setToolTip("The pose cannot be resolved; the problems list says why.")
                continue
            value = float(matrix_to_pose(X_GF)[number])
            value = from_radians(value, unit) if number >= 3 else value
            label.setText(format_number(value))
            label.setToolTip(f"{_NAMES[number]} = {format_exact(value)}")

    def set_reference(self, name: str | None) -> None:
        """Measure from another frame, by its scoped name; None for the root."""
        self.reference = name
        self.show_row(self.model, self.row)
        self.reference_changed.emit()

    def copy_pose(self, form: str) -> None:
        """Copy the pose to the clipboard in one of the `FORMS`."""
        X_GF = self.X_GF
        if X_GF is None:
            self.bridge.refused.emit("The pose of this frame cannot be resolved, so there is nothing to copy.")
            return
        QGuiApplication.clipboard().setText(FORMS[form](X_GF))
        self.bridge.said.emit(f"Copied as {form}")

    def _offer(self) -> None:
        model = self.model
        choices = []
        for row, (name, kind) in enumerate(zip(model.names, model.kinds, strict=True)):
            if kind.is_vertex and model.rows_by_name[name] == row:
                known = np.isfinite(model.X_RootF[row]).all()
                choices.append(Choice(name, name, kind.value, None if known else "Its own pose cannot be resolved."))
        self.picker.set_choices(choices)
