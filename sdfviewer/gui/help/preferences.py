"""All preferences in one dialog; each takes effect at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from sdfviewer.gui.context.settings import DOWNLOADS, QUATERNIONS, Settings
from sdfviewer.gui.kit.fields import AngleUnit, from_radians, to_radians
from sdfviewer.gui.kit.theme import Choice
from sdfviewer.gui.kit.widgets import column_of, named, styled
from sdfviewer.refactoring.templates import SIMULATORS
from sdfviewer.scene.camera import NAVIGATION
from sdfviewer.versions import format_version

_Value = TypeVar("_Value")
_LEAST_ANGLE = math.radians(0.1)
_THEMES = {Choice.SYSTEM: "Follow System", Choice.LIGHT: "Light", Choice.DARK: "Dark"}
_UNITS = {AngleUnit.RADIANS: "Radians", AngleUnit.DEGREES: "Degrees"}
_MICE = {"gazebo": "Gazebo", "rviz": "RViz", "web": "Web"}


class Preferences(QDialog):
    """The settings that a user may want to change.

    Parameters
    ----------
    open_folders, open_shortcuts
        Open the dialogs for model folders and for shortcuts.
    """

    def __init__(
        self,
        settings: Settings,
        open_folders: Callable[[], object],
        open_shortcuts: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings = settings
        self._form = QFormLayout(horizontalSpacing=16, verticalSpacing=8)
        self._heading("Appearance")
        self.theme = self._choice("Theme", _THEMES, settings.theme, self._set_theme)
        self._heading("Units and poses")
        self.unit = self._choice("Angles", _UNITS, settings.angle_unit, self._set_unit)
        self.quaternions = QCheckBox("Show rotations as quaternions")
        self.quaternions.setChecked(settings.flag(QUATERNIONS, False))
        self.quaternions.toggled.connect(lambda on: settings.set_flag(QUATERNIONS, on))
        self._form.addRow("", self.quaternions)
        self._heading("3D view")
        mice = {name: _MICE.get(name, name) for name in NAVIGATION}
        self.navigation = self._choice("Mouse navigation", mice, settings.navigation, self._set_navigation)
        self.snap_length = self._number("Snap distance", " m", 0.0001, 10.0, 4, settings.snap_length)
        self.snap_length.valueChanged.connect(lambda step: setattr(settings, "snap_length", step))
        self.snap_angle = self._number("Snap angle", "", 0.0, 0.0, 1, 0.0)
        self._show_snap_angle()
        self.snap_angle.valueChanged.connect(self._set_snap_angle)
        settings.changed.connect(self._show_snap_angle)
        self._heading("Files and keys")
        simulators = {name: f"{name} (SDFormat {format_version(version)})" for name, version in SIMULATORS.items()}
        self.simulator = self._choice("New files are for", simulators, settings.simulator, self._set_simulator)
        self.downloads = QCheckBox("Allow downloads of missing models")
        self.downloads.setToolTip(
            "Nothing is downloaded unless you ask for it. Without this, the window never uses the network."
        )
        self.downloads.setChecked(settings.flag(DOWNLOADS, True))
        self.downloads.toggled.connect(lambda on: settings.set_flag(DOWNLOADS, on))
        self._form.addRow("", self.downloads)
        self.folders_button = QPushButton("Model Folders…")
        self.folders_button.clicked.connect(lambda _=False: open_folders())
        self.shortcuts_button = QPushButton("Keyboard Shortcuts…")
        self.shortcuts_button.clicked.connect(lambda _=False: open_shortcuts())
        self.forget_button = QPushButton("Clear Recent Files")
        self.forget_button.clicked.connect(settings.forget_recent_files)
        for button in (self.folders_button, self.shortcuts_button, self.forget_button):
            self._form.addRow("", button)
            button.setAutoDefault(False)  # Enter in a field must not press the first of them
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column_of(self._form, buttons, parent=self, margins=(20, 16, 20, 16), spacing=16)

    def _heading(self, text: str) -> None:
        heading = styled(QLabel(text), "heading")
        self._form.addRow(heading)

    def _choice(self, label: str, names: Mapping[_Value, str], now: _Value, then: Callable[[], None]) -> QComboBox:
        box = named(QComboBox(), label)
        for value, name in names.items():
            box.addItem(name, value)
        box.setCurrentIndex(list(names).index(now))
        box.activated.connect(lambda _index: then())
        self._form.addRow(label, box)
        return box

    def _number(self, label: str, unit: str, low: float, high: float, digits: int, now: float) -> QDoubleSpinBox:
        box = named(QDoubleSpinBox(decimals=digits), label)
        box.setRange(low, high)
        box.setSuffix(unit)
        # Qt leaves out the padding of the style sheet here: numbers begin where the texts of the other fields do.
        box.lineEdit().setTextMargins(3, 0, 0, 0)
        box.setFixedHeight(self.theme.sizeHint().height())
        box.setValue(now)
        self._form.addRow(label, box)
        return box

    def _set_theme(self) -> None:
        self._settings.theme = Choice(self.theme.currentData())

    def _set_unit(self) -> None:
        self._settings.angle_unit = AngleUnit(self.unit.currentData())

    def _show_snap_angle(self) -> None:
        """Show the angle in the unit that is chosen."""
        unit, box = self._settings.angle_unit, self.snap_angle
        is_degrees = unit is AngleUnit.DEGREES
        with QSignalBlocker(box):
            box.setDecimals(1 if is_degrees else 4)
            box.setRange(from_radians(_LEAST_ANGLE, unit), from_radians(math.pi, unit))
            box.setSingleStep(1.0 if is_degrees else 0.01)
            box.setSuffix(unit.value if is_degrees else f" {unit.value}")
            box.setValue(from_radians(self._settings.snap_angle, unit))

    def _set_snap_angle(self, step: float) -> None:
        with QSignalBlocker(self.snap_angle):
            self._settings.snap_angle = to_radians(step, self._settings.angle_unit)

    def _set_simulator(self) -> None:
        self._settings.simulator = self.simulator.currentData()

    def _set_navigation(self) -> None:
        self._settings.navigation = self.navigation.currentData()
