"""Handles to move and rotate a frame: projection, picking, dragging and drawing.

A gizmo G is at a frame, with axes of its own choice: those of the frame, of the world, or of what the frame's
pose is relative to. It keeps its size on screen. Everything is computed for one camera; nothing is remembered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sdfviewer.palette import AXES, theme
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Colour, Shapes, colour_of, disc, distance_to_path, fill, is_inside, ring, stroke
from sdfviewer.transforms import axis_angle_to_matrix, perpendicular

#: Lengths in logical pixels.
ARM, HEAD, HEAD_WIDTH = 88.0, 15.0, 5.5
SQUARE_FROM, SQUARE_TO = 24.0, 42.0
RING, VIEW_RING, CENTRE = 78.0, 96.0, 8.0
Rectangle = tuple[float, float, float, float]
"""Left, top, width and height in pixels."""
_ARM_PARTS, _BESIDE = 4, 4.0
"""Into how many rectangles an arm is divided, and the pixels that each handle claims beside it."""
_REACH = 9.0
"""How far from a handle the mouse can still drag it."""
_CORNERS = 72
_END_ON = 0.985
"""An arm that points at the viewer by more than this has no length to be dragged along."""
_EDGE_ON = 0.18
"""A square or ring that is turned away by more than this has no surface to be dragged on."""


class Mode(str, Enum):
    """What the handles do."""

    MOVE = "move"
    ROTATE = "rotate"


@dataclass(frozen=True)
class Handle:
    """One handle: the axes 0, 1, 2 that it moves along, or the one that it turns about; none means the view's own."""

    mode: Mode
    axes: tuple[int, ...]

    @property
    def name(self) -> str:
        """``x``, ``yz``, ``view``."""
        return "".join("xyz"[axis] for axis in self.axes) or "view"


ARMS = tuple(Handle(Mode.MOVE, (axis,)) for axis in range(3))
SQUARES = tuple(Handle(Mode.MOVE, axes) for axes in ((0, 1), (1, 2), (2, 0)))
FREE = Handle(Mode.MOVE, ())
RINGS = tuple(Handle(Mode.ROTATE, (axis,)) for axis in range(3))
SPIN = Handle(Mode.ROTATE, ())
"""Turns about the line of sight."""


