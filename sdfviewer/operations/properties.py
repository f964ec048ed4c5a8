"""Operations on properties: values by path, limits, shapes, inertials, plugins, and what an include changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.document.edits import Edit, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import format_of
from sdfviewer.model.contents import Inertial
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.values import format_number, format_numbers
from sdfviewer.number_expression import evaluate_words
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Parameter, ParameterType, operation
from sdfviewer.operations.frames import SELECT_FIRST
from sdfviewer.operations.parameters import (
    TOGETHER,
    FramesType,
    FrameType,
    GeometryType,
    GivenGeometry,
    InertiaType,
    NumbersType,
    NumberType,
    PoseType,
    TextType,
    kept_together,
    pose_numbers,
)
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import EditError, require_editable
from sdfviewer.refactoring.inertia import WATER
from sdfviewer.refactoring.properties import plugin_parameters, property_values
from sdfviewer.refactoring.properties.catalogue import unit_in_file
from sdfviewer.transforms import Array
from sdfviewer.validation.kinematics_rules import impossibility


@dataclass(frozen=True)
class TypedValue:
    """The value of a property as somebody types it: it may hold expressions and units."""

    text: str


@dataclass(frozen=True)
class ValueType(ParameterType):
    """The value of a property: a text, number, truth value or numbers. The function gets what is written."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": ["string", "number", "boolean", "array", "null"]}

    @property
    def expects(self) -> str:
        return "a text, a number or numbers"

    def read(self, text: str) -> TypedValue | None:
        return TypedValue(text) if text else None

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> str | TypedValue:
        if isinstance(value, (str, TypedValue)):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        given: Any = value
        try:
            numbers = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(f"a property must be {self.expects}, not {value!r}") from error
        if np.isnan(numbers).any():
            raise InvalidValueError("a property cannot be NaN")
        return format_number(float(numbers)) if numbers.ndim == 0 else format_numbers(numbers.ravel().tolist())


@operation(
    "Set property",
    Parameter("thing", FramesType(), "what has it, or several things that have it"),
    Parameter("path", TextType("a path"), "tags from the element downwards, axis/limit/lower; @type for an attribute"),
    Parameter("value", ValueType(), "what is written; None takes it out, so that the default holds"),
    TOGETHER,
    command=EditOption(
        "set",
        "FRAME/PATH=VALUE",
        ("thing", "path", "value"),
        "set a property, such as m::j/axis/limit/upper=pi/2",
    ),
)
def set_property(
    on: EditContext, thing: Sequence[int], path: str, value: str | TypedValue | None, together: bool
) -> Edit:
    """Write a property of the property panel, or an attribute that a URDF writes: ``origin/xyz``."""
    model = on.model
    for row in thing:
        specs = {spec.path: spec for spec in property_values.specs_of(model, row)}
        spec = specs.get(path)
        if spec is None:
            if value is not None and len(thing) == 1 and (edit := _set_written(model, row, path, value)) is not None:
                return kept_together(on, edit, thing, together)
            raise EditError(
                _why_none(model, row, path)
                or f"a {model.kinds[row]} has no property '{path}'{did_you_mean(path, specs)}"
            )
    if not thing:
        raise InvalidValueError("name what has the property")
    spec = specs[path]
    text = evaluate_words(value.text, unit_in_file(model, thing[0], spec)) if isinstance(value, TypedValue) else value
    edit = property_values.set_property(model, thing, spec, text)
    return kept_together(on, edit, thing, together and path.startswith("geometry/"))


def _why_none(model: Model, row: int, path: str) -> str:
    """Return why a joint has no property of an axis: its type has none; empty for what is no such property."""
    joint = model.joints_by_row.get(row)
    if joint is None or joint.axes or not path.startswith("axis"):
        return ""
    kind = model.elements[row].attributes.get("type", joint.type)
    name = model.local_names[row]
    return (
        f"joint '{name}' is {kind}, so it has no axis and no limits; give it the type 'revolute' or 'prismatic' first"
    )


#: Units of attributes of a URDF that no property of SDFormat is.
_UNITS = {"xyz": "m", "rpy": "rad", "lower": "rad", "upper": "rad"}


