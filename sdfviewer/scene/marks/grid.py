"""The ground grid: spacing, extent and metre marks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.camera.camera import Camera


@dataclass(frozen=True)
class Grid:
    """A square of lines at z = 0 around `centre`, metres; every tenth line is a major one."""

    spacing: float
    centre: tuple[float, float]
    extent: float
    fade_minor: float
    """How strongly minor lines show, 1 when they are wide apart, 0 when the next spacing takes over."""

    def marks(self, limit: int = 12) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Return the texts (k,) and points (k, 3) of the metre marks along the x and y axes."""
        step = self.spacing * 10
        texts: list[str] = []
        points: list[tuple[float, float, float]] = []
        for axis in range(2):
            first = math.ceil((self.centre[axis] - self.extent * 0.6) / step)
            last = math.floor((self.centre[axis] + self.extent * 0.6) / step)
            stride = max(1, (last - first) // limit)
            for k in range(first, last + 1):
                if k % stride == 0 and k != 0:
                    texts.append(format_length(k * step))
                    points.append((k * step, 0.0, 0.0) if axis == 0 else (0.0, k * step, 0.0))
        return tuple(texts), np.array(points).reshape(-1, 3)


def format_length(metres: float) -> str:
    """Return a length with the unit that keeps it short: ``250 mm``, ``-1.5 m``, ``2 km``."""
    size = abs(metres)
    for unit, factor in (("km", 1e-3), ("m", 1.0), ("cm", 1e2), ("mm", 1e3)):
        if size * factor >= 0.9995 or unit == "mm":
            return f"{round(metres * factor, 6):g} {unit}"
    raise AssertionError("unreachable: millimetres take what is left")


def grid_for(camera: Camera) -> Grid:
    """Return the grid that suits a camera: about a dozen minor lines to the distance of the focus."""
    scale = max(camera.distance, 1e-3) / 8
    decade = math.floor(math.log10(scale))
    spacing = 10.0**decade
    fade = 1.0 - (math.log10(scale) - decade)
    major = spacing * 10
    centre = (round(camera.focus[0] / major) * major, round(camera.focus[1] / major) * major)
    return Grid(spacing, centre, max(camera.distance * 6, major * 2), fade)
