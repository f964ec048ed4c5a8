"""Write the numbers, the notation, the `relative_to` and the `attached_to` of poses with minimal changes.

Each function returns an :class:`~sdfviewer.document.edits.Edit` of the model's document, or its replacements, and
changes nothing itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, Replacements, as_one, set_attribute
from sdfviewer.formats.registry import writing_of
from sdfviewer.model.graph import ROOT
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.pose_notation import (
    Notation,
    convert,
    nearest,
    normalised,
    notation_of,
    numbers_of,
    written_numbers,
    written_pose,
)
from sdfviewer.transforms import POSE_PARTS, Array


def set_pose_numbers(model: Model, row: int, numbers: Sequence[float], notation: Notation) -> Edit:
    """Return the edit that writes the numbers of a row's ``<pose>``: as given where the file has that notation.

    Raises
    ------
    RefactoringError
        If the row is written elsewhere, or a quaternion is of length zero.
    """
    row = require_pose(model, row)
    if notation is Notation.QUATERNION:
        unit = normalised(numbers)
        if unit is None:
            raise RefactoringError(transforms.NO_ROTATION)
        numbers = unit
    label = describe_move(model, row, numbers, notation)
    pose, writing = written_pose(model, row), writing_of(model, row)
    if pose.element is None:
        new = writing.new_pose(
            model, row, convert(numbers, notation, Notation.RADIANS), written_numbers(model, row), None
        )
        return Edit(label, model.document, new)
    own = notation_of(pose)
    values = convert(numbers, notation, own)
    if own is not notation and Notation.QUATERNION in (own, notation):
        values = nearest(values, written_numbers(model, row, own), own)
    return Edit(label, model.document, writing.write_pose(model.document, pose, values))


def require_pose(model: Model, row: int) -> int:
    """Return the row whose element says where a row is.

    Raises
    ------
    RefactoringError
        If it is written elsewhere, or the format has no pose for it.
    """
    require_editable(model, row)
    writing = writing_of(model, row)
    if (why := writing.why_fixed(model, row)) is not None:
        raise RefactoringError(why)
    return writing.rows_at(model, row)[0]


#: Numbers that differ by less are shown as the same.
_SAME = 1e-9
#: Significant digits of numbers in a label.
_DIGITS = 4


def describe_move(model: Model, row: int, numbers: Sequence[float], notation: Notation) -> str:
    """Return the label of an edit that gives a row's ``<pose>`` other numbers: what changes, so steps differ."""
    name, before = model.distinct_name(row), written_numbers(model, row, notation)
    changed = [at for at, (old, new) in enumerate(zip(before, numbers, strict=True)) if abs(new - old) > _SAME]
    is_quaternion = notation is Notation.QUATERNION
    if len(changed) == 1 and (changed[0] < 3 or not is_quaternion):
        at = changed[0]
        return f"Set {POSE_PARTS[at]} of {name} to {_shown(numbers[at : at + 1], notation if at >= 3 else None)}"
    position = f"to {_shown(numbers[:3])}"
    rotation = f"to {_shown(numbers[3:], notation)}"
    if not changed:
        return f"Move {name}"
    if changed[0] >= 3:
        return f"Rotate {name} {rotation}"
    return f"Move {name} {position}" + (f" and rotate it {rotation}" if changed[-1] >= 3 else "")


def _shown(numbers: Sequence[float], angles: Notation | None = None) -> str:
    """Return numbers as a label shows them: lengths, or angles or a quaternion in a notation."""
    unit = {Notation.DEGREES: "°", Notation.RADIANS: " rad"}.get(angles, "") if angles is not None else ""
    return ", ".join(format_shown(each, _DIGITS) for each in numbers) + unit


def notation_refusal(model: Model, row: int, notation: Notation) -> str | None:
    """Return why a row's pose cannot be written in a notation, None where it can."""
    try:
        row = require_pose(model, row)
    except RefactoringError as error:
        return str(error)
    is_degrees, is_quaternion = notation is Notation.DEGREES, notation is Notation.QUATERNION
    reason = writing_of(model, row).why_no_notation(model, row, degrees=is_degrees, quaternion=is_quaternion)
    if reason is not None:
        return reason
    pose = written_pose(model, row)
    if pose.element is None:
        return "there is no <pose> yet; enter one first"
    size = notation_of(pose).size
    numbers = writing_of(model, row).pose_numbers(pose)
    if numbers is None or len(numbers) not in (0, size):  # an empty <pose> is the identity
        return f"the pose of '{model.names[row]}' does not have {size} numbers"
    return None


