"""A ``<robot>`` as it is written: links and joints by name, values read, faults noted.

Reading goes on after every fault, where urdfdom gives the whole file up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from sdfviewer.diagnostics import Rule, Severity
from sdfviewer.document.element import Element
from sdfviewer.semantics.names import did_you_mean
from sdfviewer.semantics.rules import urdf as rules
from sdfviewer.semantics.scope import Finding, Place, Source
from sdfviewer.semantics.values import IDENTITY

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_NEEDS_LIMITS = ("revolute", "prismatic")

#: Attributes of each shape and how many numbers they hold.
SHAPES = {
    "box": {"size": 3},
    "cylinder": {"radius": 1, "length": 1},
    "capsule": {"radius": 1, "length": 1},
    "sphere": {"radius": 1},
    "mesh": {},
}
#: Numbers that a joint may give beyond its limits: element, attribute, and whether it must be there.
_MORE_OF_JOINTS = (
    *(("dynamics", name, False) for name in ("damping", "friction")),
    *(("mimic", name, False) for name in ("multiplier", "offset")),
    *(("calibration", name, False) for name in ("rising", "falling")),
    *(("safety_controller", name, False) for name in ("soft_lower_limit", "soft_upper_limit", "k_position")),
    ("safety_controller", "k_velocity", True),
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")

Moments = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class UrdfInertial:
    """Mass, and moments ixx, iyy, izz, ixy, ixz, iyz about the centre of mass, in the frame at ``origin``."""

    element: Element
    origin: tuple[float, ...]
    mass: float
    moments: Moments


@dataclass(frozen=True, slots=True)
class UrdfLink:
    """A link; ``parts`` are its visuals and collisions in the order of the file."""

    name: str
    element: Element
    inertial: UrdfInertial | None
    parts: tuple[Element, ...]

    @property
    def mass(self) -> float:
        """In kg; zero where there is no inertial."""
        return 0.0 if self.inertial is None else self.inertial.mass


def parse_numbers(text: str) -> tuple[float, ...] | None:
    """Return the numbers in an attribute, None where one of them is no number.

    URDF is stricter than SDFormat: nothing may follow a number, and it has to be finite.

    Notes
    -----
    Source: urdfdom, ``strToDouble``.
    """
    words = text.split()
    if not all(map(_NUMBER.fullmatch, words)) or (len(words) == 1 and text[-1].isspace()):
        return None  # of several numbers the last one may have a blank behind it
    numbers = tuple(map(float, words))
    return numbers if all(map(math.isfinite, numbers)) else None


@dataclass(frozen=True, slots=True)
class UrdfJoint:
    """A joint; ``parent`` and ``child`` are names of links that exist, or empty."""

    name: str
    element: Element
    type: str
    parent: str
    child: str
    origin: tuple[float, ...]


@dataclass(slots=True)
class Robot:
    """All of a robot.

    Attributes
    ----------
    element
        The ``<robot>``.
    links, joints
        By name, in the order of the file; of equal names the first.
    extensions
        The ``<gazebo>`` elements by what they refer to, empty for the robot itself.
    drivers
        The joint above each link that has one.
    findings
        What is wrong.
    """

    element: Element
    links: dict[str, UrdfLink] = field(default_factory=dict)
    joints: dict[str, UrdfJoint] = field(default_factory=dict)
    extensions: dict[str, list[Element]] = field(default_factory=dict)
    drivers: dict[str, UrdfJoint] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def children(self, link: str) -> list[UrdfJoint]:
        """Return the joints below a link in the order of their names, in which urdfdom keeps them."""
        below = [joint for joint in self.drivers.values() if joint.parent == link]
        return sorted(below, key=lambda joint: joint.name)

    def option(self, name: str, tag: str) -> bool:
        """Return whether a ``<gazebo>`` element about a link or joint sets an option."""
        return any(
            child.text.strip().lower() in ("true", "yes", "1")
            for extension in self.extensions.get(name, ())
            for child in extension.findall(tag)
        )


class _Reader:
    """Reads values and notes faults; ``severity`` says how bad they are, None for what the rule says."""

    def __init__(self, source: Source, findings: list[Finding], severity: Severity | None = None) -> None:
        self._source = source
        self._findings = findings
        self._severity = severity

    @property
    def lenient(self) -> _Reader:
        """The same reader with faults as warnings: urdfdom leaves the rest of a link out, and goes on."""
        return _Reader(self._source, self._findings, Severity.WARNING)

    @property
    def faults(self) -> int:
        """How many there are so far."""
        return len(self._findings)

    def report(self, rule: Rule, element: Element, part: str | None, *words: object) -> None:
        place = Place(self._source, element, part)
        self._findings.append(Finding(rule, place, rule.format(*words), severity=self._severity))

    def numbers(self, element: Element, name: str, count: int, default: tuple[float, ...] | None) -> tuple[float, ...]:
        """Return the numbers in an attribute; without a default the attribute is required, and zeros stand for it."""
        text = element.attributes.get(name)
        fallback = (0.0,) * count if default is None else default
        if text is None:
            if default is None:
                self.report(rules.urdf_missing, element, None, f"the attribute '{name}'", f"<{element.tag}>")
            return fallback
        found = parse_numbers(text)
        if found is None or len(found) != count:
            wanted = "a number" if count == 1 else f"{count} numbers"
            self.report(rules.urdf_bad_value, element, f"@{name}", text, f"<{element.tag} {name}>", wanted)
            return fallback
        return found

    def number(self, element: Element, name: str, default: float | None) -> float:
        return self.numbers(element, name, 1, None if default is None else (default,))[0]

    def origin(self, element: Element) -> tuple[float, ...]:
        """Return ``x y z roll pitch yaw`` of the child ``<origin>``."""
        origin = element.find("origin")
        if origin is None:
            return IDENTITY
        zeros = (0.0, 0.0, 0.0)
        return (*self.numbers(origin, "xyz", 3, zeros), *self.numbers(origin, "rpy", 3, zeros))

    def child(self, element: Element, tag: str) -> Element | None:
        found = element.find(tag)
        if found is None:
            self.report(rules.urdf_missing, element, None, f"an element <{tag}>", f"<{element.tag}>")
        return found

    def name(self, element: Element, taken: Iterable[str]) -> str:
        name = element.attributes.get("name", "")
        if not name:
            self.report(rules.urdf_missing, element, None, "the attribute 'name'", f"<{element.tag}>")
        elif name in taken:
            self.report(rules.urdf_duplicate_name, element, "@name", element.tag, name)
        return name


def read_robot(root: Element, source: Source) -> Robot:
    """Return what a ``<robot>`` says."""
    robot = Robot(root)
    reader = _Reader(source, robot.findings)
    if not root.attributes.get("name"):
        reader.report(rules.urdf_missing, root, None, "the attribute 'name'", "<robot>")
    _find_xacro(root, reader)
    materials = _read_materials(root, reader)
    for element in root.findall("link"):
        name = reader.name(element, robot.links)
        robot.links.setdefault(name, _read_link(element, name, reader.lenient, materials))
    if not robot.links:
        reader.report(rules.urdf_missing, root, None, "a <link>", "<robot>")
    for element in root.findall("joint"):
        name = reader.name(element, robot.joints)
        robot.joints.setdefault(name, _read_joint(element, name, reader, robot.links))
    for element in root.findall("gazebo"):
        robot.extensions.setdefault(element.attributes.get("reference", ""), []).append(element)
    _build_tree(robot, reader)
    return robot


def _find_xacro(root: Element, reader: _Reader) -> None:
    for element in root.descendants():
        if element.tag.startswith("xacro:"):
            reader.report(rules.urdf_is_xacro, element, None, f"<{element.tag}>")
            return
        for name, value in element.attributes.items():
            if "${" in value or "$(" in value:
                reader.report(rules.urdf_is_xacro, element, f"@{name}", value)
                return


def _read_materials(root: Element, reader: _Reader) -> set[str]:
    """Return the names of the materials that are defined anywhere: at the top, or in place in a visual."""
    top: set[str] = set()
    for material in root.findall("material"):
        top.add(reader.name(material, top))
    defined = {
        material.attributes.get("name", "")
        for link in root.findall("link")
        for visual in link.findall("visual")
        for material in visual.findall("material")
        if material.find("color") is not None or material.find("texture") is not None
    }
    return top | defined


def _read_link(element: Element, name: str, reader: _Reader, materials: set[str]) -> UrdfLink:
    parts = tuple(element.findall("visual", "collision"))
    for part in parts:
        reader.origin(part)
        _check_geometry(part, reader)
        material = part.find("material")
        if material is not None and part.tag == "visual":
            name_of_material = material.attributes.get("name")
            if name_of_material is None:
                reader.report(rules.urdf_missing, material, None, "the attribute 'name'", "<material>")
            elif name_of_material not in materials:
                hint = did_you_mean(name_of_material, materials)
                reader.report(rules.urdf_material_unknown, material, "@name", name_of_material, hint)
    inertial = element.find("inertial")
    return UrdfLink(name, element, None if inertial is None else _read_inertial(inertial, reader), parts)


def _check_geometry(part: Element, reader: _Reader) -> None:
    geometry = reader.child(part, "geometry")
    if geometry is None:
        return
    shape = geometry.children[0] if geometry.children else None
    if shape is None or shape.tag not in SHAPES:
        known = ", ".join(SHAPES)
        reader.report(rules.urdf_missing, shape or geometry, None, f"one of the shapes {known}", "<geometry>")
        return
    for name, count in SHAPES[shape.tag].items():
        reader.numbers(shape, name, count, None)
    if shape.tag == "mesh":
        reader.numbers(shape, "scale", 3, (1.0, 1.0, 1.0))
        if not shape.attributes.get("filename"):
            reader.report(rules.urdf_missing, shape, None, "the attribute 'filename'", "<mesh>")


def _read_inertial(element: Element, reader: _Reader) -> UrdfInertial:
    mass = reader.child(element, "mass")
    inertia = reader.child(element, "inertia")
    kilograms = 0.0 if mass is None else reader.number(mass, "value", None)
    faults = reader.faults
    ixx, iyy, izz, ixy, ixz, iyz = (0.0 if inertia is None else reader.number(inertia, each, None) for each in _MOMENTS)
    moments = (ixx, iyy, izz, ixy, ixz, iyz)
    if reader.faults > faults:  # urdfdom takes none of them then
        moments = (0.0,) * 6
    return UrdfInertial(element, reader.origin(element), kilograms, moments)


def read_inertial(link: Element) -> UrdfInertial | None:
    """Return the inertial of a ``<link>``, None where there is none; faults are those of :func:`read_robot`."""
    inertial = link.find("inertial")
    return None if inertial is None else _read_inertial(inertial, _Reader(None, []))


def _read_joint(element: Element, name: str, reader: _Reader, links: dict[str, UrdfLink]) -> UrdfJoint:
    joint_type = element.attributes.get("type", "")
    if not joint_type:
        reader.report(rules.urdf_missing, element, None, "the attribute 'type'", f"joint '{name}'")
    elif joint_type not in JOINT_TYPES:
        hint = did_you_mean(joint_type, JOINT_TYPES)
        reader.report(rules.urdf_joint_type, element, "@type", joint_type, hint)
    elif joint_type in ("floating", "planar"):
        reader.report(rules.urdf_joint_without_counterpart, element, "@type", name, joint_type)
    limit = element.find("limit")
    if limit is not None:
        for attribute, default in (("lower", 0.0), ("upper", 0.0), ("effort", None), ("velocity", None)):
            reader.number(limit, attribute, default)
    elif joint_type in _NEEDS_LIMITS:
        reader.report(rules.urdf_missing, element, None, "an element <limit>", f"the {joint_type} joint '{name}'")
    _read_more(element, name, reader)
    axis = element.find("axis")
    if axis is not None and joint_type not in ("fixed", "floating"):
        reader.numbers(axis, "xyz", 3, (1.0, 0.0, 0.0))
    parent, child = (_read_end(element, name, tag, reader, links) for tag in ("parent", "child"))
    return UrdfJoint(name, element, joint_type, parent, child, reader.origin(element))


def _read_more(joint: Element, name: str, reader: _Reader) -> None:
    """Report what is wrong with the numbers that frames do not depend on: urdfdom gives the file up for them too."""
    for tag, attribute, is_required in _MORE_OF_JOINTS:
        part = joint.find(tag)
        if part is not None:
            reader.number(part, attribute, None if is_required else 0.0)
    dynamics = joint.find("dynamics")
    if dynamics is not None and not dynamics.attributes.keys() & {"damping", "friction"}:
        reader.report(rules.urdf_missing, dynamics, None, "damping or friction", f"<dynamics> of joint '{name}'")


def _read_end(joint: Element, name: str, tag: str, reader: _Reader, links: dict[str, UrdfLink]) -> str:
    end = joint.find(tag)
    link = "" if end is None else end.attributes.get("link", "")
    if end is None or not link:
        reader.report(rules.urdf_missing, end or joint, None, f'<{tag} link="..."/>', f"joint '{name}'")
        return ""
    if link not in links:
        hint = did_you_mean(link, links)
        reader.report(rules.urdf_link_unknown, end, "@link", tag, name, link, hint)
        return ""
    return link


def _build_tree(robot: Robot, reader: _Reader) -> None:
    """Find the joint above each link, and what keeps the links from being one tree."""
    for joint in robot.joints.values():
        if not joint.child:
            continue
        child = joint.element.find("child") or joint.element
        if joint.parent == joint.child:
            what = f"joint '{joint.name}' joins link '{joint.child}' to itself"
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
            rules.urdf_not_a_tree, robot.element, None, "every link is the child of a joint: there is no root"
        )
    for link in roots[1:]:
        what = f"link '{link.name}' is a second root beside '{roots[0].name}': no joint connects it"
        reader.report(rules.urdf_not_a_tree, link.element, "@name", what)


def limits_of(joint: Element, joint_type: str) -> tuple[float, float, float, float]:
    """Return lower, upper, effort and velocity of a joint, infinite where nothing limits it."""
    limit = joint.find("limit")

    def number(name: str, default: float) -> float:
        found = parse_numbers(limit.attributes.get(name, "")) if limit is not None else None
        return found[0] if found else default

    effort, velocity = number("effort", math.inf), number("velocity", math.inf)
    if joint_type == "continuous" or limit is None:
        return -math.inf, math.inf, effort, velocity
    return number("lower", 0.0), number("upper", 0.0), effort, velocity