@dataclass(frozen=True)
class Gizmo:
    """The handles at a pose X_WG (4, 4), as a camera sees them in a picture of some size in logical pixels."""

    X_WG: Floats
    mode: Mode
    camera: Camera
    width: float
    height: float

    @property
    def origin(self) -> Floats:
        """Its position, (3,)."""
        return self.X_WG[:3, 3]

    @property
    def pixel(self) -> float:
        """The width of a pixel at its position, in metres."""
        return float(self.camera.metres_per_pixel(self.origin, self.height))

    @property
    def to_viewer(self) -> Floats:
        """Unit vector (3,) from it towards the viewer."""
        if self.camera.orthographic:
            return np.asarray(self.camera.axes[2])
        away = self.camera.eye - self.origin
        return np.asarray(away / max(float(np.linalg.norm(away)), 1e-12))

    @property
    def visible(self) -> bool:
        """Whether it is in front of the camera at a known pose."""
        if not np.isfinite(self.X_WG).all():
            return False
        return bool(self.camera.project(self.origin, self.width, self.height)[1] > 0)

    def project(self, points: Floats) -> Floats:
        """Return the pixels (k, 2) of points (k, 3) given in pixels along the gizmo's own axes."""
        return self.project_world(self.origin + self.pixel * points @ self.X_WG[:3, :3].T)

    def project_world(self, points: Floats) -> Floats:
        """Return the pixels (k, 2) of points (k, 3) of the world, NaN behind the camera."""
        pixels, depth = self.camera.project(points, self.width, self.height)
        return np.where((depth > 0)[..., None], pixels, np.nan)

    def axis(self, handle: Handle) -> Floats:
        """Return the unit vector (3,) in the world of a handle: its direction, rotation axis or plane normal."""
        if len(handle.axes) == 1:
            return np.asarray(self.X_WG[:3, handle.axes[0]])
        if len(handle.axes) == 2:
            return np.asarray(self.X_WG[:3, 3 - sum(handle.axes)])
        return self.to_viewer

    # -- where handles are --------------------------------------------------------------------------------------------

    def handles(self) -> tuple[Handle, ...]:
        """The handles that can be dragged from here, nearest first: not arms seen end-on and squares seen edge-on."""
        if not self.visible:
            return ()
        facing = np.abs(self.to_viewer @ self.X_WG[:3, :3])
        if self.mode is Mode.ROTATE:
            return (*RINGS, SPIN)
        squares = [each for each in SQUARES if facing[3 - sum(each.axes)] > _EDGE_ON]
        arms = [each for each in ARMS if facing[each.axes[0]] < _END_ON]
        return (FREE, *sorted(arms, key=self._depth), *squares)

    def _depth(self, handle: Handle) -> float:
        return -float(self.axis(handle) @ self.to_viewer)

    def outline(self, handle: Handle) -> Floats:
        """Return the path of a handle in pixels (k, 2): a line, the corners of a square, a circle or half of one."""
        if handle.mode is Mode.ROTATE:
            return self._circle(handle)
        if len(handle.axes) == 1:
            return self.project(np.outer([CENTRE + 4.0, ARM], np.eye(3)[handle.axes[0]]))
        if len(handle.axes) == 2:
            u, v = np.eye(3)[list(handle.axes)]
            a, b = SQUARE_FROM, SQUARE_TO
            return self.project(np.array([a * u + a * v, b * u + a * v, b * u + b * v, a * u + b * v]))
        angles = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
        centre = self.project(np.zeros((1, 3)))[0]
        return np.asarray(centre + CENTRE * np.stack([np.cos(angles), np.sin(angles)], axis=1))

    def _circle(self, handle: Handle) -> Floats:
        """Return the circle of a ring; of one that turns about an own axis only the half that faces the viewer."""
        n = self.axis(handle)
        if not handle.axes:
            right, up, _ = self.camera.axes
            angles = np.linspace(0.0, 2 * np.pi, _CORNERS)
            rim = np.cos(angles)[:, None] * right + np.sin(angles)[:, None] * up
            return self.project_world(self.origin + self.pixel * VIEW_RING * rim)
        across = np.cross(n, self.to_viewer)
        length = float(np.linalg.norm(across))
        if length < 0.05:  # seen along its axis all of it faces the viewer
            u = self.X_WG[:3, (handle.axes[0] + 1) % 3]
            angles = np.linspace(0.0, 2 * np.pi, _CORNERS)
        else:
            u = across / length
            angles = np.linspace(0.0, np.pi, _CORNERS)
        v = np.cross(u, n) if length >= 0.05 else np.cross(n, u)
        # v may point away from the viewer; the near half is needed.
        v = v if v @ self.to_viewer >= 0 or length < 0.05 else -v
        rim = np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v
        return self.project_world(self.origin + self.pixel * RING * rim)

    def rectangles(self) -> tuple[Rectangle, ...]:
        """Return where its handles are in pixels, without the room between them: left, top, width and height."""
        paths: list[Floats] = []
        for handle in self.handles():
            path = self.outline(handle)
            if handle.mode is Mode.MOVE and len(handle.axes) == 1:
                # The box around a slanted arm would be mostly empty.
                steps = path[0] + np.linspace(0.0, 1.0, _ARM_PARTS + 1)[:, None] * (path[1] - path[0])
                paths += [steps[at : at + 2] for at in range(_ARM_PARTS)]
            else:
                paths.append(path)
        return tuple(_rectangle(path) for path in paths if np.isfinite(path).all())

    def pick(self, x: float, y: float) -> Handle | None:
        """Return the handle under a pixel."""
        best, nearest = None, _REACH
        for handle in self.handles():
            path = self.outline(handle)
            if not np.isfinite(path).all():
                continue
            surface = handle.mode is Mode.MOVE and len(handle.axes) != 1
            away = 0.0 if surface and is_inside(path, x, y) else distance_to_path(path, x, y) + 3.0 * surface
            if away < nearest:
                best, nearest = handle, away
        return best


