"""Read a ``<robot>``: links and joints by name, values and diagnostics.

Reading goes on after every fault, where urdfdom gives the whole file up.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from functools import cache, partial

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, indentation_step, insert_child
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition
from sdfviewer.formats.urdf.elements import (
    JOINT_TYPES,
    definition_of_robot,
    new_lines,
    report_misspelt,
    report_misspelt_child,
    report_pose_of_link,
)
from sdfviewer.formats.urdf.robot import Robot, UrdfInertial, UrdfJoint, UrdfLink, extensions_of
from sdfviewer.formats.urdf.values import (
    LATER_LIMITS,
    OLDEST,
    WITH_MORE_LIMITS,
    UrdfVersion,
    ValueReader,
    parse_urdf_version,
    urdf_version_of,
)
from sdfviewer.formats.xacro.expansion import expression_in
from sdfviewer.model.contents import MOMENTS
from sdfviewer.model.findings import Source
from sdfviewer.model.names import free_name_among
from sdfviewer.model.near_names import NearNames
from sdfviewer.model.shapes import URDF_SHAPES
from sdfviewer.validation import urdf_rules as rules
from sdfviewer.validation.file_rules import too_large
from sdfviewer.validation.format_rules import OF_XACRO

#: A robot has no more links, joints, visuals and collisions together.
MAX_MEMBERS = 50_000
_NEEDS_LIMITS = ("revolute", "prismatic")

#: Numbers that a joint may give beyond its limits: element, attribute, and whether it must be there.
_MORE_OF_JOINTS = (
    *(("dynamics", name, False) for name in ("damping", "friction")),
    *(("mimic", name, False) for name in ("multiplier", "offset")),
    *(("calibration", name, False) for name in ("rising", "falling")),
    *(("safety_controller", name, False) for name in ("soft_lower_limit", "soft_upper_limit", "k_position")),
    ("safety_controller", "k_velocity", True),
)


def read_robot(root: Element, source: Source) -> Robot:
    """Return the links and joints of a ``<robot>``."""
    robot = Robot(root, extensions=extensions_of(root), version=urdf_version_of(root))
    reader = ValueReader(source, robot.findings, robot.version)
    written = root.attributes.get("version")
    if written is not None and parse_urdf_version(written) is None:
        reader.report(rules.urdf_version_unknown, root, "@version", written)
    reader.name(root, ())
    _find_xacro(root, reader)
    materials = _Names(_read_materials(root, reader))
    lenient = reader.lenient
    members = _members(root, reader)
    for element in (each for each in members if each.tag == "link"):
        name = reader.name(element, robot.links)
        robot.links.setdefault(name, _read_link(element, name, lenient, materials))
    if not robot.links:
        reader.report(rules.urdf_missing, root, None, "a <link>", "<robot>")
    joints = [each for each in members if each.tag == "joint"]
    links = _Links(robot.links, joints)
    for element in joints:
        name = reader.name(element, robot.joints)
        robot.joints.setdefault(name, _read_joint(element, name, reader, links))
    _build_tree(robot, reader)
    _find_misplaced(robot, reader)
    return robot


def _members(root: Element, reader: ValueReader) -> list[Element]:
    """Return the links and joints, as many as are read."""
    found, count = [], 0
    for element in root.findall("link", "joint"):
        count += 1 + len(element.findall("visual", "collision"))
        if count > MAX_MEMBERS:
            what = f"{MAX_MEMBERS:,} links, joints and shapes"
            reader.report(too_large, element, None, element.tag, element.attributes.get("name", ""), what)
            break
        found.append(element)
    return found


def _find_xacro(root: Element, reader: ValueReader) -> None:
    """Report the first sign of xacro: an error in a file that xacro can expand.

    An expression alone urdfdom takes as it is written. A call of a macro that no file defines it ignores: some robots
    that were expanded already have one left.
    """
    expression: tuple[Element, str, str] | None = None
    call: Element | None = None
    for element in root.descendants():
        if element.tag in OF_XACRO:
            reader.report(rules.urdf_is_xacro, element, None, f"<{element.tag}>", True)
            return
        if call is None and element.tag.startswith("xacro:"):
            call = element
        if expression is None and (name := expression_in(element)) is not None:
            expression = element, f"@{name}", element.attributes[name]
    if call is not None:
        reader.lenient.report(rules.urdf_is_xacro, call, None, f"<{call.tag}>", False)
    elif expression is not None:
        reader.lenient.report(rules.urdf_is_xacro, *expression, True)


class _Names:
    """Names that can be referred to, and what a wrong one may have meant."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self.near = NearNames(names)

    def __contains__(self, name: str) -> bool:
        return name in self._names