def set_notation(model: Model, rows: Sequence[int], notation: Notation) -> Edit:
    """Return the edit that writes poses in another notation; nothing moves, and of several what has no numbers is left.

    Raises
    ------
    RefactoringError
        As :func:`notation_refusal` says.
    """
    posed = list(dict.fromkeys(writing_of(model, row).rows_at(model, row)[0] for row in rows))
    written = [
        row
        for row in posed
        if (pose := written_pose(model, row)).element is not None and writing_of(model, row).pose_numbers(pose) != ()
    ]
    edits: Replacements = ()
    for row in written or posed:
        why = notation_refusal(model, row, notation)
        if why is not None:
            raise RefactoringError(why)
        pose = written_pose(model, row)
        own = notation_of(pose)
        if own is notation or pose.element is None:
            continue
        writing = writing_of(model, row)
        edits += writing.declare_notation(
            model.document, pose, degrees=notation is Notation.DEGREES, quaternion=notation is Notation.QUATERNION
        )
        edits += writing.write_pose(model.document, pose, written_numbers(model, row, notation))
    return Edit(f"Write the pose of {model.name_or_count(rows)} {notation.phrase}", model.document, edits)


def set_pose_component(model: Model, rows: Sequence[int], component: int, value: float) -> Edit:
    """Return the edit that writes one of the six numbers of several raw poses, in metres or radians.

    Raises
    ------
    RefactoringError
        If a row is written elsewhere.
    """
    edits = []
    for row in dict.fromkeys(require_pose(model, row) for row in rows):  # a link of a URDF is where its joint is
        numbers = written_numbers(model, row)
        numbers[component] = value
        edits.append(set_pose_numbers(model, row, numbers, Notation.RADIANS))
    shown = _shown([value], Notation.RADIANS if component >= 3 else None)
    return as_one(f"Set {POSE_PARTS[component]} of {len(rows)} elements to {shown}", edits)


def write_relative_to(model: Model, row: int, target: str | None, X_RF: Array | None = None) -> Replacements:
    """Return the edit of what a row's ``<pose>`` is relative to, and of its numbers.

    It does not ask whether that is legal: edits of several rows may be legal only together.

    Parameters
    ----------
    model, row
        What to edit.
    target
        The ``relative_to`` as it would stand in the file, None for none.
    X_RF
        Pose (4, 4) of the row in the frame that it is relative to after the edit; None leaves the numbers.

    Raises
    ------
    RefactoringError
        If the row is written in another file.
    """
    row = require_pose(model, row)
    pose = written_pose(model, row)
    if pose.element is None:
        default = written_numbers(model, row)
        numbers = default if X_RF is None else numbers_of(_written_pose(model, row, X_RF), Notation.RADIANS)
        return writing_of(model, row).new_pose(model, row, numbers, default, target)
    edits = writing_of(model, row).measure_from(model, row, pose, target)
    return edits if X_RF is None else edits + write_pose(model, row, X_RF)


def write_pose(model: Model, row: int, X_RF: Array) -> Replacements:
    """Return the edit of the numbers of a row's ``<pose>``: its pose (4, 4) in the frame that it is relative to then.

    Raises
    ------
    RefactoringError
        If the row is written in another file.
    """
    return write_numbers_of(model, row, _written_pose(model, row, X_RF))


def _written_pose(model: Model, row: int, X_RF: Array) -> Array:
    """Return the pose (4, 4) that the file holds for a row: with a placement frame P that is X_RP = X_RF X_FP."""
    frame = model.scope.placement_frames.get(row)
    if frame is None:
        return X_RF
    X_RP: Array = X_RF @ transforms.invert(model.X_RootF[row]) @ model.X_RootF[frame]
    return X_RP


