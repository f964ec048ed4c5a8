"""The camera: its pose, its motion, and the projection of points to pixels.

A camera is an immutable turntable about a focus: z is up, it never rolls. Angles are radians, lengths metres, pixels
count from the upper left corner. World W, camera frame K (x right, y up, z towards the viewer).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
_Number = TypeVar("_Number", float, NDArray[np.float64])

VIEWS: dict[str, tuple[float, float]] = {
    "iso": (math.radians(40.0), math.radians(26.0)),
    "front": (0.0, 0.0),
    "back": (math.pi, 0.0),
    "left": (math.pi / 2, 0.0),
    "right": (-math.pi / 2, 0.0),
    "top": (-math.pi / 2, math.pi / 2),
    "bottom": (-math.pi / 2, -math.pi / 2),
}
"""Yaw and pitch of the preset views; a robot's front is +x and its left is +y (REP 103)."""


class Action(str, Enum):
    """What dragging the mouse does."""

    ORBIT = "orbit"
    PAN = "pan"
    ZOOM = "zoom"


NAVIGATION: dict[str, dict[tuple[str, str], Action]] = {
    "gazebo": {
        ("left", ""): Action.PAN,
        ("middle", ""): Action.ORBIT,
        ("left", "shift"): Action.ORBIT,
        ("right", ""): Action.ZOOM,
    },
    "rviz": {
        ("left", ""): Action.ORBIT,
        ("middle", ""): Action.PAN,
        ("left", "shift"): Action.PAN,
        ("right", ""): Action.ZOOM,
    },
    "web": {
        ("left", ""): Action.ORBIT,
        ("right", ""): Action.PAN,
        ("left", "shift"): Action.PAN,
        ("middle", ""): Action.PAN,
    },
}
"""Navigation presets: (button, modifier) to what dragging does; the wheel zooms to the cursor in all of them."""

# A pitch of exactly 90° is allowed: right and up follow from the yaw alone, so nothing degenerates there.
_PITCH_LIMIT = math.pi / 2
MARGIN = 1.2
"""Size of a picture as a multiple of what is brought into sight: it takes five sixths of the width or of the height."""
_CLOSEST, _FARTHEST = 1e-4, 1e7