class _Links(_Names):
    """Links, and which of them the wrong end of a joint may have meant: those with which the joints are a tree."""

    def __init__(self, names: Collection[str], joints: Iterable[Element]) -> None:
        super().__init__(names)
        self._parents: dict[str, str] = {}
        for joint in joints:
            self._parents.setdefault(_link_at(joint, "child"), _link_at(joint, "parent"))
        self._roots = NearNames(name for name in names if name not in self._parents)

    def meant_by(self, joint: Element, tag: str, reader: ValueReader) -> list[str]:
        """Return the links that the ``<parent>`` or ``<child>`` of a joint may have meant."""
        other = _link_at(joint, "child" if tag == "parent" else "parent")
        near = reader.meant(_link_at(joint, tag), self.near if tag == "parent" else self._roots, (other,))
        return [name for name in near if not self._is_above(*((other, name) if tag == "parent" else (name, other)))]

    def _is_above(self, link: str, other: str) -> bool:
        seen: set[str] = set()
        while other in self._parents and other not in seen:
            seen.add(other)
            other = self._parents[other]
            if other == link:
                return True
        return False


def _link_at(joint: Element, tag: str) -> str:
    end = joint.find(tag)
    return "" if end is None else end.attributes.get("link", "")


def _read_materials(root: Element, reader: ValueReader) -> set[str]:
    """Return the names of the materials that are defined anywhere: at the top, or in place in a visual."""
    top: set[str] = set()
    for material in root.findall("material"):
        # urdfdom takes one material without a name, and refuses a second one.
        has_name = bool(material.attributes.get("name")) or "" in top
        top.add((reader if has_name else reader.lenient).name(material, top))
        reader.color(material)
    defined = {
        material.attributes.get("name", "")
        for link in root.findall("link")
        for visual in link.findall("visual")
        for material in visual.findall("material")
        if material.find("color") is not None or material.find("texture") is not None
    }
    return top | defined


def _read_link(element: Element, name: str, reader: ValueReader, materials: _Names) -> UrdfLink:
    """Return a ``<link>``, read in urdfdom's order: everything after a fault is lost."""
    inertial = element.find("inertial")
    faults = reader.faults
    read = None if inertial is None else _read_inertial(inertial, reader)
    has_failed = reader.faults > faults
    lost: list[Element] = []
    for part in (*element.findall("visual"), *element.findall("collision")):
        faults = reader.faults
        _check_part(part, reader, materials)
        has_failed |= reader.faults > faults
        if has_failed:
            lost.append(part)
    return UrdfLink(name, element, read, tuple(element.findall("visual", "collision")), tuple(lost))


def _check_part(part: Element, reader: ValueReader, materials: _Names) -> None:
    reader.origin(part)
    _check_geometry(part, reader)
    material = part.find("material")
    if material is None or part.tag != "visual":
        return
    reader.color(material)
    name = material.attributes.get("name")
    if name is None:
        reader.report(rules.urdf_missing, material, None, "the attribute 'name'", "<material>")
    elif name not in materials:
        meant = reader.meant(name, materials.near)
        reader.report(rules.urdf_material_unknown, material, "@name", name, meant=meant)


def _check_geometry(part: Element, reader: ValueReader) -> None:
    geometry = reader.child(part, "geometry")
    if geometry is None:
        return
    shape = geometry.children[0] if geometry.children else None
    kind = URDF_SHAPES.get(shape.tag) if shape is not None else None
    if shape is None or kind is None:
        known = ", ".join(URDF_SHAPES)
        reader.report(rules.urdf_missing, shape or geometry, None, f"one of the shapes {known}", "<geometry>")
        return
    since = kind.urdf_since or OLDEST  # before a later version they are ignored
    if reader.version < since:
        reader.later(shape, None, f"<{shape.tag}>", since)
        reader.note_fault()
    for name, count in kind.urdf_numbers.items():
        faults = reader.faults
        smallest = min(reader.numbers(shape, name, count, None))
        is_strict = reader.version >= WITH_MORE_LIMITS  # else only the later shapes are checked, and may be flat
        is_wrong = smallest <= 0.0 if is_strict else smallest < 0.0 and since > OLDEST
        if is_wrong and reader.faults == faults:
            text, where = shape.attributes[name], f"<{shape.tag} {name}>"
            reader.report(rules.urdf_bad_value, shape, f"@{name}", text, where, "a positive length")
    if shape.tag == "mesh":
        reader.numbers(shape, "scale", 3, (1.0, 1.0, 1.0))
        if "filename" not in shape.attributes:
            reader.report(rules.urdf_missing, shape, None, "the attribute 'filename'", "<mesh>")


