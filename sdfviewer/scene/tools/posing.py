"""Drag a body: joint positions that keep the grabbed point under the cursor.

Where the point says nothing about the angle of a joint, the movement of the mouse turns it.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from sdfviewer.model.joints import Joint
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.loops import close_loops, loops_around
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.nodes import Floats
from sdfviewer.transforms import invert

_LEAST_PIXELS = 2.0
"""A point that a radian moves by fewer pixels does not lead its joint."""
_LEAST_SLOPE = 0.02
"""A slide that is shortened in the picture to less than this part of its length does not follow the mouse."""
_RADIUS = 100.0
"""Pixels across the axis that turn by a radian, as if the mouse rolled a ball of this radius."""
_END_ON = math.cos(math.radians(20.0))
"""From this cosine between axis and line of sight on, the mouse goes round the axis."""
_INNER = 8.0
"""Pixels around an axis seen end on in which the direction to the mouse is chance."""


@dataclass(frozen=True)
class PointMotion:
    """How a point and its body move with one degree of freedom, for each unit of its position, in the root.

    Attributes
    ----------
    velocity
        Of the point, (3,).
    spin
        Of the body: its axis times how far it turns, (3,).
    """

    velocity: Floats
    spin: Floats

    def leads(self, camera: Camera, point: Floats, height: float) -> bool:
        """Return whether the place of the point (3,) in a picture says what the position is."""
        sight = _sight(camera, point)
        across = self.velocity - float(self.velocity @ sight) * sight
        pixels = float(np.linalg.norm(across)) / max(float(camera.metres_per_pixel(point, height)), 1e-12)
        if self.turns:
            return pixels >= _LEAST_PIXELS * float(np.linalg.norm(self.spin))
        return float(np.linalg.norm(across)) >= _LEAST_SLOPE * float(np.linalg.norm(self.velocity)) > 0.0

    @property
    def turns(self) -> bool:
        """Whether the body turns."""
        return float(np.linalg.norm(self.spin)) > 1e-9


class Turn:
    """A turn about an axis through a point, led by the mouse.

    Where the axis is seen from the side, the mouse rolls its front; where it is seen end on, the mouse goes round it.

    Parameters
    ----------
    motion
        What turns.
    camera
        From where it is seen.
    point
        A point (3,) in the root.
    at
        The pixel at which the drag begins.
    size
        Width and height of the picture in pixels.
    """

    def __init__(
        self, motion: PointMotion, camera: Camera, point: Floats, at: tuple[float, float], size: tuple[float, float]
    ) -> None:
        self._rate = float(np.linalg.norm(motion.spin))
        axis, sight = motion.spin / self._rate, _sight(camera, point)
        towards = -float(axis @ sight)
        self._last = np.array(at)
        self._moved = 0.0
        self._centre: Floats | None = None
        self._across: Floats = np.zeros(2)
        if abs(towards) > _END_ON:
            self._centre, _ = camera.project(point, *size)
            self._rate *= math.copysign(1.0, towards)
            return
        forward = np.cross(axis, -sight)
        pixels = np.array([float(forward @ camera.axes[0]), -float(forward @ camera.axes[1])])
        self._across = pixels / np.linalg.norm(pixels)

    def follow(self, x: float, y: float) -> float:
        """Return by how much the position of the joint has changed since the drag began, with the mouse at a pixel."""
        now = np.array([x, y])
        if self._centre is None:
            self._moved += float((now - self._last) @ self._across) / _RADIUS
        else:
            before, after = self._last - self._centre, now - self._centre
            if min(float(np.linalg.norm(before)), float(np.linalg.norm(after))) >= _INNER:
                # Pixels count downwards, angles against the clock.
                step = math.atan2(after[0], after[1]) - math.atan2(before[0], before[1])
                self._moved += math.remainder(step, 2 * math.pi)
        self._last = now
        return self._moved / self._rate


def _sight(camera: Camera, point: Floats) -> Floats:
    """Return the unit direction (3,) in which a camera sees a point."""
    if camera.orthographic:
        return np.asarray(-camera.axes[2])
    direction = point - camera.eye
    return np.asarray(direction / max(float(np.linalg.norm(direction)), 1e-12))


_ROUNDS = 12
_STRIDE = 0.25
"""No position changes by more in one round, so that a joint does not jump to the far side of its circle."""
_STEP = 1e-5
_LEVER = 1.0
"""Metres: where a body keeps its orientation, a radian weighs as much as this distance."""
_DAMPING = 0.02
"""Of the largest gain, what is added to all: positions with almost no effect on the point stay where they are."""


def moving_joints(kinematics: Kinematics, row: int) -> list[Joint]:
    """Return the joints that can move a row's body, the nearest first."""
    free = {dof.joint.row for dof in kinematics.dofs}
    return [joint for joint in kinematics.joints_above(row) if joint.row in free]


