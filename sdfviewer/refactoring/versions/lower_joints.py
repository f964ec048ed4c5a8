"""Joints for an older version of SDFormat; they move as before."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sdfviewer.document.edits import (
    Replacements,
    insert_child,
    remove_element,
    replace_element,
    set_attribute,
    set_text,
)
from sdfviewer.document.element import Element
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.scope import WrittenAxis
from sdfviewer.model.values import format_number, format_numbers, parse_numbers
from sdfviewer.refactoring.versions.lowering import Lowering

#: What stood for "no limit" before 1.10.
_NO_LIMIT = {"lower": "-1e16", "upper": "1e16", "effort": "-1", "velocity": "-1"}


def lower_joints(lowering: Lowering) -> Replacements:
    """Return the edit of what joints connect and about which axes they turn."""
    edits: Replacements = ()
    axes = {written.row: written.axes for written in lowering.model.scope.joints}
    for joint, element in _joints(lowering):
        edits += _ends(lowering, joint, element) + _expressed_in(lowering, joint, axes[joint.row])
    return edits


def lower_values(lowering: Lowering) -> Replacements:
    """Return the edit of the limits of joints, and of the pitch of screws."""
    edits: Replacements = ()
    for joint, element in _joints(lowering):
        edits += _limits(lowering, element) + _screw_pitch(lowering, joint, element)
    return edits


def _joints(lowering: Lowering) -> Iterator[tuple[Joint, Element]]:
    """Yield the joints that are written in the file itself."""
    for joint in lowering.model.joints:
        element = lowering.model.elements[joint.row]
        if lowering.model.sources[joint.row] is None and element.tag == "joint":
            yield joint, element


def _ends(lowering: Lowering, joint: Joint, element: Element) -> Replacements:
    """Return the edit that names links as parent and child, which until 1.7 could be nothing else."""
    model, scope = lowering.model, int(lowering.model.scopes[joint.row])
    edits: Replacements = ()
    for tag, row in (("parent", joint.parent), ("child", joint.child)):
        written = element.find(tag)
        if written is None or row < 0 or model.kinds[row] in (Kind.LINK, Kind.WORLD):
            continue
        body = int(model.bodies[row])
        name = model.name_in(scope, body) if body >= 0 and model.kinds[body] is Kind.LINK else None
        if name is None and tag == "parent":
            name = "world"  # what is carried by no link does not move
        if name is None:
            lowering.refuse(written, f"the child of joint '{joint.name}' is not a link")
            continue
        edits += set_text(lowering.document, written, name)
    return edits


def _expressed_in(lowering: Lowering, joint: Joint, axes: tuple[WrittenAxis, ...]) -> Replacements:
    """Return the edit that writes an axis in the joint's own frame where the one that it names cannot be named."""
    scope = int(lowering.model.scopes[joint.row])
    edits: Replacements = ()
    for axis, where in zip(joint.axes, axes, strict=True):
        xyz = axis.element.find("xyz")
        if xyz is None or not xyz.attributes.get("expressed_in") or where.expressed_in < 0:
            continue
        if lowering.name_in(scope, where.expressed_in) is None:
            edits += set_attribute(lowering.document, xyz, "expressed_in", None)
            edits += set_text(lowering.document, xyz, format_numbers(axis.xyz.tolist()))
    return edits


def _limits(lowering: Lowering, element: Element) -> Replacements:
    """Return the edit of infinite limits, which were large or negative numbers."""
    edits: Replacements = ()
    for axis in element.findall("axis", "axis2"):
        limit = axis.find("limit")
        for child in limit.children if limit is not None else ():
            numbers = parse_numbers(child.text)
            if child.tag in _NO_LIMIT and numbers and math.isinf(numbers[0]):
                edits += set_text(lowering.document, child, _NO_LIMIT[child.tag])
    return edits


def _screw_pitch(lowering: Lowering, joint: Joint, element: Element) -> Replacements:
    """Return the edit that counts radians for a metre, left-handed when positive, and not metres for a turn."""
    pitch, old = element.find("screw_thread_pitch"), element.find("thread_pitch")
    if joint.type != "screw" or (old is not None and pitch is None):
        return ()
    if joint.screw_pitch == 0.0:
        lowering.refuse(pitch or element, f"the screw '{joint.name}' has no pitch, which older versions cannot express")
        return ()
    value = format_number(-1.0 / joint.screw_pitch)
    if pitch is None:
        return insert_child(lowering.document, element, f"<thread_pitch>{value}</thread_pitch>")
    if old is not None:
        return remove_element(lowering.document, pitch) + set_text(lowering.document, old, value)
    return replace_element(lowering.document, pitch, f"<thread_pitch>{value}</thread_pitch>")
