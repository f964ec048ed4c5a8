"""Degrees of freedom, the poses of all frames by name, sweeps of joints, and the links that collide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.extras import required_extras
from sdfviewer.library.base import State, Walled, dof_name
from sdfviewer.library.elements import Joint
from sdfviewer.library.names import AnyHandle, short_name
from sdfviewer.library.pose import Pose, as_pose
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics import motion
from sdfviewer.model.near_names import Hinted
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.scene.collisions import CollisionChecker


@dataclass(frozen=True, slots=True)
class DegreeOfFreedom(Hinted):
    """One degree of freedom, a column of the joint positions q.

    Attributes
    ----------
    name
        That of its joint; of further axes with their number, ``wrist[1]``.
    joint
        Its joint.
    axis
        Which of the joint's degrees of freedom it is.
    unit
        ``rad`` or ``m``.
    lower, upper
        Limits in that unit; infinite if there is none.
    leader
        Name of the degree of freedom that this one follows, None where it is free.
    """

    name: str
    joint: Joint
    axis: int
    unit: str
    lower: float
    upper: float
    leader: str | None = None


class Poses(Mapping[str, Pose], Hinted):
    """Poses of all frames by name or handle, short names too where they are unambiguous.

    Attributes
    ----------
    array
        All of them (..., n, 4, 4), in the order of :attr:`names`.
    """

    def __init__(self, state: State, array: Array) -> None:
        self._state = state
        self.array = array

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order of the file."""
        table = self._state.table
        return tuple(short_name(table, row) for row in range(len(table)))

    def __getitem__(self, name: str | AnyHandle) -> Pose:
        return as_pose(self.array[..., self._state.index.row(name), :, :])

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self.names))

    def __len__(self) -> int:
        return len(set(self.names))

    def _hint(self, name: str) -> str:
        return f"; use poses['{name}']" if name in self else super()._hint(name)

    def __repr__(self) -> str:
        return f"<poses of {len(self)} frames, shape {self.array.shape}>"


class LinkPair(NamedTuple):
    """Two links that collide, by their names; ``world`` is everything that is fixed to the world."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Contact:
    """Two links that collide during a motion.

    Attributes
    ----------
    first, second
        Names of the links; ``world`` is everything that is fixed to the world.
    intervals
        From which to which position of the joint they collide, in the order of the motion.
    from_start
        Whether they collide where the motion starts.
    """

    first: str
    second: str
    intervals: tuple[tuple[float, float], ...]
    from_start: bool


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit that a sweep reaches.

    Attributes
    ----------
    name
        Name of the degree of freedom at its limit: the swept one, or one that moves with it.
    limit
        The limit, in radians or metres.
    is_upper
        Whether it is the upper limit.
    position
        The position of the swept joint at which it is reached first.
    """

    name: str
    limit: float
    is_upper: bool
    position: float


class Sweep(Walled, Hinted):
    """One joint that moves through a range while the others keep their positions.

    Followers move with it, and loops stay closed where possible.

    Attributes
    ----------
    joint
        Name of the degree of freedom that moves.
    unit
        ``rad`` or ``m``.
    frame
        Name of the frame whose path is requested; None for none.
    """

    def __init__(self, state: State, sweep: motion.SweepPath, row: int | None) -> None:
        self._state, self._sweep, self._row = state, sweep, row
        self.joint = dof_name(state.table, sweep.dof)
        self.unit = sweep.dof.unit
        self.frame = None if row is None else short_name(state.table, row)

    @property
    def positions(self) -> Array:
        """Positions (n,) of the joint, from the start to the end."""
        return self._sweep.values.copy()

    @property
    def q(self) -> Array:
        """The configurations (n, m) over :attr:`Model.dofs`."""
        return self._sweep.configurations.copy()

    @property
    def poses(self) -> Poses:
        """The poses (n, 4, 4) of all frames by name."""
        rows = np.arange(len(self._state.table))
        return Poses(self._state, self._state.kinematics.poses(self._sweep.configurations, rows))

    @property
    def frame_poses(self) -> Pose:
        """The poses X_RootF (n, 4, 4) of the frame.

        Raises
        ------
        InvalidValueError
            If the sweep has no frame.
        """
        if self._row is None:
            raise InvalidValueError("name the frame whose path you want: model.sweep(joint, frame)")
        return as_pose(self._state.kinematics.poses(self._sweep.configurations, [self._row])[:, 0])

    @property
    def path(self) -> Array:
        """The path (n, 3) of the frame's origin in metres, in the frame of the top model or the world."""
        return self.frame_poses.xyz

    @property
    def limits_reached(self) -> tuple[LimitReached, ...]:
        """The limits that are reached, of this joint and of those that move with it, in the order of the sweep."""
        table = self._state.table
        return tuple(
            LimitReached(dof_name(table, each.dof), each.limit, each.upper, each.value)
            for each in self._sweep.limits_reached
        )

    @property
    def loops_open_at(self) -> float | None:
        """The first position at which loops cannot be kept closed; None where they stay closed, or there are none."""
        return self._sweep.opens_at

    def colliding_links(
        self, *, hulls: bool = False, neighbours: bool = False, skip_missing: bool = False
    ) -> tuple[Contact, ...]:
        """Return the links that collide during the sweep, and where; see :meth:`Model.colliding_links`."""
        with required_extras():
            from sdfviewer.scene.contacts import contacts_along  # noqa: PLC0415

            checker = _checker_of(self._state, hulls, neighbours, skip_missing)
            contacts = contacts_along(checker, self._sweep.values, self._sweep.configurations)
        return tuple(Contact(*_names(self._state, each.rows), each.intervals, each.from_start) for each in contacts)

    def __repr__(self) -> str:
        first, last = self._sweep.first, self._sweep.last
        path = "" if self.frame is None else f", path of '{self.frame}'"
        return f"<sweep of '{self.joint}' from {first:.6g} to {last:.6g} {self.unit}{path}>"


