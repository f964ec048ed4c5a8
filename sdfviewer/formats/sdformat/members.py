"""The members of a model or world as rows of a scope: links, joints, frames and what is fixed on them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdfviewer.diagnostics import Message
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding
from sdfviewer.model.graph import ROOT, UNRESOLVED
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.names import is_reserved, merged_frame, reference_hint
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.model.scope import Mimic, Origin, Scope, WrittenAxis, WrittenJoint
from sdfviewer.model.values import parse_bool, parse_numbers, read_number, read_pose, read_vector
from sdfviewer.validation import element_rules, joint_rules, kinematics_rules
from sdfviewer.validation import element_rules as schema_rules
from sdfviewer.validation.joint_rules import check_axes
from sdfviewer.versions import (
    AXIS_IN_JOINT_FRAME,
    FRAME_SEMANTICS,
    SCOPED_REFERENCES,
    WORLD_JOINTS_AND_INFINITE_LIMITS,
    format_version,
)


def note_newer_reference(scope: Scope, origin: Origin, row: int, location: ElementPart, name: str, target: int) -> None:
    """Report a reference that the file's own version, one before 1.8, does not allow yet, though it is read.

    Parameters
    ----------
    row, target
        The frame that refers, and the one that it refers to.
    location, name
        Where the reference is written, and what it says.

    Notes
    -----
    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model"; model composition
    proposal, "1.2.2 //joint/parent and //joint/child refer to frames, not just links" and "1.3.3 Model Frame
    References".
    """
    version = origin.version
    is_joint_end = location.element.tag in ("parent", "child")
    is_included = scope.sources[target] is not origin.source or scope.elements[target].tag == "include"
    if name.rpartition("::")[2] == "__model__" and version < FRAME_SEMANTICS:
        what, since = "the name '__model__'", "1.7"
    elif is_joint_end and scope.kinds[target] is not Kind.LINK and not scope.is_world:
        what, since = f"a {scope.kinds[target]} at an end of a joint", "1.8"
    elif "::" in name and not is_joint_end and not is_included and not scope.prefix:
        what, since = f"a name below a nested model, '{name}',", "1.8"
    else:
        return
    rule = element_rules.newer_reference
    message = rule.format(what, since, format_version(version))
    scope.findings.append(Finding(rule, location, message, (row,)))


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


def add_posed(
    scope: Scope, origin: Origin, kind: Kind, name: str, element: Element, owner: int, attached_to: str | None = None
) -> int:
    """Append the row of anything that has a ``<pose>`` and return its number."""
    pose = read_pose(element, origin.version)
    row = scope.add_row(kind, name, element, origin.source, owner, pose.raw, pose.relative_to, attached_to)
    if pose.exact is not None:
        scope.exact_poses[row] = pose.exact
    return row


def add_missing(scope: Scope, origin: Origin, most_rows: int) -> Sequence[int]:
    """Append the rows of the includes in a scope that bring nothing, and return them.

    They come after all other members, so that of what is called the same the one that is there is meant. A model has a
    row of its kind; one that was to be merged has that of the frame that would represent it.

    Parameters
    ----------
    most_rows
        How large the scope may become.
    """
    rows = []
    for number, failed in enumerate(scope.failed_includes):
        if failed.row >= 0 or len(scope) >= most_rows:
            continue
        is_merged = parse_bool(failed.element.attributes.get("merge", ""))
        kind, name = (Kind.FRAME, merged_frame(failed.name)) if is_merged else (Kind.MODEL, failed.name)
        row = add_posed(scope, origin, kind, name, failed.element, 0)
        scope.attached_to[row] = UNRESOLVED  # which link carries it is written in what is missing
        if name:
            scope.members.setdefault(name, row)
        scope.failed_includes[number] = failed._replace(row=row)
        rows.append(row)
    return rows


def leave_unplaced(scope: Scope) -> None:
    """Leave open where the models are that are missing and are placed by what is written in them."""
    for failed in scope.failed_includes:
        element = failed.element
        if failed.row >= 0 and (element.find("pose") is None or element.find("placement_frame") is not None):
            scope.relative_to[failed.row] = UNRESOLVED


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
    """Return the ends of the joint in ``row``; all rows of the scope must be known."""
    element = scope.elements[row]
    joint_type = element.word("type").lower()
    if joint_type and joint_type not in JOINT_TYPES:
        meant = nearest(joint_type, JOINT_TYPES)
        message = joint_rules.joint_type_invalid.format(joint_type, offer_names(meant))
        location = ElementPart(origin.source, element, "@type")
        scope.findings.append(Finding(joint_rules.joint_type_invalid, location, message, (row,), meant=tuple(meant)))
    parent_name, parent = _joint_end(scope, origin, row, "parent")
    child_name, child = _joint_end(scope, origin, row, "child")
    if parent_name and parent_name == child_name:
        message = joint_rules.joint_parent_is_child.format(parent_name, child_name, parent_name)
        location = ElementPart(origin.source, element.find("child") or element, "text")
        edges = (FaultyEdge(row, "child"), FaultyEdge(row, "parent"))
        scope.findings.append(Finding(joint_rules.joint_parent_is_child, location, message, (row,), edges=edges))
    axes = tuple(
        _read_axis(scope, origin, row, axis) for tag in ("axis", "axis2") if (axis := element.find(tag)) is not None
    )
    joint = WrittenJoint(row, joint_type, parent, child, axes, _screw_pitch(element))
    scope.findings += check_axes(scope, origin.source, joint)
    return joint


def _joint_end(scope: Scope, origin: Origin, row: int, tag: str) -> tuple[str, int]:
    element = scope.elements[row].find(tag)
    name = "" if element is None else element.value
    if element is None or not name:  # reported by the element tables
        return "", UNRESOLVED
    target = scope.lookup(name)
    if name == "world" and tag == "parent":
        if target is not None and scope.kinds[target] is Kind.JOINT:  # here as in libsdformat no frame of that name
            rule = joint_rules.joint_parent_invalid
            message = rule.format(name, Message("", "everywhere else this name means the world"))
            location, edges = ElementPart(origin.source, element, "text"), (FaultyEdge(row, tag),)
            scope.findings.append(Finding(rule, location, message, (row,), edges=edges))
            target = None
        return name, ROOT if target is None else target
    if target is not None and name != "world":
        if origin.version < SCOPED_REFERENCES:
            note_newer_reference(scope, origin, row, ElementPart(origin.source, element, "text"), name, target)
        return name, target
    if scope.leans_on_missing(name):
        return name, UNRESOLVED
    rule = joint_rules.joint_parent_invalid if tag == "parent" else joint_rules.joint_child_invalid
    other = scope.elements[row].text_of("child" if tag == "parent" else "parent")
    message = rule.format(name, reference_hint(scope, rule, name, other, scope.names[row]))
    location = ElementPart(origin.source, element, "text")
    edges = (FaultyEdge(row, tag),)
    scope.findings.append(Finding(rule, location, message, (row,), reference=name, attribute=tag, edges=edges))
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
        location = ElementPart(origin.source, xyz_element or element, "text")
        scope.findings.append(
            Finding(kinematics_rules.axis_zero, location, kinematics_rules.axis_zero.format(), (row,))
        )
    limit = element.find("limit")
    lower, upper = read_number(limit, "lower", -math.inf), read_number(limit, "upper", math.inf)
    effort, velocity = read_number(limit, "effort", math.inf), read_number(limit, "velocity", math.inf)
    # An end that is infinitely far on the wrong side is no limit either.
    lower = -math.inf if lower <= -_NO_LIMIT or lower == math.inf else lower
    upper = math.inf if upper >= _NO_LIMIT or upper == -math.inf else upper
    if lower > upper:
        message = kinematics_rules.limits_reversed.format(lower, upper)
        location = ElementPart(origin.source, limit or element)
        scope.findings.append(Finding(kinematics_rules.limits_reversed, location, message, (row,)))
    if origin.version < WORLD_JOINTS_AND_INFINITE_LIMITS:  # a negative effort or velocity meant "no limit"
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
    joint frame already; until 1.6 the model frame if ``use_parent_model_frame`` says so. libsdformat resolves the axes
    of a model in a world and of a top model only, so a frame that a deeper one names in vain is a warning.
    """
    always = origin.version < AXIS_IN_JOINT_FRAME and origin.depth == 0
    if origin.version < FRAME_SEMANTICS and parse_bool(axis.text_of("use_parent_model_frame"), always):
        if xyz is None:  # libsdformat has no place to write the frame then
            message = schema_rules.bad_value.format("xyz", "an axis in the model frame needs an <xyz>")
            scope.findings.append(Finding(schema_rules.bad_value, ElementPart(origin.source, axis), message, (row,)))
        return 0
    name = xyz.word("expressed_in") if xyz is not None else ""
    if not name:
        return row
    target = scope.lookup(name)
    if target is not None:
        return target
    if not scope.leans_on_missing(name):
        location = ElementPart(origin.source, xyz or axis, "@expressed_in")
        rule = kinematics_rules.expressed_in_invalid
        message = rule.format(name, reference_hint(scope, rule, name))
        scope.findings.append(
            Finding(
                rule,
                location,
                message,
                (row,),
                reference=name,
                attribute="expressed_in",
                severity=origin.leniency,
                edges=(FaultyEdge(row, "expressed_in", axis=axis.tag),),
            )
        )
    return UNRESOLVED