@dataclass(frozen=True)
class Camera:
    """A turntable camera.

    `yaw` and `pitch` give its direction: at zero it is on the +x side of the focus. `fov` is the vertical
    field of view; an orthographic camera shows as much of the plane through the focus as a perspective one would.
    `shift` is where the picture shows the focus: right of and above its middle, in halves of its height. It moves the
    picture, not the camera, as the shift of a lens does: what is seen from the front is seen from the front anywhere.
    """

    focus: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 3.0
    yaw: float = VIEWS["iso"][0]
    pitch: float = VIEWS["iso"][1]
    fov: float = math.radians(40.0)
    orthographic: bool = False
    shift: tuple[float, float] = (0.0, 0.0)

    # -- pose ----------------------------------------------------------------------------------------------------

    # A picture asks for both some sixty times.
    @cached_property
    def axes(self) -> Array:
        """The camera's x (right), y (up) and z (towards the viewer) in the world as rows, (3, 3): R_KW. Read-only."""
        cy, sy, cp, sp = math.cos(self.yaw), math.sin(self.yaw), math.cos(self.pitch), math.sin(self.pitch)
        axes = np.array([[-sy, cy, 0.0], [-sp * cy, -sp * sy, cp], [cp * cy, cp * sy, sp]])
        axes.setflags(write=False)
        return axes

    @cached_property
    def eye(self) -> Array:
        """The position of the camera in the world, (3,). Read-only."""
        eye: Array = np.asarray(self.focus) + self.distance * self.axes[2]
        eye.setflags(write=False)
        return eye

    def view_matrix(self) -> Array:
        """Return X_KW (4, 4), which takes points of the world into the camera frame."""
        X_KW = np.eye(4)
        X_KW[:3, :3] = self.axes
        X_KW[:3, 3] = -self.axes @ self.eye
        return X_KW

    def projection_matrix(self, aspect: float, near: float, far: float) -> Array:
        """Return the OpenGL projection (4, 4) for width / height = `aspect` and the given clip distances."""
        P = np.zeros((4, 4))
        right, up = self.shift[0] / aspect, self.shift[1]
        if self.orthographic:
            half = self.distance * math.tan(self.fov / 2)
            P[0, 0], P[1, 1], P[3, 3] = 1 / (half * aspect), 1 / half, 1.0
            P[2, 2], P[2, 3] = -2 / (far - near), -(far + near) / (far - near)
            P[0, 3], P[1, 3] = right, up
        else:
            f = 1 / math.tan(self.fov / 2)
            P[0, 0], P[1, 1], P[3, 2] = f / aspect, f, -1.0
            P[2, 2], P[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
            P[0, 2], P[1, 2] = -right, -up
        return P

    def clip_range(self, bounds: ArrayLike) -> tuple[float, float]:
        """Return near and far distances that hold `bounds` (2, 3), with the depth buffer spent on what is there."""
        lower, upper = np.asarray(bounds, dtype=np.float64)
        centre, radius = (lower + upper) / 2, float(np.linalg.norm(upper - lower)) / 2
        depth = float((self.eye - centre) @ self.axes[2])
        far = max(depth + radius, self.distance) * 1.01 + 1e-3
        if self.orthographic:
            return min(depth - radius, 0.0) * 1.01 - 1e-3, far
        # Inside the scene, choose near by the focus: depth far behind it may lose precision.
        return max((depth - radius) * 0.99, min(far / 5000, self.distance / 50), 1e-4), far

    def matrix(self, width: float, height: float, bounds: ArrayLike) -> Array:
        """Return projection times view (4, 4) for a picture of that size around `bounds`."""
        near, far = self.clip_range(bounds)
        return np.asarray(self.projection_matrix(width / max(height, 1), near, far) @ self.view_matrix())

    # -- between pixels and the world ---------------------------------------------------------------------------------

    def centre(self, width: float, height: float) -> tuple[float, float]:
        """Return the pixel at which a picture of that size shows the focus."""
        return (width + self.shift[0] * height) / 2, (1 - self.shift[1]) * height / 2

    def _tangents(self, x: _Number, y: _Number, width: float, height: float) -> tuple[_Number, _Number]:
        """Return how far pixels are to the right and above what is straight ahead, one metre in front of the eye."""
        (middle, level), scale = self.centre(width, height), 2 * math.tan(self.fov / 2) / max(height, 1)
        return (x - middle) * scale, (level - y) * scale

    def metres_per_pixel(self, points: ArrayLike, height: float) -> Array:
        """Return how large a pixel is at each of the points (..., 3), in metres."""
        if self.orthographic:
            depth = np.full(np.asarray(points).shape[:-1], self.distance)
        else:
            depth = np.maximum(self.depth(points), _CLOSEST)
        return np.asarray(2 * depth * math.tan(self.fov / 2) / max(height, 1))

    def depth(self, points: ArrayLike) -> Array:
        """Return how far in front of the camera each of the points (..., 3) is, in metres."""
        p = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
        back = self.axes[2]
        return np.asarray(float(self.eye @ back) - _along(back[None], p)[0])

    def is_left_of(self, x: float, points: Array, width: float, height: float) -> NDArray[np.bool_]:
        """Return which of the points (k, 3), all in front of the camera, are left of a column of a picture."""
        right, _, back = self.axes
        across, _ = self._tangents(x, 0.0, width, height)
        if self.orthographic:
            edge, beyond = right, float(self.eye @ right) + across * self.distance
        else:
            edge = right + across * back
            beyond = float(self.eye @ edge)
        return np.asarray(_along(edge[None], points.T)[0] <= beyond)

    def project(self, points: ArrayLike, width: float, height: float) -> tuple[Array, Array]:
        """Return pixels (..., 2) and depths (...) in metres in front of the camera of world points (..., 3)."""
        p = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
        right, up, back = _along(self.axes, p - self.eye.reshape(3, *([1] * (p.ndim - 1))))
        depth = -back
        half = math.tan(self.fov / 2)
        if self.orthographic:
            scale = np.full(depth.shape, height / (2 * half * self.distance))
        else:
            # Points behind the camera keep a finite pixel; their negative depth tells them apart.
            scale = height / (2 * half * np.where(np.abs(depth) < _CLOSEST, _CLOSEST, depth))
        x, y = self.centre(width, height)
        pixels = np.stack([x + right * scale, y - up * scale], axis=-1)
        return pixels, depth

    def ray(self, x: ArrayLike, y: ArrayLike, width: float, height: float) -> tuple[Array, Array]:
        """Return origin and unit direction (..., 3) of the line of sight through pixels (...); the eye is one (3,)."""
        across, along = self._tangents(np.asarray(x, float), np.asarray(y, float), width, height)
        u, v = across[..., None], along[..., None]
        right, up, back = self.axes
        if self.orthographic:
            # Start the ray far behind the eye, because an orthographic camera also shows what is behind it.
            origin = self.eye + (u * right + v * up) * self.distance + back * 1e3 * self.distance
            return origin, np.broadcast_to(-back, origin.shape)
        direction = u * right + v * up - back
        return self.eye, direction / np.linalg.norm(direction, axis=-1, keepdims=True)

    # -- moving -------------------------------------------------------------------------------------------------------

    def orbit(self, dx: float, dy: float, height: float) -> Camera:
        """Return the camera after dragging by (dx, dy) pixels: a drag over the whole height is half a turn."""
        turn = math.pi / max(height, 1)
        pitch = min(max(self.pitch + dy * turn, -_PITCH_LIMIT), _PITCH_LIMIT)
        return replace(self, yaw=math.remainder(self.yaw - dx * turn, 2 * math.pi), pitch=pitch)

    def pan(self, dx: float, dy: float, height: float) -> Camera:
        """Return the camera after dragging the plane through the focus by (dx, dy) pixels."""
        scale = 2 * self.distance * math.tan(self.fov / 2) / max(height, 1)
        right, up, _ = self.axes
        return self.looking_at(np.asarray(self.focus) + (-dx * right + dy * up) * scale)

    def zoom(self, factor: float, x: float, y: float, width: float, height: float) -> Camera:
        """Return the camera with its distance times `factor`; what the pixel (x, y) shows in the focus plane stays."""
        distance = min(max(self.distance * factor, _CLOSEST), _FARTHEST)
        factor = distance / self.distance
        u, v = self._tangents(x, y, width, height)
        right, up, _ = self.axes
        anchor = np.asarray(self.focus) + (u * right + v * up) * self.distance
        return replace(self.looking_at(anchor + (np.asarray(self.focus) - anchor) * factor), distance=distance)

    def turning_about(self, depth: float) -> Camera:
        """Return the camera, in the same place, with its focus where the picture shows it, but at a depth in metres."""
        focus = self.eye - depth * self.axes[2]
        if self.orthographic:  # its distance says how much it shows
            focus = np.asarray(self.focus) + (self.distance - depth) * self.axes[2]
            return self.looking_at(focus)
        return self.looking_at(focus, depth)

    def looking_at(self, point: ArrayLike, distance: float | None = None) -> Camera:
        """Return the camera with its focus on a point of the world (3,), seen from the same side."""
        x, y, z = (float(value) for value in np.asarray(point, dtype=np.float64))
        return replace(self, focus=(x, y, z), distance=self.distance if distance is None else distance)

    def seen_from(self, view: str) -> Camera:
        """Return the camera turned to one of `VIEWS`.

        Raises
        ------
        KeyError
            If there is no view of that name.
        """
        yaw, pitch = VIEWS[view]
        return replace(self, yaw=yaw, pitch=pitch)

    def seen_along(self, direction: ArrayLike) -> Camera:
        """Return the camera standing on the side of the focus that `direction` (3,) points to."""
        x, y, z = np.asarray(direction, dtype=np.float64) / np.linalg.norm(np.asarray(direction, dtype=np.float64))
        if math.hypot(x, y) < 1e-6:
            return self.seen_from("top" if z > 0 else "bottom")
        return replace(self, yaw=math.atan2(y, x), pitch=math.asin(min(max(z, -1.0), 1.0)))

    def fit(self, points: ArrayLike, aspect: float, margin: float = MARGIN) -> Camera:
        """Return the camera at the nearest distance from which all points (k, 3) are in a picture that is not shifted.

        They are in the middle of it. The focus comes to lie in the middle of their depth, so that orbiting turns about
        what is seen. `margin` is the size of the picture as a multiple of what the points take of it.
        """
        p = np.ascontiguousarray(np.asarray(points, dtype=np.float64).T)
        middle = (p.min(axis=1) + p.max(axis=1)) / 2
        tangents = np.array([aspect, 1.0]) * math.tan(self.fov / 2) / margin
        right, left, up, down = _along(self._directions(tangents), p - middle[:, None]).max(axis=1).tolist()
        reach = [(right, left), (up, down)]
        offsets = [(right - left) / 2 for right, left in reach]
        distance = max(
            (right + left) / 2 / tangent for (right, left), tangent in zip(reach, tangents.tolist(), strict=True)
        )
        focus = middle + offsets[0] * self.axes[0] + offsets[1] * self.axes[1]
        return self.looking_at(focus, max(distance, 1e-2))

    def _directions(self, tangents: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the directions (4, 3) in which the outermost points decide how near the camera may come.

        In a perspective picture with tangent t to the right, a camera at distance D and offset c from the middle sees a
        point where ``|x - c| <= t (D - z)``: a line through each point.
        """
        x, y, z = self.axes
        across, along = (0.0 * tangents if self.orthographic else tangents).tolist()
        return np.stack([across * z + x, across * z - x, along * z + y, along * z - y])

    def decisive(self, points: ArrayLike, aspect: float, margin: float = MARGIN) -> NDArray[np.float64]:
        """Return the few of some points (k, 3) that `fit` needs, which gives the same camera for them as for all."""
        p = np.ascontiguousarray(np.asarray(points, dtype=np.float64).T)
        across = _along(self._directions(np.array([aspect, 1.0]) * math.tan(self.fov / 2) / margin), p)
        chosen = np.concatenate([p.argmin(axis=1), p.argmax(axis=1), across.argmax(axis=1)])
        return np.asarray(p.T[np.unique(chosen)])

    def blend(self, other: Camera, t: float) -> Camera:
        """Return a camera between this (t = 0) and another (t = 1), for smooth moves; the yaw takes the short way."""
        s = t * t * (3 - 2 * t)
        focus = np.asarray(self.focus) * (1 - s) + np.asarray(other.focus) * s
        return replace(
            other,
            focus=(float(focus[0]), float(focus[1]), float(focus[2])),
            distance=math.exp(math.log(self.distance) * (1 - s) + math.log(other.distance) * s),
            yaw=self.yaw + math.remainder(other.yaw - self.yaw, 2 * math.pi) * s,
            pitch=self.pitch * (1 - s) + other.pitch * s,
            shift=(
                self.shift[0] * (1 - s) + other.shift[0] * s,
                self.shift[1] * (1 - s) + other.shift[1] * s,
            ),
        )


def _along(directions: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far points (3, ...) lie along directions (m, 3), (m, ...).

    Not by a matrix product: of so many points BLAS makes a job for several threads, and waits for them longer than it
    takes to do it.
    """
    x, y, z = points
    return np.stack([a * x + b * y + c * z for a, b, c in directions.tolist()])
