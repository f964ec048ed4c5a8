"""Drawing of the handles of a gizmo."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sdfviewer.palette import AXES, theme
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Colour, Shapes, colour_of, disc, fill, ring, stroke
from sdfviewer.scene.tools.gizmo import HEAD, HEAD_WIDTH, RING, VIEW_RING, Drag, Gizmo, Handle, Mode
from sdfviewer.transforms import axis_angle_to_matrix, perpendicular

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
    """Return a line with a rim."""
    return [stroke(path, width + 2 * _RIM, colour_of(theme(dark).plate, 0.75)), stroke(path, width, colour)]


def _colour(handle: Handle, dark: bool, lit: bool) -> Colour:
    if lit:
        return colour_of(theme(dark).selection, 1.0)
    if not handle.axes:
        return colour_of(theme(dark).text, 0.85)
    axis = handle.axes[0] if len(handle.axes) == 1 else 3 - sum(handle.axes)
    return colour_of(AXES[axis], 1.0)
