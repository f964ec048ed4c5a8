"""Turn a joint by the movement of the mouse, where the point that is dragged says nothing about its angle."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sdfviewer.scene.camera.camera import Camera
from sdfviewer.scene.nodes import Floats

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