def _read_mimic(element: Element | None) -> Mimic | None:
    if element is None:
        return None
    return Mimic(
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
            what: str
            if word not in ("axis", "axis2"):
                what, severity = Message(f"the mimic leader has no '{word}'", "use 'axis' or 'axis2'"), None
            elif leader is None:
                hint = reference_hint(scope, kinematics_rules.mimic_invalid, mimic.joint)
                what = f"the mimic leader '{mimic.joint}' is not a joint in this scope" + hint
            elif leader.row == joint.row and mimic.axis == number:
                what, severity = f"joint '{mimic.joint}' cannot mimic itself", None
            elif mimic.axis >= len(leader.axes):
                what = f"the mimic leader '{mimic.joint}' has no '{word}'"
            else:
                continue
            rule = kinematics_rules.mimic_invalid
            location = ElementPart(origin.source, element)
            scope.findings.append(Finding(rule, location, rule.format(what), (joint.row,), severity=severity))


def _mimics(joint: WrittenJoint) -> bool:
    return any(axis.mimic is not None for axis in joint.axes)


def why_invalid_name(name: str) -> str:
    """Return why a name may not be given to a member of a scope today, in words behind it; empty where it may."""
    if not name:
        return "is empty"
    if "::" in name:
        return "contains '::', which separates the names of scopes"
    return "is reserved" if is_reserved(name) else ""
