"""Edits that know what they mean: re-targeting and moving.

Each function returns an :class:`~sdfviewer.document.edits.Edit` of the model's document and changes nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit, Replacements, insert_child, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.document.parse import escape
from sdfviewer.semantics import graph
from sdfviewer.semantics.editing.pose_numbers import (
    Notation,
    convert,
    nearest,
    normalised,
    notation_of,
    numbers_of,
    write_numbers,
    written_numbers,
)
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.names import did_you_mean
from sdfviewer.semantics.values import Version, format_number, format_version, parse_numbers, read_pose
from sdfviewer.transforms import Array

#: What stays when a frame is measured from another: its place in the world, or the numbers that are written.
Keep: TypeAlias = Literal["pose", "numbers"]


class RefactoringError(SdfViewerError):
    """An edit cannot be made; the message says why in plain words."""


def require_editable(model: Model, row: int) -> None:
    """Refuse to edit what is written in another file, or in a URDF.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if model.sources[row] is not None:
        file = model.document_of(row).name
        raise RefactoringError(f"'{model.names[row]}' is written in {file}, which this file includes; edit it there")
    if model.document.root is None or model.document.root.tag == "robot":
        raise RefactoringError("a URDF file is edited as text")


def _target_row(model: Model, row: int, name: str) -> int:
    """Return the row that ``name`` would mean if it were written at ``row``."""
    targets = dict(model.legal_targets(row))
    if name not in targets:
        raise RefactoringError(f"'{name}' is no frame in this scope{did_you_mean(name, targets)}")
    return targets[name]


def default_relative_to(model: Model, row: int, attached_to: int | None = None) -> int:
    """Return the row that a row's pose is relative to where no ``relative_to`` is written."""
    kind = model.kinds[row]
    if kind is Kind.JOINT:
        return model.joints_by_row[row].child
    if kind is Kind.FRAME:
        return int(model.attached_to[row]) if attached_to is None else attached_to
    return int(model.owners[row])


def would_close(model: Model, row: int, target: int, attribute: str = "relative_to") -> list[int]:
    """Return the rows of the cycle that an edge from ``row`` to ``target`` would close, empty if none."""
    parents = model.relative_to if attribute == "relative_to" else model.attached_to
    way = graph.chain(parents, target) if target >= 0 else []
    return [row, *way[: way.index(row)]] if row in way else []


def refusal(model: Model, row: int, name: str | None, attribute: str = "relative_to") -> str | None:
    """Return why ``relative_to`` or ``attached_to`` of a row must not name a frame, None where it may.

    Parameters
    ----------
    name
        As it would stand in the file; None for the default.
    """
    try:
        require_editable(model, row)
        target = _target_row(model, row, name) if name else default_relative_to(model, row)
    except RefactoringError as error:
        return str(error)
    if attribute == "attached_to" and model.kinds[row] is not Kind.FRAME:
        return f"a {model.kinds[row]} has no attached_to; only a <frame> has"
    if target < 0:
        return "its default names nothing"
    cycle = would_close(model, row, target, attribute)
    if cycle:
        return f"it would close a circle: {' → '.join(model.names[each] for each in [*cycle, cycle[0]])}"
    return None


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
    reference = _target_row(model, row, target) if target else default_relative_to(model, row)
    X_RF = _kept_pose(model, row, reference) if keep == "pose" else None
    label = f"Make {model.local_names[row]} relative to {target or 'its default'}"
    return Edit(label, write_pose(model, row, X_RF, target, set_target=True))


def set_attached_to(model: Model, row: int, target: str | None, keep: Keep = "pose") -> Edit:
    """Return the edit that attaches a frame to another; see :func:`set_relative_to`.

    A frame whose pose has no ``relative_to`` is measured from what it is attached to, so its numbers change with
    ``keep="pose"``.
    """
    why = refusal(model, row, target, "attached_to")
    if why is not None:
        raise RefactoringError(f"'{model.names[row]}' cannot be attached to '{target or 'its default'}': {why}")
    edits = set_attribute(model.document, model.elements[row], "attached_to", target)
    if model.relative_to_written[row] is None:
        reference = _target_row(model, row, target) if target else int(model.scopes[row])
        cycle = would_close(model, row, reference)
        if cycle:
            names = " → ".join(model.names[each] for each in [*cycle, cycle[0]])
            raise RefactoringError(f"the pose follows attached_to by default, which would close a circle: {names}")
        if keep == "pose":
            edits += write_pose(model, row, _kept_pose(model, row, reference), None, set_target=False)
    return Edit(f"Attach {model.local_names[row]} to {target or 'the model frame'}", edits)


def _kept_pose(model: Model, row: int, reference: int) -> Array:
    """Return the raw pose that keeps a row where it is when it is measured from ``reference``."""
    X_RF: Array = transforms.invert(model.X_RootF[reference]) @ model.X_RootF[row]
    if not np.isfinite(X_RF).all():
        raise RefactoringError("the pose cannot be kept: it is undefined; keep the numbers instead")
    return X_RF


def set_raw_pose(model: Model, row: int, X_RF: Array) -> Edit:
    """Return the edit that writes a pose X_RF (4, 4) relative to the frame that the row is relative to now.

    Only numbers that change are rewritten, in the notation of the file: radians, degrees or quaternion.
    """
    require_editable(model, row)
    return Edit(f"Move {model.local_names[row]}", write_pose(model, row, np.asarray(X_RF), None, set_target=False))


