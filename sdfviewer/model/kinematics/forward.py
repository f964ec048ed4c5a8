"""Forward kinematics: the poses of all frames at joint positions.

Monogram notation: P and C are the joint's parent and child frames, Jp and Jc the joint frame fixed to either side,
``X_PC(q) = X_PJp @ X_JpJc(q) @ X_JcC`` with ``X_JpJc(0) = I``. SDFormat infers X_PJp and X_CJc from the initial
poses (pose frame semantics proposal, 'Addendum: Model Building, Contrast "Model-Absolute" vs "Element-Relative"
Coordinates'), so that

    X_RootC(q) = X_RootP(q) X_RootP(0)⁻¹ · X_RootJ(0) X_JpJc(q) X_RootJ(0)⁻¹ · X_RootC(0)

With the displacement of a body B, D_B(q) = X_RootB(q) X_RootB(0)⁻¹, that is D_C = D_P · E(q): a product of the motions
E of all axes on the way from the ground, each about a line that is constant in the root frame. Every frame F on B is at
D_B(q) · X_RootF(0).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.graph import Rows
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import JOINT_AXES, JOINT_TYPES
from sdfviewer.model.kinematics.batches import BatchedPoses, MotionTree
from sdfviewer.model.kinematics.tree import (
    GROUND,
    AxisOfMotion,
    bodies_of,
    body_of,
    fold_followers,
    gearbox_lines,
    mimic_lines,
    span,
)
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.transforms import Array

#: Radians or metres by which a position may be beyond a limit that it was computed from.
_LIMIT_TOLERANCE = 1e-9
#: Configurations that are computed at once: their intermediate poses stay in the processor's cache.
_CHUNK = 64
#: From so many configurations on, one axis after the other is faster than all axes of a few configurations.
_MANY = 128


@dataclass(frozen=True, slots=True)
class Dof:
    """One degree of freedom.

    Attributes
    ----------
    name
        Scoped name of its joint; of further axes with their number, ``arm::wrist[1]``.
    joint
        Its joint.
    axis
        Which of the joint's degrees of freedom it is. Those of a ball joint are roll, pitch and yaw of the child in the
        joint frame, as in a ``<pose>``: ``R_JpJc = Rz(yaw) Ry(pitch) Rx(roll)``. Those of universal and revolute2
        joints turn about ``<axis>``, fixed to the parent, then ``<axis2>``, fixed to the child.
    unit
        ``"rad"`` or ``"m"``.
    lower, upper
        Limits in that unit; infinite if there is none.
    leader
        Name of the degree of freedom that this one follows by a mimic constraint or a gearbox, None where it is free.
    """

    name: str
    joint: Joint
    axis: int
    unit: str
    lower: float
    upper: float
    leader: str | None = None

    @property
    def range(self) -> tuple[float, float]:
        """The ends of a sweep, radians or metres: the limits; an infinite one counts as half a turn, or a metre."""
        return swept_range(self.unit, self.lower, self.upper)


def swept_range(unit: str, lower: float, upper: float) -> tuple[float, float]:
    """Return the ends of a sweep between two limits, of which an infinite one counts as half a turn, or a metre."""
    reach = math.pi if unit == "rad" else 1.0
    return (
        lower if math.isfinite(lower) else min(-reach, upper),
        upper if math.isfinite(upper) else max(reach, lower),
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """One axis of motion: a turn about the line through ``p`` along ``u`` in the root frame, and a travel along it.

    ``turn`` is radians and ``travel`` metres for one unit of the position.
    """

    number: int
    p: Array
    u: Array
    turn: float
    travel: float


@dataclass(frozen=True, slots=True)
class MotionTables:
    """All that the poses of a model need, for programs that only multiply.

    A node is one axis of motion. With the weights ``w = (1, sin q, 1 - cos q, q)`` of its position q, its motion E is
    the sum ``w @ basis``, its displacement D that of its parent times E, and X_RootF(q) of a row is D of the row's node
    times X_RootF(0).

    Attributes
    ----------
    bases
        Matrices (k, 4, 16) of the k nodes, each 4 × 4 matrix row by row.
    columns
        The degree of freedom (k,) whose position each node takes.
    parents
        The node (k,) that each hangs on, always an earlier one; -1 for what hangs on the ground.
    nodes
        The node (n,) that carries each row; -1 for what does not move.
    """

    bases: Array
    columns: Rows
    parents: Rows
    nodes: Rows


class Kinematics:
    """Forward kinematics of a model.

    Bodies are links; the world and static models do not move. Root is the place of the root frame at the initial
    configuration: where a joint moves the canonical link, the model's own frame moves with it. A tree of bodies that
    nothing fixes to the ground rests on the body that no joint carries.

    Parameters
    ----------
    model
        What moves.
    X_RootF
        Initial poses (n, 4, 4) of all rows, if not the model's: another convention.
    X_RootE
        Where the frames (n, 4, 4) stand that axes of other joints are expressed in, if not there.

    Attributes
    ----------
    dofs
        The degrees of freedom, in the order of the positions q: by joint in document order, then by axis.
    columns_of_joints
        Their places in q by the row of their joint.
    loop_joints
        Joints that close a loop; they move nothing, see :mod:`sdfviewer.model.kinematics.loops`.
    forest
        Which joint carries which body.
    followers
        Which degrees of freedom follow which, and how.
    initial_poses
        X_RootF(0) (n, 4, 4).
    """

    def __init__(self, model: Model, X_RootF: Array | None = None, X_RootE: Array | None = None) -> None:
        self.model = model
        self.initial_poses: Array = model.X_RootF if X_RootF is None else X_RootF
        self._X_RootE = self.initial_poses if X_RootE is None else X_RootE
        numbers = {joint.row: number for number, joint in enumerate(model.joints)}
        joints = [joint for joint in model.joints if np.isfinite(self.initial_poses[joint.row]).all()]
        self.forest = span(model, joints)
        self.loop_joints: list[Joint] = self.forest.loop_joints
        carrying = {carrier.joint.row for carrier in self.forest.carriers.values()}
        lines: dict[int, list[_Line]] = {
            joint.row: list(self._lines_of(joint, numbers[joint.row])) for joint in joints if joint.row in carrying
        }
        # An axis without a direction moves nothing; the other one of its joint is still the second.
        axes: list[AxisOfMotion] = [(joint.row, line.number) for joint in joints for line in lines.get(joint.row, ())]
        followers = dict([*gearbox_lines(model, self.forest), *mimic_lines(model)])
        self.followers = fold_followers(axes, followers)
        self.dofs = self._build_dofs(axes)
        self.columns_of_joints: dict[int, list[int]] = {}
        for column, dof in enumerate(self.dofs):
            self.columns_of_joints.setdefault(dof.joint.row, []).append(column)
        self._columns = {axis: column for column, axis in enumerate(axes)}
        self._build_motions(lines)

    # --- building ----------------------------------------------------------------------------------------------

    def _lines_of(self, joint: Joint, number: int) -> Iterator[_Line]:
        """Yield the axes of motion of a joint; none where its type or its axes leave nothing to move about."""
        X_RootJ = self.initial_poses[joint.row]
        R_RootJ, p = X_RootJ[:3, :3], X_RootJ[:3, 3]
        if joint.type == "ball":
            for column in range(3):
                yield _Line(column, p, R_RootJ[:, column], 1.0, 0.0)
            return
        written = self.model.scope.joints[number].axes[: JOINT_AXES.get(joint.type, 0)]
        for index, axis in enumerate(written):
            if axis.expressed_in < 0:
                continue
            R_RootE = R_RootJ if axis.expressed_in == joint.row else self._X_RootE[axis.expressed_in, :3, :3]
            u = R_RootE @ np.array(axis.xyz)
            length = math.hypot(*u.tolist())
            if not (math.isfinite(length) and length > 0):
                continue
            if joint.type == "prismatic":
                yield _Line(index, p, u / length, 0.0, 1.0)
            else:
                yield _Line(index, p, u / length, 1.0, joint.screw_pitch if joint.type == "screw" else 0.0)

    def _build_dofs(self, axes: list[AxisOfMotion]) -> tuple[Dof, ...]:
        dofs: list[Dof] = []
        names = [self.model.names[row] + (f"[{number}]" if number else "") for row, number in axes]
        for (row, number), name, leader in zip(axes, names, self.followers.leaders.tolist(), strict=True):
            joint = self.model.joints_by_row[row]
            lower, upper = -math.inf, math.inf
            if joint.type not in ("continuous", "ball"):
                lower, upper = joint.axes[number].lower, joint.axes[number].upper
            unit = "m" if joint.type == "prismatic" else "rad"
            dofs.append(Dof(name, joint, number, unit, lower, upper, names[leader] if leader >= 0 else None))
        return tuple(dofs)

    def _build_motions(self, lines: dict[int, list[_Line]]) -> None:
        """Lay all axes of motion out as nodes of a tree, each a constant basis that its position is put into."""
        parents: list[int] = []
        columns: list[int] = []
        lines_of_nodes: list[_Line] = []
        signs: list[float] = []
        nodes = {GROUND: -1}
        for body in self.forest.outwards():
            carrier = self.forest.carriers[body]
            node = nodes.get(carrier.body, -1)
            row, sign = carrier.joint.row, -1.0 if carrier.backwards else 1.0
            axes = lines[row]
            # A ball's yaw is outermost; backwards, the inverse motion has all in the other order.
            for line in axes if (carrier.joint.type == "ball") == carrier.backwards else reversed(axes):
                columns.append(self._columns[(row, line.number)])
                lines_of_nodes.append(line)
                signs.append(sign)
                parents.append(node)
                node = len(parents) - 1
            nodes[body] = node
        bases = _motion_bases(lines_of_nodes, np.array(signs))
        self._lines, self._signs = lines_of_nodes, signs
        self._motions = MotionTree(bases, np.array(columns, dtype=np.int64), np.array(parents, dtype=np.int64))
        bodies = bodies_of(self.model)
        node_of_body: Rows = np.full(len(self.model), -1, dtype=np.int64)
        moving = [body for body in nodes if body >= 0]
        node_of_body[moving] = [nodes[body] for body in moving]
        self._nodes: Rows = np.where(bodies >= 0, node_of_body[np.maximum(bodies, 0)], -1)

    @cached_property
    def _batched(self) -> BatchedPoses:
        """What computes many configurations."""
        lines, signs = self._lines, np.array(self._signs)
        u = np.array([line.u for line in lines]).reshape(-1, 3) * signs[:, None]
        turn, travel = (np.array([getattr(line, name) for line in lines]) for name in ("turn", "travel"))
        p = np.array([line.p for line in lines]).reshape(-1, 3)
        return BatchedPoses(p, u, turn, travel, self._motions.parents, self._motions.columns)

    @cached_property
    def _twists(self) -> Array:
        """The twists (k, 6) of the axes of motion; only Jacobians need them."""
        return _motion_twists(self._lines, np.array(self._signs))

    def why_fixed(self, row: int) -> str:
        """Return why the joint of a row has no position, to follow its name; empty where it has one."""
        if row in self.columns_of_joints:
            return ""
        if any(loop.row == row for loop in self.loop_joints):
            return "closes a loop: it has no position of its own"
        joint = self.model.joints_by_row.get(row)
        if joint is None:
            return f"is a {self.model.kinds[row]}, not a joint"
        if JOINT_TYPES.get(joint.type, 0) == 0:
            return f"is {joint.type or 'of no type'}: it does not move"
        return "cannot move: its axis or one of its ends is undefined"

    @property
    def degrees_of_freedom(self) -> int:
        """How many of :attr:`dofs` can be chosen: those that follow another are no freedom."""
        return sum(dof.leader is None for dof in self.dofs)

    def dofs_to_set(self, row: int, name: str, count: int) -> list[Dof]:
        """Return the degrees of freedom of the joint of a row, to set the first ``count`` of them.

        Raises
        ------
        SdfViewerError
            If it has none, fewer, or follows another joint; the message begins with ``name``.
        """
        if why := self.why_fixed(row):
            raise SdfViewerError(f"'{name}' {why}")
        dofs = [self.dofs[column] for column in self.columns_of_joints[row]]
        if count > len(dofs):
            raise SdfViewerError(f"'{name}' takes {counted(len(dofs), 'number')}, not {count}")
        if dofs[0].leader is not None:
            raise SdfViewerError(f"'{name}' follows '{dofs[0].leader}'; give the position of that joint")
        return dofs

    # --- positions ---------------------------------------------------------------------------------------------

    @property
    def q0(self) -> Array:
        """The initial configuration, to which the poses in the file belong: zero for every degree of freedom."""
        return np.zeros(len(self.dofs))

    def outside_limits(self, q: ArrayLike) -> list[int]:
        """Return which degrees of freedom are outside of their limits at positions q (n,); reversed limits are none."""
        (lower, upper), at = self._limits, np.asarray(q, np.float64)
        outside: list[int] = np.flatnonzero((at < lower - _LIMIT_TOLERANCE) | (at > upper + _LIMIT_TOLERANCE)).tolist()
        return outside

    @cached_property
    def _limits(self) -> Array:
        """The limits (2, m) of all degrees of freedom."""
        bounds = [(dof.lower, dof.upper) if dof.lower <= dof.upper else (-math.inf, math.inf) for dof in self.dofs]
        return np.array(bounds, np.float64).reshape(-1, 2).T

    def positions(self, by_joint: Mapping[str, Sequence[float]]) -> Array:
        """Return positions q (m,) from numbers for each joint by scoped name; joints not named stay at zero.

        Followers stand where their leaders put them, whatever is given for them.
        """
        q = self.q0
        for column, dof in enumerate(self.dofs):
            values = by_joint.get(dof.joint.name, ())
            if dof.axis < len(values):
                q[column] = values[dof.axis]
        return self.follow(q)

    def follow(self, q: ArrayLike) -> Array:
        """Return positions (..., m) with all followers put where their leaders in q (..., m) put them."""
        followers = self.followers
        return np.asarray(q, dtype=np.float64)[..., followers.sources] * followers.gains + followers.offsets

    @property
    def sources(self) -> Rows:
        """For each degree of freedom the column (m,) of the free one that decides its position: often itself."""
        return self.followers.sources

    def joint_positions(self, q: ArrayLike) -> dict[str, tuple[float, ...]]:
        """Return positions q (m,) as numbers for each joint by scoped name: the inverse of :meth:`positions`."""
        values: dict[str, tuple[float, ...]] = {}
        for dof, value in zip(self.dofs, np.asarray(q, dtype=np.float64).tolist(), strict=True):
            known = values.get(dof.joint.name, ())
            values[dof.joint.name] = (*known, *[0.0] * (dof.axis - len(known)), value)
        return values

    @property
    def motion_numbers(self) -> Rows:
        """For each row the number (n,) of the last axis of motion that carries it, -1 for what does not move.

        Rows of one number never move relative to each other.
        """
        return self._nodes

    @property
    def tables(self) -> MotionTables:
        """What :meth:`poses` multiplies, for other programs."""
        motions = self._motions
        return MotionTables(motions.bases, motions.columns, motions.parents, self._nodes)

    def joints_above(self, row: int) -> list[Joint]:
        """Return the joints that carry a row's body, the nearest first, down to the ground."""
        joints: list[Joint] = []
        body = body_of(self.model, row)
        while (carrier := self.forest.carriers.get(body)) is not None:
            joints.append(carrier.joint)
            body = carrier.body
        return joints

    # --- poses -------------------------------------------------------------------------------------------------

    def displacements_of(self, rows: ArrayLike) -> Callable[[ArrayLike], Array]:
        """Return what gives D(q) = X_RootF(q) X_RootF(0)⁻¹ (..., k, 4, 4) of k rows at positions q (..., m), as given.

        It multiplies only the motions that carry them.
        """
        motions, nodes = self._motions.above(self._nodes[np.asarray(rows, dtype=np.int64)])
        return lambda q: motions(self._checked(q))[..., nodes, :, :]

    def _checked(self, q: ArrayLike) -> Array:
        q = np.asarray(q, dtype=np.float64)
        if q.shape[-1:] != (len(self.dofs),):
            raise ValueError(
                f"positions of shape {q.shape}: the last axis must be the {len(self.dofs)} degrees of freedom"
            )
        return q

    def poses(self, q: ArrayLike, rows: ArrayLike | None = None) -> Array:
        """Return X_RootF(q) (..., n, 4, 4) of every row at positions q (..., m), radians and metres.

        Positions are taken as they are; :meth:`follow` puts followers where they belong. Poses that the file leaves
        undefined are NaN.

        Parameters
        ----------
        q
            One configuration, or any number of them.
        rows
            Which rows, if not all: a sequence of k row numbers gives (..., k, 4, 4).
        """
        q = self._checked(q)
        wanted = np.arange(len(self.model)) if rows is None else np.asarray(rows, dtype=np.int64)
        X0, nodes = self.initial_poses[wanted], self._nodes[wanted]
        batch = q.reshape(math.prod(q.shape[:-1]), q.shape[-1])
        if len(batch) >= _MANY:
            return self._batched(batch, X0, nodes).reshape(*q.shape[:-1], *X0.shape)
        X = np.empty((len(batch), *X0.shape))
        for first in range(0, len(batch), _CHUNK):
            part = slice(first, first + _CHUNK)
            # Bodies that do not move have node -1: the identity, which comes last.
            np.matmul(self._motions(batch[part]).take(nodes, axis=-3), X0, out=X[part])
        return X.reshape(*q.shape[:-1], *X0.shape)

    def jacobian(self, q: ArrayLike, row: int) -> Array:
        """Return the Jacobian J (..., 6, m) of a row's frame F at positions q (..., m), taken as they are.

        ``J @ q̇`` is the spatial velocity of F in the root: angular velocity in rad/s, then the velocity of F's origin
        in m/s, both in the axes of the root. Columns of followers are zero: what follows counts for its leader.
        """
        q = self._checked(q)
        J = np.zeros((*q.shape[:-1], 6, len(self.dofs)))
        D = self._motions(q)
        p_F = self.poses(q, [row])[..., 0, :3, 3]
        node = int(self._nodes[row])
        while node >= 0:
            angular, linear = self._moved_twist(node, D)
            column = int(self._motions.columns[node])
            source, gain = int(self.followers.sources[column]), float(self.followers.gains[column])
            J[..., :3, source] += gain * angular
            J[..., 3:, source] += gain * (linear + np.cross(angular, p_F))
            node = int(self._motions.parents[node])
        return J

    def _moved_twist(self, node: int, D: Array) -> tuple[Array, Array]:
        """Return angular and linear velocity (..., 3) in the root for one unit of an axis at displacements D."""
        X = D[..., int(self._motions.parents[node]), :, :]  # -1 is the identity of what does not move
        angular = X[..., :3, :3] @ self._twists[node, :3]
        return angular, X[..., :3, :3] @ self._twists[node, 3:] + np.cross(X[..., :3, 3], angular)

    def generalized_forces(self, q: ArrayLike, rows: ArrayLike, p: Array, f: Array) -> Array:
        """Return what forces do to the degrees of freedom (..., m) at positions q (..., m), in N m or N.

        Columns of followers are zero: what follows counts for its leader.

        Parameters
        ----------
        rows
            The rows (k,) that the forces act on.
        p
            Where, points (..., k, 3) in the root at these positions.
        f
            The forces (k, 3) in the root in N.
        """
        q = self._checked(q)
        nodes = self._nodes[np.asarray(rows, dtype=np.int64)]
        D = self._motions(q)
        wrenches = np.zeros((*q.shape[:-1], len(self._motions.parents), 6))
        for force, node in enumerate(nodes.tolist()):
            if node >= 0:
                wrenches[..., node, :3] += np.cross(p[..., force, :], f[force])
                wrenches[..., node, 3:] += f[force]
        result = np.zeros((*q.shape[:-1], len(self.dofs)))
        for node in range(len(self._motions.parents) - 1, -1, -1):
            parent = int(self._motions.parents[node])
            if parent >= 0:
                wrenches[..., parent, :] += wrenches[..., node, :]
            angular, linear = self._moved_twist(node, D)
            work = (angular * wrenches[..., node, :3]).sum(axis=-1) + (linear * wrenches[..., node, 3:]).sum(axis=-1)
            column = int(self._motions.columns[node])
            result[..., int(self.followers.sources[column])] += float(self.followers.gains[column]) * work
        return result


