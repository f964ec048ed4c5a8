"""Notations of a pose, and conversion between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

from sdfviewer.formats.registry import writing_of
from sdfviewer.model.model import Model
from sdfviewer.model.values import NOISE, WrittenPose
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
