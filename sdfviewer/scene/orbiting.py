"""The point that a camera turns about: near what is seen there, not in empty space."""

from __future__ import annotations

import numpy as np

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene import Scene

_NEAR = 0.1
"""A focus that is off by this part of its distance turns what is seen about itself well enough."""
_SAME_PLACE = 8.0
"""Pixels: of things in about the same place in the picture the nearest to the camera counts."""


def turning_about_seen(camera: Camera, scene: Scene, width: float, height: float) -> Camera:
    """Return a camera that shows the same and turns about the depth of what its picture shows next to its focus.

    The ground and the boxes of inertias do not count. Where nothing is in the picture, or its depth is about that of
    the focus, the camera is as before.
    """
    arrays = scene.surface_arrays
    counts = ~(arrays.ground | arrays.inertias)
    X = arrays.poses(scene.X_RootF)[counts]
    middles = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres[counts]) + X[:, :3, 3]
    points = np.concatenate([middles, scene.X_RootF[scene.counting_frames][:, :3, 3]])
    points = points[np.isfinite(points).all(axis=1)]
    points = points[scene.keeps(points)]
    pixels, depth = camera.project(points, width, height)
    is_seen = (depth > 0) & (pixels >= 0).all(axis=1) & (pixels <= (width, height)).all(axis=1)
    if not is_seen.any():
        return camera
    away = np.hypot(*(pixels[is_seen] - camera.centre(width, height)).T)
    nearest = float(depth[is_seen][away <= away.min() + _SAME_PLACE].min())
    return camera if abs(nearest - camera.distance) <= _NEAR * camera.distance else camera.turning_about(nearest)
