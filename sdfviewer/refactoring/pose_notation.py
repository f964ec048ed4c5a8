"""Notations of a pose, conversion between them, and poses as text that is copied and pasted."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sdfviewer.formats.registry import writing_of
from sdfviewer.model.model import Model
from sdfviewer.model.values import NOISE, WrittenPose
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import format_exact
from sdfviewer.transforms import (
    Array,
    matrix_to_xyz_wxyz,
    other_angles,
    pose,
    pose_to_matrix,
    quaternion_to_matrix,
    written_numbers_of,
)

#: A quaternion shorter than this is not a rotation.
_SHORTEST = 1e-9


class Notation(str, Enum):
    """How the numbers of a pose are written after ``x y z``: two kinds of ``roll pitch yaw``, or ``x y z w``."""

    RADIANS = "radians"
    DEGREES = "degrees"
    QUATERNION = "quaternion"

    @property
    def phrase(self) -> str:
        """How it ends a sentence: written in degrees, written as a quaternion."""
        return "as a quaternion" if self is Notation.QUATERNION else f"in {self.value}"

    @property
    def size(self) -> int:
        """How many numbers a pose has."""
        return 7 if self is Notation.QUATERNION else 6


def notation_of(written: WrittenPose) -> Notation:
    """Return the notation that the attributes of a pose ask for."""
    if written.quaternion:
        return Notation.QUATERNION
    return Notation.DEGREES if written.degrees else Notation.RADIANS


def written_pose(model: Model, row: int) -> WrittenPose:
    """Return the pose that the file writes for a row, in its ``<pose>`` or ``<origin>``; the identity where none is."""
    writing = writing_of(model, row)
    return writing.read_pose(model, model.elements[writing.rows_at(model, row)[0]])


def numbers_of(X: Array, notation: Notation) -> list[float]:
    """Return the numbers of a pose (4, 4), of two equal triples of angles the simpler one."""
    if notation is Notation.QUATERNION:
        x, y, z, qw, qx, qy, qz = matrix_to_xyz_wxyz(X).tolist()
        return [x, y, z, qx, qy, qz, qw]
    values = written_numbers_of(X)
    return [*values[:3], *map(math.degrees, values[3:])] if notation is Notation.DEGREES else values


def matrix_of(numbers: Sequence[float], notation: Notation) -> Array:
    """Return the pose (4, 4) that numbers mean; a quaternion need not be normalised."""
    if notation is Notation.QUATERNION:
        x, y, z, qx, qy, qz, qw = numbers
        return pose(quaternion_to_matrix((qw, qx, qy, qz)), (x, y, z))
    angles = map(math.radians, numbers[3:]) if notation is Notation.DEGREES else numbers[3:]
    return pose_to_matrix([*numbers[:3], *angles])


def convert(numbers: Sequence[float], source: Notation, target: Notation) -> list[float]:
    """Return the numbers of the same pose in another notation; angles keep their turns, a pitch of 100° stays one."""
    if source is target:
        return list(numbers)
    if Notation.QUATERNION in (source, target):
        return numbers_of(matrix_of(numbers, source), target)
    change = math.degrees if target is Notation.DEGREES else math.radians
    return [*numbers[:3], *map(change, numbers[3:])]


def quaternion_length(numbers: Sequence[float]) -> float:
    """Return the length of the quaternion among the seven numbers of a pose."""
    return math.hypot(*numbers[3:])


def normalised(numbers: Sequence[float]) -> list[float] | None:
    """Return seven numbers with a quaternion of length one, None where it is too short to be a rotation."""
    length = quaternion_length(numbers)
    return None if length < _SHORTEST else [*numbers[:3], *(part / length for part in numbers[3:])]


def written_numbers(model: Model, row: int, notation: Notation = Notation.RADIANS) -> list[float]:
    """Return the numbers of a row's ``<pose>``, those of the file where that is its notation.

    They are what the file says: with a placement frame the pose of that frame, else the raw pose of the row.
    """
    scope, writing = model.scope, writing_of(model, row)
    row = writing.rows_at(model, row)[0]
    written = written_pose(model, row)
    own = notation_of(written)
    numbers = writing.pose_numbers(written)
    if numbers is not None and len(numbers) == own.size:
        return convert(numbers, own, notation)
    if row in scope.exact_poses and row not in scope.placement_frames:
        # Not written here: an include without a pose keeps that of its model.
        return numbers_of(model.raw_poses[row], notation)
    return convert(scope.raw_poses[row], Notation.RADIANS, notation)


def nearest(numbers: Sequence[float], written: Sequence[float], notation: Notation) -> list[float]:
    """Return the numbers of the same pose that keep most of those that are written."""
    if notation is Notation.QUATERNION:
        return [*numbers[:3], *_nearest_quaternion(numbers[3:], written[3:])]
    half_turn = 180.0 if notation is Notation.DEGREES else math.pi
    return [*numbers[:3], *_nearest_angles(list(numbers[3:]), written[3:], half_turn)]


def _nearest_quaternion(q: Sequence[float], written: Sequence[float]) -> list[float]:
    """Return q or -q, which are one rotation; what is written where that is it too, normalised or not."""
    length = math.hypot(*written)
    if length < _SHORTEST:
        return list(q)
    unit = [part / length for part in written]
    sign = math.copysign(1.0, sum(a * b for a, b in zip(q, unit, strict=True)))
    if all(abs(sign * a - b) <= NOISE for a, b in zip(q, unit, strict=True)):
        return list(written)
    return [sign * part for part in q]


def _nearest_angles(rpy: list[float], written: Sequence[float], half_turn: float) -> list[float]:
    """Return the roll, pitch, yaw of the same rotation that keep most of the angles as they are written.

    A pitch beyond a quarter turn, or an angle beyond a half, is legal to write, but no rotation matrix gives it back:
    without this, moving a frame would rewrite angles that nobody touched.
    """
    if not all(map(math.isfinite, (*rpy, *written))):
        return rpy
    turn = 2 * half_turn
    triples = [rpy]
    for each in (rpy, other_angles(rpy, half_turn)):
        triples.append([a + turn * round((old - a) / turn) for a, old in zip(each, written, strict=True)])

    def merit(angles: list[float]) -> tuple[bool, int]:
        kept = sum(abs(angle - old) <= NOISE for angle, old in zip(angles, written, strict=True))
        # An angle that is zero is worth as much as one that stays: identity is 0 0 0, whatever was there.
        return kept == len(rpy), kept + _count_zeros(angles)

    return max(triples, key=merit)  # the first of equals: the plain one


def _count_zeros(angles: Sequence[float]) -> int:
    return sum(abs(angle) <= NOISE for angle in angles)


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