@dataclass(frozen=True)
class Drag:
    """A handle that is dragged, from the pixel where the drag began."""

    gizmo: Gizmo
    handle: Handle
    x: float
    y: float

    def locked_to(self, handle: Handle) -> Drag:
        """Return the same drag by another handle, as a key that locks an axis asks for."""
        return Drag(self.gizmo, handle, self.x, self.y)

    @property
    def resolution(self) -> float:
        """By how much an amount differs from one pixel to the next, about: metres or radians."""
        return self.gizmo.pixel if self.handle.mode is Mode.MOVE else 1.0 / RING

    # -- from pixels to amounts ---------------------------------------------------------------------------------------

    def amounts(self, x: float, y: float, before: Sequence[float] = ()) -> tuple[float, ...]:
        """Return how far the handle is dragged: metres along each of its axes, or one angle in radians.

        Without axes of its own it gives metres along all three. An angle goes on from the one before, so that a
        frame can be turned by more than half a turn.
        """
        if self.handle.mode is Mode.ROTATE:
            angle = self._angle(x, y)
            last = before[0] if before else 0.0
            return (last + math.remainder(angle - last, 2 * math.pi),)
        if len(self.handle.axes) == 1:
            start, end = self._along(self.x, self.y), self._along(x, y)
            return (end - start,)
        way = self._on_plane(x, y) - self._on_plane(self.x, self.y)
        along = way @ self.gizmo.X_WG[:3, :3]
        return tuple(along[list(self.handle.axes or (0, 1, 2))].tolist())

    def _ray(self, x: float, y: float) -> tuple[Floats, Floats]:
        return self.gizmo.camera.ray(x, y, self.gizmo.width, self.gizmo.height)

    def _along(self, x: float, y: float) -> float:
        """Return the place on the handle's line that is nearest to the line of sight through a pixel."""
        origin, direction = self._ray(x, y)
        n = self.gizmo.axis(self.handle)
        # Use the plane through the line that faces the viewer best, so that lines seen end-on stay stable.
        normal = np.cross(n, np.cross(self.gizmo.to_viewer, n))
        slope = float(direction @ normal)
        if abs(slope) < 1e-9:
            return 0.0
        t = float((self.gizmo.origin - origin) @ normal) / slope
        return float((origin + t * direction - self.gizmo.origin) @ n)

    def _on_plane(self, x: float, y: float) -> Floats:
        origin, direction = self._ray(x, y)
        n = self.gizmo.axis(self.handle)
        slope = float(direction @ n)
        if abs(slope) < 1e-6:
            return np.zeros(3)
        t = float((self.gizmo.origin - origin) @ n) / slope
        return np.asarray(origin + t * direction - self.gizmo.origin)

    def _angle(self, x: float, y: float) -> float:
        """Return the angle from where the ring was taken to a pixel."""
        n = self.gizmo.axis(self.handle)
        if abs(float(n @ self.gizmo.to_viewer)) > _EDGE_ON:
            a, b = self._on_plane(self.x, self.y), self._on_plane(x, y)
            return math.atan2(float(np.cross(a, b) @ n), float(a @ b))
        # A ring seen from the side is a line, which the mouse rolls like a wheel.
        centre = self.gizmo.project(np.zeros((1, 3)))[0]
        tangent = self.gizmo.project_world(
            self.gizmo.origin + self.gizmo.pixel * np.cross(n, self.gizmo.to_viewer)[None]
        )[0]
        roll = tangent - centre
        length = max(float(np.linalg.norm(roll)), 1e-9)
        return float(np.array([x - self.x, y - self.y]) @ roll) / length / RING

    # -- from amounts to motion ---------------------------------------------------------------------------------------

    def motion(self, amounts: Sequence[float]) -> Floats:
        """Return the motion M (4, 4) in the world that some amounts stand for: the frame F goes to M X_WF."""
        M = np.eye(4)
        if self.handle.mode is Mode.MOVE:
            for axis, amount in zip(self.handle.axes or (0, 1, 2), amounts, strict=False):
                M[:3, 3] += amount * self.gizmo.X_WG[:3, axis]
            return M
        M[:3, :3] = axis_angle_to_matrix(self.gizmo.axis(self.handle), amounts[0] if amounts else 0.0)
        M[:3, 3] = self.gizmo.origin - M[:3, :3] @ self.gizmo.origin
        return M


