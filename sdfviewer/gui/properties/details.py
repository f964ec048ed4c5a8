"""Everything else about the selection, made from the element tables: a group of fields for each concern."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.document.tables import ElementDefinition
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.frame_picker import Choice, FramePicker
from sdfviewer.gui.named import named
from sdfviewer.gui.number_field import format_number, parse_number
from sdfviewer.gui.properties.fields import MIXED, ChoiceField, ColourField, TextField, ValueField
from sdfviewer.gui.properties.section import LABEL_WIDTH, Section
from sdfviewer.gui.settings import AngleUnit, Settings
from sdfviewer.gui.units import from_radians, to_radians
from sdfviewer.semantics import Kind, Model
from sdfviewer.semantics.editing import properties, refactor
from sdfviewer.semantics.editing.properties import default_of, read_property, value_fault
from sdfviewer.semantics.editing.property_catalogue import (
    PropertyGroup,
    PropertySpec,
    catalogue_key,
    define,
    property_groups,
    shape_specs,
    shapes,
    version_of,
)
from sdfviewer.semantics.editing.property_targets import Target, reference_targets
from sdfviewer.semantics.values import format_number as format_value

#: Units that depend on whether a joint turns or slides.
_TURNING = {"angle": "rad", "effort": "N m", "speed": "rad/s", "damping": "N m s/rad", "stiffness": "N m/rad"}
_SLIDING = {"angle": "m", "effort": "N", "speed": "m/s", "damping": "N s/m", "stiffness": "N/m"}


class DetailsSection(Section):
    """The properties that only things of one kind have."""

    for_several = True

    def __init__(self, bridge: Bridge, settings: Settings) -> None:
        super().__init__(bridge, settings)
        self.rows: list[int] = []
        self._groups: dict[tuple[str, str], list[GroupForm]] = {}
        self._shown: list[GroupForm] = []
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.form.addRow(self._column)
        settings.changed.connect(self._refresh)

    def applies(self, model: Model, row: int) -> bool:
        return bool(self._specs(model, row))

    @staticmethod
    def _specs(model: Model, row: int) -> tuple[PropertyGroup, ...]:
        groups = property_groups(catalogue_key(model, row), version_of(model))
        shape = properties.shape_of(model, row)
        if model.kinds[row] in (Kind.VISUAL, Kind.COLLISION):
            groups = (PropertyGroup("Geometry", (_SHAPE, *shape_specs(shape))), *groups)
        return groups

    def show_row(self, model: Model, row: int) -> None:
        self.show_rows(model, [row])

    def show_rows(self, model: Model, rows: list[int]) -> None:
        """Show what is common to rows of one kind."""
        self.row, self.rows = rows[-1], rows
        shape = properties.shape_of(model, self.row)
        key = (catalogue_key(model, self.row) + f" {shape}", version_of(model))
        if key not in self._groups:
            self._groups[key] = [GroupForm(self, group) for group in self._specs(model, self.row)]
            for form in self._groups[key]:
                self._column.addWidget(form)
        forms = self._groups[key]
        if forms is not self._shown:
            for form in self._shown:
                form.hide()
            self._shown = forms
        for form in forms:
            form.show_rows(model, rows)

    def _refresh(self) -> None:
        if self.row >= 0 and self.bridge.session.model is not None and self.row < len(self.model):
            self.show_rows(self.model, self.rows)

    def field(self, path: str) -> ValueField:
        """Return the field of a property that is shown."""
        return next(form.fields[path] for form in self._shown if path in form.fields)

    def write(self, spec: PropertySpec, value: str | None, field: ValueField) -> None:
        """Write a value into all rows shown; show at the field why where that is refused."""
        rows = list(self.rows)
        try:
            if spec is _SHAPE:
                edit = _all_shapes(self.model, rows, str(value))
            elif spec.reference in ("parent", "child") and value is not None and len(rows) == 1:
                edit = properties.set_joint_end(self.model, rows[0], spec.path, value, self.settings.keep.value)
            else:
                edit = properties.set_property(self.model, rows, spec, value)
        except refactor.RefactoringError as error:
            field.show_fault(str(error))
            return
        self.bridge.make(lambda: edit, None)


_SHAPE = PropertySpec("geometry", "shape", "The form of the body. Another shape starts with a usual size.")


def _all_shapes(model: Model, rows: list[int], shape: str) -> Edit:
    edits = [properties.set_shape(model, row, shape) for row in rows]
    return Edit(edits[0].label, tuple(each for edit in edits for each in edit.replacements))


class GroupForm(QWidget):
    """The fields of one group under a heading that folds them."""

    def __init__(self, owner: DetailsSection, group: PropertyGroup) -> None:
        super().__init__()
        self._owner = owner
        self._group = group
        self.fields: dict[str, ValueField] = {}
        self._labels: dict[str, QLabel] = {}
        self._form = QFormLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(8)
        self._form.setVerticalSpacing(4)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._body = QWidget()
        self._body.setLayout(self._form)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.heading: QToolButton | None = None
        if group.title:
            self.heading = named(QToolButton(), group.title, "Show or hide these properties")
            self.heading.setText(group.title)
            self.heading.setProperty("role", "fold")
            self.heading.setCheckable(True)
            self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self.heading.setChecked(owner.settings.flag(self._flag, not group.folded))
            self.heading.toggled.connect(self._fold)
            column.addWidget(self.heading)
        column.addWidget(self._body)
        self._resolved = QLabel()
        self._resolved.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    @property
    def _flag(self) -> str:
        return f"fold.{self._group.title.lower()}"

    @property
    def is_open(self) -> bool:
        """Whether the fields are shown."""
        return self.heading is None or self.heading.isChecked()

    def _fold(self, on: bool) -> None:
        self._owner.settings.set_flag(self._flag, on)
        self.show_rows(self._owner.model, self._owner.rows)

    def show_rows(self, model: Model, rows: list[int]) -> None:
        """Show the values of rows of one kind."""
        specs = [spec for spec in self._group.specs if self._is_wanted(model, rows, spec)]
        self.setVisible(bool(specs))
        if self.heading is not None:
            self.heading.setArrowType(Qt.ArrowType.DownArrow if self.is_open else Qt.ArrowType.RightArrow)
        self._body.setVisible(self.is_open and bool(specs))
        if not self.is_open or not specs:
            return
        if not self.fields:
            for spec in self._group.specs:
                self._add(model, rows[-1], spec)
        wanted = {spec.path for spec in specs}
        editable = all(self._owner.is_editable(row) for row in rows)
        for spec in self._group.specs:
            self._form.setRowVisible(self.fields[spec.path], spec.path in wanted)
            if spec.path in wanted:
                self._show(model, rows, spec, editable)
        if "axis/xyz" in self.fields or "axis2/xyz" in self.fields:
            self._show_resolved_axis(model, rows)

    def _is_wanted(self, model: Model, rows: list[int], spec: PropertySpec) -> bool:
        """Return whether a property is for these rows: by their type of joint, or because it is written."""
        types = spec.types or self._group.types
        if not types:
            return True
        return any(
            model.elements[row].attributes.get("type", "").lower() in types
            or read_property(model.elements[row], spec.path) is not None
            for row in rows
        )

    def _add(self, model: Model, row: int, spec: PropertySpec) -> None:
        field = self._make_field(model, row, spec)
        field.committed.connect(lambda value, spec=spec, field=field: self._commit(spec, value, field))
        label = QLabel(spec.label)
        label.setProperty("role", "muted")
        label.setFixedWidth(LABEL_WIDTH)
        label.setToolTip(f"<p>{spec.help or 'No help is written for this yet.'}</p><p><code>{spec.path}</code></p>")
        label.setBuddy(field)
        self.fields[spec.path] = field
        self._labels[spec.path] = label
        self._form.addRow(label, field)
        if spec.path.endswith("xyz@expressed_in"):
            caption = QLabel("in the joint")
            caption.setProperty("role", "muted")
            caption.setToolTip("The axis as a unit vector in the joint frame: what the joint really turns about")
            self._form.addRow(caption, self._resolved)

    def _make_field(self, model: Model, row: int, spec: PropertySpec) -> ValueField:
        definition = define(model, row, spec.path)
        if spec is _SHAPE:
            return ChoiceField(spec.label, shapes(version_of(model)), required=True)
        if spec.reference:
            return _ReferenceField(self._owner, spec)
        value_type = definition.type if definition is not None else None
        required = definition is not None and definition.is_required and definition.default == "__default__"
        if spec.values:
            return ChoiceField(spec.label, spec.values, required)
        if value_type == "bool":
            return ChoiceField(spec.label, ("true", "false"))
        if value_type == "color":
            return ColourField(spec.label, lambda text: self._fault(spec, text))
        return TextField(spec.label, spec.unit, lambda text: self._fault(spec, text))

    # --- values ----------------------------------------------------------------------------------------------------

    def _show(self, model: Model, rows: list[int], spec: PropertySpec, editable: bool) -> None:
        field = self.fields[spec.path]
        if spec is _SHAPE:
            values = {properties.shape_of(model, row) or None for row in rows}
        else:
            values = {read_property(model.elements[row], spec.path) for row in rows}
        value = values.pop() if len(values) == 1 else MIXED
        unit = self._unit(model, rows[-1], spec)
        field.set_unit(unit)
        default = default_of(model, rows[-1], spec.path) if spec is not _SHAPE else ""
        if unit == AngleUnit.DEGREES.value:
            value = _in_degrees(value) if value is not None else None
            default = _in_degrees(default)
        field.show_value(value, _tidy(default, unit), editable)

    def _unit(self, model: Model, row: int, spec: PropertySpec) -> str:
        sliding = model.kinds[row] is Kind.JOINT and model.elements[row].attributes.get("type") == "prismatic"
        unit = (_SLIDING if sliding else _TURNING).get(spec.unit, spec.unit)
        degrees = self._owner.settings.angle_unit is AngleUnit.DEGREES
        return AngleUnit.DEGREES.value if unit == "rad" and degrees else unit

    def _to_file(self, spec: PropertySpec, text: str) -> str:
        """Return what is written for what was typed: ``pi/2`` as a number, degrees as radians."""
        model, row = self._owner.model, self._owner.row
        definition = define(model, row, spec.path)
        if not isinstance(definition, ElementDefinition) or definition.type != "double":
            return text
        in_degrees = self._unit(model, row, spec) == AngleUnit.DEGREES.value
        try:
            number = parse_number(text)
        except ValueError:
            return text  # the check of the element tables says what is wrong, and knows inf
        if in_degrees:
            return format_value(to_radians(number, AngleUnit.DEGREES))
        try:
            float(text)
        except ValueError:
            return format_value(number)
        return text

    def _fault(self, spec: PropertySpec, text: str) -> str | None:
        return value_fault(self._owner.model, self._owner.row, spec, self._to_file(spec, text))

    def _commit(self, spec: PropertySpec, value: str | None, field: ValueField) -> None:
        written = self._to_file(spec, value) if value is not None and isinstance(field, TextField) else value
        self._owner.write(spec, written, field)

    def _show_resolved_axis(self, model: Model, rows: list[int]) -> None:
        number = 0 if "axis/xyz" in self.fields else 1
        joint = model.joints_by_row.get(rows[-1])
        text = MIXED
        if len(rows) == 1 and joint is not None and number < len(joint.axes):
            xyz = joint.axes[number].xyz
            text = "   ".join(map(format_number, xyz.tolist())) if np.isfinite(xyz).all() else "cannot be resolved"
        self._resolved.setText(text)


def _in_degrees(text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        return text
    return format_value(from_radians(value, AngleUnit.DEGREES)) if math.isfinite(value) else text


def _tidy(default: str, unit: str) -> str:
    """Return a default as people read it: the tables write "none" as a huge number in places."""
    try:
        value = float(default)
    except ValueError:
        return default
    if not unit:
        return default
    return format_number(math.copysign(math.inf, value) if abs(value) >= 1e16 else value)


class _ReferenceField(ValueField):
    """A frame of the scope, picked from a searchable list."""

    def __init__(self, owner: DetailsSection, spec: PropertySpec) -> None:
        super().__init__(spec.label)
        self._owner = owner
        self._spec = spec
        self.picker = FramePicker(spec.label)
        self.put(self.picker)
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(lambda choice: self.committed.emit(choice.name))

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        self.show_fault("")
        self.picker.setEnabled(editable)
        if value == MIXED:
            self.picker.show_choice(MIXED, None, "The selected things differ here")
        elif not value:
            self.picker.show_choice(self._default(), None, "not written")
        else:
            kind = self._kind_of(value)
            self.picker.show_choice(value, kind, value, faulty=kind is None)

    def _default(self) -> str:
        model, row = self._owner.model, self._owner.row
        if self._spec.reference == "canonical_link":
            link = model.canonical_links.get(row)
            return f"default: {model.local_names[link]}" if link is not None else "default: the first link"
        return {"frame": "default: the joint itself", "placement_frame": "default: the model frame"}.get(
            self._spec.reference, "not written"
        )

    def _kind_of(self, name: str) -> str | None:
        for target in self._targets():
            if target.name == name:
                return self._kind(target)
        return None

    def _kind(self, target: Target) -> str:
        return self._owner.model.kinds[target.row].value if target.row >= 0 else Kind.WORLD.value

    def _targets(self) -> list[Target]:
        return reference_targets(self._owner.model, self._owner.row, self._spec.reference)

    def _offer(self) -> None:
        choices = [Choice(each.name, each.name, self._kind(each), each.reason) for each in self._targets()]
        if self._spec.reference not in ("parent", "child"):
            choices.insert(0, Choice(None, self._default(), self._own_kind(), None))
        self.picker.set_choices(choices)

    def _own_kind(self) -> str:
        return self._owner.model.kinds[self._owner.row].value
