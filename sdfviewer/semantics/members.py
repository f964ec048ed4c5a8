"""What is written inside a model or world: links, joints, frames and the things on them, as rows of a scope."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sdfviewer.diagnostics import Severity
from sdfviewer.document.element import Element
from sdfviewer.semantics.graph import ROOT, UNRESOLVED
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.names import did_you_mean, is_reserved, reference_hint
from sdfviewer.semantics.rules import joints as joint_rules
from sdfviewer.semantics.rules import kinematics as kinematics_rules
from sdfviewer.semantics.rules import schema as schema_rules
from sdfviewer.semantics.scope import Finding, Place, Scope, Source, WrittenAxis, WrittenJoint, WrittenMimic
from sdfviewer.semantics.values import Version, parse_bool, parse_numbers, read_number, read_pose, read_vector

#: Degrees of freedom of each joint type.
JOINT_TYPES = {
    "ball": 3,
    "continuous": 1,
    "fixed": 0,
    "gearbox": 1,
    "prismatic": 1,
    "revolute": 1,
    "revolute2": 2,
    "screw": 1,
    "universal": 2,
}
#: Shorter axes have no direction.
_NO_DIRECTION = 1e-6
#: Limits of this size meant "none" before SDFormat 1.10.
_NO_LIMIT = 1e16

_ON_LINKS = {
    "visual": Kind.VISUAL,
    "collision": Kind.COLLISION,
    "sensor": Kind.SENSOR,
    "light": Kind.LIGHT,
    "projector": Kind.PROJECTOR,
    "particle_emitter": Kind.PARTICLE_EMITTER,
}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where elements come from: which document, which version, how deep in models they stand, whether in a world."""

    source: Source
    version: Version
    depth: int = 0
    in_world: bool = False

    @property
    def nested(self) -> Origin:
        """Where elements of a model in this model come from."""
        return Origin(self.source, self.version, self.depth + 1, self.in_world)

    @property
    def leniency(self) -> Severity | None:
        """How much faults of joints matter here: libsdformat looks at those of nested models less closely."""
        return Severity.WARNING if self.depth > 0 else None


def add_posed(
    scope: Scope, origin: Origin, kind: Kind, name: str, element: Element, owner: int, attached_to: str | None = None
) -> int:
    """Append the row of anything that has a ``<pose>`` and return its number."""
    pose = read_pose(element, origin.version)
    row = scope.add_row(kind, name, element, origin.source, owner, pose.raw, pose.relative_to, attached_to)
    if pose.exact is not None:
        scope.exact_poses[row] = pose.exact
    return row


def add_link(scope: Scope, origin: Origin, element: Element, name: str) -> int:
    """Append a link and what is fixed on it, and return the link's row."""
    row = add_posed(scope, origin, Kind.LINK, name, element, 0)
    for child in element.children:
        kind = _ON_LINKS.get(child.tag)
        if kind is not None:
            add_posed(scope, origin, kind, f"{name}::{child.word('name')}", child, row)
    return row


def add_joint(scope: Scope, origin: Origin, element: Element, name: str) -> int:
    """Append a joint and its sensors, and return the joint's row; its ends are resolved later."""
    row = add_posed(scope, origin, Kind.JOINT, name, element, 0)
    for child in element.children:
        if child.tag == "sensor":
            add_posed(scope, origin, Kind.SENSOR, f"{name}::{child.word('name')}", child, row)
    return row


def resolve_joint(scope: Scope, origin: Origin, row: int) -> WrittenJoint:
    """Return what the joint in ``row`` connects, all rows of the scope being known."""
    element = scope.elements[row]
    joint_type = element.word("type").lower()
    if joint_type and joint_type not in JOINT_TYPES:
        message = joint_rules.joint_type_invalid.format(joint_type, did_you_mean(joint_type, JOINT_TYPES))
        place = Place(origin.source, element, "@type")
        scope.findings.append(Finding(joint_rules.joint_type_invalid, place, message, (row,)))
    parent_name, parent = _joint_end(scope, origin, row, "parent")
    child_name, child = _joint_end(scope, origin, row, "child")
    if parent_name and parent_name == child_name:
        message = joint_rules.joint_parent_is_child.format(parent_name, child_name, parent_name)
        place = Place(origin.source, element.find("child") or element, "text")
        scope.findings.append(Finding(joint_rules.joint_parent_is_child, place, message, (row,)))
    axes = tuple(
        _read_axis(scope, origin, row, axis) for tag in ("axis", "axis2") if (axis := element.find(tag)) is not None
    )
    return WrittenJoint(row, joint_type, parent, child, axes, _screw_pitch(element))


def _joint_end(scope: Scope, origin: Origin, row: int, tag: str) -> tuple[str, int]:
    element = scope.elements[row].find(tag)
    if element is None:  # reported by the element tables
        return "", UNRESOLVED
    name = element.text.strip()
    if not name:  # so is this
        return "", UNRESOLVED
    target = scope.lookup(name)
    if target is not None and not (name == "world" and tag == "child"):
        return name, target
    if name == "world" and tag == "parent":
        return name, ROOT
    if scope.leans_on_missing(name):
        return name, UNRESOLVED
    rule = joint_rules.joint_parent_invalid if tag == "parent" else joint_rules.joint_child_invalid
    severity = origin.leniency if tag == "parent" else None
    message = rule.format(name, reference_hint(scope, name))
    place = Place(origin.source, element, "text")
    scope.findings.append(Finding(rule, place, message, (row,), severity=severity, reference=name))
    return name, UNRESOLVED


