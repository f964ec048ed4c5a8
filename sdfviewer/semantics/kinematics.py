"""Where everything is when the joints move.

Monogram notation: P and C are the joint's parent and child frames, Jp and Jc the joint frame fixed to either side,
``X_PC(q) = X_PJp @ X_JpJc(q) @ X_JcC`` with ``X_JpJc(0) = I``. SDFormat infers X_PJp and X_CJc from the initial
poses (pose frame semantics proposal, addendum "Model-Absolute").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer import transforms
from sdfviewer.semantics.graph import Rows
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.model import Joint, Model
from sdfviewer.transforms import Array

#: Joint types whose single axis turns, or slides.
_TURNS = frozenset({"revolute", "continuous"})
_SLIDES = frozenset({"prismatic"})


@dataclass(frozen=True, slots=True)
class Dof:
    """One degree of freedom.

    Attributes
    ----------
    name
        Scoped name of its joint.
    joint
        Its joint.
    unit
        ``"rad"`` or ``"m"``.
    lower, upper
        Limits in that unit; infinite where there is none.
    """

    name: str
    joint: Joint
    unit: str
    lower: float
    upper: float


class Kinematics:
    """Forward kinematics of a model.

    Bodies are links (and the world). A spanning tree over the joints, in document order, drives them: the first joint
    that names a body as its child carries it. Every other frame rides with its body.

    Attributes
    ----------
    dofs
        The degrees of freedom, in the order of the positions q.
    loop_joints
        Joints that close a loop, or drive a body that another joint drives already; they move nothing.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        X = model.X_RootF
        n = len(model)
        bodies = model.bodies
        finite = np.isfinite(X).all(axis=(1, 2))
        self.loop_joints: list[Joint] = []
        driver: dict[int, Joint] = {}
        carrier: dict[int, int] = {}
        for joint in model.joints:
            if joint.child < 0 or not finite[joint.row]:
                continue
            child = int(bodies[joint.child])
            parent = int(bodies[joint.parent]) if joint.parent >= 0 else -1
            if (
                child < 0
                or not finite[child]
                or model.kinds[child] is Kind.WORLD
                or (parent >= 0 and not finite[parent])
            ):
                continue
            if child in driver or self._reaches(carrier, parent, child):
                self.loop_joints.append(joint)
                continue
            driver[child] = joint
            carrier[child] = parent
        self._levels = _levels(carrier)
        self._driver = driver
        self._carrier = carrier
        moving = [joint for joint in model.joints if joint.row in {d.row for d in driver.values()}]
        self.dofs = tuple(
            Dof(joint.name, joint, "m" if joint.type in _SLIDES else "rad", *_limits(joint))
            for joint in moving
            if joint.type in _TURNS | _SLIDES and joint.axes
        )
        self._column = {dof.joint.row: column for column, dof in enumerate(self.dofs)}
        # Rows whose body never moves ride with themselves: X_BF = I and X_RootB = X_RootF.
        self._rides_with: Rows = np.where((bodies >= 0) & finite & finite[np.maximum(bodies, 0)], bodies, np.arange(n))
        self._X_BF = transforms.invert(X[self._rides_with]) @ X

    @staticmethod
    def _reaches(carrier: dict[int, int], start: int, goal: int) -> bool:
        row = start
        while row >= 0:
            if row == goal:
                return True
            row = carrier.get(row, -1)
        return False

    @property
    def q0(self) -> Array:
        """The initial configuration: zero for every degree of freedom."""
        return np.zeros(len(self.dofs))

    def positions(self, by_joint: Mapping[str, Sequence[float]]) -> Array:
        """Return positions q (m,) from numbers for each joint by scoped name; joints not named stay at zero."""
        q = self.q0
        for column, dof in enumerate(self.dofs):
            values = by_joint.get(dof.name)
            if values:
                q[column] = values[0]
        return q

    def X_JpJc(self, q: Array) -> Array:
        """Return the motion (..., m, 4, 4) across the joint of each degree of freedom at positions q (..., m)."""
        axes = np.array([dof.joint.axes[0].xyz for dof in self.dofs]).reshape(-1, 3)
        slides: NDArray[np.bool_] = np.array([dof.unit == "m" for dof in self.dofs], dtype=bool)
        R = transforms.axis_angle_to_matrix(np.broadcast_to(axes, (*q.shape, 3)), np.where(slides, 0.0, q))
        return transforms.pose(R, np.where(slides[:, None], axes * q[..., None], 0.0))

    def poses(self, q: ArrayLike) -> Array:
        """Return X_RootF(q) (..., n, 4, 4) of every row at positions q (..., m), radians and metres."""
        q = np.asarray(q, dtype=np.float64)
        X0 = self.model.X_RootF
        X = np.broadcast_to(X0, (*q.shape[:-1], *X0.shape)).copy()
        if self.dofs:
            motion = self.X_JpJc(q)
            # D_B = X_RootB(q) X_RootB(0)⁻¹ moves all that rides on B; across a joint D_C = D_P · X_RootJ X_JpJc X_JRoot.
            displacement = np.broadcast_to(np.eye(4), X.shape).copy()
            for level in self._levels:
                for body in level:
                    joint, parent = self._driver[body], self._carrier[body]
                    column = self._column.get(joint.row)
                    carried = displacement[..., parent, :, :] if parent >= 0 else np.eye(4)
                    if column is None:
                        displacement[..., body, :, :] = carried
                        continue
                    X_RootJ = X0[joint.row]
                    across = X_RootJ @ motion[..., column, :, :] @ transforms.invert(X_RootJ)
                    displacement[..., body, :, :] = carried @ across
            X = displacement[..., self._rides_with, :, :] @ X
        return X


def _limits(joint: Joint) -> tuple[float, float]:
    if joint.type == "continuous":
        return -np.inf, np.inf
    return joint.axes[0].lower, joint.axes[0].upper


def _levels(carrier: dict[int, int]) -> list[list[int]]:
    """Return the driven bodies, those nearest to the root first."""
    depth: dict[int, int] = {}
    for body in carrier:
        way = []
        row = body
        while row in carrier and row not in depth:
            way.append(row)
            row = carrier[row]
        base = depth.get(row, -1)
        for number, passed in enumerate(reversed(way)):
            depth[passed] = base + 1 + number
    levels: list[list[int]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for body, level in depth.items():
        levels[level].append(body)
    return levels
