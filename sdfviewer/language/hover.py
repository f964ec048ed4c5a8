"""Hover: the frame under the mouse, or what the specification says; signature help for numbers that are typed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.language.annotations import format_pose_shown
from sdfviewer.language.completion import Open, definition_of
from sdfviewer.language.markup import comment_at, tag_at
from sdfviewer.model.explanation import explain_axes, explain_pose, explain_settings
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.poses.notation import as_xyz_rpy
from sdfviewer.refactoring.properties.catalogue import property_help
from sdfviewer.transforms import POSE_PARTS, QUATERNION_PARTS, Array

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.value_origins import ValueOrigin


def describe_row(model: Model, row: int, X_RootF: Array) -> str:
    """Return kind, name, pose and location of a row, one a line."""
    lines = [f"{model.kinds[row].value} {model.names[row]}"]
    if model.kinds[row].is_vertex and row:
        known = np.isfinite(X_RootF[row]).all()
        pose = as_xyz_rpy(X_RootF[row]) if known else "not known"
        lines.append(f"pose in {model.local_names[0]}: {pose}")
        if model.relative_to[row] >= 0:
            lines.append(f"relative_to {model.names[int(model.relative_to[row])]}")
        lines += explain_axes(model, row)
    lines += explain_settings(model, row)
    span = model.document_of(row).span(model.elements[row])
    lines.append(f"{span.path}:{span.line}")
    return "\n".join(lines)


def describe_markup(text: str, at: int, around: list[Open], model: Model | None) -> str:
    """Return the documentation of the element or attribute whose name is at an offset of a text."""
    tag = tag_at(text, at)
    if tag is None or at < tag.name_start:
        return ""
    definition = definition_of([*around, Open(tag.name, None)], model)
    if definition is None:
        return ""
    path = (*(element.tag for element in around), tag.name)
    if at <= tag.name_start + len(tag.name):
        return "\n\n".join(filter(None, (describe_element(definition), property_help(path))))
    for attribute in definition.attributes.values():
        start = text.find(attribute.name, tag.name_start + len(tag.name), tag.end)
        if start <= at <= start + len(attribute.name) and start > 0:
            help = property_help((*path, f"@{attribute.name}"))
            return "\n\n".join(filter(None, (describe_attribute(attribute), help)))
    return ""


_TIMES = {"0": "optional", "1": "required", "*": "zero or more", "+": "one or more", "-1": "deprecated"}


def describe_element(definition: ElementDefinition) -> str:
    """Return the definition of an element in one line."""
    words = [f"<{definition.tag}>: {_TIMES[definition.cardinality]}"]
    if definition.type is not None and not definition.children:
        words.append(definition.type + (f", {definition.default!r} by default" if definition.default else ""))
    bounds = [
        f"at {word} {bound:g}"
        for word, bound in (("least", definition.minimum), ("most", definition.maximum))
        if bound is not None
    ]
    return "; ".join([*words, *bounds])


def describe_attribute(attribute: AttributeDefinition) -> str:
    """Return the definition of an attribute in one line."""
    default = "" if attribute.is_required or not attribute.default else f", {attribute.default!r} by default"
    return f"{attribute.name}: {'required' if attribute.is_required else 'optional'}; {attribute.type}{default}"


def describe_chain(model: Model, row: int) -> list[str]:
    """Return the chain of frames behind a pose, from the root on: each step with what it is measured from."""
    lines = []
    for step in explain_pose(model, row):
        name = model.names[step.row]
        if step.relative_to < 0:
            lines.append(name if not step.fault else f"{name}: {step.fault}")
            continue
        edge = "relative_to" if step.is_written else "by default relative_to"
        lines.append(f"{name} {edge} {model.names[step.relative_to]}: {format_pose_shown(step.X_RF)}")
    return lines


#: Maximum number of origins listed for one value, which hundreds of macro calls may write.
_MOST_ORIGINS = 8


def describe_origins(origins: Sequence[ValueOrigin]) -> list[str]:
    """Return what a value of a xacro file is computed with, one a line; indented, what that comes from in the end."""
    lines = []
    for origin in origins[:_MOST_ORIGINS]:
        lines.append(_describe_origin(origin))
        lines += [f"  {_describe_origin(end)}" for end in origin.ends()[:_MOST_ORIGINS] if end != origin]
    if len(origins) > _MOST_ORIGINS:
        lines.append(f"and {len(origins) - _MOST_ORIGINS} more")
    return lines


def _describe_origin(origin: ValueOrigin) -> str:
    what = f"from {origin.kind} {origin.name}" if origin.name else "from YAML file"
    if origin.document is None:
        return what
    value = f" = {' '.join(origin.text.split())}" if origin.text else ""
    return f"{what}{value}, {Path(origin.document.name).name}:{origin.document.position(origin.start)[0]}"


_ANGLES = ("roll", "pitch", "yaw")


def describe_number(text: str, at: int) -> str:
    """Return the other unit of the angle at an offset: degrees for radians, radians for degrees; empty elsewhere."""
    signature = signature_at(text, at)
    if signature is None or signature.active >= len(signature.names):
        return ""
    name, unit = signature.names[signature.active], signature.units[signature.active]
    end = next((index for index in range(at, len(text)) if text[index] in " \t\r\n<\"'"), len(text))
    start = next((index + 1 for index in range(at - 1, -1, -1) if text[index] in " \t\r\n>\"'"), 0)
    try:
        value = float(text[start:end])
    except ValueError:
        return ""
    if name not in _ANGLES or not math.isfinite(value):
        return f"{name}, {unit}" if unit else name
    if unit == "degrees":
        return f"{name}: {format_shown(math.radians(value))} radians"
    return f"{name}: {format_shown(math.degrees(value))} degrees"


# --- signature help -----------------------------------------------------------------------------------------------


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
