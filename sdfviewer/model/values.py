"""Parse values: poses, vectors, numbers, booleans, versions.

Reading never fails: a value that is malformed is reported by the element tables' check of the same text, and is
for its default here, as in libsdformat.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sdfviewer.document.element import Element
from sdfviewer.document.tables import LONGEST_KEPT, leading_number
from sdfviewer.document.xml.parse import escape
from sdfviewer.garbage_collection import remembered
from sdfviewer.transforms import Array, pose, quaternion_to_matrix
from sdfviewer.versions import FRAME_SEMANTICS, Version

IDENTITY = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
#: Numbers that differ by less are the same: rounding of a pose that went through a few products.
NOISE = 1e-12


def format_number(value: float) -> str:
    """Return the shortest decimal that reads back as ``value``, rounding noise removed.

    A value within a picometre (a picoradian) of one with nine decimals is that one after a few products.
    """
    if math.isnan(value) or math.isinf(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    short = round(value, 9)
    text = repr((short if abs(short - value) <= NOISE else value) + 0.0)
    return text[:-2] if text.endswith(".0") else text


def format_numbers(values: Iterable[float]) -> str:
    """Return numbers as they are written in one element, each as :func:`format_number` does."""
    return " ".join(map(format_number, values))


def format_pose(numbers: Sequence[float], relative_to: str | None = None, attribute: str = "relative_to") -> str:
    """Return a ``<pose>`` element.

    Parameters
    ----------
    numbers
        ``x y z roll pitch yaw`` in metres and radians; none for the identity that is left out.
    relative_to
        The name of its frame, None for the default.
    attribute
        What names the frame: ``frame`` in versions before 1.7.
    """
    named = "" if relative_to is None else f' {attribute}="{escape(relative_to, chr(34))}"'
    return f"<pose{named}>{format_numbers(numbers)}</pose>" if len(numbers) else f"<pose{named}/>"


def parse_numbers(text: str) -> tuple[float, ...] | None:
    """Return the numbers in a text, separated by blanks, None where one of them is no number.

    What follows a number without a blank counts for nothing, as in libsdformat: ``0.1m`` is 0.1.
    """
    return _known_numbers(text) if len(text) <= LONGEST_KEPT else _read_numbers(text)


def _read_numbers(text: str) -> tuple[float, ...] | None:
    try:
        if text.isascii() and "_" not in text:  # Python takes ``1_000`` and digits of any script
            return tuple([float(word) for word in text.split()])
    except ValueError:
        pass  # the slow way knows what C reads
    numbers = [leading_number(word) for word in text.split()]
    return None if None in numbers else tuple(number for number in numbers if number is not None)


_known_numbers = remembered(65536)(_read_numbers)


def parse_number(text: str) -> float | None:
    """Return the number that a text begins with, None where it is none; what follows counts for nothing."""
    return _known_number(text) if len(text) <= LONGEST_KEPT else _read_number(text)


def _read_number(text: str) -> float | None:
    try:
        return float(text) if text.isascii() and "_" not in text else leading_number(text)
    except ValueError:
        return leading_number(text)


_known_number = remembered(65536)(_read_number)


def read_number(element: Element | None, tag: str, default: float) -> float:
    """Return the number in the child ``tag`` of an element, ``default`` where there is none."""
    child = element.find(tag) if element is not None else None
    number = parse_number(child.text) if child is not None else None
    return default if number is None or math.isnan(number) else number


def read_vector(element: Element | None, tag: str, default: tuple[float, ...]) -> tuple[float, ...]:
    """Return the finite numbers in the child ``tag``, ``default`` where they are fewer than in it; more are dropped."""
    child = element.find(tag) if element is not None else None
    numbers = parse_numbers(child.text) if child is not None else None
    is_read = numbers is not None and len(numbers) >= len(default) and all(map(math.isfinite, numbers))
    return numbers[: len(default)] if numbers is not None and is_read else default


def read_mass_properties(inertial: Element) -> tuple[float, tuple[float, float, float, float, float, float]]:
    """Return the mass in kg and ixx, iyy, izz, ixy, ixz, iyz in kg m² of an ``<inertial>``, as written, NaN too."""
    mass_element, inertia = inertial.find("mass"), inertial.find("inertia")
    number = parse_number(mass_element.text) if mass_element is not None else None
    mass = 1.0 if number is None else number
    if inertia is None:
        return mass, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    get = _first_numbers(inertia).get
    moments = (get("ixx", 1.0), get("iyy", 1.0), get("izz", 1.0), get("ixy", 0.0), get("ixz", 0.0), get("iyz", 0.0))
    return mass, moments


def _first_numbers(element: Element) -> dict[str, float]:
    """Return the numbers in the children of an element by tag, of equal ones the first."""
    children = {child.tag: child.text for child in reversed(element.children)}
    return {tag: number for tag, text in children.items() if (number := parse_number(text)) is not None}


def parse_bool(text: str, default: bool = False) -> bool:
    """Return whether a text says true (``true``, ``1``), false (``false``, ``0``), or else ``default``."""
    word = text.strip().lower()
    if word in ("true", "1"):
        return True
    return False if word in ("false", "0") else default


def parse_optional_bool(text: str) -> bool | None:
    """Return whether a text says true or false, None where it says neither."""
    return parse_bool(text) if parse_bool(text) == parse_bool(text, True) else None


class WrittenPose:
    """A pose as it is written: numbers, frame, notation.

    Attributes
    ----------
    element
        The ``<pose>`` element, or None if there is none.
    raw
        ``x y z roll pitch yaw`` in metres and radians.
    exact
        The pose as matrix (4, 4) where it is written as a quaternion, else None.
    relative_to
        The name as written, None where it is missing or empty.
    degrees
        Whether angles are written in degrees.
    quaternion
        Whether the rotation is written as ``x y z w``.
    """

    __slots__ = ("degrees", "element", "exact", "quaternion", "raw", "relative_to")

    def __init__(self, element: Element | None) -> None:
        self.element = element
        self.raw: tuple[float, ...] = IDENTITY
        self.exact: Array | None = None
        self.relative_to: str | None = None
        self.degrees = False
        self.quaternion = False


_NO_POSE = WrittenPose(None)


def read_pose(element: Element, version: Version) -> WrittenPose:
    """Return the pose written in an element's ``<pose>``."""
    pose_element = element.find("pose")
    if pose_element is None:
        return _NO_POSE
    result = WrittenPose(pose_element)
    numbers = parse_numbers(pose_element.text)
    if numbers is not None and not all(map(math.isfinite, numbers)):
        numbers = None  # which is reported as any text that is no pose
    attributes = pose_element.attributes
    if not attributes:
        if numbers is not None and len(numbers) == 6:
            result.raw = numbers
        return result
    # 1.5 and 1.6 called the attribute `frame`; libsdformat renames it, and reads either name in an old file.
    name = attributes.get("frame") if version < FRAME_SEMANTICS else None
    name = attributes.get("relative_to") if name is None else name
    result.relative_to = name.strip() or None if name else None
    result.degrees = "degrees" in attributes and parse_bool(attributes["degrees"])
    result.quaternion = attributes.get("rotation_format", "").strip() == "quat_xyzw"
    if numbers is None:
        return result
    if result.quaternion and len(numbers) == 7:
        x, y, z, qx, qy, qz, qw = numbers
        result.exact = pose(quaternion_to_matrix((qw, qx, qy, qz)), (x, y, z))
    elif not result.quaternion and len(numbers) == 6:
        result.raw = (*numbers[:3], *map(math.radians, numbers[3:])) if result.degrees else numbers
    return result
