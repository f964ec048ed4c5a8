"""The limits of a URDF joint."""

from __future__ import annotations

import math

from sdfviewer.document.element import Element
from sdfviewer.formats.urdf.origins import WITH_MORE_LIMITS, UrdfVersion, parse_numbers

#: Limits of a later version; before it they are ignored.
LATER_LIMITS = ("acceleration", "deceleration", "jerk")


def limits_of(joint: Element, joint_type: str, version: UrdfVersion) -> tuple[float, float, float, float]:
    """Return lower, upper, effort and velocity of a joint, infinite where nothing limits it."""
    limit = joint.find("limit")

    def number(name: str, default: float) -> float:
        found = parse_numbers(limit.attributes.get(name, "")) if limit is not None else None
        return found[0] if found else default

    effort, velocity = number("effort", math.inf), number("velocity", math.inf)
    if joint_type == "continuous" or limit is None:
        return -math.inf, math.inf, effort, velocity
    missing = math.inf if version >= WITH_MORE_LIMITS else 0.0
    return number("lower", -missing), number("upper", missing), effort, velocity


def later_limits_of(joint: Element, version: UrdfVersion) -> tuple[float, float, float]:
    """Return the limits of acceleration, deceleration and jerk of a joint, infinite where nothing limits them."""
    limit = joint.find("limit") if version >= WITH_MORE_LIMITS else None
    numbers = [None if limit is None else parse_numbers(limit.attributes.get(name, "")) for name in LATER_LIMITS]
    acceleration, deceleration, jerk = (each[0] if each else math.inf for each in numbers)
    return acceleration, deceleration, jerk