class PoseGrip:
    """A point of a row's body at joint positions q.

    Parameters
    ----------
    kinematics, q
        What moves, and where it is.
    row
        A row that rides on the body.
    point
        The point (3,) in root coordinates.
    joints
        Which joints may move.
    limited
        Whether they keep to their limits.
    held
        Scoped names of joints that stay where they are, also where loops are closed.
    keeps_orientation
        Whether the body keeps its orientation, as well as the joints can, where the point is led in depth.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        q: Floats,
        row: int,
        point: Floats,
        joints: Collection[Joint],
        *,
        limited: bool = True,
        held: Collection[str] = (),
        keeps_orientation: bool = False,
    ) -> None:
        self._kinematics = kinematics
        self.q = kinematics.follow(q)
        self._row = row
        X_RootF = kinematics.poses(self.q, [row])[0]
        self._p_F = invert(X_RootF) @ np.append(point, 1.0)
        self._R_RootF = X_RootF[:3, :3]
        self._keeps_orientation = keeps_orientation
        self.point = np.asarray(point, dtype=np.float64)
        rows = {joint.row for joint in joints}
        own = [column for column, dof in enumerate(kinematics.dofs) if dof.joint.row in rows]
        # A joint that follows another is moved by moving its leader.
        leaders = sorted({int(kinematics.sources[column]) for column in own})
        self._columns = [column for column in leaders if kinematics.dofs[column].joint.name not in held]
        self._held = frozenset(held).union(kinematics.dofs[column].joint.name for column in self._columns)
        # Closing loops that nothing opens takes longer than all else that a move of the mouse does here.
        self._loops = loops_around(kinematics, self._columns)
        dofs = [kinematics.dofs[column] for column in self._columns]
        here = self.q[self._columns]
        bounds = [(dof.lower, dof.upper) if limited else (-np.inf, np.inf) for dof in dofs]
        limits = np.array(bounds, dtype=np.float64).reshape(-1, 2)
        # A joint that the user has moved beyond its limits may stay there.
        self._lower, self._upper = np.minimum(limits[:, 0], here), np.maximum(limits[:, 1], here)

    @property
    def joints(self) -> tuple[str, ...]:
        """Scoped names of the joints that the mouse moves."""
        return tuple(dict.fromkeys(self._kinematics.dofs[column].joint.name for column in self._columns))

    def held_point(self) -> Floats:
        """Return the current position of the dragged point, (3,)."""
        return np.asarray((self._poses(self.q[self._columns]) @ self._p_F)[:3])

    def _poses(self, values: Floats) -> Floats:
        """Return the poses of the body (..., 4, 4) for values (..., k) of the joints that move."""
        q = np.broadcast_to(self.q, (*values.shape[:-1], len(self.q))).copy()
        q[..., self._columns] = values
        return self._kinematics.poses(self._kinematics.follow(q), [self._row])[..., 0, :, :]

    def motions(self) -> list[PointMotion]:
        """Return how the point moves with each degree of freedom that the mouse moves."""
        values = self.q[self._columns]
        steps = np.eye(len(values)) * _STEP
        found = []
        for ahead, behind in zip(self._poses(values + steps), self._poses(values - steps), strict=True):
            R = ahead[:3, :3] @ behind[:3, :3].T
            spin = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * _STEP)
            found.append(PointMotion(((ahead - behind) @ self._p_F)[:3] / (2 * _STEP), spin))
        return found

    def turn(self, start: Floats, change: float) -> Floats:
        """Return positions (m,) with what the mouse moves changed from `start` (m,), as far as limits allow."""
        return self._move_to(np.clip(start[self._columns] + change, self._lower, self._upper))

    def _turned(self, X: Floats) -> Floats:
        """Return by how much a body with poses (..., 4, 4) is rotated: radians (..., 3), exact where they are few."""
        axes, now = self._R_RootF.T, np.swapaxes(X[..., :3, :3], -1, -2)
        return np.asarray(np.cross(axes, now).sum(axis=-2) / 2)

    def drag(
        self, camera: Camera, x: float, y: float, width: float, height: float, *, in_depth: bool = False
    ) -> Floats:
        """Return positions (m,) that bring the point under a pixel, or as near as the joints can.

        With `in_depth` the point is led along the plane through where it was taken, parallel to the picture: what a
        chain of joints needs to know. Otherwise only its place in the picture counts, which one joint can follow from
        every side.
        """
        keeps_orientation = self._keeps_orientation and in_depth
        origin, direction = camera.ray(x, y, width, height)
        back = camera.axes[2]
        target = origin + float((self.point - origin) @ back) / float(direction @ back) * direction
        per_metre = 1.0 / max(float(camera.metres_per_pixel(self.point, height)), 1e-12)

        def residual(X: Floats) -> Floats:
            """Return how many pixels bodies with poses (..., 4, 4) are away from where they should be."""
            points = np.asarray((X @ self._p_F)[..., :3])
            if keeps_orientation:
                away = np.concatenate([points - target, _LEVER * self._turned(X)], axis=-1)
                return np.asarray(away * per_metre)
            if in_depth:
                return np.asarray((points - target) * per_metre)
            pixels, _ = camera.project(points, width, height)
            return np.asarray(pixels - np.array([x, y]))

        values = self.q[self._columns]
        r = residual(self._poses(values))
        for _ in range(_ROUNDS):
            if float(r @ r) < 0.05**2:
                break
            steps = np.eye(len(values)) * _STEP
            ends = residual(self._poses(np.concatenate([values + steps, values - steps])))
            J = ((ends[: len(values)] - ends[len(values) :]) / (2 * _STEP)).T
            gains = J @ J.T
            damping = _DAMPING**2 * float(np.trace(gains)) + 1e-3
            step = -J.T @ np.linalg.solve(gains + damping * np.eye(len(gains)), r)
            step *= min(1.0, _STRIDE / max(float(np.abs(step).max(initial=0.0)), 1e-12))
            r_next, trial = r, values
            for _ in range(5):
                trial = np.clip(values + step, self._lower, self._upper)
                r_next = residual(self._poses(trial))
                if float(r_next @ r_next) < float(r @ r):
                    break
                step = step / 2
            else:
                break
            values, r = trial, r_next
        return self._move_to(values)

    def _move_to(self, values: Floats) -> Floats:
        """Return positions (m,) with values (k,) of what the mouse moves, and loops closed."""
        self.q = self.q.copy()
        self.q[self._columns] = values
        self.q = self._kinematics.follow(self.q)
        if self._loops:
            self.q = close_loops(self._kinematics, self.q, self._held, self._loops)
        return self.q
