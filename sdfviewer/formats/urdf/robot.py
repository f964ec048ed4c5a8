"""The links and joints of a ``<robot>`` as records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sdfviewer.document.element import Element
from sdfviewer.formats.urdf.values import OLDEST, UrdfPose, UrdfVersion
from sdfviewer.model.findings import Finding

Moments = tuple[float, float, float, float, float, float]

#: Where in a ``<collision>`` libsdformat writes an option of its link.
IN_COLLISIONS = {
    "laserRetro": "laser_retro",
    "maxContacts": "max_contacts",
    "mu1": "surface/friction/ode/mu",
    "mu2": "surface/friction/ode/mu2",
    "fdir1": "surface/friction/ode/fdir1",
    "kp": "surface/contact/ode/kp",
    "kd": "surface/contact/ode/kd",
    "maxVel": "surface/contact/ode/max_vel",
    "minDepth": "surface/contact/ode/min_depth",
}
#: Options of libsdformat's URDF parser in the ``<gazebo>`` of a link, and in that of a joint.
OF_LINKS = frozenset(
    {"material", "collision", "visual", "turnGravityOff", "dampingFactor", "selfCollide"} | IN_COLLISIONS.keys()
)
OF_JOINTS = frozenset(
    {"springReference", "springStiffness", "stopCfm", "stopErp", "fudgeFactor", "provideFeedback", "cfmDamping"}
    | {"implicitSpringDamper"}
)
#: All of them; SDFormat has no such elements in a model or link.
OPTIONS = OF_LINKS | OF_JOINTS | {"static", "canonicalBody", "disableFixedJointLumping", "preserveFixedJoint"}


@dataclass(frozen=True, slots=True)
class UrdfInertial:
    """Mass, and moments ixx, iyy, izz, ixy, ixz, iyz about the centre of mass, in the frame at ``origin``."""

    element: Element
    origin: UrdfPose
    mass: float
    moments: Moments


@dataclass(frozen=True, slots=True)
class UrdfLink:
    """A link.

    ``parts`` are its visuals and collisions in the order of the file, ``lost`` those of them that urdfdom leaves out.
    """

    name: str
    element: Element
    inertial: UrdfInertial | None
    parts: tuple[Element, ...]
    lost: tuple[Element, ...]

    @property
    def mass(self) -> float:
        """In kg; zero where there is no inertial."""
        return 0.0 if self.inertial is None else self.inertial.mass


@dataclass(frozen=True, slots=True)
class UrdfJoint:
    """A joint; ``parent`` and ``child`` are names of links that exist, or empty."""

    name: str
    element: Element
    type: str
    parent: str
    child: str
    origin: UrdfPose


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
        See `extensions_of`.
    drivers
        The joint above each link that has one.
    findings
        What is wrong.
    version
        The version of URDF in which it is read.
    """

    element: Element
    links: dict[str, UrdfLink] = field(default_factory=dict)
    joints: dict[str, UrdfJoint] = field(default_factory=dict)
    extensions: Mapping[str, Sequence[Element]] = field(default_factory=dict)
    drivers: dict[str, UrdfJoint] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    version: UrdfVersion = OLDEST
    _below: dict[str, list[UrdfJoint]] = field(default_factory=dict, repr=False)
    _indexed: int = 0

    @property
    def has_loose_joints(self) -> bool:
        """Whether a joint names no link at one of its ends: that it leaves a second root is no problem of its own."""
        return any(not joint.parent or not joint.child for joint in self.joints.values())

    def children(self, link: str) -> list[UrdfJoint]:
        """Return the joints below a link in the order of their names, in which urdfdom keeps them."""
        if self._indexed != len(self.drivers):
            self._below = {}
            for joint in sorted(self.drivers.values(), key=lambda joint: joint.name):
                self._below.setdefault(joint.parent, []).append(joint)
            self._indexed = len(self.drivers)
        return self._below.get(link, [])

    def option(self, name: str, tag: str) -> bool:
        """Return whether a ``<gazebo>`` element about a link or joint sets an option."""
        return any(is_on(child) for extension in self.extensions.get(name, ()) for child in extension.findall(tag))


def is_on(option: Element) -> bool:
    """Return whether an option in ``<gazebo>`` is set, as three words do."""
    return option_text(option).lower() in ("true", "yes", "1")


@lru_cache(maxsize=16)
def extensions_of(robot: Element) -> Mapping[str, Sequence[Element]]:
    """Return the ``<gazebo>`` elements of a robot by what they refer to, empty for the robot itself."""
    extensions: dict[str, list[Element]] = {}
    for extension in robot.findall("gazebo"):
        extensions.setdefault(extension.attributes.get("reference", ""), []).append(extension)
    return extensions


@lru_cache(maxsize=16)
def options_of(robot: Element) -> Mapping[str, Mapping[str, Element]]:
    """Return what the ``<gazebo>`` elements of a robot hold, by what they refer to and by tag.

    Of an option that is given twice the last counts.
    """
    return {
        reference: {child.tag: child for extension in extensions for child in extension.children}
        for reference, extensions in extensions_of(robot).items()
    }


def copied_into(robot: Element, reference: str, tag: str) -> dict[str, Element]:
    """Return what the ``<visual>`` or ``<collision>`` elements in ``<gazebo>`` about a link hold, by tag.

    Of what several of them hold the last counts.
    """
    extensions = extensions_of(robot).get(reference, ())
    given = (child for extension in extensions for part in extension.findall(tag) for child in part.children)
    return {child.tag: child for child in given if child.tag not in ("pose", "geometry")}


def names_beside_link(name: str) -> Iterator[str]:
    """Yield what a joint is called in the model where a link has its name: the first of these that is free."""
    renamed = f"{name}_joint"
    while True:
        yield renamed
        renamed += "_"


def takes_options(part: str, link: str) -> bool:
    """Return whether a visual or collision of this name takes what ``<gazebo>`` says about those of its link.

    libsdformat takes a part of another name for one of a link that was merged into this one.

    Notes
    -----
    Source: libsdformat, ``CreateCollision`` and ``InsertSDFExtensionCollision`` in src/parser_urdf.cc.
    """
    return part.startswith(link) or not part


def option_text(element: Element) -> str:
    """Return the value of an option in ``<gazebo>``: its attribute ``value``, else its text.

    Notes
    -----
    Source: libsdformat, ``GetKeyValueAsString`` in src/parser_urdf.cc.
    """
    return element.attributes.get("value", element.text).strip()