def _read_inertial(element: Element, reader: ValueReader) -> UrdfInertial:
    """Return an ``<inertial>``, read in urdfdom's order: nothing counts that comes after a fault."""
    faults = reader.faults
    origin = reader.origin(element)
    mass = reader.child(element, "mass")
    kilograms = 0.0 if mass is None else reader.number(mass, "value", None)
    if reader.faults > faults:
        kilograms = 0.0
    inertia = reader.child(element, "inertia")
    ixx, iyy, izz, ixy, ixz, iyz = (0.0 if inertia is None else reader.number(inertia, each, None) for each in MOMENTS)
    moments = (ixx, iyy, izz, ixy, ixz, iyz)
    if reader.faults > faults:
        moments = (0.0,) * 6
    return UrdfInertial(element, origin, kilograms, moments)


def read_inertial(link: Element, version: UrdfVersion) -> UrdfInertial | None:
    """Return the inertial of a ``<link>``, None if there is none; faults are those of :func:`read_robot`."""
    inertial = link.find("inertial")
    return None if inertial is None else _read_inertial(inertial, ValueReader(None, [], version))


def _read_joint(element: Element, name: str, reader: ValueReader, links: _Links) -> UrdfJoint:
    joint_type = element.attributes.get("type", "")
    if not joint_type:
        reader.report(rules.urdf_missing, element, None, "the attribute 'type'", f"joint '{name}'")
    elif joint_type not in JOINT_TYPES:
        meant = reader.meant(joint_type, JOINT_TYPES)
        reader.report(rules.urdf_joint_type, element, "@type", joint_type, meant=meant)
    elif joint_type in ("floating", "planar"):
        reader.report(rules.urdf_joint_without_counterpart, element, "@type", name, joint_type)
    limit = element.find("limit")
    if limit is not None:
        _check_limit(limit, reader)
    elif joint_type in _NEEDS_LIMITS:
        reader.report(rules.urdf_missing, element, None, "an element <limit>", f"the {joint_type} joint '{name}'")
    _read_more(element, name, reader)
    axis = element.find("axis")
    if axis is not None and joint_type not in ("fixed", "floating"):
        reader.numbers(axis, "xyz", 3, (1.0, 0.0, 0.0))
    parent, child = (_read_end(element, name, tag, reader, links) for tag in ("parent", "child"))
    return UrdfJoint(name, element, joint_type, parent, child, reader.origin(element))


def _check_limit(limit: Element, reader: ValueReader) -> None:
    """Report what is wrong with a ``<limit>``.

    Notes
    -----
    Source: urdfdom 6.0, ``parseJointLimits``.
    """
    is_new = reader.version >= WITH_MORE_LIMITS
    for name in ("lower", "upper"):
        reader.number(limit, name, 0.0)
    for name in ("effort", "velocity", *LATER_LIMITS):
        if name in LATER_LIMITS and not is_new:
            if name in limit.attributes:
                reader.later(limit, f"@{name}", f"a limit of {name}", WITH_MORE_LIMITS)
            continue
        value = reader.number(limit, name, math.inf if is_new else None)
        if is_new and value < 0.0:
            where = f"<limit {name}>"
            reader.report(rules.urdf_bad_value, limit, f"@{name}", limit.attributes[name], where, "zero or more")


