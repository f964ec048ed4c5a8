"""Sweeps: one degree of freedom moved through its range, with the path of a frame and the limits reached."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinematics.forward import Dof, Kinematics
from sdfviewer.model.kinematics.loops import LoopCloser, loop_residuals, loops_around
from sdfviewer.model.names import NameIndex, did_you_mean
from sdfviewer.transforms import Array

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
