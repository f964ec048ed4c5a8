"""The resolved pose of the selection in any frame, at the current joint positions."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import COPY_POSE, tooltip
from sdfviewer.gui.kit.fields import LENGTH, WIDE_NUMBER, NumberLabel
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import column_of, line_of, named, set_menu
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_exact
from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.refactoring.poses.notation import FORMS, Notation, numbers_of
from sdfviewer.transforms import POSE_PARTS, QUATERNION_PARTS, Array, invert

_UNIT_WIDTH = 24
_GAP = 10


class ResolvedSection(PropertySection):
    """X_GF of the selected frame F in a frame G that the user picks; the root by default."""

    #: The user has picked another frame G.
    reference_changed = Signal()

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.reference: str | None = None
        self.picker = FramePicker("Pose is shown in")
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(lambda choice: self.set_reference(choice.name))
        self.copy = named(
            QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup),
            "Copy pose",
            tooltip("Copy the pose as x y z roll pitch yaw", COPY_POSE.keys),
        )
        self.copy.setIcon(icon("mdi6.content-copy"))
        menu = QMenu(self.copy)
        for name in FORMS:
            menu.addAction(f"Copy as {name}").triggered.connect(lambda _=False, name=name: self.copy_pose(name))
        set_menu(self.copy, menu)
        line = line_of((self.picker, 1), self.copy)
        self.add_row("resolved in", line, "The pose at the current joint positions, relative to this frame")
        self.numbers = QWidget()
        column = column_of(parent=self.numbers, margins=0, spacing=2)
        self._values = []
        for _ in QUATERNION_PARTS:
            self._values.append(NumberLabel())
        self._units = (QLabel(LENGTH), QLabel())
        for unit in self._units:
            unit.setProperty("role", "muted")
            unit.setFixedWidth(_UNIT_WIDTH)
        for line_number, labels in enumerate((self._values[:3], self._values[3:])):
            numbers = QHBoxLayout()
            numbers.setSpacing(_GAP)
            for label in labels:
                numbers.addWidget(label, 1)
            numbers.addWidget(self._units[line_number])
            column.addLayout(numbers)
        self.add_row("", self.numbers).setFixedHeight(0)
        settings.changed.connect(self.show_pose)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the numbers the whole width, as in *Why here?*, where all digits have no room beside the caption."""
        super().resizeEvent(event)
        wanted = 3 * (self.fontMetrics().horizontalAdvance(WIDE_NUMBER) + _GAP) + _UNIT_WIDTH
        self.numbers.setMinimumWidth(min(wanted, self.form.contentsRect().width()))

    def applies(self, model: Model, row: int) -> bool:
        return model.kinds[row] is not Kind.WORLD  # that all others are measured from

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        if self.reference is not None and self.reference not in model.rows_by_name:
            self.reference = None
        reference = 0 if self.reference is None else model.rows_by_name[self.reference]
        self.picker.show_choice(model.shown_name(reference), model.kinds[reference].value)
        self.show_pose()

    @property
    def X_GF(self) -> Array | None:
        """The pose (4, 4) that is shown, None where it is undefined."""
        if self.row < 0 or self.context.session.model is None:
            return None
        X = self.context.motion.X_RootF
        reference = 0 if self.reference is None else self.model.rows_by_name[self.reference]
        X_GF = invert(X[reference]) @ X[self.row]
        return X_GF if np.isfinite(X_GF).all() else None

    def show_pose(self) -> None:
        """Update the numbers: joints or units have changed."""
        X_GF = self.X_GF
        notation = self.settings.notation
        is_quaternion = notation is Notation.QUATERNION
        names = QUATERNION_PARTS if is_quaternion else POSE_PARTS
        self._units[1].setText(self.settings.angle_unit.value)
        self._units[1].setVisible(not is_quaternion)
        self._values[-1].setVisible(is_quaternion)
        self.copy.setEnabled(X_GF is not None)
        numbers = [math.nan] * len(names) if X_GF is None else numbers_of(X_GF, notation)
        for label, name, value in zip(self._values, names, numbers, strict=False):
            if label.accessibleName() != (title := f"Resolved {name}"):
                label.setAccessibleName(title)
            label.show_number(value)
            tip = (
                "The pose cannot be resolved; see the problems." if X_GF is None else f"{name} = {format_exact(value)}"
            )
            if tip != label.toolTip():  # each change is an event
                label.setToolTip(tip)

    def show_move(self, move: Move | None) -> None:
        self.show_pose()

    def set_reference(self, name: str | None) -> None:
        """Measure from another frame, by its scoped name; None for the root."""
        self.reference = name
        self.show_row(self.model, self.row)
        self.reference_changed.emit()

    def copy_pose(self, form: str) -> None:
        """Copy the pose to the clipboard in one of the `FORMS`."""
        X_GF = self.X_GF
        if X_GF is None:
            self.context.messages.refuse("The pose of this frame cannot be resolved, so there is nothing to copy.")
            return
        QGuiApplication.clipboard().setText(FORMS[form](X_GF))
        self.context.messages.show(f"Copied as {form}")

    def _offer(self) -> None:
        model = self.model
        choices = []
        for row, (name, kind) in enumerate(zip(model.names, model.kinds, strict=True)):
            if kind.is_vertex and model.rows_by_name[name] == row:
                known = np.isfinite(model.X_RootF[row]).all()
                choices.append(
                    FrameChoice(
                        name, model.shown_name(row), kind.value, None if known else "its own pose cannot be resolved"
                    )
                )
        self.picker.set_choices(choices)
