"""Display units of angles and lengths; all other code uses radians and metres."""

from __future__ import annotations

import math
from enum import Enum

LENGTH = "m"


class AngleUnit(str, Enum):
    """In which unit angles are shown and typed; files always hold what they held."""

    RADIANS = "rad"
    DEGREES = "°"


def from_radians(angle: float, unit: AngleUnit) -> float:
    """Return an angle in the unit that is shown."""
    return math.degrees(angle) if unit is AngleUnit.DEGREES else angle


def to_radians(value: float, unit: AngleUnit) -> float:
    """Return a shown angle in radians."""
    return math.radians(value) if unit is AngleUnit.DEGREES else value


def angle_step(unit: AngleUnit) -> float:
    """Return by how much an arrow key changes an angle, in the unit that is shown."""
    return 1.0 if unit is AngleUnit.DEGREES else 0.01