def relative_jacobian(J_G: Array, J_F: Array, X_RootG: Array, X_RootF: Array) -> Array:
    """Return the Jacobian (..., 6, m) of a frame F in a frame G, in the axes of G, from those of both in the root."""
    p_GF_Root = (X_RootF[..., :3, 3] - X_RootG[..., :3, 3])[..., np.newaxis, :]
    turning = np.cross(np.swapaxes(J_G[..., :3, :], -1, -2), p_GF_Root)  # what G's own rotation does to F's origin
    angular = J_F[..., :3, :] - J_G[..., :3, :]
    linear = J_F[..., 3:, :] - J_G[..., 3:, :] - np.swapaxes(turning, -1, -2)
    R_GRoot = np.swapaxes(X_RootG[..., :3, :3], -1, -2)
    return np.concatenate([R_GRoot @ angular, R_GRoot @ linear], axis=-2)


def _motion_twists(lines: list[_Line], signs: Array) -> Array:
    """Return the twists (k, 6) of k axes of motion in the root at q = 0 for one unit of their positions.

    Angular velocity, then the velocity of the point that passes the origin of the root.
    """
    p = np.array([line.p for line in lines]).reshape(-1, 3)
    u = np.array([line.u for line in lines]).reshape(-1, 3) * signs[:, None]
    turn = np.array([line.turn for line in lines])[:, None]
    travel = np.array([line.travel for line in lines])[:, None]
    return np.hstack([turn * u, travel * u + np.cross(p, turn * u)])


def _motion_bases(lines: list[_Line], signs: Array) -> Array:
    """Return the matrices (k, 4, 16) that weights ``1, sin q, 1 - cos q, q`` sum up to the motions along k lines.

    With K the cross product matrix of u: R = I + sin q K + (1 - cos q) K², and the turn leaves p in place. A sign of -1
    turns the other way.
    """
    p = np.array([line.p for line in lines]).reshape(-1, 3)
    u = np.array([line.u for line in lines]).reshape(-1, 3) * signs[:, None]
    turn = np.array([line.turn for line in lines])[:, None, None]
    travel = np.array([line.travel for line in lines])
    K = np.zeros((len(lines), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -u[:, 2], u[:, 1], -u[:, 0]
    K[:, 1, 0], K[:, 2, 0], K[:, 2, 1] = u[:, 2], -u[:, 1], u[:, 0]
    bases = np.zeros((len(lines), 4, 4, 4))
    bases[:, 0] = np.eye(4)
    for number, turned in ((1, K * turn), (2, K @ K * turn)):
        bases[:, number, :3, :3] = turned
        bases[:, number, :3, 3:] = -turned @ p[:, :, None]
    bases[:, 3, :3, 3] = travel[:, None] * u
    return bases.reshape(-1, 4, 16)
