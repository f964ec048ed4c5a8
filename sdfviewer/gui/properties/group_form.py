"""The fields of one group of properties, from the element tables, and how they show values, such as angles."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.files.uris import UriError, UriForm, uri_of
from sdfviewer.formats.contents import read_inertial, read_visual
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.gui.kit.fields import LENGTH, AngleUnit, from_radians, to_radians
from sdfviewer.gui.kit.labels import WholeLines
from sdfviewer.gui.kit.safe_text import markup, rich_tip
from sdfviewer.gui.kit.widgets import FoldButton, column_of, set_style_property
from sdfviewer.gui.properties.fields import MIXED, ChoiceField, ColourField, FileField, TextField, ValueField
from sdfviewer.gui.properties.reference_field import ReferenceField
from sdfviewer.gui.properties.section import PropertySection, make_caption, make_form
from sdfviewer.model.contents import MOMENTS, Material
from sdfviewer.model.explanation import explain_namespace, namespace_of
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute
from sdfviewer.model.values import format_number as format_written
from sdfviewer.number_expression import evaluate_words, parse_number
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.properties.catalogue import PropertyGroup, PropertySpec, define, shapes_of, unit_in_file
from sdfviewer.refactoring.properties.property_values import (
    SHAPE,
    applies,
    default_of,
    read_property,
    shape_of,
    value_fault,
    written_property,
)
from sdfviewer.scene.marks import principal_inertia
from sdfviewer.scene.materials import gazebo_materials
from sdfviewer.transforms import written_numbers_of
from sdfviewer.validation.kinematics_rules import impossibility

_DIGITS = 4


def automatic_values(model: Model, row: int) -> dict[str, str]:
    """Return the automatic inertia of a link as values by their paths; empty if there is none or it is unknown."""
    computed = resolve_inertial(model, row) if read_inertial(model, row).auto else None
    if computed is None:
        return {}
    centre = written_numbers_of(computed.X_LI)
    moments = dict(zip(MOMENTS, computed.moments, strict=True))
    return {
        "inertial/mass": format_shown(computed.mass),
        "inertial/pose": " ".join(format_shown(each) for each in centre),
        **{f"inertial/inertia/{name}": format_shown(value) for name, value in moments.items()},
    }


class InertiaNote(WholeLines):
    """A line of numbers, and below it what they mean, or why they cannot be."""

    def __init__(self) -> None:
        self.moments, self.meaning = QLabel(wordWrap=True), QLabel(wordWrap=True)
        super().__init__(self.moments, self.meaning)
        self.moments.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_link(self, model: Model, row: int) -> None:
        """Show what is written in a link."""
        inertial = read_inertial(model, row)
        fault = moments = meaning = ""
        if not inertial.is_written:
            meaning = "No inertia in the file: "
            meaning += "1 kg, 1 kg m² about each axis." if inertial.mass else "the link has no mass."
        elif inertial.auto:
            meaning = "Computed from the collision shapes and their density."
            if (computed := resolve_inertial(model, row)) is not None:
                meaning = f"{format_shown(computed.mass, _DIGITS)} kg, computed from the collision shapes."
        else:
            fault = impossibility(inertial.mass, inertial.moments)
            inertia = principal_inertia(inertial)
            if inertia is not None:
                moments = (
                    "   ".join(format_shown(each, _DIGITS) for each in inertia.moments.tolist())
                    + "  kg\N{NO-BREAK SPACE}m²"
                )
                edges = " × ".join(format_shown(each, 2) for each in inertia.box.tolist())
                meaning = f"like a box of {edges}\N{NO-BREAK SPACE}{LENGTH}"
        self.moments.setText(moments)
        self.moments.setVisible(bool(moments))
        self.meaning.setText(f"This inertia is impossible: {fault}." if fault else meaning)
        set_style_property(self.meaning, "role", "error" if fault else "muted")


MESH_URI = "geometry/mesh/uri"
#: The help of a property, and how it is written in a file.
_TIP = "<p>{help}</p><p><code>{path}</code></p>"


@dataclass(frozen=True, eq=False)
class PropertyEntry:
    """What the user entered for a property: the text to write, None to write nothing, and the field that shows it."""

    spec: PropertySpec
    text: str | None
    field: ValueField


class GroupForm(QWidget):
    """The fields of one group under a heading that folds them.

    Attributes
    ----------
    group
        What is shown.
    fields
        By the path of their property; they are made when the group is opened for the first time.
    """

    #: The user entered another value: a `PropertyEntry`.
    entered = Signal(PropertyEntry)

    def __init__(self, section: PropertySection, group: PropertyGroup) -> None:
        super().__init__(section)
        self.hide()  # until it is in the layout of the section
        self._section = section
        self.group = group
        self.rows: list[int] = []
        self.fields: dict[str, ValueField] = {}
        self.body = QWidget()
        self._form = make_form(self.body)
        column = column_of(parent=self, margins=0, spacing=4)
        self.heading: FoldButton | None = None
        if group.title:
            is_open = section.settings.flag(self._flag, not group.folded)
            self.heading = FoldButton(group.title, "Show or hide these properties", is_open=is_open)
            self.heading.toggled.connect(self._fold)
            column.addWidget(self.heading)
        column.addWidget(self.body)
        self._axis: QLabel | None = None
        self._inertia: InertiaNote | None = None
        self._namespace: QLabel | None = None
        self._colour_source: QLabel | None = None
        self._computed: dict[str, str] = {}

    @property
    def _flag(self) -> str:
        return f"fold.{self.group.title.lower()}"

    @property
    def is_open(self) -> bool:
        """Whether the fields are shown."""
        return self.heading is None or self.heading.isChecked()

    def _fold(self, on: bool) -> None:
        self._section.settings.set_flag(self._flag, on)
        self.show_rows(self._section.model, self.rows)

    def make_fields(self, model: Model, rows: list[int]) -> None:
        """Make the fields that rows of one kind show, where that was not done."""
        if not self.fields and self.is_open and self._applying(model, rows):
            for spec in self.group.specs:
                self._add(model, rows[-1], spec)

    def _applying(self, model: Model, rows: list[int]) -> list[PropertySpec]:
        return [spec for spec in self.group.specs if all(applies(model, row, self.group, spec) for row in rows)]

    def show_rows(self, model: Model, rows: list[int]) -> None:
        """Show the values of rows of one kind."""
        self.rows = rows
        specs = self._applying(model, rows)
        self.setVisible(bool(specs))
        self.body.setVisible(self.is_open and bool(specs))
        if not self.is_open or not specs:
            return
        self.make_fields(model, rows)
        editable = all(self._section.is_editable(row) for row in rows)
        self._computed = self._values_in_effect(model, rows)
        for spec in self.group.specs:
            self._form.setRowVisible(self.fields[spec.path], spec in specs)
            if spec in specs:
                self._show(model, rows, spec, editable)
        if self._axis is not None:
            self._axis.setText(_describe_axis(model, rows, number=0 if "axis/xyz" in self.fields else 1))
        if self._namespace is not None:
            resolved = namespace_of(model, rows[-1]) if len(rows) == 1 else None
            self._form.setRowVisible(self._namespace, resolved is not None)
            self._namespace.setText(resolved or "")
            self._namespace.setToolTip("\n".join(explain_namespace(model, rows[-1])))
        if self._inertia is not None:
            self._form.setRowVisible(self._inertia, len(rows) == 1)
            self._inertia.show_link(model, rows[-1])

    def _values_in_effect(self, model: Model, rows: list[int]) -> dict[str, str]:
        """Return what counts where nothing is written, by path, where that is more than the default of the tables."""
        if "inertial/mass" in self.fields:
            return automatic_values(model, rows[-1])
        if self._colour_source is None:
            return {}
        colour = named_colour(model, rows)
        self._form.setRowVisible(self._colour_source, colour is not None)
        self._colour_source.setText("" if colour is None else colour.source)
        return {} if colour is None else {DIFFUSE: colour.rgba}

    def _add(self, model: Model, row: int, spec: PropertySpec) -> None:
        field = self._make_field(model, row, spec)
        field.committed.connect(lambda entry, spec=spec, field=field: self._commit(spec, entry.text, field))
        label = make_caption(spec.label, rich_tip(markup(_TIP, help=spec.help, path=spec.path)))
        label.setBuddy(field)
        self.fields[spec.path] = field
        self._form.addRow(label, field)
        if spec.path in ("axis/xyz", "axis2/xyz"):
            tip = "The resolved axis as a unit vector in the joint frame"
            self._axis = QLabel(textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
            self._form.addRow(make_caption("in the joint", tip), self._axis)
        elif spec.path in ("@namespace", "namespace"):
            self._namespace = QLabel(wordWrap=True)
            self._form.addRow(
                make_caption("resolved", "The namespace with the name of the model in it"), self._namespace
            )
        elif spec.path == "inertial/inertia/iyz":
            tip = "Moments of inertia about the principal axes, and the solid box of this mass that has them"
            self._inertia = InertiaNote()
            self._form.addRow(make_caption("principal", tip), self._inertia)
        elif spec.path == DIFFUSE:
            self._colour_source = QLabel(wordWrap=True)
            self._form.addRow(
                make_caption("colour from", "Where the colour of this visual is written"), self._colour_source
            )

    def _make_field(self, model: Model, row: int, spec: PropertySpec) -> ValueField:
        definition = define(model, row, spec.path)
        if spec is SHAPE:
            return ChoiceField(spec.label, shapes_of(model, row), required=True)
        if spec.reference:
            return ReferenceField(self._section, cast("Attribute", spec.reference), spec.label)
        value_type = definition.type if definition is not None else None
        required = definition is not None and definition.is_required and definition.default == "__default__"
        values = ("true", "false") if value_type == "bool" else spec.values
        if values:
            return ChoiceField(spec.label, values, required)
        if value_type == "color":
            return ColourField(spec.label, lambda text: self._fault(spec, text))
        if spec.path == MESH_URI:
            return FileField(spec.label, self._folder, self._name_file, lambda text: self._fault(spec, text))
        return TextField(spec.label, spec.unit, lambda text: self._fault(spec, text))

    def _folder(self) -> Path:
        """Return where a mesh is looked for: beside the one that is named, else beside the file."""
        session = self._section.context.session
        mesh = None if not self.rows else read_property(self._section.model.elements[self.rows[0]], MESH_URI)
        found = session.finder.find(mesh, session.path).path if mesh else None
        return session.folder if found is None else found.parent

    def _name_file(self, file: Path, before: str) -> str:
        """Return the URI of a mesh, with the scheme of the one before where that leads to it."""
        session = self._section.context.session
        scheme = before.partition("://")[0]
        if scheme in ("package", "model"):
            with suppress(UriError):
                return uri_of(file, session.path, session.finder, form=cast("UriForm", scheme))
        return uri_of(file, session.path, session.finder)

    # --- values ----------------------------------------------------------------------------------------------------

    def _show(self, model: Model, rows: list[int], spec: PropertySpec, editable: bool) -> None:
        field = self.fields[spec.path]
        if spec is SHAPE:
            written = {shape_of(model, row) or None for row in rows}
        else:
            written = {written_property(model, row, spec.path) for row in rows}
        value = written.pop() if len(written) == 1 else MIXED
        unit = unit_of(model, rows[-1], spec, self._section.settings.angle_unit)
        field.set_unit(unit)
        default = self._computed.get(spec.path, "")
        if not default and spec is not SHAPE:
            default = default_to_user(model, rows[-1], spec, unit)
        field.show_value(None if value is None else to_user(value, unit), default, editable)

    def _to_file(self, spec: PropertySpec, text: str) -> str:
        return to_file(self._section.model, self.rows[-1], spec, text, self._section.settings.angle_unit)

    def _fault(self, spec: PropertySpec, text: str) -> str | None:
        try:
            written = self._to_file(spec, text)
        except ValueError as error:
            return str(error)
        return value_fault(self._section.model, self.rows[-1], spec, written)

    def _commit(self, spec: PropertySpec, value: str | None, field: ValueField) -> None:
        written = self._to_file(spec, value) if value is not None and isinstance(field, TextField) else value
        self.entered.emit(PropertyEntry(spec, written, field))


def _describe_axis(model: Model, rows: list[int], number: int) -> str:
    """Return an axis of a joint in the joint's own frame."""
    joint = model.joints_by_row.get(rows[-1])
    if len(rows) > 1:
        return MIXED
    if joint is None or number >= len(joint.axes):
        return "not set"
    xyz = joint.axes[number].xyz
    return "   ".join(map(format_shown, xyz.tolist())) if np.isfinite(xyz).all() else "cannot be resolved"


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
