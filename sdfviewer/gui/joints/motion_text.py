"""A motion in words: where it is at a time, and what happens in a sweep."""

from __future__ import annotations

from sdfviewer.display_text import visible
from sdfviewer.gui.joints.motion_plan import Plan
from sdfviewer.gui.kit.fields.units import LENGTH, AngleUnit, from_radians
from sdfviewer.model.kinematics.sweeps import SweepPath
from sdfviewer.number_text import format_shown
from sdfviewer.scene.collision.tracking import Onset


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
