"""Joints that close loops, and the joint positions at which loops are closed.

A joint of a loop moves nothing. It says how far the frames Jp and Jc, which are one at the initial configuration, are
apart in the directions that a joint of its type holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer import transforms
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.transforms import Array

#: Step of the difference quotients: the error of the quotient is about its square.
_STEP = 1e-6
_ROUNDS = 60
#: The largest change of a position in one step, so that the nearest of several solutions is found.
_STRIDE = 0.3
#: By what part the change of a residual may differ from what was expected of a step, where the next may be longer.
_STRAIGHT = 0.01
_CLOSED = 1e-12
#: A step that promises less, as a part of the cost, is lost in rounding: a loop that cannot be closed is at its best.
_LEAST_GAIN = 1e-12
#: Smallest damping of a step, as a part of the largest curvature: well above what rounding leaves of it.
_LEAST_DAMPING = 1e-12


def loop_residuals(kinematics: Kinematics, q: ArrayLike) -> tuple[Array, Array]:
    """Return how far the ends of each loop joint are apart: metres (..., k) and radians (..., k).

    Only what the joint holds together counts: a revolute joint does not mind the angle about its axis, a prismatic one
    not the way along it.
    """
    violation = _Violations(kinematics, kinematics.loop_joints)(np.asarray(q, dtype=np.float64))
    return np.linalg.norm(violation[..., :3], axis=-1), np.linalg.norm(violation[..., 3:], axis=-1)


def close_loops(
    kinematics: Kinematics, q: ArrayLike, held: Collection[str] = (), loops: Sequence[Joint] | None = None
) -> Array:
    """Return positions (m,) near q (m,) at which the loops are closed as well as they can be.

    Parameters
    ----------
    kinematics
        What moves.
    q
        Where to start.
    held
        Scoped names of joints that must stay where they are: those that the user moves by hand.
    loops
        The loop joints to close, all by default: where few joints move, those of :func:`loops_around` are enough.
    """
    return LoopCloser(kinematics, held, loops)(q)


class LoopCloser:
    """What :func:`close_loops` does, for many positions at which the same joints are held."""

    def __init__(
        self, kinematics: Kinematics, held: Collection[str] = (), loops: Sequence[Joint] | None = None
    ) -> None:
        self._kinematics = kinematics
        closed = kinematics.loop_joints if loops is None else loops
        self._free = _free_columns(kinematics, held, _joints_in_loops(kinematics, closed))
        self._violations = _Violations(kinematics, closed)

    def __call__(self, q: ArrayLike) -> Array:
        """Return positions (m,) near q (m,) at which the loops are closed as well as they can be."""
        return _least_squares(self._kinematics, self._kinematics.follow(q), self._free, self._violations.flat)


def loops_around(kinematics: Kinematics, columns: Collection[int]) -> tuple[Joint, ...]:
    """Return the loop joints that some degrees of freedom may open, with those that closing them may open in turn.

    What carries all of a loop, or nothing of it, cannot open it.
    """
    around = {joint.row: _joints_around(kinematics, joint) for joint in kinematics.loop_joints}
    moved = {
        dof.joint.row
        for column, dof in enumerate(kinematics.dofs)
        if column in columns or int(kinematics.sources[column]) in columns
    }
    found: set[int] = set()
    while more := {row for row, joints in around.items() if row not in found and joints & moved}:
        found |= more
        for row in more:
            moved |= around[row]
    return tuple(joint for joint in kinematics.loop_joints if joint.row in found)


def _joints_in_loops(kinematics: Kinematics, loops: Sequence[Joint]) -> set[int]:
    """Return the rows of the joints whose motion may open or close some loops."""
    return {row for joint in loops for row in _joints_around(kinematics, joint)}


def _joints_around(kinematics: Kinematics, loop: Joint) -> set[int]:
    """Return the rows of the joints that move one end of a loop joint and not the other."""
    above = [{each.row for each in kinematics.joints_above(end)} for end in (loop.parent, loop.child)]
    return above[0] ^ above[1]


def _free_columns(kinematics: Kinematics, held: Collection[str], joints: Collection[int]) -> list[int]:
    """Return the free degrees of freedom that move one of ``joints``, or what follows them does; those held do not."""
    dofs, sources = kinematics.dofs, kinematics.sources.tolist()
    reaching = {source for dof, source in zip(dofs, sources, strict=True) if dof.joint.row in joints}
    return [column for column in sorted(reaching) if dofs[column].joint.name not in held]


class _Violations:
    """What some loop joints should hold and do not, as a function of positions (..., m): metres, radians, in Jp."""

    def __init__(self, kinematics: Kinematics, joints: Sequence[Joint]) -> None:
        self._X_RootJ = kinematics.initial_poses[[joint.row for joint in joints]].reshape(-1, 4, 4)
        # Row 0 of a world file does not move, but an end outside of a model file has no row at all.
        ends = [max(joint.parent, 0) for joint in joints], [joint.child for joint in joints]
        self._displacements = kinematics.displacements_of(ends[0] + ends[1])
        self._outside = [number for number, joint in enumerate(joints) if joint.parent == ROOT]
        alike: dict[str, list[int]] = {}
        for number, joint in enumerate(joints):
            alike.setdefault(_held_by(joint), []).append(number)
        self._groups = [(held, numbers, [joints[number] for number in numbers]) for held, numbers in alike.items()]

    def __call__(self, q: Array) -> Array:
        """Return the closure errors (..., k, 6) of all k joints."""
        D, count = self._displacements(q), len(self._X_RootJ)
        D[..., self._outside, :, :] = np.eye(4)
        X_JpJc = transforms.invert(D[..., :count, :, :] @ self._X_RootJ) @ D[..., count:, :, :] @ self._X_RootJ
        violation = np.zeros((*X_JpJc.shape[:-2], 6))
        for held, numbers, joints in self._groups:
            violation[..., numbers, :] = _violation(held, joints, X_JpJc[..., numbers, :, :])
        return violation

    def flat(self, q: Array) -> Array:
        """Return the closure errors (..., 6 k) one after the other."""
        return self(q).reshape(*q.shape[:-1], 6 * len(self._X_RootJ))


def _held_by(joint: Joint) -> str:
    """Return the type of joint that holds its ends together as a joint does."""
    axes = [axis.xyz for axis in joint.axes]
    if joint.type in ("universal", "revolute2") and len(axes) > 1:
        return "universal"
    if joint.type != "ball" and (not axes or not np.isfinite(axes[0]).all()):
        return "fixed"
    return joint.type if joint.type in ("ball", "fixed", "prismatic", "screw") else "revolute"


def _violation(held: str, joints: Sequence[Joint], X: Array) -> Array:
    """Return the closure errors (..., k, 6) of joints that hold their ends alike, with X_JpJc (..., k, 4, 4)."""
    p, R = X[..., :3, 3], X[..., :3, :3]
    if held == "ball":
        return np.concatenate([p, np.zeros_like(p)], axis=-1)
    if held == "fixed":
        return np.concatenate([p, _rotation_vector(R)], axis=-1)
    u = np.array([joint.axes[0].xyz for joint in joints])
    if held == "universal":
        # The child turns about the second axis, and both together about the first: their angle stays.
        v = np.array([joint.axes[1].xyz for joint in joints])
        bend = np.einsum("ki,...kij,kj->...k", u, R, v) - (u * v).sum(axis=-1)
        return np.concatenate([p, bend[..., None] * np.array([1.0, 0.0, 0.0])], axis=-1)
    along = (p * u).sum(axis=-1, keepdims=True)
    if held == "prismatic":
        return np.concatenate([p - along * u, _rotation_vector(R)], axis=-1)
    tilt = _cross(u, (R @ u[..., None])[..., 0])
    if held == "screw":
        # Poses do not show whole turns, so assume the nearest one.
        pitch = np.array([[joint.screw_pitch] for joint in joints])
        excess = along - pitch * (_rotation_vector(R) * u).sum(axis=-1, keepdims=True)
        turn = 2.0 * np.pi * pitch
        excess = excess - turn * np.round(excess / np.where(turn == 0.0, np.inf, turn))
        return np.concatenate([p - along * u + excess * u, tilt], axis=-1)
    return np.concatenate([p, tilt], axis=-1)


def _cross(a: Array, b: Array) -> Array:
    """Return the cross products (..., 3), as ``np.cross`` does, which takes most of its time to check shapes."""
    return np.asarray(a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]])


def _rotation_vector(R: Array) -> Array:
    """Return axis times angle (..., 3) of rotation matrices (..., 3, 3), the angle at most π."""
    q = transforms.matrix_to_quaternion(R)
    length = np.sqrt((q[..., 1:] ** 2).sum(axis=-1, keepdims=True))
    angle = 2.0 * np.arctan2(length, q[..., :1])
    return np.asarray(q[..., 1:] * np.where(length > 1e-12, angle / np.maximum(length, 1e-12), 2.0))


def _least_squares(kinematics: Kinematics, q: Array, free: list[int], residual: Callable[[Array], Array]) -> Array:
    """Return positions within the limits that make a residual as small as they can (Levenberg, Marquardt).

    A trial and its difference quotients are one call for many configurations.
    """
    if not free:
        return q
    lower = np.array([kinematics.dofs[column].lower for column in free])
    upper = np.array([kinematics.dofs[column].upper for column in free])
    # A joint that the user has moved beyond its limits may stay there.
    lower, upper = np.minimum(lower, q[free]), np.maximum(upper, q[free])
    step = _STEP * np.eye(len(free))
    steps = np.concatenate([np.zeros((1, len(free))), step, -step])

    def at(values: Array) -> Array:
        full = np.broadcast_to(q, (*values.shape[:-1], len(q))).copy()
        full[..., free] = values
        return kinematics.follow(full)

    def linearised(values: Array) -> tuple[Array, Array]:
        """Return the residual (k,) and its derivatives (k, free)."""
        r = residual(at(values + steps))
        return r[0], (r[1 : len(free) + 1] - r[len(free) + 1 :]).T / (2.0 * _STEP)

    values, damping, stride = q[free], 1e-3, _STRIDE
    r, J = linearised(values)
    for _ in range(_ROUNDS):
        cost = float(r @ r)
        if cost < _CLOSED**2:
            break
        downhill = -J.T @ r
        # What is at a limit and would go beyond it stays; the others make up for it.
        goes = ~((values <= lower) & (downhill < 0) | (values >= upper) & (downhill > 0))
        improved, curvature = False, J.T[goes] @ J[:, goes]
        # Joints about one axis do the same to the loop: without any damping there would be no single best step.
        damping = max(damping, _LEAST_DAMPING * float(np.abs(curvature).max(initial=1.0)))
        while damping < 1e6 and not improved:
            step = np.zeros(len(free))
            step[goes] = np.linalg.solve(curvature + damping * np.eye(goes.sum()), downhill[goes])
            if float(step @ downhill) < _LEAST_GAIN * cost:
                break
            step *= min(1.0, stride / max(float(np.abs(step).max()), stride))
            trial = np.clip(values + step, lower, upper)
            r_trial, J_trial = linearised(trial)
            improved = float(r_trial @ r_trial) < cost
            # Where the loop is as straight as assumed there is no other solution on the way: a screw turns a lot.
            expected = J @ (trial - values)
            error = r_trial - r - expected
            stride = 2.0 * stride if float(error @ error) < _STRAIGHT**2 * float(expected @ expected) else _STRIDE
            damping *= 0.01 if improved else 10.0
        if not improved:
            break
        converged = float(np.abs(trial - values).max()) < _CLOSED
        values, r, J = trial, r_trial, J_trial
        if converged:
            break
    return at(values)
