"""Checks of what a URDF says that every parser takes, and that ROS, MoveIt or a simulation trips over."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.urdf.merge import Merging
from sdfviewer.formats.urdf.origins import limits_of, parse_numbers
from sdfviewer.formats.urdf.robot import Robot, UrdfJoint, UrdfLink
from sdfviewer.model.findings import MOST_WITH_HINTS, ElementPart, Finding, MakeEdits, Source
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.model.values import format_numbers
from sdfviewer.validation import urdf_rules as rules

#: How much the length of an axis may differ from 1: axes are often written with three digits.
_ROUNDING = 1e-2


def check_for_author(
    robot: Robot, merging: Merging, source: Source, links: Mapping[str, int], joints: Mapping[str, int]
) -> Iterator[Finding]:
    """Yield what the author of a robot should know, though nothing refuses it.

    Parameters
    ----------
    robot, merging, source
        The robot, what becomes of its links in Gazebo, and the file that it is included from another one by.
    links, joints
        The rows of its links and joints, by name.
    """
    for joint in robot.joints.values():
        row = joints[joint.name]
        yield from _check_limits(robot, joint, source, row)
        yield from _check_axis(joint, source, row)
        yield from _check_name(joint.element, source, row)
    for name, row in links.items():
        yield from _check_name(robot.links[name].element, source, row)
        yield from _check_inertia(robot.links[name], merging, source, row)
    for element in robot.element.findall("constraint"):
        yield _loop(robot, element, source)


def _check_limits(robot: Robot, joint: UrdfJoint, source: Source, row: int) -> Iterator[Finding]:
    limit = joint.element.find("limit")
    if limit is None or joint.type not in ("revolute", "prismatic"):
        return
    lower, upper, _, _ = limits_of(joint.element, joint.type, robot.version)
    if lower != upper:
        return
    fixes: list[tuple[str, MakeEdits]] = []
    if joint.type == "revolute" and not limit.attributes.keys() & {"lower", "upper"}:
        fixes.append(("write type='continuous'", partial(_with_type, joint.element, "continuous")))
    if lower == 0.0:
        fixes.append(("write type='fixed'", partial(_with_type, joint.element, "fixed")))
    rule = rules.urdf_cannot_move
    message = rule.format(joint.name, joint.type, lower + 0.0)  # no negative zero
    yield Finding(rule, ElementPart(source, limit), message, (row,), fixes=tuple(fixes))


def _with_type(joint: Element, joint_type: str, document: Document) -> Replacements:
    return set_attribute(document, joint, "type", joint_type)


def _check_axis(joint: UrdfJoint, source: Source, row: int) -> Iterator[Finding]:
    axis = joint.element.find("axis")
    if axis is None or joint.type not in ("revolute", "continuous", "prismatic", "planar"):
        return
    xyz = parse_numbers(axis.attributes.get("xyz", "")) or ()
    length = math.hypot(*xyz)
    if len(xyz) != 3 or length == 0.0 or abs(length - 1.0) <= _ROUNDING:
        return
    unit = format_numbers([value / length for value in xyz])
    rule = rules.urdf_axis_not_unit
    fix = (f"write the unit vector {unit}", partial(_with_axis, axis, unit))
    message = rule.format(joint.name, length)
    yield Finding(rule, ElementPart(source, axis, "@xyz"), message, (row,), fixes=(fix,))


def _with_axis(axis: Element, unit: str, document: Document) -> Replacements:
    return set_attribute(document, axis, "xyz", unit)


def _check_name(element: Element, source: Source, row: int) -> Iterator[Finding]:
    name = element.attributes.get("name", "")
    why = ""
    if name != name.strip():
        why = "begins or ends with a blank"
    elif name.startswith("/"):
        why = "begins with '/'" + (", which tf2 refuses" if element.tag == "link" else "")
    elif element.tag == "joint" and "/" in name and element.attributes.get("type") != "fixed":  # which nothing moves
        why = "has a '/' in it, where ros2_control ends the name of a joint"
    if why:
        rule = rules.urdf_name_for_ros
        yield Finding(rule, ElementPart(source, element, "@name"), rule.format(element.tag, name, why), (row,))


def _check_inertia(link: UrdfLink, merging: Merging, source: Source, row: int) -> Iterator[Finding]:
    is_own = merging.targets.get(link.name) == link.name and link.name not in merging.left_out
    if not is_own or link.inertial is None or link.inertial.mass <= 0.0 or any(link.inertial.moments):
        return
    body, inertia = merging.inertial_of(link.name), link.inertial.element.find("inertia")
    if body is not None and inertia is not None and not any(body.moments):
        rule = rules.urdf_no_inertia
        yield Finding(rule, ElementPart(source, inertia), rule.format(link.name), (row,))


def _loop(robot: Robot, element: Element, source: Source) -> Finding:
    """Return that a ``<constraint>`` is ignored, and which of its links are not there."""
    ends: dict[str, str] = {}
    hint = ""
    for tag in ("parent", "child"):
        end = element.find(tag)
        ends[tag] = name = "" if end is None else end.attributes.get("link", "")
        if name and name not in robot.links and len(robot.findings) < MOST_WITH_HINTS:
            hint += Message("", f"there is no link '{name}'") + offer_names(nearest(name, robot.links))
    rule = rules.urdf_loop
    message = rule.format(element.attributes.get("name", ""), ends["parent"], ends["child"], hint)
    return Finding(rule, ElementPart(source, element), message)
