"""What moves in a model: positions, poses, Jacobians, sweeps, collisions, and what joints hold, carry and reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.formats.contents import read_environment, read_limits
from sdfviewer.library.base import ModelBase, Positions, State, dof_name
from sdfviewer.library.elements import Joint
from sdfviewer.library.handle import ElementHandle
from sdfviewer.library.members import LinkMasses, Members
from sdfviewer.library.motion import DegreeOfFreedom, LinkPair, Poses, Sweep, colliding_links, make_sweep
from sdfviewer.library.names import Handles, UnknownNameError, short_name
from sdfviewer.library.pose import Pose
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import relative_jacobian
from sdfviewer.model.model import UnresolvedPoseError
from sdfviewer.model.near_names import Hinted
from sdfviewer.operations.parameters import finite
from sdfviewer.transforms import Array, invert

#: In m/s², in the frame of a model.
STANDARD_GRAVITY = (0.0, 0.0, -9.81)
#: Limits beyond this, in radians or metres, are no limits for random numbers.
_FAR = 1e6
#: Configurations of each kind that are improved, positions that each joint tries, and how often all of them do.
_IMPROVED, _TRIED, _ROUNDS = 8, 33, 12


@dataclass(frozen=True, slots=True, eq=False)
class Reach(Hinted):
    """How near and how far a frame gets to the origin of another one.

    Attributes
    ----------
    frame, relative_to
        Their names.
    nearest, farthest
        The distances in metres.
    bounds
        The smallest and largest x, y and z (2, 3) in the other frame, of all configurations that were looked at.
    q_nearest, q_farthest
        The joint positions (m,) of both.
    """

    frame: str
    relative_to: str
    nearest: float
    farthest: float
    bounds: Array
    q_nearest: Array
    q_farthest: Array

    def __repr__(self) -> str:
        return f"<reach of {self.frame} from {self.relative_to}: {self.nearest:.6g} to {self.farthest:.6g} m>"


def ranges_of(state: State) -> Array:
    """Return the smallest and largest positions (2, m) of a sweep of each degree of freedom."""
    ends = np.array([dof.range for dof in state.kinematics.dofs], dtype=np.float64).reshape(-1, 2)
    ordered: Array = np.clip(np.sort(ends, axis=1), -_FAR, _FAR).T  # the limits of a file may be reversed
    return ordered


def effort_limits(state: State) -> Array:
    """Return the effort limits (m,) in N m or N; infinite where there is none, and for followers."""
    limits = np.full(len(state.kinematics.dofs), np.inf)
    for column, dof in enumerate(state.kinematics.dofs):
        if dof.leader is None and dof.axis < len(dof.joint.axes):
            effort = read_limits(state.table, dof.joint.row, dof.joint.axes[dof.axis]).effort
            limits[column] = effort if effort >= 0 else np.inf
    return limits


def gravity_torques(
    state: State, masses: LinkMasses, q: Array, loads: Sequence[tuple[int, float]], gravity: Array
) -> Array:
    """Return what joints hold against gravity (..., m); see :meth:`Model.gravity_torques`.

    Parameters
    ----------
    loads
        Rows of frames, and the masses in kg at their origins.
    """
    if any(not 0 <= mass < np.inf for _, mass in loads):
        raise InvalidValueError("the mass of a payload must be a finite number of kg that is not negative")
    rows = np.array([*masses.rows.tolist(), *(row for row, _ in loads)], dtype=np.int64)
    m = np.array([*masses.m.tolist(), *(mass for _, mass in loads)])
    p_FB = np.concatenate([masses.p_LB, np.zeros((len(loads), 3))])
    X = state.kinematics.poses(q, rows)
    if not np.isfinite(X).all():
        raise UnresolvedPoseError("the pose of what has mass is undefined; see the model's diagnostics")
    p = np.einsum("...kij,kj->...ki", X[..., :3, :3], p_FB) + X[..., :3, 3]
    held: Array = -state.kinematics.generalized_forces(q, rows, p, m[:, np.newaxis] * gravity)
    return held + 0.0  # no negative zeros


def largest_payload(limits: Array, own: Array, of_one: Array) -> Array:
    """Return the largest mass (...) with which loads (..., m) stay within limits (m,).

    Parameters
    ----------
    own, of_one
        The loads without it, and what one kilogram adds.
    """
    room = np.where(of_one >= 0, limits - own, limits + own)
    with np.errstate(divide="ignore", invalid="ignore"):
        most = np.where(np.abs(of_one) > 1e-12, room / np.abs(of_one), np.inf)
    most = np.where(np.abs(own) > limits, 0.0, most)
    result: Array = np.maximum(most.min(axis=-1, initial=np.inf), 0.0)
    return result


def find_reach(
    state: State, row: int, other: int | None, q: Array, columns: Sequence[int] | None, samples: int, seed: int
) -> Reach:
    """Return how near and how far a frame gets; see :meth:`Model.reach`."""
    kinematics, table = state.kinematics, state.table
    low, high = ranges_of(state)
    moving = [column for column in (state.free_columns if columns is None else columns) if column in state.free_columns]
    random = np.random.default_rng(seed)
    tried = np.tile(q, (max(int(samples), 1), 1))
    tried[1:, moving] = random.uniform(low[moving], high[moving], (len(tried) - 1, len(moving)))

    def places(configurations: Array) -> Array:
        X = kinematics.poses(kinematics.follow(configurations), [row if other is None else other, row])
        X_GF = X[:, 1] if other is None else invert(X[:, 0]) @ X[:, 1]
        return X_GF[:, :3, 3]

    p = places(tried)
    if not np.isfinite(p).all():
        raise UnresolvedPoseError(f"the pose of '{short_name(table, row)}' cannot be resolved")
    seen = [p]
    found: list[tuple[float, Array]] = []
    for sign in (1.0, -1.0):
        distances = np.linalg.norm(p, axis=1)
        best = tried[np.argsort(sign * distances)[:_IMPROVED]].copy()
        width = (high - low) / 2
        for number in range(_ROUNDS):
            for column in moving:
                middle = best[:, column] if number else np.full(len(best), (low[column] + high[column]) / 2)
                steps = np.linspace(-1.0, 1.0, _TRIED) * width[column] / 4.0**number
                options = np.repeat(best[:, np.newaxis], _TRIED + 1, axis=1)
                options[:, 1:, column] = np.clip(middle[:, np.newaxis] + steps, low[column], high[column])
                at = places(options.reshape(-1, options.shape[-1]))
                seen.append(np.stack([at.min(axis=0), at.max(axis=0)]))
                apart = sign * np.linalg.norm(at, axis=1).reshape(len(best), -1)
                best = options[np.arange(len(best)), apart.argmin(axis=1)]
        apart = sign * np.linalg.norm(places(best), axis=1)
        found.append((abs(float(apart.min())), kinematics.follow(best[apart.argmin()])))
    every = np.concatenate(seen)
    (nearest, q_nearest), (farthest, q_farthest) = found
    origin = table.root_frame if other is None else short_name(table, other)
    bounds = np.stack([every.min(axis=0), every.max(axis=0)])
    return Reach(short_name(table, row), origin, nearest, farthest, bounds, q_nearest, q_farthest)


class Mechanics(Members, ModelBase):
    """What moves in the model of a file."""

    @property
    def dofs(self) -> Handles[DegreeOfFreedom]:
        """The degrees of freedom, in the order of the columns of q; those that follow others have a ``leader``."""
        table = self._state.table
        names = {dof.name: dof_name(table, dof) for dof in self._state.kinematics.dofs}
        return Handles(
            DegreeOfFreedom(
                dof_name(table, dof),
                Joint(self, dof.joint.row),
                dof.axis,
                dof.unit,
                dof.lower,
                dof.upper,
                None if dof.leader is None else names[dof.leader],
            )
            for dof in self._state.kinematics.dofs
        )

    @property
    def dof_names(self) -> tuple[str, ...]:
        """The names of the degrees of freedom, in the order of the columns of q."""
        return tuple(dof.name for dof in self.dofs)

    @property
    def dof_count(self) -> int:
        """How many degrees of freedom there are: the columns of q."""
        return len(self._state.kinematics.dofs)

    @property
    def independent_dofs(self) -> Handles[DegreeOfFreedom]:
        """The degrees of freedom that follow no other; an array over these is enough wherever q is an argument."""
        return Handles(dof for dof in self.dofs if dof.leader is None)

    @property
    def independent_joints(self) -> Handles[Joint]:
        """The joints that have a position of their own: all that move and follow no other."""
        return Handles(dict.fromkeys(dof.joint for dof in self.dofs if dof.leader is None))

    @property
    def independent_joint_names(self) -> tuple[str, ...]:
        """The names of :attr:`independent_joints`."""
        return tuple(joint.name for joint in self.independent_joints)

    @property
    def lower_limits(self) -> Array:
        """The lower limits (m,) over :attr:`dofs`, in radians and metres; infinite where there is none."""
        return np.array([dof.lower for dof in self._state.kinematics.dofs], dtype=np.float64)

    @property
    def upper_limits(self) -> Array:
        """The upper limits (m,) over :attr:`dofs`, in radians and metres; infinite where there is none."""
        return np.array([dof.upper for dof in self._state.kinematics.dofs], dtype=np.float64)

    def random_q(self, count: int | None = None, *, seed: int | None = None) -> Array:
        """Return joint positions (m,) at random within the limits, or (count, m) of them.

        Half a turn or a metre to either side counts where there is no limit. What follows is where its leader puts it.
        """
        low, high = ranges_of(self._state)
        size = (len(low),) if count is None else (count, len(low))
        return self._state.kinematics.follow(np.random.default_rng(seed).uniform(low, high, size=size))

    @property
    def q0(self) -> Array:
        """The initial joint positions (m,): zero, and what follows where its leader puts it."""
        return self._state.positions(None)

    def poses(self, q: Positions = None, relative_to: str | ElementHandle | None = None) -> Poses:
        """Return the poses of all frames at joint positions, by name or handle.

        Parameters
        ----------
        q
            Numbers for each joint by name or handle, in radians and metres, ``{"lift": 0.1, "wrist": (0.2, 0.3)}``,
            joints that are not named staying at zero; or an array (..., m) over :attr:`dofs`, or over
            :attr:`independent_dofs`. A batch of configurations, as an array or as arrays for each joint, gives poses
            (..., 4, 4). What follows by a mimic constraint or a gearbox is put where its leader puts it, and refused
            somewhere else.
        relative_to
            The frame in which they are given; by default the initial place of the top model, or the world. Where a
            joint moves the canonical link, the top model's own frame moves with it.

        Raises
        ------
        UnknownNameError
            If there is no such joint, or it does not move.
        InvalidValueError
            If the number of values is wrong, one is not finite, or one of a follower is not where its leader puts it.

        Examples
        --------
        >>> model.poses({"joint_2": 0.5})["palm"]  # doctest: +SKIP
        """
        state = self._state
        X = state.poses(q, np.arange(len(state.table)))
        if relative_to is not None:
            X = invert(X[..., [self._row_of(relative_to)], :, :]) @ X
        return Poses(state, X)

    def resolve_pose(
        self, frame: str | ElementHandle, relative_to: str | ElementHandle | None = None, q: Positions = None
    ) -> Pose:
        """Return the pose X_GF (..., 4, 4) of a frame F in another frame G at joint positions.

        See :meth:`ElementHandle.resolve_pose`.
        """
        pose: Pose = self._thing(self._row_of(frame)).resolve_pose(relative_to, q)
        return pose

    def jacobian(
        self, frame: str | ElementHandle, q: Positions = None, relative_to: str | ElementHandle | None = None
    ) -> Array:
        """Return the Jacobian (..., 6, m) of a frame F at joint positions.

        ``J @ q̇`` is the velocity of F in a frame G: angular velocity in rad/s, then the velocity of F's origin in m/s,
        both in the axes of G. Columns are those of :attr:`dofs`; the column of a leader includes its followers.

        Parameters
        ----------
        frame
            F.
        q
            Joint positions, see :meth:`poses`.
        relative_to
            G, which may move as well; by default the initial place of the top model, or the world.
        """
        kinematics, positions, row = self._state.kinematics, self._state.positions(q), self._row_of(frame)
        J_F = kinematics.jacobian(positions, row)
        if relative_to is None:
            return J_F
        other = self._row_of(relative_to)
        X = kinematics.poses(positions, [other, row])
        return relative_jacobian(kinematics.jacobian(positions, other), J_F, X[..., 0, :, :], X[..., 1, :, :])

    def sweep(
        self,
        joint: str | Joint,
        frame: str | ElementHandle | None = None,
        *,
        start: float | None = None,
        end: float | None = None,
        samples: int = 121,
        q: Positions = None,
    ) -> Sweep:
        """Return the motion of one joint through a range, with the path of a frame.

        Parameters
        ----------
        joint
            The joint, or the name of a degree of freedom, ``wrist[1]``.
        frame
            The frame whose path is requested.
        start, end
            The range in radians or metres; by default from limit to limit, half a turn or a metre where there is none.
        samples
            How many configurations.
        q
            Where the other joints are, see :meth:`poses`.

        Raises
        ------
        UnknownNameError
            If there is no such joint or frame.
        InvalidValueError
            If the joint does not move by itself, or a number is not finite.

        Examples
        --------
        >>> model.sweep("joint_2", "palm").path.shape  # doctest: +SKIP
        (121, 3)
        """
        row = None if frame is None else self._row_of(frame)
        name = joint.scoped_name if isinstance(joint, ElementHandle) and self._row_of(joint) else joint
        return make_sweep(self._state, str(name), row, self._state.positions(q), start, end, samples)

    def colliding_links(
        self, q: Positions = None, *, hulls: bool = False, neighbours: bool = False, skip_missing: bool = False
    ) -> tuple[LinkPair, ...]:
        """Return the pairs of links whose collisions overlap at joint positions.

        Links that cannot move relative to each other do not count. What only touches does not collide.

        Parameters
        ----------
        q
            One configuration, see :meth:`poses`.
        hulls
            Whether meshes count as their convex hulls, as in Drake and MuJoCo, rather than by their triangles.
        neighbours
            Whether links that a joint connects count too.
        skip_missing
            Whether collisions whose meshes are missing or cannot be read are left out.

        Raises
        ------
        SdfViewerError
            If the mesh of a collision is missing or cannot be read.
        MissingExtraError
            If the packages that read meshes are not installed.

        Examples
        --------
        >>> model.colliding_links({"joint_2": 2.0})  # doctest: +SKIP
        (LinkPair(first='base', second='palm'),)
        """
        q = self._state.positions(q)
        return colliding_links(self._state, q, hulls=hulls, neighbours=neighbours, skip_missing=skip_missing)

    # --- loads and reach ---------------------------------------------------------------------------------------

    def gravity_torques(
        self,
        q: Positions = None,
        *,
        payload: Mapping[Any, float] | None = None,
        gravity: Sequence[float] | None = None,
    ) -> Array:
        """Return what each joint must hold against gravity (..., m) over :attr:`dofs`, in N m or N.

        What a follower holds counts for its leader. A robot that nothing fixes to the world rests on its root link.

        Parameters
        ----------
        q
            Joint positions, see :meth:`poses`.
        payload
            Masses in kg that hang at the origins of frames, ``{"tool0": 2.5}``.
        gravity
            The acceleration (3,) in m/s² in the frame of the top model or world; by default that of a world, and
            ``(0, 0, -9.81)`` in a model.

        Raises
        ------
        UnknownInertiaError
            If the inertia of a link must be computed, and its shapes do not allow that.
        UnresolvedPoseError
            If the pose of a link that has mass is undefined.

        Examples
        --------
        >>> model.gravity_torques({"joint_2": 0.5}, payload={"palm": 2.0})  # doctest: +SKIP
        """
        loads = [(self._row_of(frame), float(mass)) for frame, mass in (payload or {}).items()]
        return gravity_torques(self._state, self._masses(), self._state.positions(q), loads, self._gravity(gravity))

    def payload(
        self, frame: str | ElementHandle, q: Positions = None, *, gravity: Sequence[float] | None = None
    ) -> Array:
        """Return the largest mass (...) in kg that may hang at the origin of a frame at joint positions.

        With it every joint that has an effort limit still holds against gravity: 0 where one does not even without it,
        infinite where no limit is ever reached. See :meth:`gravity_torques` for the parameters.
        """
        state, g = self._state, self._gravity(gravity)
        positions, masses = state.positions(q), self._masses()
        own = gravity_torques(state, masses, positions, (), g)
        with_one = gravity_torques(state, masses, positions, ((self._row_of(frame), 1.0),), g)
        return largest_payload(effort_limits(state), own, with_one - own)

    def _gravity(self, given: Sequence[float] | None) -> Array:
        if given is not None:
            return finite(given, 3, "gravity")
        table = self._state.table
        return np.array(read_environment(table).gravity if table.is_world else STANDARD_GRAVITY)

    def reach(
        self,
        frame: str | ElementHandle,
        relative_to: str | ElementHandle | None = None,
        *,
        dofs: Iterable[str | Joint] | None = None,
        q: Positions = None,
        samples: int = 4096,
        seed: int = 0,
    ) -> Reach:
        """Return how near and how far a frame gets to the origin of another one within the limits of joints.

        Configurations at random, the best of which are improved joint by joint: what is found is reached, and hardly
        anything lies beyond. Collisions do not count.

        Parameters
        ----------
        frame, relative_to
            The frame, and the one whose origin and axes the reach is measured in; by default the initial place of the
            top model, or the world.
        dofs
            Names of the joints or degrees of freedom that move, all by default; the others stay at `q`.
        q
            Joint positions, see :meth:`poses`.
        samples, seed
            How many configurations, and what the random numbers begin with.

        Examples
        --------
        >>> model.reach("tool0", "base", dofs=["joint_2", "joint_3"]).farthest  # doctest: +SKIP
        """
        start = self._state.positions(q)
        if start.ndim != 1:
            raise InvalidValueError("reach takes one configuration")
        columns = None if dofs is None else [column for each in dofs for column in self._columns_of(each)]
        other = None if relative_to is None else self._row_of(relative_to)
        return find_reach(self._state, self._row_of(frame), other, start, columns, samples, seed)

    def _columns_of(self, dof: str | Joint) -> list[int]:
        if isinstance(dof, str) and dof in self.dof_names:
            return [self.dof_names.index(dof)]
        row = self._state.index.row(dof, (Kind.JOINT,))
        columns = self._state.kinematics.columns_of_joints.get(row)
        if columns is None:
            raise UnknownNameError(self._state.why_fixed(str(dof), row))
        return columns
