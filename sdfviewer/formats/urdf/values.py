"""Values of a URDF: versions, numbers, the pose of an ``<origin>``, limits of joints, and what is wrong with each."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sdfviewer.diagnostics import Rule, Severity
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.garbage_collection import remembered
from sdfviewer.model.findings import MOST_WITH_HINTS, ElementPart, Finding, MakeEdits, Source
from sdfviewer.model.near_names import NearNames, nearest, offer_names
from sdfviewer.model.values import IDENTITY
from sdfviewer.transforms import Array, pose, pose_to_matrix, quaternion_to_matrix, written_numbers_of
from sdfviewer.validation import name_rules
from sdfviewer.validation import urdf_rules as rules

#: Major and minor number of a version of URDF.
UrdfVersion: TypeAlias = tuple[int, int]

#: A file that names no version is of this one.
OLDEST: UrdfVersion = (1, 0)
#: Brought ``<origin quat_xyzw>`` and ``<capsule>``.
WITH_QUATERNIONS: UrdfVersion = (1, 1)
#: Brought limits of acceleration, deceleration and jerk; a limit that is not written does not limit.
WITH_MORE_LIMITS: UrdfVersion = (1, 2)
URDF_VERSIONS = (OLDEST, WITH_QUATERNIONS, WITH_MORE_LIMITS)

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_VERSION = re.compile(r"([0-9]+)\.([0-9]+)")


def parse_urdf_version(text: str) -> UrdfVersion | None:
    """Return the version that a text names, None where it is not one of :data:`URDF_VERSIONS`.

    Notes
    -----
    Source: urdfdom 6.0, ``URDFVersion`` in urdf_parser.hpp: ``x.y``, and nothing behind it.
    """
    match = _VERSION.fullmatch(text)
    version = (int(match[1]), int(match[2])) if match else None
    return version if version in URDF_VERSIONS else None


def urdf_version_of(robot: Element) -> UrdfVersion:
    """Return the version in which a ``<robot>`` is read: the newest one where it names one that is not known."""
    written = robot.attributes.get("version")
    return OLDEST if written is None else parse_urdf_version(written) or URDF_VERSIONS[-1]


@remembered(1 << 15)  # a robot is read again after each edit, with nearly the same numbers
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
class UrdfPose:
    """The pose of an ``<origin>``.

    Attributes
    ----------
    raw
        ``x y z roll pitch yaw`` in metres and radians; computed where the rotation is written as a quaternion.
    quaternion
        The quaternion ``x y z w`` as it is written, which need not be normalised; None where angles are.
    """

    raw: tuple[float, ...] = IDENTITY
    quaternion: tuple[float, ...] | None = None

    @property
    def exact(self) -> Array | None:
        """The pose (4, 4) where it is written as a quaternion, else None."""
        return None if self.quaternion is None else _quaternion_pose(self.raw[:3], self.quaternion)

    @property
    def X(self) -> Array:
        """The pose (4, 4)."""
        exact = self.exact
        return pose_to_matrix(self.raw) if exact is None else exact


def _quaternion_pose(xyz: tuple[float, ...], quaternion: tuple[float, ...]) -> Array:
    x, y, z, w = quaternion
    return pose(quaternion_to_matrix((w, x, y, z)), xyz)


def parse_origin(element: Element, version: UrdfVersion) -> UrdfPose:
    """Return the pose of the child ``<origin>`` of an element; what is no number counts as zero.

    Before 1.1 a quaternion counts for nothing. Beside angles it is an error, and the quaternion is taken.

    Notes
    -----
    Source: urdfdom 6.0, ``parsePose``.
    """
    origin = element.find("origin")
    if origin is None:
        return UrdfPose()

    def numbers(name: str, count: int) -> tuple[float, ...] | None:
        found = parse_numbers(origin.attributes.get(name, ""))
        return found if found is not None and len(found) == count else None

    xyz = numbers("xyz", 3) or (0.0, 0.0, 0.0)
    quaternion = numbers("quat_xyzw", 4) if version >= WITH_QUATERNIONS else None
    if quaternion is None:
        return UrdfPose((*xyz, *(numbers("rpy", 3) or (0.0, 0.0, 0.0))))
    return UrdfPose((*xyz, *written_numbers_of(_quaternion_pose(xyz, quaternion))[3:]), quaternion)


#: Limits of a later version; before it they are ignored.
LATER_LIMITS = ("acceleration", "deceleration", "jerk")


def limits_of(joint: Element, joint_type: str, version: UrdfVersion) -> tuple[float, float, float, float]:
    """Return lower, upper, effort and velocity of a joint, infinite where nothing limits it."""
    limit = joint.find("limit")

    def number(name: str, default: float) -> float:
        found = parse_numbers(limit.attributes.get(name, "")) if limit is not None else None
        return found[0] if found else default

    effort, velocity = number("effort", math.inf), number("velocity", math.inf)
    if joint_type == "continuous" or limit is None:
        return -math.inf, math.inf, effort, velocity
    missing = math.inf if version >= WITH_MORE_LIMITS else 0.0
    return number("lower", -missing), number("upper", missing), effort, velocity


def later_limits_of(joint: Element, version: UrdfVersion) -> tuple[float, float, float]:
    """Return the limits of acceleration, deceleration and jerk of a joint, infinite where nothing limits them."""
    limit = joint.find("limit") if version >= WITH_MORE_LIMITS else None
    numbers = [None if limit is None else parse_numbers(limit.attributes.get(name, "")) for name in LATER_LIMITS]
    acceleration, deceleration, jerk = (each[0] if each else math.inf for each in numbers)
    return acceleration, deceleration, jerk


#: Rules about links that urdfdom reads nevertheless.
_HARMLESS = (rules.urdf_material_unknown, rules.urdf_newer_feature, rules.urdf_bad_color)


class ValueReader:
    """Reads values and reports faults; ``severity`` is that of all of them, None for that of each rule."""

    def __init__(
        self, source: Source, findings: list[Finding], version: UrdfVersion, severity: Severity | None = None
    ) -> None:
        self.version = version
        self._source = source
        self._findings = findings
        self._severity = severity
        self._count = 0, 0

    @property
    def lenient(self) -> ValueReader:
        """The same reader with warnings instead of errors: urdfdom skips the rest of a link and continues."""
        return ValueReader(self._source, self._findings, self.version, Severity.WARNING)

    @property
    def faults(self) -> int:
        """Number of values so far that make urdfdom stop reading the link."""
        # Asked for each part of each link: only what is new is looked at.
        counted, faults = self._count
        faults += sum(self._findings[number].rule not in _HARMLESS for number in range(counted, len(self._findings)))
        self._count = len(self._findings), faults
        return faults

    def note_fault(self) -> None:
        """Count a fault that keeps urdfdom from reading on in a link, though its finding alone does not say so."""
        seen, faults = self._count
        self._count = seen, faults + 1

    def report(
        self,
        rule: Rule,
        element: Element,
        part: str | None,
        *words: object,
        meant: Sequence[str] | None = None,
        fixes: tuple[tuple[str, MakeEdits], ...] = (),
    ) -> None:
        """Report a fault of an element, or of a part of it such as ``@name``.

        What a wrong name may have `meant`, as :meth:`meant` returns it, is the last word of the message.
        """
        location = ElementPart(self._source, element, part)
        hint = () if meant is None else (offer_names(meant),)
        message = rule.format(*words, *hint)
        found = Finding(rule, location, message, fixes=fixes, severity=self._severity, meant=tuple(meant or ()))
        self._findings.append(found)

    def meant(self, name: str, choices: Iterable[str] | NearNames, excluded: Collection[str] = ()) -> list[str]:
        """Return what a wrong name may have meant, for the first faults only."""
        return nearest(name, choices, excluded) if len(self._findings) < MOST_WITH_HINTS else []

    def numbers(self, element: Element, name: str, count: int, default: tuple[float, ...] | None) -> tuple[float, ...]:
        """Return the numbers in an attribute; without a default it is required, and zeros replace it."""
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
        """Return the number in an attribute, see :meth:`numbers`."""
        return self.numbers(element, name, 1, None if default is None else (default,))[0]

    def origin(self, element: Element) -> UrdfPose:
        """Return the pose of the child ``<origin>``, and report what is wrong with it."""
        origin = element.find("origin")
        if origin is not None:
            zeros = (0.0, 0.0, 0.0)
            self.numbers(origin, "xyz", 3, zeros)
            self.numbers(origin, "rpy", 3, zeros)
            if "quat_xyzw" in origin.attributes:
                self._check_quaternion(origin)
        return parse_origin(element, self.version)

    def _check_quaternion(self, origin: Element) -> None:
        if self.version < WITH_QUATERNIONS:
            self.later(origin, "@quat_xyzw", "quat_xyzw", WITH_QUATERNIONS)
            return
        numbers = self.numbers(origin, "quat_xyzw", 4, (0.0, 0.0, 0.0, 1.0))
        if "rpy" in origin.attributes:
            self.report(rules.urdf_two_rotations, origin, "@quat_xyzw")
        elif not any(numbers):
            text = origin.attributes["quat_xyzw"]
            self.report(rules.urdf_bad_value, origin, "@quat_xyzw", text, "<origin quat_xyzw>", "a rotation")

    def later(self, element: Element, part: str | None, what: str, since: UrdfVersion) -> None:
        """Report something that only a later version has."""
        self._findings.append(later_finding(self._source, element, part, what, self.version, since))

    def color(self, material: Element) -> None:
        """Report what is wrong with the ``<color>`` of a material."""
        color = material.find("color")
        text = "" if color is None else color.attributes.get("rgba", "")
        if color is None or "$" in text:  # an expression of xacro, which is reported as such
            return
        numbers = parse_numbers(f"{text} ")  # with a blank behind them, as urdfdom splits them first
        if numbers is None or len(numbers) != 4 or not all(0.0 <= each <= 1.0 for each in numbers):
            rule, part = rules.urdf_bad_color, "@rgba" if "rgba" in color.attributes else None
            self._findings.append(Finding(rule, ElementPart(self._source, color, part), rule.format(text)))

    def child(self, element: Element, tag: str) -> Element | None:
        """Return a child element, and report where it is missing."""
        found = element.find(tag)
        if found is None:
            self.report(rules.urdf_missing, element, None, f"an element <{tag}>", f"<{element.tag}>")
        return found

    def name(self, element: Element, taken: Iterable[str]) -> str:
        """Return the name of an element, and report a missing, empty or repeated one."""
        name = element.attributes.get("name", "")
        if "name" not in element.attributes:
            self.report(rules.urdf_missing, element, None, "the attribute 'name'", f"<{element.tag}>")
        elif not name:
            self.report(name_rules.empty_name, element, "@name", element.tag)
        elif name in taken:
            self.report(rules.urdf_duplicate_name, element, "@name", element.tag, name)
        return name


def later_finding(
    source: Source, element: Element, part: str | None, what: str, version: UrdfVersion, since: UrdfVersion
) -> Finding:
    """Return the finding of something that only a later version of URDF has, with the fix that names that version."""
    rule = rules.urdf_newer_feature
    words = ".".join(map(str, since)), ".".join(map(str, version))

    def name_version(document: Document) -> Replacements:
        root = document.root
        return () if root is None else set_attribute(document, root, "version", words[0])

    fix = (f'write version="{words[0]}" in <robot>', name_version)
    return Finding(rule, ElementPart(source, element, part), rule.format(what, *words), fixes=(fix,))
