"""Format and parse numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

DIGITS = 6
"""Significant digits shown while a field is not being edited."""
FEWEST_DIGITS = 3
"""How many are left where there is little room."""
_MOST_LISTED = 4
"""Lines that a message lists by their numbers."""


def format_shown(value: float, digits: int = DIGITS) -> str:
    """Return a number as people write it: no exponent in the everyday range, no trailing zeros, a real minus never.

    The ASCII minus is kept so that what is shown can be copied into a file.
    """
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "-∞")
    # Anything below a nanometre is the rounding of a rotation, not a length that someone wrote.
    if abs(value) < 1e-9:
        return "0"
    text = f"{value:.{digits}g}"
    # An exponent needs the room of some digits.
    return f"{value:.{max(digits - 2, FEWEST_DIGITS)}g}" if "e" in text else text


def in_millimetres(metres: float, digits: int = DIGITS) -> str:
    """Return a length in the unit in which differences are compared."""
    return f"{format_shown(metres * 1000.0, digits)} mm"


def in_degrees(radians: float, digits: int = DIGITS) -> str:
    """Return an angle in degrees."""
    return f"{format_shown(math.degrees(radians), digits)}°"


def format_exact(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    return repr(float(value)).removesuffix(".0")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed_lines(lines: Sequence[int]) -> str:
    """Return the numbers of lines as ``line 3`` or ``lines 3, 7, …``, the first few of many."""
    listed = ", ".join([*map(str, lines[:_MOST_LISTED]), *["…"] * (len(lines) > _MOST_LISTED)])
    return f"line{'' if len(lines) == 1 else 's'} {listed}"