def set_pose_numbers(model: Model, row: int, numbers: Sequence[float], notation: Notation) -> Edit:
    """Return the edit that writes the numbers of a row's ``<pose>``: as given where the file has that notation.

    Raises
    ------
    RefactoringError
        If the row is written elsewhere, or a quaternion is of length zero.
    """
    require_editable(model, row)
    if notation is Notation.QUATERNION:
        unit = normalised(numbers)
        if unit is None:
            raise RefactoringError("a quaternion of length zero is no rotation")
        numbers = unit
    label = f"Move {model.local_names[row]}"
    pose = read_pose(model.elements[row], model.version)
    if pose.element is None:
        return Edit(label, _new_pose(model, row, convert(numbers, notation, Notation.RADIANS), None))
    own = notation_of(pose)
    values = convert(numbers, notation, own)
    if own is not notation and Notation.QUATERNION in (own, notation):
        values = nearest(values, written_numbers(model, row, own), own)
    return Edit(label, write_numbers(model.document, pose, values))


def notation_refusal(model: Model, row: int, notation: Notation) -> str | None:
    """Return why a row's pose cannot be written in a notation, None where it can."""
    try:
        require_editable(model, row)
    except RefactoringError as error:
        return str(error)
    if model.version < (1, 9) and notation is not Notation.RADIANS:
        version = format_version(model.version)
        return f"SDFormat {version} writes angles in radians; poses {notation.phrase} came with 1.9"
    pose = read_pose(model.elements[row], model.version)
    if pose.element is None:
        return "no <pose> is written here yet; type one first"
    size = notation_of(pose).size
    numbers = parse_numbers(pose.element.text)
    if numbers is None or len(numbers) != size:
        return f"the pose of '{model.names[row]}' does not hold {size} numbers"
    return None


def set_notation(model: Model, rows: Sequence[int], notation: Notation) -> Edit:
    """Return the edit that writes poses in another notation; nothing moves, and of several what has none is left.

    Raises
    ------
    RefactoringError
        As :func:`notation_refusal` says.
    """
    written = [row for row in rows if read_pose(model.elements[row], model.version).element is not None]
    edits: Replacements = ()
    for row in written or rows:
        why = notation_refusal(model, row, notation)
        if why is not None:
            raise RefactoringError(why)
        pose = read_pose(model.elements[row], model.version)
        own = notation_of(pose)
        if own is notation or pose.element is None:
            continue
        for name, owner, value in (
            ("degrees", Notation.DEGREES, "true"),
            ("rotation_format", Notation.QUATERNION, "quat_xyzw"),
        ):
            if owner in (own, notation):
                edits += set_attribute(model.document, pose.element, name, value if owner is notation else None)
        edits += write_numbers(model.document, pose, written_numbers(model, row, notation))
    what = model.local_names[rows[0]] if len(rows) == 1 else f"{len(rows)} elements"
    return Edit(f"Write the pose of {what} {notation.phrase}", edits)


def write_pose(model: Model, row: int, X_RF: Array | None, target: str | None, *, set_target: bool) -> Replacements:
    """Return the edit of a row's ``<pose>``: its ``relative_to`` if asked for, its numbers if X_RF is given.

    Unlike :func:`set_relative_to` it asks nothing: edits of several rows may be legal only together.

    Parameters
    ----------
    model, row
        What to edit.
    X_RF
        Pose (4, 4) in the frame that the pose is relative to after the edit; None leaves the numbers.
    target
        The ``relative_to`` as it would stand in the file, None for none; written only with ``set_target``.
    set_target
        Whether ``relative_to`` is written.

    Raises
    ------
    RefactoringError
        If the row is written in another file.
    """
    document, element = model.document, model.elements[row]
    require_editable(model, row)
    frame = model.scope.placement_frames.get(row)
    if X_RF is not None and frame is not None:
        # What is written is the pose of the placement frame P: X_RP = X_RM · X_MP.
        X_RF = X_RF @ transforms.invert(model.X_RootF[row]) @ model.X_RootF[frame]
    pose = read_pose(element, model.version).element
    if pose is None:
        numbers = None if X_RF is None else numbers_of(X_RF, Notation.RADIANS)
        return _new_pose(model, row, numbers, target)
    edits: Replacements = ()
    if set_target:
        edits += set_attribute(document, pose, pose_attribute(pose, model.version), target)
    return edits if X_RF is None else edits + write_numbers_of(model, row, X_RF)


def write_numbers_of(model: Model, row: int, X_RP: Array) -> Replacements:
    """Return the edit of the numbers of a row's ``<pose>`` as they stand: with a placement frame P the pose of that."""
    require_editable(model, row)
    pose = read_pose(model.elements[row], model.version)
    if pose.element is None:
        return _new_pose(model, row, numbers_of(X_RP, Notation.RADIANS), None)
    notation = notation_of(pose)
    values = nearest(numbers_of(X_RP, notation), written_numbers(model, row, notation), notation)
    return write_numbers(model.document, pose, values)


def _new_pose(model: Model, row: int, numbers: Sequence[float] | None, target: str | None) -> Replacements:
    """Return the edit that writes the ``<pose>`` of an element that has none, unless it would say the default."""
    document, element = model.document, model.elements[row]
    default = written_numbers(model, row)
    text = " ".join(map(format_number, default if numbers is None else numbers))
    written = f' {pose_attribute(None, model.version)}="{escape(target, chr(34))}"' if target else ""
    if not written and text == " ".join(map(format_number, default)):
        return ()
    before = element.children[0] if element.children else None
    return insert_child(document, element, f"<pose{written}>{text}</pose>", before)


def pose_attribute(pose: Element | None, version: Version) -> str:
    """Return the attribute by which a pose names, or would name, its frame: old files may use either of two."""
    written = pose.attributes if pose is not None else {}
    if version >= (1, 7) or ("relative_to" in written and "frame" not in written):
        return "relative_to"
    return "frame"
