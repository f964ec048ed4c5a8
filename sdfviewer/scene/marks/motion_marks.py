"""Marks of a motion: the path of a frame, and the links that collide."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sdfviewer.model.kinds import SHAPED
from sdfviewer.model.model import Model
from sdfviewer.palette import CONTACT, parse_hex
from sdfviewer.scene.nodes import Floats, Lines

_ROOT = -1
_STRENGTH = 0.85
"""How much of its own colour a link that collides loses."""


def path_lines(points: Floats) -> Lines:
    """Return the curve through points (k, 3) in the root."""
    points = points[np.isfinite(points).all(axis=1)]
    return Lines.in_frame(_ROOT, np.stack([points[:-1], points[1:]], axis=1), "measure")


def collision_tints(model: Model, links: Collection[int]) -> Floats | None:
    """Return red, green, blue and strength (n, 4) of all rows that light up some links, None where there are none."""
    rows = [row for row, kind in enumerate(model.kinds) if kind in SHAPED and int(model.bodies[row]) in links]
    if not rows:
        return None
    tints = np.zeros((len(model), 4))
    tints[rows] = (*(channel / 255.0 for channel in parse_hex(CONTACT)), _STRENGTH)
    return tints
