"""Signature help for the numbers of a pose or a vector."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sdfviewer.language.markup import comment_at
from sdfviewer.transforms import POSE_PARTS, QUATERNION_PARTS

_COLOUR = ("red", "green", "blue", "alpha")
_VECTORS = {
    **dict.fromkeys(("xyz", "size", "scale", "radii", "normal", "gravity", "magnetic_field", "wind"), ("x", "y", "z")),
    **dict.fromkeys(("linear_velocity", "linear_acceleration", "direction", "center_of_mass"), ("x", "y", "z")),
    **dict.fromkeys(("ambient", "diffuse", "specular", "emissive", "background"), _COLOUR),
    "point": ("x", "y"),
}
_ATTRIBUTES = {
    "xyz": ("x", "y", "z"),
    "rpy": ("roll", "pitch", "yaw"),
    "rgba": _COLOUR,
    "quat_xyzw": QUATERNION_PARTS[3:],
}
_OPEN_ELEMENT = re.compile(r"<([\w.:-]+)((?:\s[^<>]*)?)>([^<>]*)$")
_OPEN_ATTRIBUTE = re.compile(r"<[\w.:-]+\s[^<>]*?([\w.:-]+)\s*=\s*(?:\"([^\"<>]*)|'([^'<>]*))$")


@dataclass(frozen=True, slots=True)
class Signature:
    """The numbers of a value.

    Attributes
    ----------
    label
        The element or attribute.
    names
        What each number is.
    units
        The unit of each number, empty where it has none.
    active
        Index of the number at the caret; the count of names where there are too many numbers.
    """

    label: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    active: int


def signature_at(text: str, offset: int) -> Signature | None:
    """Return the signature of the value in which the caret is, None where it is in none."""
    if comment_at(text, offset) is not None:
        return None
    before = text[max(text.rfind("<", 0, offset), 0) : offset]
    if match := _OPEN_ATTRIBUTE.search(before):
        typed = match[2] if match[2] is not None else match[3]
        names = _ATTRIBUTES.get(match[1])
        return None if names is None else Signature(match[1], names, _units(names, degrees=False), _active(typed))
    if match := _OPEN_ELEMENT.search(before):
        tag, attributes, typed = match.groups()
        if attributes.rstrip().endswith("/"):
            return None
        names = _VECTORS.get(tag)
        if tag == "pose":
            names = QUATERNION_PARTS if "quat_xyzw" in attributes else POSE_PARTS
        if names is not None:
            degrees = re.search(r"degrees\s*=\s*[\"'](true|1)", attributes) is not None
            return Signature(tag, names, _units(names, degrees=degrees), _active(typed))
    return None


def _units(names: tuple[str, ...], *, degrees: bool) -> tuple[str, ...]:
    angle = "degrees" if degrees else "radians"
    lengths = dict.fromkeys("xyz", "metres") if len(names) >= len(POSE_PARTS) else {}
    return tuple({**lengths, **dict.fromkeys(POSE_PARTS[3:], angle)}.get(name, "") for name in names)


def _active(typed: str) -> int:
    words = typed.split()
    return len(words) - (0 if not typed or typed[-1].isspace() else 1)