def _screw_pitch(joint: Element) -> float:
    """Return metres of travel for one radian, positive for a right-handed thread."""
    if (pitch := joint.find("screw_thread_pitch")) is not None:
        numbers = parse_numbers(pitch.text)
        return numbers[0] / (2 * math.pi) if numbers else 0.0
    if joint.find("thread_pitch") is None:  # one metre for a turn: the default of the newer element
        return 1.0 / (2 * math.pi)
    # The older element counts radians for a metre and is left-handed when positive.
    thread = read_number(joint, "thread_pitch", 1.0)
    return -1.0 / thread if thread else 0.0


def _read_axis(scope: Scope, origin: Origin, row: int, element: Element) -> WrittenAxis:
    xyz_element = element.find("xyz")
    xyz = read_vector(element, "xyz", (0.0, 0.0, 1.0))
    if math.hypot(*xyz) <= _NO_DIRECTION:
        place = Place(origin.source, xyz_element or element, "text")
        scope.findings.append(Finding(kinematics_rules.axis_zero, place, kinematics_rules.axis_zero.format(), (row,)))
    limit = element.find("limit")
    lower, upper = read_number(limit, "lower", -math.inf), read_number(limit, "upper", math.inf)
    effort, velocity = read_number(limit, "effort", math.inf), read_number(limit, "velocity", math.inf)
    # An end that is infinitely far on the wrong side is no limit either.
    lower = -math.inf if lower <= -_NO_LIMIT or lower == math.inf else lower
    upper = math.inf if upper >= _NO_LIMIT or upper == -math.inf else upper
    if lower > upper:
        message = kinematics_rules.limits_reversed.format(lower, upper)
        place = Place(origin.source, limit or element)
        scope.findings.append(Finding(kinematics_rules.limits_reversed, place, message, (row,)))
    if origin.version < (1, 10):  # a negative effort or velocity meant "no limit"
        effort = math.inf if effort < 0 else effort
        velocity = math.inf if velocity < 0 else velocity
    expressed_in = _expressed_in(scope, origin, row, element, xyz_element)
    mimic = _read_mimic(element.find("mimic"))
    return WrittenAxis(element, (xyz[0], xyz[1], xyz[2]), expressed_in, lower, upper, effort, velocity, mimic)


def _expressed_in(scope: Scope, origin: Origin, row: int, axis: Element, xyz: Element | None) -> int:
    """Return the row of the frame in which an axis is written.

    Notes
    -----
    Source: libsdformat, sdf/1.5/1_4.convert, sdf/1.7/1_6.convert: before 1.5 the model frame, but of nested models the
    joint frame already; until 1.6 the model frame if ``use_parent_model_frame`` says so.
    """
    always = origin.version < (1, 5) and origin.depth == 0
    if origin.version < (1, 7) and parse_bool(axis.text_of("use_parent_model_frame"), always):
        if xyz is None:  # libsdformat has no place to write the frame then
            message = schema_rules.bad_value.format("xyz", "an axis in the model frame has to say where it points")
            scope.findings.append(Finding(schema_rules.bad_value, Place(origin.source, axis), message, (row,)))
        return 0
    name = xyz.word("expressed_in") if xyz is not None else ""
    if not name:
        return row
    target = scope.lookup(name)
    if target is not None:
        return target
    if not scope.leans_on_missing(name):
        place = Place(origin.source, xyz or axis, "@expressed_in")
        rule = kinematics_rules.expressed_in_invalid
        message = rule.format(name, reference_hint(scope, name))
        scope.findings.append(Finding(rule, place, message, (row,), severity=origin.leniency, reference=name))
    return UNRESOLVED


def _read_mimic(element: Element | None) -> WrittenMimic | None:
    if element is None:
        return None
    return WrittenMimic(
        element.word("joint"),
        1 if element.attributes.get("axis") == "axis2" else 0,
        read_number(element, "multiplier", 1.0),
        read_number(element, "offset", 0.0),
        read_number(element, "reference", 0.0),
    )


def resolve_mimics(scope: Scope, origin: Origin, joints: list[WrittenJoint]) -> None:
    """Report mimic constraints of this scope's joints whose leader cannot lead.

    Notes
    -----
    Source: libsdformat, ``Joint::Load`` and ``checkJointAxisMimicValues``; the latter skips nested models.
    """
    by_row = {joint.row: joint for joint in (*scope.joints, *joints)} if any(_mimics(joint) for joint in joints) else {}
    for joint in joints:
        for number, axis in enumerate(joint.axes):
            mimic = axis.mimic
            if mimic is None or scope.leans_on_missing(mimic.joint):
                continue
            row = scope.lookup(mimic.joint)
            leader = by_row.get(row) if row is not None else None
            element = axis.element.find("mimic") or axis.element
            word = element.attributes.get("axis", "axis")
            severity = origin.leniency
            if word not in ("axis", "axis2"):
                what, severity = f"the mimic's leader has no '{word}'; an axis is called 'axis' or 'axis2'", None
            elif leader is None:
                hint = reference_hint(scope, mimic.joint)
                what = f"the mimic's leader '{mimic.joint}' is no joint in this scope{hint}"
            elif leader.row == joint.row and mimic.axis == number:
                what, severity = f"joint '{mimic.joint}' cannot mimic itself", None
            elif mimic.axis >= len(leader.axes):
                what = f"the mimic's leader '{mimic.joint}' has no '{word}'"
            else:
                continue
            rule = kinematics_rules.mimic_invalid
            place = Place(origin.source, element)
            scope.findings.append(Finding(rule, place, rule.format(what), (joint.row,), severity=severity))


def _mimics(joint: WrittenJoint) -> bool:
    return any(axis.mimic is not None for axis in joint.axes)


def is_valid_member_name(name: str) -> bool:
    """Return whether a name may be given to a member of a scope today."""
    return bool(name) and not is_reserved(name) and "::" not in name
