"""Copy and paste of poses as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import format_exact
from sdfviewer.refactoring.poses.notation import Notation, normalised, numbers_of

Array = NDArray[np.float64]

#: How far a matrix may be from a rotation: the error of three written decimals.
_SKEW = 2e-3
#: A number that is no part of a word: not the 64 of ``float64``.
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_BRACKETS = re.compile(r"[\[\](){}]")
_BETWEEN_TABS = re.compile(r"[\t\r\n]")
_BETWEEN_CELLS = re.compile(r"[\s;,]+")
_DEGREES = re.compile(r"""degrees\s*=\s*["'](?:true|1)["']""", re.IGNORECASE)
_POSE = re.compile(r"<pose([^>]*)>([^<]*)")
_RELATIVE_TO = re.compile(r"""\brelative_to\s*=\s*["']([^"']*)["']""")
#: URDF's element, and its two attributes in either order.
_ORIGIN = re.compile(r"<origin[^>]*>")
_ORIGIN_ATTRIBUTES = re.compile(r"""\b(xyz|rpy)\s*=\s*["']([^"']*)["']""")


def _join(values: Array) -> str:
    return " ".join(format_exact(_without_noise(float(value))) for value in values)


def _without_noise(value: float) -> float:
    """Return a shorter number where it differs by rounding only: 0.1, not 0.10000000000000002."""
    short = float(f"{value:.15g}") if abs(value) >= 1e-15 else 0.0
    return short if abs(short - value) <= 3e-16 * max(1.0, abs(value)) else value


def as_xyz_rpy(X: Array) -> str:
    """Return ``x y z roll pitch yaw``, as in a ``<pose>``."""
    return _join(np.array(numbers_of(X, Notation.RADIANS)))


def as_quaternion(X: Array) -> str:
    """Return ``x y z qx qy qz qw``, as in a ``<pose>`` with ``rotation_format="quat_xyzw"``."""
    return _join(np.array(numbers_of(X, Notation.QUATERNION)))


def as_matrix(X: Array) -> str:
    """Return the matrix, a row on each line."""
    return "\n".join(_join(row) for row in X)


def as_numpy(X: Array) -> str:
    """Return a Python expression that makes the matrix."""
    rows = ",\n          ".join(f"[{', '.join(_join(row).split())}]" for row in X)
    return f"np.array([{rows}])"


FORMS: dict[str, Callable[[Array], str]] = {
    "x y z roll pitch yaw": as_xyz_rpy,
    "x y z and quaternion (x y z w)": as_quaternion,
    "4×4 matrix": as_matrix,
    "NumPy": as_numpy,
}
"""Names of the forms for menus."""


@dataclass(frozen=True)
class PoseText:
    """What a text says of a pose.

    Attributes
    ----------
    numbers
        Six or seven numbers of a whole pose, or three of a position or of angles.
    notation
        Of the rotation among them.
    form
        What the text was taken for, in words.
    relative_to
        The frame that a ``<pose>`` names; empty where it names none.
    """

    numbers: tuple[float, ...]
    notation: Notation
    form: str
    relative_to: str = ""


def parse_pose(text: str, angles: Notation) -> PoseText:
    """Return the pose that a text holds: numbers in any brackets, a matrix, a ``<pose>`` or ``<origin>`` element.

    Parameters
    ----------
    text
        Three numbers or six, also as cells with units or expressions (``12mm``, ``45deg``, ``pi/2``); seven (``x y z``
        and a quaternion ``x y z w``), or twelve or sixteen of a matrix.
    angles
        The notation of angles that come without their own: radians or degrees.

    Raises
    ------
    ValueError
        With a sentence that can be shown beside the field.
    """
    relative_to = ""
    if tag := _ORIGIN.search(text):
        origin = dict(_ORIGIN_ATTRIBUTES.findall(tag[0]))
        text, angles = f"{origin.get('xyz', '0 0 0')} {origin.get('rpy', '0 0 0')}", Notation.RADIANS
    elif element := _POSE.search(text):
        angles = Notation.DEGREES if _DEGREES.search(text) else Notation.RADIANS
        named = _RELATIVE_TO.search(element[1])
        text, relative_to = element[2], named[1] if named is not None else ""
    numbers = _read_cells(text, angles) or [float(word) for word in _NUMBER.findall(text.replace("−", "-"))]
    if not np.isfinite(numbers).all():
        raise ValueError("The numbers must be finite.")
    if len(numbers) in (12, 16):
        return PoseText(tuple(_read_matrix(numbers)), Notation.QUATERNION, "a matrix")
    if len(numbers) == 7:
        unit = normalised(numbers)
        if unit is None:
            raise ValueError(
                "The last four of the seven numbers form a quaternion of length zero, which is not a rotation."
            )
        return PoseText(tuple(unit), Notation.QUATERNION, "x y z and a quaternion x y z w", relative_to)
    if len(numbers) == 6:
        return PoseText(tuple(numbers), angles, f"x y z roll pitch yaw in {angles.value}", relative_to)
    if len(numbers) == 3:
        return PoseText(tuple(numbers), angles, "three numbers")
    raise ValueError(
        f"{len(numbers) or 'No'} number{'s' if len(numbers) != 1 else ''} found: a pose has 6, 7 with a quaternion, or "
        "12 or 16 as a matrix."
    )


def _read_cells(text: str, angles: Notation) -> list[float]:
    """Return the numbers of three or six cells with units or expressions, such as ``12mm``; none where it is not that.

    Three are a position, or angles where one of them has the unit of an angle. Between tabs, as spreadsheets write
    them, a comma is that of a decimal.
    """
    between = _BETWEEN_TABS if "\t" in text else _BETWEEN_CELLS
    cells = [cell.strip() for cell in between.split(_BRACKETS.sub(" ", text)) if cell.strip()]
    if all(_NUMBER.fullmatch(cell) for cell in cells):
        return []
    angle = "deg" if angles is Notation.DEGREES else "rad"
    for units in {3: (("m",) * 3, (angle,) * 3), 6: (("m",) * 3 + (angle,) * 3,)}.get(len(cells), ()):
        try:
            return [parse_number(cell, unit) for cell, unit in zip(cells, units, strict=True)]
        except ValueError:
            continue
    return []


def _read_matrix(numbers: list[float]) -> list[float]:
    rows = np.array(numbers).reshape(-1, 4)
    R = rows[:3, :3]
    if len(rows) == 4 and not np.allclose(rows[3], (0, 0, 0, 1), rtol=0, atol=_SKEW):
        raise ValueError("The last row of a pose matrix must be 0 0 0 1; this one is not a pose, or is transposed.")
    if not np.allclose(R @ R.T, np.eye(3), rtol=0, atol=_SKEW) or np.linalg.det(R) < 0:
        raise ValueError("The first three columns of the matrix are not a rotation.")
    # Use the nearest rotation: truncated decimals leave the matrix not quite orthogonal.
    U, _, Vt = np.linalg.svd(R)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = U @ Vt, rows[:3, 3]
    return numbers_of(X, Notation.QUATERNION)
