"""Glyphs of cameras, lidars, other sensors, lights and actors."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.contents import Camera, Lidar, LightContents, SensorContents
from sdfviewer.scene.nodes import Detail, Floats, Lines, Stroke
from sdfviewer.transforms import perpendicular

_FRUSTUM = 52.0
"""Reach of a frustum or fan in pixels: it shows the angle, not the range."""
_ICON = 11.0
"""Size of the other icons in pixels."""
_SMALL_VIEW, _SMALL_ICON = 0.22, 0.5
"""Size of a frustum or fan that gives way, and of an icon that does, as a part of its full size."""
MOST_VIEWS, MOST_ICONS = 3, 12
"""So many frusta and fans, and icons, are drawn in full at once; of more only those of sensors that are attended."""
MOST_BOXES = 6
"""More boxes of inertias that would hide the robot are icons."""
_FORMS = (
    (Detail.LARGE_VIEW, Detail.SMALL_VIEW, MOST_VIEWS),
    (Detail.LARGE_ICON, Detail.SMALL_ICON, MOST_ICONS),
    (Detail.LARGE_BOX, Detail.SMALL_BOX, MOST_BOXES),
)

_CAMERAS = frozenset(
    {"camera", "depth", "depth_camera", "rgbd", "rgbd_camera", "multicamera", "wideanglecamera", "thermal"}
    | {"thermal_camera", "segmentation", "segmentation_camera", "boundingbox", "boundingbox_camera"}
)
_LIDARS = frozenset({"ray", "lidar", "gpu_ray", "gpu_lidar"})


def sensor_lines(row: int, sensor: SensorContents) -> Lines:
    """Return the drawing of a sensor: a camera's frustum, a lidar's fan, else a small octahedron.

    Each has a small form too, for where there are many: see `shown_lines`.
    """
    if sensor.type in _CAMERAS and sensor.camera is not None:
        return _two_forms(row, _frustum(sensor.camera), _SMALL_VIEW, Detail.LARGE_VIEW, Detail.SMALL_VIEW)
    if sensor.type in _LIDARS and sensor.lidar is not None:
        return _two_forms(row, _fan(sensor.lidar), _SMALL_VIEW, Detail.LARGE_VIEW, Detail.SMALL_VIEW)
    return _two_forms(row, _octahedron(), _SMALL_ICON, Detail.LARGE_ICON, Detail.SMALL_ICON)


def _two_forms(row: int, segments: Floats, part: float, large: Detail, small: Detail) -> Lines:
    return Lines.concatenate(
        [
            Lines.in_frame(row, segments, "sensor", on_screen=True, detail=large),
            Lines.in_frame(row, segments * part, "sensor", on_screen=True, detail=small),
        ]
    )


def shown_lines(lines: Lines, attended: NDArray[np.bool_], *, declutter: bool) -> Lines:
    """Return the lines of a scene to draw: large forms of all things, or only of attended ones where there are many.

    Parameters
    ----------
    lines
        All lines of the scene.
    attended
        The rows (n,) that matter to the user now.
    declutter
        Whether large drawings give way where there are many.
    """
    if not len(lines.rows):
        return lines
    shown: NDArray[np.bool_] = np.ones(len(lines.rows), bool)
    attends = (lines.owners >= 0) & attended[lines.owners]
    for large, small, most in _FORMS:
        is_large, is_small = lines.details == large.value, lines.details == small.value
        many = declutter and len(np.unique(lines.owners[is_large])) > most
        shown &= ~(is_large & ~attends) & ~(is_small & attends) if many else ~is_small
    return lines.chosen(shown)


def light_lines(row: int, light: LightContents) -> Lines:
    """Return the drawing of a light: rays of a point light, cone of a spot, parallel arrows of the sun."""
    if light.type == "point":
        return Lines.in_frame(row, np.concatenate([_rays(), _circle(_ICON * 0.5, np.eye(3))]), "light", on_screen=True)
    direction = np.array(light.direction)
    axes = _axes_along(direction)
    if light.type == "spot":
        angle = min(light.outer_angle, 3.0) / 2
        reach = _ICON * 4
        radius = reach * math.tan(min(angle, 1.4))
        rim = _circle(radius, axes) + reach * axes[2]
        spokes = np.stack([np.zeros((4, 3)), rim[:: len(rim) // 4, 0]], axis=1)
        return Lines.in_frame(row, np.concatenate([rim, spokes]), "light", on_screen=True)
    starts = np.array([x * axes[0] + y * axes[1] for x, y in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]) * _ICON
    arrows = np.stack([starts, starts + axes[2] * _ICON * 4], axis=1)
    rim = Lines.in_frame(row, _circle(_ICON, axes), "light", on_screen=True)
    return Lines.concatenate([Lines.in_frame(row, arrows, "light", Stroke.ARROW, on_screen=True), rim])


def actor_lines(row: int) -> Lines:
    """Return the drawing of an actor: a figure of a person's height."""
    joints = {"hip": (0, 0, 0.9), "neck": (0, 0, 1.45), "l": (0, 0.15, 0), "r": (0, -0.15, 0)}
    joints |= {"lh": (0, 0.35, 0.95), "rh": (0, -0.35, 0.95)}
    bones = (("hip", "neck"), ("hip", "l"), ("hip", "r"), ("neck", "lh"), ("neck", "rh"))
    segments = np.array([(joints[a], joints[b]) for a, b in bones], np.float64)
    head = _circle(0.12, np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])) + np.array([0, 0, 1.6])
    return Lines.in_frame(row, np.concatenate([segments, head]), "actor")


