"""Line drawings for what has a pose but no surface: cameras, lidars, other sensors, lights, actors."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.scene.nodes import Floats, Lines, Stroke
from sdfviewer.semantics.values import read_number, read_vector

_FRUSTUM = 52.0
"""Reach of a frustum or fan in pixels: it shows the angle, not the range."""
_ICON = 11.0
"""Size of the other icons in pixels."""

_CAMERAS = frozenset(
    {"camera", "depth", "depth_camera", "rgbd", "rgbd_camera", "multicamera", "wideanglecamera", "thermal"}
    | {"thermal_camera", "segmentation", "segmentation_camera", "boundingbox", "boundingbox_camera"}
)
_LIDARS = frozenset({"ray", "lidar", "gpu_ray", "gpu_lidar"})


def sensor_lines(row: int, sensor: Element) -> Lines:
    """Return the drawing of a ``<sensor>``: a camera's frustum, a lidar's fan, else a small octahedron."""
    kind = sensor.attributes.get("type", "")
    camera = sensor.find("camera")
    if kind in _CAMERAS and camera is not None:
        return Lines.in_frame(row, _frustum(camera), "sensor", on_screen=True)
    scan = sensor.find("lidar") or sensor.find("ray")
    if kind in _LIDARS and scan is not None:
        return Lines.in_frame(row, _fan(scan), "sensor", on_screen=True)
    return Lines.in_frame(row, _octahedron(), "sensor", on_screen=True)


def light_lines(row: int, light: Element) -> Lines:
    """Return the drawing of a ``<light>``: rays of a point light, cone of a spot, parallel arrows of the sun."""
    kind = light.attributes.get("type", "point")
    if kind == "point":
        return Lines.in_frame(row, np.concatenate([_rays(), _circle(_ICON * 0.5, np.eye(3))]), "light", on_screen=True)
    direction = np.array(read_vector(light, "direction", (0.0, 0.0, -1.0)))
    axes = _axes_along(direction)
    if kind == "spot":
        angle = min(read_number(light.find("spot"), "outer_angle", 0.6), 3.0) / 2
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


def _frustum(camera: Element) -> Floats:
    """Return the edges (k, 2, 3) of what a camera sees; it looks along x, with y to the left and z up."""
    image = camera.find("image")
    width, height = read_number(image, "width", 320.0), read_number(image, "height", 240.0)
    half = math.tan(min(read_number(camera, "horizontal_fov", 1.047), 2.9) / 2)
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


def _fan(scan: Element) -> Floats:
    """Return the edges (k, 2, 3) of a lidar's fan: arcs of its lowest and highest ray, and spokes."""
    angles = scan.find("scan")
    horizontal, vertical = (angles.find(tag) if angles is not None else None for tag in ("horizontal", "vertical"))
    low, high = read_number(horizontal, "min_angle", 0.0), read_number(horizontal, "max_angle", 0.0)
    heights = {read_number(vertical, "min_angle", 0.0), read_number(vertical, "max_angle", 0.0)}
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
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z])