def make_sweep(
    state: State, name: str, row: int | None, q: Array, start: float | None, end: float | None, samples: int
) -> Sweep:
    """Return a sweep; see :meth:`Model.sweep`."""
    if q.ndim != 1:
        raise InvalidValueError("a sweep starts from one configuration, not from a batch")
    for what, value in (("start", start), ("end", end)):
        if value is not None and not np.isfinite(value):
            raise InvalidValueError(f"{what} must be a finite number, not {value}")
    if not 2 <= samples <= motion.MOST_SAMPLES:
        raise InvalidValueError(f"samples must be a number from 2 to {motion.MOST_SAMPLES}, not {samples}")
    table, kinematics = state.table, state.kinematics
    names = [dof_name(table, dof) for dof in kinematics.dofs]
    if name in names:
        column = names.index(name)
    else:
        joint = state.index.row(name, (Kind.JOINT,))
        columns = kinematics.columns_of_joints.get(joint)
        if columns is None:
            raise InvalidValueError(state.why_fixed(short_name(table, joint), joint))
        column = columns[0]
    if kinematics.dofs[column].leader is not None:
        leader = names[[dof.name for dof in kinematics.dofs].index(str(kinematics.dofs[column].leader))]
        raise InvalidValueError(f"'{names[column]}' mimics '{leader}'; sweep that joint instead")
    return Sweep(state, motion.make_sweep(kinematics, q, column, start, end, samples), row)


def colliding_links(
    state: State, q: Array, *, hulls: bool, neighbours: bool, skip_missing: bool
) -> tuple[LinkPair, ...]:
    """Return the links that collide; see :meth:`Model.colliding_links`."""
    if q.ndim != 1:
        raise InvalidValueError(
            "give one configuration, not a batch; for a motion use model.sweep(joint).colliding_links()"
        )
    with required_extras():
        checker = _checker_of(state, hulls, neighbours, skip_missing)
        pairs = sorted(*checker.colliding(q[np.newaxis]))
    return tuple(LinkPair(*_names(state, pair)) for pair in pairs)


def _checker_of(state: State, hulls: bool, neighbours: bool, skip_missing: bool) -> CollisionChecker:
    """Return the collision test of the model, one for all queries: it keeps the meshes.

    Raises
    ------
    SdfViewerError
        If the mesh of a collision is missing or cannot be read, and it is not to be skipped.
    """
    from sdfviewer.scene.collisions import CollisionChecker  # noqa: PLC0415  # needs an extra
    from sdfviewer.scene.loader import MeshLoader  # noqa: PLC0415

    checker = state.checkers.get((hulls, neighbours))
    if checker is None:
        checker = CollisionChecker(state.kinematics, MeshLoader(state.finder), hulls=hulls, neighbours=neighbours)
        state.checkers[hulls, neighbours] = checker
    if checker.problems and not skip_missing:
        problem = checker.problems[0]
        more = f" (and {len(checker.problems) - 1} more)" if len(checker.problems) > 1 else ""
        raise SdfViewerError(
            f"collisions cannot be tested without their meshes: {problem.message}{more}; "
            "pass skip_missing=True to leave them out"
        )
    return checker


def _names(state: State, rows: tuple[int, int]) -> tuple[str, str]:
    first, second = ("world" if row < 0 else short_name(state.table, row) for row in rows)
    return first, second
