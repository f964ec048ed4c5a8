"""Conversion between displayed values and values in the file, such as angles in degrees and named materials."""

from __future__ import annotations

import math
from typing import NamedTuple

from sdfviewer.formats.contents import read_visual
from sdfviewer.gui.kit.fields import AngleUnit, from_radians, to_radians
from sdfviewer.model.contents import Material
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_number as format_written
from sdfviewer.number_expression import evaluate_words, parse_number
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.properties.catalogue import PropertySpec, define, unit_in_file
from sdfviewer.refactoring.properties.property_values import default_of, written_property
from sdfviewer.scene.materials import gazebo_materials

_VECTORS = ("vector2d", "vector2i", "vector3", "quaternion", "pose", "color")
#: What the tables write where they mean that there is no bound.
_HUGE = 1e16


def unit_of(model: Model, row: int, spec: PropertySpec, angles: AngleUnit) -> str:
    """Return the unit that a property is shown in, empty where it has none."""
    unit = unit_in_file(model, row, spec)
    # Only single numbers change their unit: a vector stays as it is written.
    return angles.value if unit == "rad" and _is_number(model, row, spec) else unit


def to_file(model: Model, row: int, spec: PropertySpec, text: str, angles: AngleUnit) -> str:
    """Return the text to write for typed text; text that is not a number stays, for the element tables to check.

    Raises
    ------
    ValueError
        If it is an expression that cannot be a value here: a length where an angle belongs.
    """
    unit = unit_of(model, row, spec, angles)
    if not _is_number(model, row, spec):
        return evaluate_words(text, unit) if _is_vector(model, row, spec) else text
    try:
        number = parse_number(text, unit, _current(model, row, spec, unit))
    except ValueError:
        if not any(character.isdigit() for character in text):
            return text  # such as inf
        raise
    if unit_of(model, row, spec, angles) == AngleUnit.DEGREES.value:
        return format_written(to_radians(number, AngleUnit.DEGREES))
    try:
        float(text)
    except ValueError:
        return format_written(number)
    return text


def _current(model: Model, row: int, spec: PropertySpec, unit: str) -> float | None:
    """Return the number that is shown, None where none is."""
    written = written_property(model, row, spec.path)
    text = to_user(written, unit) if written is not None else default_to_user(model, row, spec, unit)
    try:
        return float(text)
    except ValueError:
        return None


def to_user(text: str, unit: str) -> str:
    """Return the text to show for written text."""
    return _in_degrees(text) if unit == AngleUnit.DEGREES.value else text


def default_to_user(model: Model, row: int, spec: PropertySpec, unit: str) -> str:
    """Return the default as shown where nothing is written."""
    default = to_user(default_of(model, row, spec.path), unit)
    try:
        value = float(default)
    except ValueError:
        return default
    if unit and abs(value) >= _HUGE:
        return format_shown(math.copysign(math.inf, value))
    return default if "e" in default else format_shown(value, 12)


def _is_number(model: Model, row: int, spec: PropertySpec) -> bool:
    definition = define(model, row, spec.path)
    return definition is not None and definition.type == "double"


def _is_vector(model: Model, row: int, spec: PropertySpec) -> bool:
    definition = define(model, row, spec.path)
    return definition is not None and definition.type in _VECTORS


def _in_degrees(text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        return text
    return format_written(from_radians(value, AngleUnit.DEGREES)) if math.isfinite(value) else text


DIFFUSE = "material/diffuse"


class NamedColour(NamedTuple):
    """A colour as a form shows it, and the name and the line of the material that it is from."""

    rgba: str
    source: str


def named_colour(model: Model, rows: list[int]) -> NamedColour | None:
    """Return the diffuse colour that visuals are drawn with and do not write; None where they do not share one."""
    found = {_colour_of(model, row) for row in rows}
    return found.pop() if len(found) == 1 else None


def _colour_of(model: Model, row: int) -> NamedColour | None:
    if written_property(model, row, DIFFUSE) is not None:
        return None
    return _drawn(model, row, read_visual(model, row).material)


def _drawn(model: Model, row: int, material: Material | None) -> NamedColour | None:
    """Return the colour of a material; that of a script that Gazebo does not know is in a file of its own."""
    if material is None:
        return None
    name, rgba = material.name, material.diffuse
    if rgba is None and material.script is not None and material.script.name in gazebo_materials():
        name, rgba = material.script.name, gazebo_materials()[material.script.name].diffuse
    if rgba is None or not name:
        return _drawn(model, row, material.base)
    line = "" if material.element is None else f", line {model.document_of(row).span(material.element).line}"
    return NamedColour(" ".join(map(format_shown, rgba)), f"material '{name}'{line}")
