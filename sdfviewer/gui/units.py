"""Angles and lengths as the user reads them; all other code keeps to radians and metres."""

from __future__ import annotations

import math

from sdfviewer.gui.settings import AngleUnit

LENGTH = "m"


def from_radians(angle: float, unit: AngleUnit) -> float:
    """Return an angle in the unit that is shown."""
    return math.degrees(angle) if unit is AngleUnit.DEGREES else angle


def to_radians(value: float, unit: AngleUnit) -> float:
    """Return a shown angle in radians."""
    return math.radians(value) if unit is AngleUnit.DEGREES else value


def angle_step(unit: AngleUnit) -> float:
    """Return by how much an arrow key changes an angle, in the unit that is shown."""
    return 1.0 if unit is AngleUnit.DEGREES else 0.01