def _frustum(camera: Camera) -> Floats:
    """Return the edges (k, 2, 3) of what a camera sees; it looks along x, with y to the left and z up."""
    width, height = camera.width, camera.height
    half = math.tan(min(camera.horizontal_fov, 2.9) / 2)
    aspect = height / width if width > 0 and height > 0 else 0.75
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], np.float64)

    # Wide lenses get a shorter frustum, so that none fills the picture.
    far = _FRUSTUM / max(1.0, half)
    distant = np.column_stack([np.full(4, far), signs * far * half * (1.0, aspect)])
    rim = np.stack([distant, np.roll(distant, -1, axis=0)], axis=1)
    # A triangle above the far side shows which way is up.
    top = np.array([far, 0.0, far * half * aspect * 1.25])
    roof = np.stack([[distant[0], top], [distant[1], top]])
    return np.concatenate([rim, np.stack([np.zeros((4, 3)), distant], axis=1), roof])


def _fan(lidar: Lidar) -> Floats:
    """Return the edges (k, 2, 3) of a lidar's fan: arcs of its lowest and highest ray, and spokes."""
    low, high = lidar.horizontal.min_angle, lidar.horizontal.max_angle
    heights = {lidar.vertical.min_angle, lidar.vertical.max_angle}
    segments = []
    for height in sorted(heights):
        turn = np.linspace(low, high, 37)
        flat = math.cos(height)
        arc = np.column_stack([np.cos(turn) * flat, np.sin(turn) * flat, np.full(37, math.sin(height))]) * _FRUSTUM
        segments.append(np.stack([arc[:-1], arc[1:]], axis=1))
        spokes = arc[:: 36 if high - low < 6.2 else 9]
        segments.append(np.stack([np.zeros_like(spokes), spokes], axis=1))
    return np.concatenate(segments)


@cache
def _octahedron() -> Floats:
    tips = np.concatenate([np.eye(3), -np.eye(3)]) * _ICON * 0.6
    edges = [(a, b) for a in range(6) for b in range(a + 1, 6) if b != a + 3]
    return np.array([(tips[a], tips[b]) for a, b in edges])


@cache
def _rays() -> Floats:
    directions = np.array([d for d in product((-1, 0, 1), repeat=3) if any(d)])
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return np.stack([unit * _ICON * 0.7, unit * _ICON * 1.3], axis=1)


def _circle(radius: float, axes: Floats) -> Floats:
    turn = np.linspace(0.0, 2 * math.pi, 25)
    points = radius * (np.cos(turn)[:, None] * axes[0] + np.sin(turn)[:, None] * axes[1])
    return np.stack([points[:-1], points[1:]], axis=1)


def _axes_along(direction: Floats) -> Floats:
    """Return three unit vectors as rows, the last along `direction` (3,)."""
    length = float(np.linalg.norm(direction))
    z = direction / length if length > 0 else np.array([0.0, 0.0, -1.0])
    x = perpendicular(z)
    return np.stack([x, np.cross(z, x), z])
