"""Motions: joint positions over time, from keyframes or a recording, and sweeps through the range of a joint."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinematics.forward import Dof, Kinematics
from sdfviewer.model.kinematics.loops import LoopCloser, loop_residuals, loops_around
from sdfviewer.model.names import NameIndex, did_you_mean
from sdfviewer.transforms import Array

#: Keyframes that are closer together in seconds are one.
SAME_TIME = 1e-6


class Easing(str, Enum):
    """How a motion goes from one keyframe to the next."""

    LINEAR = "linear"
    SMOOTH = "smooth"
    EASE_IN = "ease in"
    EASE_OUT = "ease out"
    HOLD = "hold"

    def __str__(self) -> str:
        return self.value

    def progress(self, part: ArrayLike) -> Array:
        """Return how much of the way is done (...) when a part (...) of the time is over, both from 0 to 1.

        ``smooth`` is the cubic that starts and ends at rest, ``hold`` stays until the time is over.
        """
        s = np.asarray(part, dtype=np.float64)
        if self is Easing.SMOOTH:
            return s * s * (3.0 - 2.0 * s)
        if self is Easing.EASE_IN:
            return s * s
        if self is Easing.EASE_OUT:
            return s * (2.0 - s)
        if self is Easing.HOLD:
            return np.where(s >= 1.0, 1.0, 0.0)
        return s


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Joint positions at given times, and in between.

    Attributes
    ----------
    times
        Seconds (k,), ascending.
    q
        Positions (k, m) at these times, radians and metres.
    easings
        How the motion goes from each to the next (k - 1); all linear where there are none.
    """

    times: Array
    q: Array
    easings: tuple[Easing, ...] = ()

    def __post_init__(self) -> None:
        k = len(self.times)
        if not k or self.q.shape[:1] != (k,) or len(self.easings) not in (0, k - 1):
            raise ValueError(f"{k} times, positions of shape {self.q.shape} and {len(self.easings)} easings")
        if (np.diff(self.times) <= 0).any():
            raise ValueError("times must ascend")

    @property
    def start(self) -> float:
        """The first time."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """The last time."""
        return float(self.times[-1])

    def at(self, times: ArrayLike) -> Array:
        """Return positions (..., m) at times (...) in seconds; constant before the start and after the end."""
        t = np.asarray(times, dtype=np.float64)
        if len(self.times) == 1:
            return np.asarray(np.broadcast_to(self.q[0], (*t.shape, self.q.shape[1])).copy())
        part = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        s = np.clip((t - self.times[part]) / np.diff(self.times)[part], 0.0, 1.0)
        done = s.copy()
        for easing in set(self.easings):
            chosen = np.array([each is easing for each in self.easings])[part]
            done = np.where(chosen, easing.progress(s), done)
        share = done[..., None]
        return np.asarray((1.0 - share) * self.q[part] + share * self.q[part + 1])  # no difference that can overflow

    def sample(self, count: int) -> tuple[Array, Array]:
        """Return times (count,) spread evenly from the start to the end, and the positions (count, m) at them."""
        times = np.linspace(self.start, self.end, count)
        return times, self.at(times)


@dataclass(frozen=True, slots=True)
class Keyframe:
    """Joint positions that a motion passes.

    Attributes
    ----------
    time
        Seconds from the start of the timeline.
    positions
        Numbers for each joint by scoped name; joints that are not named are at zero.
    name
        What the user calls it, often that of a saved pose.
    easing
        How the motion goes on from here.
    """

    time: float
    positions: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    name: str = ""
    easing: Easing = Easing.SMOOTH


@dataclass(frozen=True, slots=True)
class Timeline:
    """Keyframes in the order of their times."""

    keyframes: tuple[Keyframe, ...] = ()

    @property
    def end(self) -> float:
        """The time of the last keyframe in seconds, 0 where there is none."""
        return self.keyframes[-1].time if self.keyframes else 0.0

    def with_keyframe(self, keyframe: Keyframe) -> Timeline:
        """Return the timeline with one more keyframe, in place of one at the same time."""
        others = [each for each in self.keyframes if abs(each.time - keyframe.time) > SAME_TIME]
        return _ordered([*others, keyframe])

    def without(self, index: int) -> Timeline:
        """Return the timeline without one of its keyframes."""
        return Timeline(self.keyframes[:index] + self.keyframes[index + 1 :])

    def moved(self, index: int, time: float) -> Timeline:
        """Return the timeline with one of its keyframes at another time, not before zero."""
        keyframe = replace(self.keyframes[index], time=max(time, 0.0))
        return self.without(index).with_keyframe(keyframe)

    def eased(self, index: int, easing: Easing) -> Timeline:
        """Return the timeline with another way from one keyframe to the next."""
        changed = replace(self.keyframes[index], easing=easing)
        return Timeline((*self.keyframes[:index], changed, *self.keyframes[index + 1 :]))

    def renamed_joints(self, names: Mapping[str, str]) -> Timeline:
        """Return the timeline with other names for joints, old to new."""
        return Timeline(
            tuple(
                replace(each, positions={names.get(name, name): values for name, values in each.positions.items()})
                for each in self.keyframes
            )
        )

    def trajectory(self, kinematics: Kinematics) -> Trajectory | None:
        """Return the motion, None where there are no keyframes; names of joints that do not exist are left out."""
        if not self.keyframes:
            return None
        q = np.stack([kinematics.positions(each.positions) for each in self.keyframes])
        times = np.array([each.time for each in self.keyframes])
        return Trajectory(times, q, tuple(each.easing for each in self.keyframes[:-1]))


def _ordered(keyframes: Iterable[Keyframe]) -> Timeline:
    return Timeline(tuple(sorted(keyframes, key=lambda keyframe: keyframe.time)))


# --- sweeps -------------------------------------------------------------------------------------------------------


_AT_LIMIT = 1e-9
"""Distance in radians or metres below which a position has reached a limit."""
_CLOSED = 1e-6
"""Distance in metres or radians up to which the ends of a loop count as closed."""
DEFAULT_SAMPLES = 121
"""Number of configurations of a sweep."""
DEFAULT_CONFIGURATIONS = 1000
"""Number of configurations in which all pairs of links are tested; MoveIt's Setup Assistant takes 10000."""
MOST_SAMPLES = 100_000
"""Maximum number of configurations that a user may ask for."""