def snapped(amounts: Sequence[float], step: float) -> tuple[float, ...]:
    """Return amounts as whole multiples of a step."""
    return tuple(round(amount / step) * step if step > 0 else amount for amount in amounts)


def shortened(amount: float, resolution: float) -> float:
    """Return an amount with no more decimals than a mouse of some resolution can mean, so that the text stays short."""
    return round(amount, math.ceil(-math.log10(resolution / 4))) if resolution > 0 else amount


def gizmo_pose(X_WF: Floats, R_WA: Floats) -> Floats:
    """Return X_WG of a gizmo at a frame F along the axes A of another, given as rotation (3, 3)."""
    X_WG = np.eye(4)
    X_WG[:3, :3], X_WG[:3, 3] = R_WA, X_WF[:3, 3]
    return X_WG


def _rectangle(path: Floats) -> Rectangle:
    (left, top), (right, bottom) = path.min(axis=0).tolist(), path.max(axis=0).tolist()
    return left - _BESIDE, top - _BESIDE, right - left + 2 * _BESIDE, bottom - top + 2 * _BESIDE


_WIDTH = 2.75
_RIM = 1.5
"""Pixels of the ground's colour around every line, which keep it apart from whatever lies behind."""
_LONG = 4000.0
"""Pixels that the line of a held axis reaches to both sides."""


def paint_gizmo(gizmo: Gizmo, hovered: Handle | None, *, dark: bool) -> Shapes:
    """Return all handles, those farther away first, the one under the mouse lit up."""
    parts: list[Shapes] = []
    if gizmo.mode is Mode.ROTATE and gizmo.visible:
        centre = gizmo.project(np.zeros((1, 3)))[0]
        if np.isfinite(centre).all():
            parts.append(disc(centre, RING, colour_of(theme(dark).plate, 0.16), 48))
    for handle in reversed(gizmo.handles()):
        lit = handle == hovered
        colour = _colour(handle, dark, lit)
        path = gizmo.outline(handle)
        if not np.isfinite(path).all():
            continue
        if handle.mode is Mode.ROTATE:
            parts += _lined(path, colour, _WIDTH + lit, dark)
        elif len(handle.axes) == 1:
            parts += _arrow(path, colour, _WIDTH + lit, dark)
        elif len(handle.axes) == 2:
            parts.append(fill(path, (*colour[:3], 0.75 if lit else 0.38)))
            parts.append(stroke(path, 1.5, colour, closed=True))
        else:
            middle = path.mean(axis=0)
            parts.append(disc(middle, 5.5, colour_of(theme(dark).plate, 0.9)))
            parts.append(ring(middle, 6.0, 2.0 + lit, colour))
    return Shapes.concatenate(parts)


def paint_drag(drag: Drag, amounts: Sequence[float], *, dark: bool) -> Shapes:
    """Return the shapes shown while a handle is dragged: its axis, and the distance or angle so far."""
    gizmo, handle = drag.gizmo, drag.handle
    start = gizmo.project(np.zeros((1, 3)))[0]
    parts: list[Shapes] = []
    if not np.isfinite(start).all():
        return Shapes()
    if handle.mode is Mode.ROTATE:
        parts += _paint_turn(drag, amounts[0] if amounts else 0.0, dark)
        return Shapes.concatenate(parts)
    for axis in handle.axes:
        reach = np.linspace(-_LONG, _LONG, 65)[:, None] * np.eye(3)[axis]
        parts.append(stroke(gizmo.project(reach), 1.25, colour_of(AXES[axis], 0.8)))
    now = gizmo.project_world((drag.motion(amounts) @ np.append(gizmo.origin, 1.0))[None, :3])[0]
    parts += _lined(np.stack([start, now]), colour_of(theme(dark).selection, 1.0), _WIDTH, dark)
    parts.append(ring(start, 4.5, 1.75, colour_of(theme(dark).selection, 1.0)))
    parts.append(disc(now, 4.0, colour_of(theme(dark).selection, 1.0)))
    return Shapes.concatenate(parts)


