"""The members of a frame that moves alone: they keep their poses."""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.document.edits import Replacements, prepend_child, set_text
from sdfviewer.document.element import Element
from sdfviewer.formats.registry import writing_of
from sdfviewer.model.model import Model
from sdfviewer.model.scope import WrittenAxis
from sdfviewer.model.values import format_numbers, parse_bool
from sdfviewer.refactoring.poses.move_set import MoveSet
from sdfviewer.refactoring.poses.notation import Notation, matrix_of, nearest, notation_of, numbers_of
from sdfviewer.transforms import Array, invert

#: What has a pose in its link or sensor, but is no row of the frame table.
_PARTS = ("inertial", "audio_source", "camera")


def keep_parts(model: Model, move_set: MoveSet, X0: Array) -> Replacements:
    """Return the edit that keeps in place what no row represents: inertias and the like, and axes of other joints.

    Parameters
    ----------
    X0
        X_RootF (n, 4, 4) of all rows at the initial configuration after the move.
    """
    edits: Replacements = ()
    for lead in move_set.leads.tolist():
        X_FF0 = invert(X0[lead]) @ model.X_RootF[lead]  # where the frame was, seen from where it is
        for row in writing_of(model, lead).rows_at(model, lead):
            for part in model.elements[row].findall(*_PARTS):
                edits += _keep_part(model, row, part, X_FF0)
    for axis in kept_axes(move_set):
        R_FF0 = X0[axis.expressed_in, :3, :3].T @ model.X_RootF[axis.expressed_in, :3, :3]
        edits += write_direction(model, axis.element, (R_FF0 @ axis.xyz).tolist())
    return edits


def kept_axes(move_set: MoveSet) -> Iterator[WrittenAxis]:
    """Yield the axes that are expressed in a frame that is moved, of joints that stay."""
    places = move_set.lead_of
    for joint in move_set.model.scope.joints:
        for axis in joint.axes:
            if axis.expressed_in >= 0 <= places[axis.expressed_in] and places[joint.row] < 0:
                yield axis


def _keep_part(model: Model, row: int, part: Element, X_FF0: Array) -> Replacements:
    """Return the edit of the pose of a part of a frame F that a row is at."""
    if part.tag == "inertial" and parse_bool(part.attributes.get("auto", "")):
        return ()  # its pose comes from the collisions, which stay
    document, writing = model.document, writing_of(model, row)
    pose = writing.read_pose(model, part)
    notation = notation_of(pose)
    numbers = writing.pose_numbers(pose)
    written = numbers if numbers is not None and len(numbers) == notation.size else None
    X = X_FF0 if written is None else X_FF0 @ matrix_of(written, notation)
    if pose.element is None:
        return writing.insert_pose(document, part, numbers_of(X, Notation.RADIANS))
    values = numbers_of(X, notation)
    return writing.write_pose(document, pose, values if written is None else nearest(values, written, notation))


def write_direction(model: Model, axis: Element, direction: list[float]) -> Replacements:
    """Return the edit that gives an ``<axis>`` another direction, in the frame in which it is written."""
    text = format_numbers(direction)
    xyz = axis.find("xyz")
    if xyz is None:
        return prepend_child(model.document, axis, f"<xyz>{text}</xyz>")
    return set_text(model.document, xyz, text)
