"""The colour of a visual that only names its material."""

from __future__ import annotations

from typing import NamedTuple

from sdfviewer.formats.contents import read_visual
from sdfviewer.model.materials import Material
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.properties.property_values import written_property
from sdfviewer.scene.materials.materials import gazebo_materials

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