def _paint_turn(drag: Drag, angle: float, dark: bool) -> list[Shapes]:
    """Return the sector that a frame has been turned through, from where the ring was taken."""
    gizmo, n = drag.gizmo, drag.gizmo.axis(drag.handle)
    radius = RING if drag.handle.axes else VIEW_RING
    first = _start_direction(drag, n)
    colour = _colour(drag.handle, dark, True)
    turns = np.linspace(0.0, 2 * math.pi, 73)
    whole = gizmo.project_world(gizmo.origin + gizmo.pixel * radius * _rim(n, first, turns))
    # An arc of more than a turn overlaps itself; the number beside the pointer shows the angle.
    swept = math.copysign(min(abs(angle), 2 * math.pi), angle)
    steps = np.linspace(0.0, swept, max(3, int(abs(swept) / 0.06)))
    arc = gizmo.project_world(gizmo.origin + gizmo.pixel * radius * _rim(n, first, steps))
    start = gizmo.project(np.zeros((1, 3)))[0]
    parts = [
        fill(np.concatenate([start[None], arc]), (*colour[:3], 0.28), smooth=False),
        stroke(whole, 1.25, (*colour[:3], 0.7)),
    ]
    parts += _lined(np.stack([start, arc[0]]), (*colour[:3], 0.8), 1.5, dark)
    parts += _lined(np.stack([start, arc[-1]]), colour, 2.25, dark)
    parts += _lined(arc, colour, _WIDTH + 1, dark)
    return parts


def _rim(n: Floats, first: Floats, angles: Floats) -> Floats:
    return np.asarray(axis_angle_to_matrix(np.broadcast_to(n, (len(angles), 3)), angles) @ first)


def _start_direction(drag: Drag, n: Floats) -> Floats:
    """Return the unit vector (3,) in the plane of a ring towards where it was taken."""
    origin, direction = drag.gizmo.camera.ray(drag.x, drag.y, drag.gizmo.width, drag.gizmo.height)
    slope = float(direction @ n)
    if abs(slope) > 0.2:
        taken = origin + float((drag.gizmo.origin - origin) @ n) / slope * direction - drag.gizmo.origin
    else:
        taken = drag.gizmo.to_viewer
    flat = taken - (taken @ n) * n
    length = float(np.linalg.norm(flat))
    if length < 1e-9:
        return perpendicular(n)
    return np.asarray(flat / length)


def _arrow(path: Floats, colour: Colour, width: float, dark: bool) -> list[Shapes]:
    """Return a line with a head at its end."""
    along = path[1] - path[0]
    length = float(np.linalg.norm(along))
    along = along / max(length, 1e-9)
    across = np.array([-along[1], along[0]])
    # An arrow seen end-on is short; its head must not be longer.
    head = min(HEAD, max(length * 0.6, 4.0)) * (1 + 0.15 * (width > _WIDTH))
    half = HEAD_WIDTH * min(1.0, head / HEAD + 0.3) * (1 + 0.15 * (width > _WIDTH))
    neck = path[1] - along * head
    tip = np.stack([path[1], neck + across * half, neck - across * half])
    shaft = np.stack([path[0], neck])
    rim = colour_of(theme(dark).plate, 0.75)
    rims = [stroke(shaft, width + 2 * _RIM, rim), stroke(tip, 2 * _RIM, rim, closed=True)]
    return [*rims, stroke(shaft, width, colour), fill(tip, colour)]


def _lined(path: Floats, colour: Colour, width: float, dark: bool) -> list[Shapes]:
    return [stroke(path, width + 2 * _RIM, colour_of(theme(dark).plate, 0.75)), stroke(path, width, colour)]


def _colour(handle: Handle, dark: bool, lit: bool) -> Colour:
    if lit:
        return colour_of(theme(dark).selection, 1.0)
    if not handle.axes:
        return colour_of(theme(dark).text, 0.85)
    axis = handle.axes[0] if len(handle.axes) == 1 else 3 - sum(handle.axes)
    return colour_of(AXES[axis], 1.0)