def _set_written(model: Model, row: int, path: str, value: str | TypedValue) -> Edit | None:
    """Return the edit of what a URDF, or a xacro file, writes at a path, ``origin/xyz``; None where that is nothing."""
    known = format_of(model.document)
    if known is None or (known.capabilities.names_frames and not isinstance(model.document, ExpandedDocument)):
        return None
    *tags, name = path.replace("@", "").split("/")
    element: Element | None = model.elements[row]
    for tag in tags:
        element = None if element is None else element.find(tag)
    inner = None if element is None else element.find(name)
    if element is None or (name not in element.attributes and (inner is None or inner.children)):
        return None
    require_editable(model, row)
    slides = tags == ["limit"] and model.elements[row].attributes.get("type") == "prismatic"
    unit = "m" if slides and name in ("lower", "upper") else _UNITS.get(name, "")
    text = evaluate_words(value.text, unit) if isinstance(value, TypedValue) else value
    label, document = f"Set {name} of {model.distinct_name(row)} to {text}", model.document
    if name in element.attributes:
        return Edit(label, document, set_attribute(document, element, name, text))
    return None if inner is None else Edit(label, document, set_text(document, inner, text))


@operation(
    "Set limits",
    Parameter("joint", FrameType((Kind.JOINT,)), "the joint"),
    Parameter("lower", NumberType(), "the lower limit in metres or radians", default=None),
    Parameter("upper", NumberType(), "the upper limit", default=None),
    Parameter("effort", NumberType(), "the limit in N or N m", default=None),
    Parameter("velocity", NumberType(), "the limit in m/s or rad/s", default=None),
)
def set_limits(
    on: EditContext,
    joint: int,
    lower: float | None,
    upper: float | None,
    effort: float | None,
    velocity: float | None,
) -> Edit:
    """Set limits of the first axis of a joint; those that are not given stay."""
    given = {"lower": lower, "upper": upper, "effort": effort, "velocity": velocity}
    if all(value is None for value in given.values()):
        raise InvalidValueError("give a limit: lower, upper, effort or velocity")
    model = on.model
    known = model.joints_by_row[joint]
    axes = known.axes
    if known.type == "continuous" and (lower is not None or upper is not None):
        raise EditError(
            f"joint '{model.local_names[joint]}' is continuous and turns without end; give it the type 'revolute' first"
        )
    low = lower if lower is not None or not axes else axes[0].lower
    high = upper if upper is not None or not axes else axes[0].upper
    if low is not None and high is not None and low > high and (lower is not None or upper is not None):
        raise InvalidValueError(f"the lower limit {low:g} is above the upper limit {high:g}")
    paths = {f"axis/limit/{word}": value for word, value in given.items() if value is not None}
    return _set_properties(ModelDraft(model, on.loader), model.names[joint], paths).edit(
        f"Set limits of {model.local_names[joint]}"
    )


def _set_properties(draft: ModelDraft, name: str, values: Mapping[str, object]) -> ModelDraft:
    """Set properties of what has a name, by their paths, in a draft, and return it."""
    for path, value in values.items():
        arguments = {"thing": name, "path": path, "value": value}
        draft.make(set_property.perform(EditContext(draft.model, draft.loader), arguments).edit)
    return draft


# --- shapes --------------------------------------------------------------------------------------------------------


@operation(
    "Set geometry",
    Parameter("part", FramesType(SHAPED), "the visual or collision, or several"),
    Parameter("geometry", GeometryType(), "its shape, or the name of one for a usual size"),
    TOGETHER,
    command=EditOption("set-geometry", "PART=SHAPE", ("part", "geometry"), "give a visual or collision another shape"),
)
def set_geometry(on: EditContext, part: Sequence[int], geometry: GivenGeometry, together: bool) -> Edit:
    """Give a visual or collision another shape."""
    if not part:
        raise InvalidValueError("name the visual or collision")
    edit = _shape_edit(on.model, on.loader, part[0], geometry)
    if len(part) > 1:
        draft = ModelDraft(on.model, on.loader)
        draft.make(edit)
        for row in part[1:]:
            draft.make(_shape_edit(draft.model, on.loader, row, geometry))
        edit = draft.edit(edit.label)
    return kept_together(on, edit, part, together)


