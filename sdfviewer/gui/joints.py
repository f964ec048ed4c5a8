"""The joints panel: a slider and a number box for each degree of freedom."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.elided import ElidedLabel
from sdfviewer.gui.named import named
from sdfviewer.gui.number_field import NumberField, format_number
from sdfviewer.gui.settings import Settings
from sdfviewer.gui.units import LENGTH, angle_step, from_radians, to_radians
from sdfviewer.session import Change, Session

STEPS = 2000
"""Positions of a slider from one end to the other."""
SWEEP_MILLISECONDS = 16
SWEEP_SECONDS = 4.0
LIFTED_ANGLE, LIFTED_LENGTH = 2 * math.pi, 2.0
"""How far a slider goes to both sides where there is no limit, or none that holds."""


@dataclass(frozen=True)
class Freedom:
    """One degree of freedom as the panel shows it; radians or metres.

    `joint` is the scoped name of its joint, `axis` which of the joint's freedoms it is; `follows` names the leader of a
    mimic joint.
    """

    joint: str
    axis: int
    name: str
    label: str
    angular: bool
    lower: float
    upper: float
    follows: str = ""

    def bounds(self, lifted: bool) -> tuple[float, float]:
        """Return where the slider ends."""
        reach = LIFTED_ANGLE if self.angular else LIFTED_LENGTH
        if lifted:
            return -reach, reach
        reach = math.pi if self.angular else 1.0
        return (
            self.lower if math.isfinite(self.lower) else min(-reach, self.upper),
            self.upper if math.isfinite(self.upper) else max(reach, self.lower),
        )


def freedoms(session: Session) -> tuple[Freedom, ...]:
    """Return all degrees of freedom of a file, in the order of the positions q."""
    kinematics = session.kinematics
    if kinematics is None:
        return ()
    found: list[Freedom] = []
    names = kinematics.model.names
    for dof in kinematics.dofs:
        joint = dof.joint
        axis = sum(known.joint == joint.name for known in found)
        mimic = joint.axes[axis].mimic if axis < len(joint.axes) else None
        # The top model's name before every label would say nothing.
        label = joint.name.removeprefix(f"{names[0]}::") + (f" [{axis}]" if axis else "")
        limits = (dof.lower, dof.upper)
        follows = "" if mimic is None else mimic.joint
        found.append(Freedom(joint.name, axis, dof.name, label, dof.unit == "rad", *limits, follows))
    return tuple(found)


class _NameLabel(ElidedLabel):
    """The name of a joint; a click selects it."""

    def __init__(self, panel: JointsPanel, freedom: Freedom) -> None:
        super().__init__(freedom.label)
        self._panel = panel
        self._freedom = freedom
        self.setToolTip(freedom.name + (f"\nfollows {freedom.follows}" if freedom.follows else ""))
        self.setMinimumWidth(64)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._panel.bridge.session.select((self._freedom.joint,), self._panel)

    def enterEvent(self, event: QEvent) -> None:
        self._panel.bridge.hover(self._freedom.joint)

    def leaveEvent(self, event: QEvent) -> None:
        self._panel.bridge.hover(None)


class _Row:
    """The widgets of one degree of freedom."""

    def __init__(self, panel: JointsPanel, freedom: Freedom) -> None:
        self.freedom = freedom
        self._panel = panel
        self.label = _NameLabel(panel, freedom)
        self.slider = named(QSlider(Qt.Orientation.Horizontal), f"Position of {freedom.name}")
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 20)
        self.slider.setMinimumWidth(72)
        self.field = NumberField(f"Position of {freedom.name}")
        self.field.setFixedWidth(68)
        self.unit = QLabel()
        self.unit.setProperty("role", "muted")
        for widget in (self.slider, self.field):
            widget.setEnabled(not freedom.follows)
        self.slider.valueChanged.connect(self._slide)
        self.field.committed.connect(self._type)
        self.slider.installEventFilter(panel)

    def show_unit(self) -> None:
        """Show the unit of the settings."""
        unit = self._panel.settings.angle_unit
        self.unit.setText(unit.value if self.freedom.angular else LENGTH)
        self.field.step = angle_step(unit) if self.freedom.angular else 0.01
        low, high = (self._shown(end) for end in self.freedom.bounds(False))
        self.slider.setToolTip(f"{self.freedom.name}: {format_number(low)} … {format_number(high)} {self.unit.text()}")

    def show_position(self, position: float) -> None:
        """Show a position."""
        low, high = self.freedom.bounds(self._panel.limits_lifted)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round((position - low) / (high - low) * STEPS) if high > low else 0)
        self.field.set_value(self._shown(position))

    def _shown(self, position: float) -> float:
        return from_radians(position, self._panel.settings.angle_unit) if self.freedom.angular else position

    def _slide(self, value: int) -> None:
        low, high = self.freedom.bounds(self._panel.limits_lifted)
        self._panel.put(self.freedom, low + (high - low) * value / STEPS)

    def _type(self, value: float) -> None:
        position = to_radians(value, self._panel.settings.angle_unit) if self.freedom.angular else value
        if not self._panel.limits_lifted:
            position = min(max(position, self.freedom.lower), self.freedom.upper)
        self._panel.put(self.freedom, position)


class JointsPanel(QWidget):
    """All degrees of freedom of one file."""

    #: Sweeping began or ended.
    sweep_changed = Signal(bool)

    def __init__(self, bridge: Bridge, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.settings = settings
        self.limits_lifted = False
        self.rows: dict[str, _Row] = {}
        self._sweep = QTimer(self, interval=SWEEP_MILLISECONDS)
        self._sweep.timeout.connect(self._sweep_on)
        self._phase = 0.0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._bar = QHBoxLayout()
        self._bar.setContentsMargins(8, 4, 8, 4)
        self._bar.setSpacing(4)
        column.addLayout(self._bar)
        self._area = QScrollArea(widgetResizable=True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(self._area, 1)
        self._count = QLabel()
        self._count.setProperty("role", "muted")
        self._bar.addWidget(self._count, 1)
        bridge.changed.connect(self._follow)
        settings.changed.connect(self._show_units)
        self._dofs: tuple[Freedom, ...] = ()
        self._build()

    def set_actions(self, actions: Iterable[QAction]) -> None:
        """Show actions of the window as buttons above the sliders."""
        for action in actions:
            button = named(QToolButton(), action.text())
            button.setIconSize(QSize(16, 16))
            button.setDefaultAction(action)
            self._bar.addWidget(button)

    # --- rows ------------------------------------------------------------------------------------------------------

    def _follow(self, change: Change) -> None:
        if change.document:
            self._build()
        if change.joints:
            self._show_positions()

    def _build(self) -> None:
        dofs = freedoms(self.bridge.session)
        if dofs == self._dofs and self._area.widget() is not None:
            self._show_positions()
            return
        self._dofs = dofs
        self.rows = {}
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(8, 4, 8, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 3)
        for number, freedom in enumerate(dofs):
            row = self.rows[freedom.name] = _Row(self, freedom)
            for place, widget in enumerate((row.label, row.slider, row.field, row.unit)):
                grid.addWidget(widget, number, place)
        if not dofs:
            hint = QLabel("No joint of this file can move.", alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
            hint.setProperty("role", "muted")
            grid.addWidget(hint, 0, 0, 1, 4)
        grid.setRowStretch(len(dofs) + 1, 1)
        self._area.setWidget(page)
        driven = sum(not freedom.follows for freedom in dofs)
        followers = len(dofs) - driven
        text = f"{driven} degree{'s' if driven != 1 else ''} of freedom"
        self._count.setText(text + (f", {followers} follower{'s' if followers != 1 else ''}" if followers else ""))
        self._show_units()

    def _show_units(self) -> None:
        for row in self.rows.values():
            row.show_unit()
        self._show_positions()

    def _show_positions(self) -> None:
        session = self.bridge.session
        if session.kinematics is None:
            return
        q = session.kinematics.positions(session.positions)
        for row, position in zip(self.rows.values(), q.tolist(), strict=True):
            row.show_position(position)

    # --- moving ----------------------------------------------------------------------------------------------------

    def put(self, freedom: Freedom, position: float) -> None:
        """Put one degree of freedom somewhere."""
        self._move_all({freedom: position})

    def _move_all(self, positions: Mapping[Freedom, float]) -> None:
        """Put some degrees of freedom somewhere; the other axes of their joints stay."""
        session = self.bridge.session
        values: dict[str, list[float]] = {}
        for freedom, position in positions.items():
            if freedom.follows:
                continue
            joint = values.setdefault(freedom.joint, list(session.positions.get(freedom.joint, ())))
            joint += [0.0] * (freedom.axis + 1 - len(joint))
            joint[freedom.axis] = position
        session.move_joints({name: tuple(numbers) for name, numbers in values.items()})

    def reset(self) -> None:
        """Put all joints at zero."""
        self.sweep(False)
        self.bridge.session.reset_joints()

    def randomise(self) -> None:
        """Put every joint somewhere within its limits."""
        generator = np.random.default_rng()
        self._move_all({freedom: float(generator.uniform(*freedom.bounds(False))) for freedom in self._dofs})

    def sweep(self, on: bool) -> None:
        """Start or stop moving every joint from limit to limit."""
        if on == self.sweeping:
            return
        self._phase = 0.0
        if on:
            self._sweep.start()
        else:
            self._sweep.stop()
        self.sweep_changed.emit(on)

    @property
    def sweeping(self) -> bool:
        """Whether the joints are moving by themselves."""
        return self._sweep.isActive()

    def _sweep_on(self) -> None:
        self._phase += SWEEP_MILLISECONDS / 1000 / SWEEP_SECONDS
        # Starting at each joint's zero, all ends are reached without a jump.
        wave = math.sin(2 * math.pi * self._phase)
        positions: dict[Freedom, float] = {}
        for freedom in self._dofs:
            low, high = freedom.bounds(False)
            positions[freedom] = wave * high if wave >= 0 else -wave * low
        self._move_all(positions)

    def lift_limits(self, on: bool) -> None:
        """Let joints go beyond their limits, or hold them again."""
        self.limits_lifted = self.bridge.limits_lifted = on
        self._show_positions()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        # A wheel that passes over a slider scrolls the panel and moves no joint.
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]
