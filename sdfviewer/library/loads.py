"""What joints hold against gravity, what they may carry, and how far a frame reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.formats.contents import read_limits
from sdfviewer.library.members import LinkMasses
from sdfviewer.library.names import short_name
from sdfviewer.library.state import State
from sdfviewer.model.model import UnresolvedPoseError
from sdfviewer.model.near_names import Hinted
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