def _shape_edit(model: Model, loader: Loader, part: int, geometry: GivenGeometry) -> Edit:
    """Return the edit that gives one visual or collision another shape."""
    shape = shape_fields(geometry)["shape"]
    if isinstance(geometry, str):
        return property_values.set_shape(model, part, shape)
    draft = ModelDraft(model, loader)
    draft.make(property_values.set_shape(model, part, shape))
    known = {spec.path for spec in property_values.specs_of(draft.model, draft.model.row(model.names[part]))}
    values = {f"geometry/{shape}/{path}": value for path, value in _sizes(geometry).items() if value is not None}
    _set_properties(draft, model.names[part], {path: value for path, value in values.items() if path in known})
    return draft.edit(f"Make {model.local_names[part]} a {shape}")


def shape_fields(geometry: GivenGeometry) -> dict[str, str]:
    """Return what :func:`~sdfviewer.refactoring.adding.insert_member` needs; a record has its usual size."""
    if isinstance(geometry, str):
        return {"shape": geometry}
    return {"shape": geometry.kind} if isinstance(geometry, Geometry) else geometry.fields


def _sizes(geometry: GivenGeometry) -> Mapping[str, object]:
    """Return the sizes of a shape by their paths; None where one is not written."""
    from sdfviewer.refactoring.new_parts import NewMesh, NewShape

    if isinstance(geometry, str):
        return {}
    if isinstance(geometry, NewShape):
        return geometry.sizes
    if isinstance(geometry, NewMesh):
        return {"uri": geometry.uri}
    found = {field.name: getattr(geometry, field.name) for field in fields(geometry)}
    if found.get("submesh") is not None:  # whose name and place are written one level below
        found |= {"submesh/name": found["submesh"], "submesh/center": found["center"]}
    return found


# --- inertials -----------------------------------------------------------------------------------------------------


@operation(
    "Set inertial",
    Parameter("link", FrameType((Kind.LINK,)), "the link"),
    Parameter("mass", NumberType("kg"), "its mass", default=None),
    Parameter("center_of_mass", NumbersType(("m", "m", "m")), "its centre of mass x y z in the link", default=None),
    Parameter("inertia", InertiaType(), "about the centre of mass in the axes of the link, in kg m²", default=None),
    command=EditOption("set-inertial", "LINK", ("link",)),
)
def set_inertial(
    on: EditContext, link: int, mass: float | None, center_of_mass: Sequence[float] | None, inertia: Array | None
) -> Edit:
    """Write mass, centre of mass and inertia of a link; what is not given stays."""
    from sdfviewer.formats.mass import resolve_inertial

    if mass is None and center_of_mass is None and inertia is None:
        raise InvalidValueError("give a mass, a center_of_mass or an inertia")
    model, name = on.model, on.model.names[link]
    present = resolve_inertial(model, link)
    if present is not None and present.auto:
        raise EditError(f"the inertia of link '{name}' is automatic; set its property 'inertial@auto' to None first")
    X_LI = np.eye(4) if present is None else present.X_LI
    _require_possible(present, mass, inertia)
    values: dict[str, object] = {}
    if mass is not None:
        values["inertial/mass"] = mass
    if center_of_mass is not None:
        values["inertial/pose"] = [*center_of_mass, *transforms.written_numbers_of(X_LI)[3:]]
    if inertia is not None:
        moments = X_LI[:3, :3].T @ inertia @ X_LI[:3, :3]
        for first, second in ("xx", "yy", "zz", "xy", "xz", "yz"):
            values[f"inertial/inertia/i{first}{second}"] = float(moments["xyz".index(first), "xyz".index(second)])
    draft = _set_properties(ModelDraft(model, on.loader), name, values)
    return draft.edit(f"Set inertial of {model.local_names[link]}")


