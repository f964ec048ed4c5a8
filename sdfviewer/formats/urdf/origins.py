"""Parse values of a URDF: versions, numbers, the pose of an ``<origin>``, and the limits of a joint."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from sdfviewer.document.element import Element
from sdfviewer.garbage_collection import remembered
from sdfviewer.model.values import IDENTITY
from sdfviewer.transforms import Array, pose, pose_to_matrix, quaternion_to_matrix, written_numbers_of

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