def write_numbers_of(model: Model, row: int, X_RP: Array, decimals: int | None = None) -> Replacements:
    """Return the edit of the numbers of a row's ``<pose>`` as they stand: with a placement frame P the pose of that.

    Parameters
    ----------
    decimals
        How many decimals are meant by a pose that is nobody's number, as that of a drag is; None for all.
    """
    row = require_pose(model, row)
    pose, writing = written_pose(model, row), writing_of(model, row)
    if pose.element is None:
        numbers = _rounded(numbers_of(X_RP, Notation.RADIANS), decimals)
        return writing.new_pose(model, row, numbers, written_numbers(model, row), None)
    notation = notation_of(pose)
    values = nearest(numbers_of(X_RP, notation), written_numbers(model, row, notation), notation)
    values = _rounded(values, None if notation is Notation.QUATERNION else decimals)
    return writing.write_pose(model.document, pose, values)


def _rounded(numbers: list[float], decimals: int | None) -> list[float]:
    """Return numbers with some decimals; angles of whole degrees in radians stay exact."""
    if decimals is None:
        return numbers
    return [
        each if at >= 3 and each == math.radians(round(math.degrees(each))) else round(each, decimals)
        for at, each in enumerate(numbers)
    ]


#: What stays when a frame is measured from another: its place in the world, or the numbers that are written.
Keep: TypeAlias = Literal["pose", "numbers"]


def refusal(model: Model, row: int, name: str | None, attribute: Attribute = "relative_to") -> str | None:
    """Return why an attribute of a row cannot be edited to name a frame, None where it can.

    Parameters
    ----------
    name
        As it would stand in the file; None for the default.
    """
    try:
        require_editable(model, row)
    except RefactoringError as error:
        return str(error)
    return ReferenceTargets(model, row, attribute).named(name).reason


def set_relative_to(model: Model, row: int, target: str | None, keep: Keep = "pose") -> Edit:
    """Return the edit that measures a row's pose from another frame.

    Parameters
    ----------
    model, row
        What to edit.
    target
        The name as it would stand in the file, None for no ``relative_to``: the default of that element.
    keep
        ``"pose"`` rewrites the numbers so that nothing moves, ``"numbers"`` leaves them so that the frame moves.

    Raises
    ------
    RefactoringError
        If the target is none, would close a cycle, or leaves the pose undefined while it is to be kept.
    """
    why = refusal(model, row, target)
    if why is not None:
        raise RefactoringError(f"'{model.names[row]}' cannot be relative to '{target or 'its default'}': {why}")
    meant = ReferenceTargets(model, row, "relative_to").named(target).row
    X_RF = kept_pose(model, row, meant) if keep == "pose" else None
    label = f"Make {model.distinct_name(row)} relative to {target or 'its default'}"
    return Edit(label, model.document, write_relative_to(model, row, target, X_RF))


def set_attached_to(model: Model, row: int, target: str | None, keep: Keep = "pose") -> Edit:
    """Return the edit that attaches a frame to another; see :func:`set_relative_to`.

    A frame whose pose has no ``relative_to`` is measured from what it is attached to, so its numbers change with
    ``keep="pose"``.
    """
    why = refusal(model, row, target, "attached_to")
    if why is not None:
        raise RefactoringError(f"'{model.names[row]}' cannot be attached to '{target or 'its default'}': {why}")
    edits = set_attribute(model.document, model.elements[row], "attached_to", target)
    if model.relative_to_written[row] is None and keep == "pose":
        reference = ReferenceTargets(model, row, "attached_to").named(target).row
        edits += write_pose(model, row, kept_pose(model, row, reference))
    return Edit(f"Attach {model.distinct_name(row)} to {target or 'the model frame'}", model.document, edits)


def kept_pose(model: Model, row: int, reference: int) -> Array:
    """Return the raw pose that keeps a row where it is when it is measured from ``reference``."""
    X_RootR = np.eye(4) if reference == ROOT else model.X_RootF[reference]
    X_RF: Array = transforms.invert(X_RootR) @ model.X_RootF[row]
    if not np.isfinite(X_RF).all():
        raise RefactoringError("the pose is undefined and cannot be kept; keep the numbers instead")
    return X_RF