def _read_more(joint: Element, name: str, reader: ValueReader) -> None:
    """Report what is wrong with the numbers that frames do not depend on: urdfdom gives the file up for them too."""
    for tag, attribute, is_required in _MORE_OF_JOINTS:
        part = joint.find(tag)
        if part is not None:
            reader.number(part, attribute, None if is_required else 0.0)
    dynamics = joint.find("dynamics")
    if dynamics is not None and not dynamics.attributes.keys() & {"damping", "friction"}:
        reader.report(rules.urdf_missing, dynamics, None, "damping or friction", f"<dynamics> of joint '{name}'")


def _read_end(joint: Element, name: str, tag: str, reader: ValueReader, links: _Links) -> str:
    end, link = joint.find(tag), _link_at(joint, tag)
    if end is None or not link:
        reader.report(rules.urdf_missing, end or joint, None, f'<{tag} link="..."/>', f"joint '{name}'")
        return ""
    if link not in links:
        meant = links.meant_by(joint, tag, reader)
        reader.report(rules.urdf_link_unknown, end, "@link", tag, name, link, meant=meant)
        return ""
    return link


def _build_tree(robot: Robot, reader: ValueReader) -> None:
    """Find the joint above each link, and what keeps the links from being one tree."""
    for joint in robot.joints.values():
        if not joint.child:
            continue
        child = joint.element.find("child") or joint.element
        if joint.parent == joint.child:
            what = f"joint '{joint.name}' connects link '{joint.child}' to itself"
            reader.report(rules.urdf_not_a_tree, child, "@link", what)
        elif joint.child in robot.drivers:
            other = robot.drivers[joint.child].name
            what = f"link '{joint.child}' is the child of two joints, '{other}' and '{joint.name}'"
            reader.report(rules.urdf_not_a_tree, child, "@link", what)
        elif joint.parent:
            robot.drivers[joint.child] = joint
    roots = [link for link in robot.links.values() if link.name not in robot.drivers]
    if robot.links and not roots:
        reader.report(
            rules.urdf_not_a_tree, robot.element, None, "every link is the child of a joint, so there is no root"
        )
    for link in () if robot.has_loose_joints else roots[1:]:
        what = f"link '{link.name}' is a second root besides '{roots[0].name}': no joint connects it"
        fix = partial(_fixed_on, link, roots[0].name, robot)
        fixes = ((f"fix '{link.name}' on '{roots[0].name}' with a joint", fix),)
        reader.report(rules.urdf_not_a_tree, link.element, "@name", what, fixes=fixes)


def _fixed_on(link: UrdfLink, root: str, robot: Robot, document: Document) -> Replacements:
    """Return the edit that writes a fixed joint from a root to a link, at its origin."""
    name = free_name_among(f"{link.name}_joint", robot.joints.keys() | robot.links.keys(), 2)
    lines = new_lines("joint", {"name": name, "type": "fixed", "parent": root, "child": link.name}, robot.version)
    step = indentation_step(document)
    xml = "\n".join(step * ((len(line) - len(line.lstrip())) // 2) + line.lstrip() for line in lines or ())
    return insert_child(document, robot.element, xml)


def _find_misplaced(robot: Robot, reader: ValueReader) -> None:
    """Report the elements of a ``<robot>`` that URDF has, but not there, and those that are misspelt."""
    places = _places(reader.version)
    around = [(robot.element, definition_of_robot(reader.version))]
    while around:
        element, definition = around.pop()
        report_misspelt(element, definition, reader)
        for child in element.children:
            known = definition.children.get(child.tag)
            if known is not None:
                if not known.allows_any_child:
                    around.append((child, known))
            elif child.tag in places:
                reader.report(rules.urdf_misplaced, child, None, child.tag, element.tag, places[child.tag])
            elif (element.tag, child.tag) == ("link", "pose"):
                above = robot.drivers.get(element.attributes.get("name", ""))
                report_pose_of_link(child, None if above is None else above.element, reader)
            else:
                report_misspelt_child(child, element, definition, reader)


@cache
def _places(version: UrdfVersion) -> Mapping[str, str]:
    """Return the elements in which each element of URDF can be, as a message names them."""
    found: dict[str, dict[str, None]] = {}
    _find_places(definition_of_robot(version), found)
    return {tag: ", ".join(places) for tag, places in found.items()}


def _find_places(definition: ElementDefinition, found: dict[str, dict[str, None]]) -> None:
    for tag, child in definition.children.items():
        found.setdefault(tag, {})[f"<{definition.tag}>"] = None
        _find_places(child, found)
