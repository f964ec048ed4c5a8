"""Values as the user reads and types them, and as a file has them: angles in another unit, ``pi/2`` as a number."""

from __future__ import annotations

import math

from sdfviewer.document.tables import ElementDefinition
from sdfviewer.gui.number_field import format_shown, parse_number
from sdfviewer.gui.settings import AngleUnit
from sdfviewer.gui.units import from_radians, to_radians
from sdfviewer.semantics import Kind, Model
from sdfviewer.semantics.editing.properties.catalogue import PropertySpec, define
from sdfviewer.semantics.editing.properties.values import default_of
from sdfviewer.semantics.values import format_number as format_written

#: Units that depend on whether a joint turns or slides.
_TURNING = {"angle": "rad", "effort": "N m", "speed": "rad/s", "damping": "N m s/rad", "stiffness": "N m/rad"}
_SLIDING = {"angle": "m", "effort": "N", "speed": "m/s", "damping": "N s/m", "stiffness": "N/m"}
#: What the tables write where they mean that there is no bound.
_HUGE = 1e16


def unit_of(model: Model, row: int, spec: PropertySpec, angles: AngleUnit) -> str:
    """Return the unit that a property is shown in, empty where it has none."""
    sliding = model.kinds[row] is Kind.JOINT and model.elements[row].attributes.get("type") == "prismatic"
    unit = (_SLIDING if sliding else _TURNING).get(spec.unit, spec.unit)
    # Only single numbers change their unit: a vector stays as it is written.
    return angles.value if unit == "rad" and _is_number(model, row, spec) else unit


def to_file(model: Model, row: int, spec: PropertySpec, text: str, angles: AngleUnit) -> str:
    """Return what is written for what was typed; what is no number stays, for the element tables to judge."""
    if not _is_number(model, row, spec):
        return text
    try:
        number = parse_number(text)
    except ValueError:
        return text  # such as inf
    if unit_of(model, row, spec, angles) == AngleUnit.DEGREES.value:
        return format_written(to_radians(number, AngleUnit.DEGREES))
    try:
        float(text)
    except ValueError:
        return format_written(number)
    return text


def to_user(text: str, unit: str) -> str:
    """Return what is shown for what is written."""
    return _in_degrees(text) if unit == AngleUnit.DEGREES.value else text


def default_to_user(model: Model, row: int, spec: PropertySpec, unit: str) -> str:
    """Return what is shown where nothing is written, as people write it."""
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
    return isinstance(definition, ElementDefinition) and definition.type == "double"


def _in_degrees(text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        return text
    return format_written(from_radians(value, AngleUnit.DEGREES)) if math.isfinite(value) else text
