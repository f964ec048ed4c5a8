"""The motion that the motion strip plays, computed in the background, what happens in it, and how it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import visible
from sdfviewer.gui.kit.fields import LENGTH, AngleUnit, from_radians
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.motion import (
    Easing,
    Keyframe,
    ReachedLimit,
    SweepPath,
    Timeline,
    Trajectory,
    make_sweep,
)
from sdfviewer.model.kinematics.tree import body_of
from sdfviewer.number_text import format_shown
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.scene.contacts import Onset


SWEEP_SECONDS, SWEEP_SAMPLES = 4.0, 121
"""A sweep takes so long, and has its positions at so many times."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A motion that can be played.

    Attributes
    ----------
    trajectory
        Joint positions over time.
    sweep
        The sweep that it shows, None for a timeline.
    path
        Points (k, 3) that the traced frame passes, None where none is traced.
    limits
        The limits that a sweep reaches.
    opens_at
        Where a sweep opens a loop, None where it does not.
    """

    trajectory: Trajectory
    sweep: SweepPath | None = None
    path: Array | None = None
    limits: tuple[ReachedLimit, ...] = ()
    opens_at: float | None = None

    @property
    def samples(self) -> tuple[Array, Array]:
        """Times (k,) and positions (k, m) at which the motion is examined."""
        return (
            self.trajectory.sample(SWEEP_SAMPLES) if self.sweep is None else (self.trajectory.times, self.trajectory.q)
        )

    def value_at(self, time: float) -> float:
        """Return the position of the joint that is swept at a time, the time itself for a timeline."""
        if self.sweep is None:
            return time
        return float(np.interp(time, self.trajectory.times, self.sweep.values))


def plan_sweep(kinematics: Kinematics, q: Array, column: int, traced: int | None) -> Plan:
    """Return the sweep of a degree of freedom from limit to limit, and the way of the frame in a row."""
    sweep = make_sweep(kinematics, q, column, samples=SWEEP_SAMPLES)
    trajectory = Trajectory(np.linspace(0.0, SWEEP_SECONDS, SWEEP_SAMPLES), sweep.configurations)
    path = None if traced is None else sweep.path(traced)
    return Plan(trajectory, sweep, path, sweep.limits_reached, sweep.opens_at)


def plan_timeline(kinematics: Kinematics, timeline: Timeline, traced: int | None) -> Plan | None:
    """Return the motion through keyframes, and the way of the frame in a row; None where there are no keyframes."""
    trajectory = timeline.trajectory(kinematics)
    if trajectory is None:
        return None
    path = None
    if traced is not None:
        _, q = trajectory.sample(SWEEP_SAMPLES)
        path = np.asarray(kinematics.poses(q, [traced])[:, 0, :3, 3])
    return Plan(trajectory, path=path)


def read_timeline(path: Path, kinematics: Kinematics, columns: Sequence[str] | None = None) -> tuple[Timeline, str]:
    """Return the keyframes of a CSV file of joint states, and a sentence about what was read.

    Its first line names the columns unless ``columns`` does.

    Raises
    ------
    SdfViewerError
        If it cannot be read.
    """
    from sdfviewer.model.kinematics.joint_states import parse_joint_states  # noqa: PLC0415  # not needed for the first picture

    try:
        states = parse_joint_states(path.read_text(encoding="utf-8-sig"), kinematics, columns)
    except (OSError, UnicodeDecodeError, SdfViewerError) as error:
        raise SdfViewerError(f"{path.name}: {error}") from error
    times = states.trajectory.times - states.trajectory.start
    keyframes = [
        Keyframe(time, kinematics.joint_positions(q), easing=Easing.LINEAR)
        for time, q in zip(times.tolist(), states.trajectory.q, strict=True)
    ]
    ignored = f"; no joint has the columns {', '.join(states.ignored)}" if states.ignored else ""
    return Timeline(tuple(keyframes)), f"Read {len(keyframes)} joint states{ignored}"


def tip_of(kinematics: Kinematics, column: int) -> int:
    """Return the row of the link at the end of the longest chain that a degree of freedom moves."""
    joint, forest = kinematics.dofs[column].joint, kinematics.forest
    depth = {body: 0 for body, carrier in forest.carriers.items() if carrier.joint.row == joint.row}
    for body in forest.outwards():
        carrier = forest.carriers[body]
        if carrier.body in depth:
            depth[body] = depth[carrier.body] + 1
    return max(depth, key=lambda body: depth[body], default=body_of(kinematics.model, joint.child))


def in_unit(sweep: SweepPath, value: float, unit: AngleUnit) -> tuple[float, str]:
    """Return a joint position of a sweep in the unit that is shown, and that unit."""
    if sweep.dof.unit != "rad":
        return value, LENGTH
    return from_radians(value, unit), unit.value


def describe_value(sweep: SweepPath, value: float, unit: AngleUnit) -> str:
    """Return a joint position of a sweep with its unit."""
    number, name = in_unit(sweep, value, unit)
    return f"{format_shown(number, 4)} {name}"


def describe_time(plan: Plan | None, time: float, unit: AngleUnit) -> str:
    """Return a time of a motion: in seconds, or as the joint position of a sweep."""
    if plan is None or plan.sweep is None:
        return f"{format_shown(time, 3)} s"
    return describe_value(plan.sweep, plan.value_at(time), unit)


def describe_events(plan: Plan | None, unit: AngleUnit) -> list[str]:
    """Return the events of a sweep: limits of other joints that it reaches, and loops that it opens."""
    if plan is None or plan.sweep is None:
        return []
    events = []
    for reached in plan.limits:
        if reached.dof is not plan.sweep.dof:
            side = "upper" if reached.upper else "lower"
            value = describe_value(plan.sweep, reached.value, unit)
            events.append(f"{reached.dof.name} reaches its {side} limit at {value}")
    if plan.opens_at is not None:
        events.append(f"the loops open at {describe_value(plan.sweep, plan.opens_at, unit)}")
    return events


def describe_collisions(count: int, known: int, *, always: bool) -> str:
    """Return how many pairs of links collide here, and how many are no news: they do `always`, or also at zero."""
    pairs = "1 pair collides here" if count == 1 else f"{count} pairs collide here" if count else "no collision here"
    if not known:
        return pairs
    more = f"{known} more" if count else "1 pair" if known == 1 else f"{known} pairs"
    verb = "collides" if known == 1 else "collide"
    return f"{pairs}, {more} {f'always {verb}' if always else f'also {verb} at zero'}"


def describe_onset(onset: Onset, prefix: str, unit: AngleUnit) -> str:
    """Return the joint that began a collision, without the prefix of all names, and where it was then."""
    is_angle = onset.dof.unit == "rad"
    value, name = (from_radians(onset.value, unit), unit.value) if is_angle else (onset.value, LENGTH)
    return f"{visible(onset.dof.name.removeprefix(prefix))} at {format_shown(value, 4)} {name}"


TICK_MILLISECONDS = 16


class MotionPlayer(QObject):
    """Moves the joints along a plan.

    Attributes
    ----------
    plan
        What is played, None where there is nothing.
    time
        Where the motion is, seconds.
    repeats
        Whether it starts again at the end; a sweep goes back and forth.
    speed
        How many times faster than written it is played.
    """

    #: The time of the motion has changed.
    moved = Signal(float)
    #: Playing began or ended.
    playing_changed = Signal(bool)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.plan: Plan | None = None
        self.time = 0.0
        self.repeats = True
        self.speed = 1.0
        self._direction = 1.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(lambda: self.advance(self._clock.restart() / 1000.0))

    @property
    def playing(self) -> bool:
        """Whether the joints are moving by themselves."""
        return self._timer.isActive()

    def set_plan(self, plan: Plan | None) -> None:
        """Play something else; the time stays where it can."""
        self.plan = plan
        if plan is None:
            self.play(False)
            self.time = 0.0
        else:
            self.time = min(max(self.time, plan.trajectory.start), plan.trajectory.end)

    def play(self, on: bool) -> None:
        """Start or stop; from the end it starts at the beginning."""
        if on == self.playing or (on and (self.plan is None or self.plan.trajectory.end <= self.plan.trajectory.start)):
            return
        if on and self.plan is not None:
            if self.time >= self.plan.trajectory.end:
                self.time = self.plan.trajectory.start
            self._direction = 1.0
            self._clock.start()
            self._timer.start()
        else:
            self._timer.stop()
        self.playing_changed.emit(on)

    def seek(self, time: float) -> None:
        """Put the joints where the motion is at a time."""
        plan, session = self.plan, self._session
        if plan is None or session.kinematics is None:
            return
        self.time = min(max(time, plan.trajectory.start), plan.trajectory.end)
        session.move_joints(session.kinematics.joint_positions(plan.trajectory.at(self.time)), self)
        self.moved.emit(self.time)

    def advance(self, seconds: float) -> None:
        """Advance by some seconds."""
        if self.plan is None:
            return
        start, end = self.plan.trajectory.start, self.plan.trajectory.end
        time = self.time + self._direction * self.speed * seconds
        if start <= time <= end:
            self.seek(time)
        elif not self.repeats:
            self.seek(end)
            self.play(False)
        elif self.plan.sweep is not None:
            self._direction = -self._direction
            self.seek(end if time > end else start)
        else:
            self.seek(start)
