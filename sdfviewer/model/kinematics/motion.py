"""Motions: joint positions over time, from keyframes with easing or from a recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.model.kinematics.forward import Kinematics
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