def _require_possible(present: Inertial | None, mass: float | None, inertia: Array | None) -> None:
    """Refuse a mass or an inertia that no body has; what is not given may be wrong already.

    Raises
    ------
    InvalidValueError
        With the reason.
    """
    if mass is not None and mass < 0:
        raise InvalidValueError(f"no link has a mass of {mass:g} kg: a mass must not be negative")
    if inertia is not None:
        xx, yy, zz, xy, xz, yz = (float(inertia[at]) for at in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        if why := impossibility(0.0 if present is None else max(present.mass, 0.0), (xx, yy, zz, xy, xz, yz)):
            raise InvalidValueError(f"no link has this inertia: {why}")


DENSITY = Parameter("density", NumberType(), "in kg/m³, for shapes that have none of their own", default=WATER)


@operation(
    "Compute inertials",
    Parameter("links", FramesType((Kind.LINK,)), "the links, all by default", default=()),
    DENSITY,
    Parameter("total_mass", NumberType("kg"), "of all of them together, in place of the density", default=None),
    command=EditOption("compute-inertials"),
)
def compute_inertials(on: EditContext, links: Sequence[int], density: float, total_mass: float | None) -> Edit:
    """Compute the inertials of links from their collisions, or from their visuals where they have none.

    Links without a shape that has a volume are left alone.
    """
    from sdfviewer.refactoring import inertia

    model = on.model
    rows = links or [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK]
    if len(rows) == 1:
        body = inertia.computed_body(model, rows[0], density, total_mass, on.mesh_body)
        return inertia.set_inertial(model, rows[0], body)
    return inertia.set_inertials(model, rows, density, total_mass, on.mesh_body)


# --- plugins ------------------------------------------------------------------------------------------------------


@operation(
    "Set plugin parameter",
    Parameter("thing", FrameType(), "the model, world, sensor or visual that has the plugin"),
    Parameter("path", TextType("a path"), "tags from the plugin downwards, wheel[2]/@link_name"),
    Parameter("value", ValueType(), "what is written; None takes it out, so that the default holds"),
    Parameter("plugin", TextType(), "its name, class, library or number; where it has one, that", default=""),
    command=EditOption(
        "set-plugin-parameter",
        "FRAME/PATH=VALUE",
        ("thing", "path", "value"),
        "set a parameter of a plugin, such as robot/wheel_radius=12cm",
    ),
)
def set_plugin_parameter(on: EditContext, thing: int, path: str, value: str | TypedValue | None, plugin: str) -> Edit:
    """Write a parameter of a plugin, checked against the catalogue of plugins; an unknown plugin takes any text."""
    element = plugin_parameters.find_plugin(on.model, thing, plugin)
    text = value if not isinstance(value, TypedValue) else None
    if isinstance(value, TypedValue):
        text = plugin_parameters.evaluated(plugin_parameters.parameter_at(element, path), value.text)
    return plugin_parameters.set_plugin_parameter(on.model, thing, element, path, text)


# --- included models ----------------------------------------------------------------------------------------------


def why_not_overridden(model: Model, rows: Sequence[int]) -> str | None:
    """Return why the pose of what is selected cannot be overridden."""
    from sdfviewer.refactoring.composition.overriding import why_not_overridden as why

    return SELECT_FIRST if not rows else why(model, rows[-1])


def _present(model: Model, rows: Sequence[int]) -> object:
    """Return the pose that holds now, in metres and radians."""
    return pose_numbers(model.raw_poses[rows[-1]]) if rows else None


@operation(
    "Override pose",
    Parameter("frame", FrameType(), "what is in an included model"),
    Parameter("pose", PoseType(), "x y z roll pitch yaw, measured as in the included file", suggest=_present),
    refusal=why_not_overridden,
    menu=MenuEntry(
        "edit.override_pose",
        "Edit",
        "Override in the Include…",
        "Ctrl+K, Shift+O",
        "mdi6.file-replace-outline",
        "Give something in an included model another pose here, without a change to its file",
        words="experimental params include modify parameter passing",
    ),
    command=EditOption("override-pose", 'FRAME="X Y Z R P Y"', ("frame", "pose")),
)
def override_pose(on: EditContext, frame: int, pose: Array) -> Edit:
    """Give something in an included model another pose, by `<experimental:params>` of the include.

    The included file stays as it is, and so do its other users.
    """
    from sdfviewer.refactoring.composition import overriding

    return overriding.override_pose(on.model, frame, format_numbers(pose_numbers(pose)))


@operation(
    "Change an override",
    Parameter("include", FrameType(), "the include"),
    Parameter("path", TextType("a path"), "what it changes: names and tags, left::tool/pose; @name for an attribute"),
    Parameter("value", ValueType(), "its value here; None takes the change out, so that the included file counts"),
    command=EditOption(
        "set-override", "INCLUDE/PATH=VALUE", ("include", "path", "value"), "change what an include overrides"
    ),
)
def set_override(on: EditContext, include: int, path: str, value: str | TypedValue | None) -> Edit:
    """Give what an include changes by `<experimental:params>` another value, or take the change out."""
    from sdfviewer.refactoring.composition import overrides

    return overrides.set_override(on.model, include, path, value.text if isinstance(value, TypedValue) else value)