@dataclass(frozen=True, slots=True)
class ReachedLimit:
    """A limit that a sweep reaches.

    Attributes
    ----------
    dof
        The degree of freedom that is at its limit.
    limit
        The limit, radians or metres.
    upper
        Whether it is the upper one.
    value
        The position of the swept degree of freedom at which it is reached first.
    """

    dof: Dof
    limit: float
    upper: bool
    value: float


def find_dof(kinematics: Kinematics, name: str) -> int:
    """Return the column of a degree of freedom by its name, scoped or as short as it is unique.

    Raises
    ------
    SdfViewerError
        If there is none, several, or it follows another.
    """
    names = [dof.name for dof in kinematics.dofs]
    found = NameIndex(names).meant_by(name)
    if not found:
        raise SdfViewerError(f"there is no movable joint '{name}'{did_you_mean(name, names)}")
    if len(found) > 1:
        listed = ", ".join(names[column] for column in found[:4])
        raise SdfViewerError(f"several joints are called '{name}': {listed}")
    leader = kinematics.dofs[found[0]].leader
    if leader is not None:
        raise SdfViewerError(f"'{name}' mimics '{leader}'; sweep that joint instead")
    return found[0]


@dataclass(frozen=True, eq=False)
class SweepPath:
    """One degree of freedom that moves from one position to another while the others stay.

    Followers go along. Loops that the motion would open are kept closed, so that other joints move too.

    Attributes
    ----------
    kinematics
        What moves.
    q
        Where everything else is (m,).
    column
        Which degree of freedom moves.
    first, last
        Where it starts and ends, radians or metres.
    samples
        How many configurations are looked at.
    """

    kinematics: Kinematics
    q: Array
    column: int
    first: float
    last: float
    samples: int = DEFAULT_SAMPLES

    @property
    def dof(self) -> Dof:
        """The degree of freedom that moves."""
        return self.kinematics.dofs[self.column]

    @cached_property
    def values(self) -> Array:
        """Positions (samples,) of the degree of freedom that moves."""
        return np.linspace(self.first, self.last, self.samples)

    @cached_property
    def configurations(self) -> Array:
        """Positions (samples, m) of all."""
        q = np.tile(np.asarray(self.q, dtype=np.float64), (self.samples, 1))
        q[:, self.column] = self.values
        q = self.kinematics.follow(q)
        if self._loops:
            self._close(q)
        return q

    @cached_property
    def _loops(self) -> tuple[Joint, ...]:
        """The joints of the loops that the sweep may open; all others stay as they are."""
        return loops_around(self.kinematics, [self.column])

    def _close(self, q: Array) -> None:
        """Close the loops of all configurations (k, m), each from the one before, beginning where q is now."""
        start = int(np.argmin(np.abs(self.values - self.q[self.column])))
        others = np.arange(q.shape[1]) != self.column
        others &= self.kinematics.sources != self.column
        lower, upper = (np.array([getattr(dof, end) for dof in self.kinematics.dofs]) for end in ("lower", "upper"))
        close = LoopCloser(self.kinematics, (self.dof.joint.name,), self._loops)
        for numbers in (range(start, len(q)), range(start - 1, -1, -1)):
            before = self.kinematics.follow(self.q) if numbers.step > 0 else q[start]
            change = np.zeros_like(before)
            for number in numbers:
                # The others go on as they did: a screw may make several turns where what is swept moves a little.
                guess = np.clip(before + change, np.minimum(lower, before), np.maximum(upper, before))
                q[number, others] = guess[others]
                q[number] = close(q[number])
                before, change = q[number], q[number] - before if number != start else change

    def path(self, row: int) -> Array:
        """Return the places (samples, 3) in the root that the origin of a row's frame passes."""
        return np.asarray(self.kinematics.poses(self.configurations, [row])[:, 0, :3, 3])

    @cached_property
    def limits_reached(self) -> tuple[ReachedLimit, ...]:
        """The limits that the sweep reaches, each where it does so first, in the order of the sweep."""
        found: list[tuple[float, ReachedLimit]] = []
        q = self.configurations
        for column, dof in enumerate(self.kinematics.dofs):
            if np.ptp(q[:, column]) == 0.0:
                continue
            for limit, upper in ((dof.lower, False), (dof.upper, True)):
                if not math.isfinite(limit):
                    continue
                beyond = (q[:, column] - limit) * (1.0 if upper else -1.0)
                reached = np.flatnonzero(beyond >= -_AT_LIMIT)
                if not len(reached):
                    continue
                at = float(reached[0])
                if at > 0 and beyond[reached[0]] > 0:
                    before, after = beyond[reached[0] - 1], beyond[reached[0]]
                    at -= float(after / (after - before))
                value = float(np.interp(at, np.arange(self.samples), self.values))
                found.append((at, ReachedLimit(dof, limit, upper, value)))
        return tuple(limit for _, limit in sorted(found, key=lambda each: each[0]))

    @cached_property
    def opens_at(self) -> float | None:
        """The first position at which its loops cannot be kept closed, None where they stay closed or it has none."""
        if not self._loops:
            return None
        own = np.isin([joint.row for joint in self.kinematics.loop_joints], [joint.row for joint in self._loops])
        gaps = np.maximum(*loop_residuals(self.kinematics, self.configurations))[:, own].max(axis=-1)
        opened = np.flatnonzero(gaps > _CLOSED)
        return float(self.values[opened[0]]) if len(opened) else None


def make_sweep(
    kinematics: Kinematics,
    q: Array,
    column: int,
    first: float | None = None,
    last: float | None = None,
    samples: int = DEFAULT_SAMPLES,
) -> SweepPath:
    """Return a sweep of a degree of freedom, through its :attr:`Dof.range` where no range is given."""
    lower, upper = kinematics.dofs[column].range
    begin, end = lower if first is None else first, upper if last is None else last
    return SweepPath(kinematics, np.asarray(q, dtype=np.float64), column, begin, end, samples)
