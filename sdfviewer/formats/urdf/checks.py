"""Checks of what a URDF says that every parser takes, and of its ``<gazebo>`` extensions, as in libsdformat.

The first are what ROS, MoveIt or a simulation trips over. libsdformat writes the robot as an SDFormat file, copies what
the extensions hold into it, and reads that. So their contents obey SDFormat's rules, and their names must differ from
those of the robot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial

from sdfviewer.diagnostics import Message, Severity
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    element_source,
    format_attribute,
    insert_child,
    remove_element,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import table
from sdfviewer.formats.urdf.elements import meant_by
from sdfviewer.formats.urdf.merge import Merging
from sdfviewer.formats.urdf.robot import (
    IN_COLLISIONS,
    OF_JOINTS,
    OF_LINKS,
    OPTIONS,
    Robot,
    UrdfJoint,
    UrdfLink,
    option_text,
)
from sdfviewer.formats.urdf.values import limits_of, parse_numbers
from sdfviewer.model.findings import MOST_WITH_HINTS, ElementPart, Finding, MakeEdits, Source
from sdfviewer.model.names import is_reserved
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.model.scope import Origin
from sdfviewer.model.values import format_numbers
from sdfviewer.validation import element_rules, name_rules, urdf_rules
from sdfviewer.validation import urdf_rules as rules
from sdfviewer.validation.element_check import check_schema
from sdfviewer.versions import NEWEST, VERSIONS

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


#: Those that libsdformat reads of fixed joints only.
_OF_FIXED_JOINTS = ("disableFixedJointLumping", "preserveFixedJoint")
_A_FIXED_JOINT = "the name of a fixed joint"
_NUMBERS = frozenset(
    {"dampingFactor", "maxVel", "minDepth", "mu1", "mu2", "kp", "kd", "maxContacts", "laserRetro"}
    | {"springReference", "springStiffness", "stopCfm", "stopErp", "fudgeFactor"}
)
_STARTS_WITH_NUMBER = re.compile(r"[+-]?(?:\d|\.\d|inf|nan)", re.IGNORECASE)


def check_extensions(robot: Robot, merging: Merging, origin: Origin) -> Iterator[Finding]:
    """Yield the errors in what the extensions of a robot hold, as the element tables see it.

    Parameters
    ----------
    robot, merging
        The robot, and what becomes of its links.
    origin
        Where it comes from, in the version of SDFormat in which the extensions are read.
    """
    yield from _check_fixed_joint_options(robot, origin)
    if not robot.extensions:
        return
    yield from _check_places(robot, origin)
    yield from _check_numbers(robot, origin)
    yield from _check_surfaces(robot, merging, origin)
    made = _model(robot, merging)
    written = {id(element) for extensions in robot.extensions.values() for element in _all(extensions)}
    for finding in check_schema(made, "model", origin).findings:
        is_error = (finding.severity or finding.rule.severity) is Severity.ERROR
        if is_error and id(finding.location.element) in written:
            yield finding


def _check_fixed_joint_options(robot: Robot, origin: Origin) -> Iterator[Finding]:
    """Yield the options for fixed joints that are not in a ``<gazebo>`` of a joint, where alone they are read."""
    for joint in robot.joints.values():
        for option in joint.element.children:
            if option.tag in _OF_FIXED_JOINTS:
                yield _without_effect(option, "a <joint>", joint.name, origin, _into_extension(option, joint.name))
    for reference, extensions in robot.extensions.items():
        joint_above = robot.drivers.get(reference)
        for extension in extensions if reference not in robot.joints else ():
            for option in extension.children:
                if option.tag not in _OF_FIXED_JOINTS:
                    continue
                if not reference:
                    yield _without_effect(option, "a <gazebo> without a reference", _A_FIXED_JOINT, origin)
                elif reference in robot.links:
                    where, name = f"the <gazebo> of link '{reference}'", "" if joint_above is None else joint_above.name
                    fix = _into_extension(option, name) if name else None
                    yield _without_effect(option, where, name or _A_FIXED_JOINT, origin, fix)
    for option in (child for each in robot.extensions.values() for extension in each for child in extension.children):
        is_known = option.tag in OPTIONS or ":" in option.tag or option.tag in _known_in_sdformat()
        if not is_known and (meant := meant_by(option.tag, sorted(OPTIONS))):
            message = urdf_rules.urdf_misspelt.format(f"<{option.tag}>", "gazebo", offer_names(meant))
            location = ElementPart(origin.source, option)
            yield Finding(urdf_rules.urdf_misspelt, location, message, meant=tuple(meant))


def _check_places(robot: Robot, origin: Origin) -> Iterator[Finding]:
    """Yield the options that are about something else than what the ``<gazebo>`` is about."""
    for reference, extensions in robot.extensions.items():
        is_link, joint = reference in robot.links, robot.joints.get(reference)
        if reference and not is_link and joint is None:
            continue  # a name that nothing has is reported as that
        what = "link" if is_link else "joint"
        where = f"the <gazebo> of {what} '{reference}'" if reference else "a <gazebo> without a reference"
        for option in (child for extension in extensions for child in extension.children):
            name = ""
            if option.tag in OF_LINKS and not is_link:
                name = joint.child if joint is not None else "the name of a link"
            elif option.tag in OF_JOINTS and joint is None:
                above = robot.drivers.get(reference)
                name = above.name if above is not None else "the name of a joint"
            elif option.tag != "static" or not reference:
                continue
            is_named = name in robot.links or name in robot.joints
            yield _without_effect(option, where, name, origin, _into_extension(option, name) if is_named else None)


@cache
def _known_in_sdformat() -> frozenset[str]:
    """Return what an extension may add to a model, a link or a joint."""
    paths = ("model", "model/link", "model/joint", "model/link/visual", "model/link/collision")
    definitions = (table(version).element(path) for version in VERSIONS for path in paths)
    return frozenset(tag for each in definitions if each is not None for tag in each.children)


def _without_effect(option: Element, where: str, name: str, origin: Origin, fix: MakeEdits | None = None) -> Finding:
    rule = urdf_rules.urdf_option_without_effect
    fixes = () if fix is None else ((f'move it into <gazebo reference="{name}">', fix),)
    message = rule.format(option.tag, where, name)
    return Finding(rule, ElementPart(origin.source, option), message, fixes=fixes)


def _into_extension(option: Element, joint: str) -> MakeEdits:
    """Return what moves an option into a ``<gazebo>`` of a joint of its own."""

    def move(document: Document) -> Replacements:
        assert document.root is not None
        extension = f"<gazebo {format_attribute('reference', joint)}>{element_source(document, option)}</gazebo>"
        return (*remove_element(document, option), *insert_child(document, document.root, extension))

    return move


def _check_numbers(robot: Robot, origin: Origin) -> Iterator[Finding]:
    """Yield the options whose value is no number: libsdformat reads them with ``std::stod``, which gives up."""
    for extensions in robot.extensions.values():
        for option in (child for extension in extensions for child in extension.children):
            if option.tag in _NUMBERS and not _STARTS_WITH_NUMBER.match(text := option_text(option)):
                message = urdf_rules.urdf_bad_value.format(text, f"<{option.tag}>", "a number")
                yield Finding(urdf_rules.urdf_bad_value, ElementPart(origin.source, option), message)


def _check_surfaces(robot: Robot, merging: Merging, origin: Origin) -> Iterator[Finding]:
    """Yield the options of links whose value SDFormat refuses in the collisions that libsdformat writes it in."""
    for reference, extensions in robot.extensions.items():
        if reference not in robot.links or reference in merging.left_out or _is_world(robot, reference):
            continue
        target = robot.links[merging.targets[reference]]
        if not any(part.tag == "collision" and part not in target.lost for part in target.parts):
            continue
        for option in (child for extension in extensions for child in extension.children):
            path = IN_COLLISIONS.get(option.tag)
            definition = None if path is None else table(NEWEST).element(f"model/link/collision/{path}")
            text = option_text(option)
            if definition is None or (option.tag in _NUMBERS and not _STARTS_WITH_NUMBER.match(text)):
                continue
            if (fault := definition.check(text, {})) is not None and not fault.accepted:
                rule = element_rules.bad_value
                message = rule.format(option.tag, fault.message)
                yield Finding(rule, ElementPart(origin.source, option, "text"), message)


def _is_world(robot: Robot, link: str) -> bool:
    return link == "world" and link not in robot.drivers


def _all(extensions: Sequence[Element]) -> Iterator[Element]:
    for extension in extensions:
        yield from extension.descendants()


def _model(robot: Robot, merging: Merging) -> Element:
    """Return the extensions of the ``<model>`` that libsdformat makes."""
    links: dict[str, list[Element]] = {}
    joints: list[Element] = []
    for reference, extensions in robot.extensions.items():
        contents = [child for extension in extensions for child in extension.children]
        if reference in robot.links and reference not in merging.left_out and not _is_world(robot, reference):
            links.setdefault(merging.targets[reference], []).extend(_on_link(robot, merging, reference, contents))
        elif reference in robot.joints and is_kept(robot, merging, robot.joints[reference]):
            ends = _element("parent", {}, (), "world"), _element("child", {}, (), "link")
            copied = [child for child in contents if child.tag not in OPTIONS]
            joints.append(_element("joint", {"name": reference, "type": "fixed"}, (*ends, *copied)))
    made = [_element("link", {"name": name}, children) for name, children in links.items()]
    own = [child for child in _own(robot) if child.tag not in OPTIONS and child.tag != "model"]  # a scope of its own
    return _element("model", {"name": "robot"}, (*made, *joints, *own))


def _on_link(robot: Robot, merging: Merging, link: str, contents: Sequence[Element]) -> Iterator[Element]:
    """Yield what an extension adds to a link; options of visuals and collisions are added to each of them."""
    parts = robot.links[merging.targets[link]].parts
    for child in contents:
        if child.tag in ("visual", "collision"):
            if any(part.tag == child.tag for part in parts):
                geometry = _element("geometry", {}, ())
                copied = [inner for inner in child.children if inner.tag != "geometry"]
                yield _element(child.tag, {"name": f"{child.tag} {id(child)}"}, (geometry, *copied))
        elif child.tag not in OPTIONS:
            yield child


def _own(robot: Robot) -> Iterator[Element]:
    """Yield what extensions put into the model itself."""
    for extension in robot.extensions.get("", ()):
        yield from extension.children


def is_kept(robot: Robot, merging: Merging, joint: UrdfJoint) -> bool:
    """Return whether libsdformat makes a joint of one of a robot."""
    if joint.child not in robot.links or joint.child in merging.left_out or joint.type in ("floating", "planar"):
        return False
    return merging.targets[joint.child] == joint.child


def check_names(robot: Robot, merging: Merging, origin: Origin) -> Iterator[Finding]:
    """Yield the names that two things would have in the model that libsdformat makes, and those with ``::``.

    Merged links and their joints are frames there, and hold their names too.
    """
    holders: dict[str, tuple[Element, str]] = {}
    robot_name = robot.element.attributes.get("name", "")
    if is_reserved(robot_name):
        rule = name_rules.reserved_name
        yield Finding(rule, ElementPart(origin.source, robot.element, "@name"), rule.format("robot", robot_name))
    yield from _check_separator(robot.element, origin)
    for link in robot.links.values():
        if link.name not in merging.left_out and not _is_world(robot, link.name):
            for part in link.parts:
                if part not in link.lost:
                    yield from _check_separator(part, origin)
    for element, tag in _members(robot, merging):
        name = element.attributes.get("name", "")
        yield from _check_separator(element, origin)
        if is_reserved(name) and tag in _FRAMES:
            rule = name_rules.reserved_name
            yield Finding(rule, ElementPart(origin.source, element, "@name"), rule.format(tag, name))
        holder = holders.setdefault(name, (element, tag))
        if not name or holder[0] is element:
            continue
        rule = name_rules.duplicate_name if {tag, holder[1]} <= _FRAMES else name_rules.shared_name
        related = ((f"'{name}' is first defined here", ElementPart(origin.source, holder[0], "@name")),)
        message = rule.format(tag, name, holder[1])
        yield Finding(rule, ElementPart(origin.source, element, "@name"), message, related=related)


_FRAMES = frozenset({"link", "joint", "frame", "model"})


def _members(robot: Robot, merging: Merging) -> Iterator[tuple[Element, str]]:
    """Yield what has a name in the model that libsdformat makes."""
    for link in robot.links.values():
        if link.name not in merging.left_out and not _is_world(robot, link.name):
            yield link.element, "link"
    for joint in robot.joints.values():
        is_merged = joint.child in robot.links and merging.targets[joint.child] != joint.child
        if is_kept(robot, merging, joint) or (is_merged and joint.child not in merging.left_out):
            yield joint.element, "joint"
    for child in _own(robot):
        if child.tag not in OPTIONS and child.tag != "plugin" and child.attributes.get("name"):
            yield child, child.tag


def _check_separator(element: Element, origin: Origin) -> Iterator[Finding]:
    name = element.attributes.get("name", "")
    if "::" in name:
        rule = name_rules.separator_in_name
        yield Finding(rule, ElementPart(origin.source, element, "@name"), rule.format(element.tag, name))


def _element(tag: str, attributes: dict[str, str], children: Sequence[Element], text: str = "") -> Element:
    """Return an element that is written nowhere."""
    return Element(tag, attributes, text, tuple(children), (0,) * len(children), 0, 0, 0)
