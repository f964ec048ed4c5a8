"""Joints, also those of worlds, for an older version of SDFormat; they move as before."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import (
    Replacements,
    element_source,
    insert_child,
    remove_element,
    replace_element,
    set_attribute,
    set_text,
)
from sdfviewer.document.element import Element
from sdfviewer.formats.writing import write_pose_text
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import free_name_among
from sdfviewer.model.references import find_references
from sdfviewer.model.scope import WrittenAxis
from sdfviewer.model.values import format_number, format_numbers, parse_numbers, read_pose
from sdfviewer.refactoring.pose_moving import write_direction
from sdfviewer.refactoring.pose_notation import notation_of, numbers_of
from sdfviewer.refactoring.versions.lowering import Lowering
from sdfviewer.versions import AXIS_IN_JOINT_FRAME, FRAME_SEMANTICS

_FLAG = "use_parent_model_frame"
#: Smaller parts of a direction are what turning it has left.
_ROUNDING = 1e-15
#: What stood for "no limit" before 1.10.
_NO_LIMIT = {"lower": "-1e16", "upper": "1e16", "effort": "-1", "velocity": "-1"}


def lower_joints(lowering: Lowering) -> Replacements:
    """Return the edit of what joints connect and about which axes they turn."""
    edits: Replacements = ()
    axes = {written.row: written.axes for written in lowering.model.scope.joints}
    for joint, element in _joints(lowering):
        write_axes = _expressed_in if lowering.target >= FRAME_SEMANTICS else _in_given_frame
        edits += _ends(lowering, joint, element) + write_axes(lowering, joint, axes[joint.row])
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


def _in_given_frame(lowering: Lowering, joint: Joint, axes: tuple[WrittenAxis, ...]) -> Replacements:
    """Return the edit that writes axes where they cannot name a frame: in the joint's own, or in that of the model.

    Until 1.4 it is always that of the model; in 1.5 and 1.6 ``use_parent_model_frame`` says which.
    """
    model, document = lowering.model, lowering.document
    scope = int(model.scopes[joint.row])
    edits: Replacements = ()
    for axis, where in zip(joint.axes, axes, strict=True):
        xyz, flag = axis.element.find("xyz"), axis.element.find(_FLAG)
        has_flag = lowering.target >= AXIS_IN_JOINT_FRAME and where.expressed_in == scope
        if where.expressed_in < 0:
            continue
        if xyz is not None:
            edits += set_attribute(document, xyz, "expressed_in", None)
        direction = axis.xyz
        if lowering.target < AXIS_IN_JOINT_FRAME:
            direction = model.X_RootF[scope, :3, :3].T @ model.X_RootF[joint.row, :3, :3] @ direction
        kept = (scope,) if lowering.target < AXIS_IN_JOINT_FRAME else (scope, joint.row)
        length = math.hypot(*where.xyz) or 1.0
        if where.expressed_in not in kept and abs(direction - np.array(where.xyz) / length).max() > _ROUNDING:
            direction = np.where(abs(direction) < _ROUNDING, 0.0, direction)
            edits += write_direction(model, axis.element, direction.tolist())
        if flag is not None:
            edits += set_text(document, flag, "true") if has_flag else remove_element(document, flag)
        elif has_flag:
            children = axis.element.children
            at = 0 if xyz is None else children.index(xyz) + 1
            edits += insert_child(
                document, axis.element, f"<{_FLAG}>true</{_FLAG}>", children[at] if at < len(children) else None
            )
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


def move_world_joints(lowering: Lowering) -> Replacements:
    """Return the edit that moves joints of the world into the models they hold."""
    model, renamed = lowering.model, lowering.renamed
    edits: Replacements = ()
    for joint in model.joints:
        element = model.elements[joint.row]
        if model.kinds[int(model.scopes[joint.row])] is not Kind.WORLD or model.sources[joint.row] is not None:
            continue
        owner = _model_of(lowering, joint, element)
        if owner is None:
            continue
        name = _free_name(lowering, owner, model.local_names[joint.row], {new for _, new in renamed})
        scoped = f"{model.names[owner]}::{name}"
        xml = _rewritten(lowering, joint, element, owner, name)
        edits += remove_element(lowering.document, element)
        edits += insert_child(lowering.document, model.elements[owner], xml)
        for reference in find_references(model):
            if reference.steps(model)[-1:] == [joint.row]:
                edits += reference.write(lowering.document, scoped)
        renamed.append((model.names[joint.row], scoped))
    return edits


def _model_of(lowering: Lowering, joint: Joint, element: Element) -> int | None:
    """Return the model that a joint fixes in the world, None where it does something else, which is refused."""
    model = lowering.model
    if int(model.bodies[joint.parent]) == 0 if joint.parent >= 0 else True:
        owner = joint.child
        while owner > 0 and int(model.owners[owner]) != 0:
            owner = int(model.owners[owner])
        if owner > 0 and model.kinds[owner] is Kind.MODEL and model.elements[owner].tag == "model":
            return owner
        why = "its child is in an included model; inline the includes first"
    else:
        why = "it connects two models"
    lowering.refuse(element, f"joint '{joint.name}' of the world is new in SDFormat 1.10, and {why}")
    return None


def _free_name(lowering: Lowering, owner: int, wanted: str, given: set[str]) -> str:
    model = lowering.model
    prefix = model.member_prefix(owner)
    taken = {each.removeprefix(prefix) for each in (*given, *model.rows_by_name) if each.startswith(prefix)}
    taken |= {child.attributes.get("name", "") for child in model.elements[owner].children}
    return free_name_among(wanted, taken)


def _rewritten(lowering: Lowering, joint: Joint, element: Element, owner: int, name: str) -> str:
    """Return the text of a joint as a member of a model."""
    model, document = lowering.model, lowering.document
    edits = set_attribute(document, element, "name", name)
    parent, child = element.find("parent"), element.find("child")
    if parent is not None and child is not None:
        edits += set_text(document, parent, "world")
        edits += set_text(document, child, model.name_in(owner, joint.child) or "")
    pose = read_pose(element, model.version)
    if pose.element is not None and pose.relative_to is not None:
        target = model.name_in(owner, int(model.relative_to[joint.row]))
        edits += set_attribute(document, pose.element, "relative_to", target)
        if target is None:  # then it is measured from its child
            X = transforms.invert(model.X_RootF[joint.child]) @ model.X_RootF[joint.row]
            edits += write_pose_text(document, pose, numbers_of(X, notation_of(pose)))
    written = next(each for each in model.scope.joints if each.row == joint.row)
    for axis, where in zip(joint.axes, written.axes, strict=True):
        xyz = axis.element.find("xyz")
        if xyz is not None and xyz.attributes.get("expressed_in"):
            target = model.name_in(owner, where.expressed_in)
            edits += set_attribute(document, xyz, "expressed_in", target)
            if target is None:
                edits += set_text(document, xyz, format_numbers(axis.xyz.tolist()))
    return element_source(document, element, edits)
