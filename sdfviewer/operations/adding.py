"""Operations that add an element to a model or world, a link or a joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sdfviewer.document.edits import Edit
from sdfviewer.files.uris import AssetKind, UriForm, unread_by_drake, uri_of
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.values import format_number, format_numbers
from sdfviewer.number_expression import parse_number
from sdfviewer.operations.declaration import (
    EditContext,
    EditOption,
    MenuEntry,
    Outcome,
    Parameter,
    ParameterType,
    operation,
)
from sdfviewer.operations.parameters import (
    URIS,
    ColourType,
    FramesType,
    FrameType,
    GeometryType,
    GivenGeometry,
    NumbersType,
    NumberType,
    PoseType,
    SwitchType,
    TargetType,
    TextType,
    finite,
    pose_numbers,
)
from sdfviewer.operations.properties import DENSITY, set_geometry, shape_fields
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import EditError
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.refactoring.composition.moved_uris import FileCopy

_FORM = "TAG[:NAME]"
_SCOPES = (Kind.MODEL, Kind.WORLD)
_POSE = Parameter(
    "pose",
    PoseType(may_be_short=True),
    "its pose, x y z roll pitch yaw; units such as 12mm and 45deg are allowed",
    default=None,
)


def _menu(tag: str, text: str, keys: str, icon: str, tip: str) -> MenuEntry:
    """Return the menu entry of what adds an element."""
    return MenuEntry(f"edit.add_{tag}", "Edit/Add", text, keys, icon, tip, section=tag == "link")


def _in(name: str, *kinds: Kind, required: bool = False) -> Parameter:
    """Return the parameter for what is to hold the new element."""
    what = " or ".join(map(str, kinds))
    if required:
        return Parameter(name, FrameType(), f"the {what} that holds it", option="in")
    return Parameter(name, FrameType(), f"the {what} that holds it, the top one by default", default=None, option="in")


def _relative_to(owner: str) -> Parameter:
    return Parameter(
        "relative_to", TargetType("relative_to", owner=owner), "the frame that the pose is measured from", default=None
    )


def _added(on: EditContext, owner: int | None, tag: str, name: str | None, **fields: object) -> Edit:
    """Return the edit that adds an element; fields that are None are not written."""
    from sdfviewer.refactoring.adding import insert_member

    written = {key: _written(value) for key, value in fields.items() if value is not None}
    return insert_member(on.model, _owner(on.model, owner, tag), tag, name, **written)


def _owner(model: Model, owner: int | None, tag: str) -> int:
    if owner is not None:
        return owner
    if model.is_world and tag in ("link", "joint"):
        models = [name for name, kind in zip(model.names, model.kinds, strict=True) if kind is Kind.MODEL]
        known = ", ".join(models[:8]) or "there is none"
        raise EditError(f"choose the model of the world to which the {tag} is added: {known}")
    return 0


def _written(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return format_number(value)
    numbers: Any = value
    return format_numbers(pose_numbers(numbers) if hasattr(numbers, "shape") else numbers)


# --- links and joints ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LimitType(ParameterType):
    """A limit of a joint: of its position, in the unit of its type, or a number that has a unit of its own.

    Attributes
    ----------
    has_unit
        Whether it is a position.
    of
        The parameter that is the type of the joint.
    """

    has_unit: bool = True
    of: str = "type"

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": ["number", "string"]}

    @property
    def expects(self) -> str:
        return "a number, in metres or radians" if self.has_unit else "a number"

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> float:
        if isinstance(value, str):
            unit = "" if not self.has_unit else "m" if before.get(self.of) == "prismatic" else "rad"
            try:
                return parse_number(value, unit)
            except ValueError as error:
                raise EditError(f"{name} {value}: {error}") from None
        return float(finite([value], 1, name)[0])  # type: ignore[arg-type]  # it is checked


def _axis_and_limits(of: str) -> tuple[Parameter, ...]:
    """Return the parameters of the axis of a joint, of which another parameter is the type."""
    lower = "its lower limit: -90deg, 40mm; write --lower=-1 for negative numbers"
    return (
        Parameter("axis", NumbersType(("", "", "")), "the direction x y z of its axis", default=None),
        Parameter("lower", LimitType(of=of), lower, default=None),
        Parameter("upper", LimitType(of=of), "its upper limit", default=None),
        Parameter("effort", LimitType(has_unit=False), "its limit in N or N m", default=None),
        Parameter("velocity", LimitType(has_unit=False), "its limit in m/s or rad/s", default=None),
    )


@operation(
    "Add link",
    Parameter("name", TextType(), "its name"),
    _in("parent", *_SCOPES),
    _POSE,
    _relative_to("parent"),
    Parameter(
        "geometry",
        GeometryType(),
        "the shape of its visual and its collision, from which its inertial is computed",
        default=None,
        option="shape",
    ),
    Parameter(
        "shape_pose",
        PoseType(may_be_short=True),
        "where visual, collision and inertial are in the link; by default the shape rests on its origin, and on a "
        "continuous joint its middle and its z axis are on the axis",
        default=None,
    ),
    DENSITY,
    Parameter("mass", NumberType("kg"), "in place of what the density gives", default=None),
    Parameter("color", ColourType(), "of its visual: grey, #336699 or red green blue between 0 and 1", default=None),
    Parameter(
        "joined_to",
        TargetType("parent", owner="parent"),
        "what a joint connects it to; the pose is that of the joint then",
        default=None,
        option="parent",
    ),
    Parameter("joint_type", TextType(), "the type of that joint", default="fixed", option="type"),
    Parameter("joint_name", TextType(), "its name; a free one by default", default=None),
    *_axis_and_limits("joint_type"),
    menu=_menu("link", "Link…", "Ctrl+K, L", "mdi6.cube-outline", "Add a link"),
    command=EditOption("add", _FORM, ("name",), word="link"),
)
def add_link(
    on: EditContext,
    name: str | None,
    parent: int | None,
    pose: Array | None,
    relative_to: str | None,
    geometry: GivenGeometry | None,
    shape_pose: Array | None,
    density: float,
    mass: float | None,
    color: tuple[float, ...] | None,
    joined_to: str | None,
    joint_type: str,
    joint_name: str | None,
    **axis: Any,
) -> Edit:
    """Add a link to a model, the top one by default, and what belongs to it.

    A link with a shape gets a visual and a collision, which rest on its origin, and an inertial. A link that turns
    without end, as wheels and rotors do, has its shape on the axis. A link with a mass and
    without a shape gets the inertial of a ball. A link that is joined to a frame gets a joint, which has the pose and
    the limits that are given.
    """
    from sdfviewer.refactoring.adding import free_name
    from sdfviewer.refactoring.new_parts import ENDLESS, NewJoint, NewShape, NewSolid, insert_link, usual_pose

    model, owner = on.model, _owner(on.model, parent, "link")
    name = name or free_name(model, owner, "link")
    solid = joint = None
    if geometry is not None or mass is not None:
        shape = None if geometry is None else NewShape.of(geometry)
        turns = joined_to is not None and joint_type in ENDLESS
        around = (axis.get("axis") or (0.0, 0.0, 1.0)) if turns else None
        numbers = usual_pose(shape, around) if shape_pose is None else pose_numbers(shape_pose)
        written = "" if color is None else format_numbers(color)
        solid = NewSolid(shape, format_numbers(numbers) if any(numbers) else "", density, mass, written)
    if joined_to is not None:
        fields = {key: _written(value) for key, value in axis.items() if value is not None}
        joint_name = joint_name or free_name(model, owner, f"{name}_joint")
        joint = NewJoint(joint_name, joint_type, joined_to, fields)
    written = "" if pose is None else _written(pose)
    return insert_link(model, owner, name, pose=written, relative_to=relative_to or "", solid=solid, joint=joint)


@operation(
    "Add joint",
    Parameter("name", TextType(), "its name"),
    Parameter("type", TextType(), f"its type: {', '.join(JOINT_TYPES)}"),
    Parameter("parent", TargetType("parent", owner="model"), "its parent frame; may be world"),
    Parameter("child", TargetType("child", owner="model"), "its child frame"),
    _in("model", *_SCOPES),
    _POSE,
    _relative_to("model"),
    *_axis_and_limits("type"),
    menu=_menu("joint", "Joint…", "Ctrl+K, J", "mdi6.rotate-3d-variant", "Add a joint between two frames"),
    command=EditOption("add", _FORM, ("name",), word="joint"),
)
def add_joint(
    on: EditContext,
    name: str | None,
    type: str | None,
    parent: str | None,
    child: str | None,
    model: int | None,
    pose: Array | None,
    relative_to: str | None,
    axis: Sequence[float] | None,
    lower: float | None,
    upper: float | None,
    effort: float | None,
    velocity: float | None,
) -> Edit:
    """Add a joint between two frames to a model or world, the top one by default."""
    limits = {"lower": lower, "upper": upper, "effort": effort, "velocity": velocity}
    ends = {"parent": parent, "child": child}
    return _added(on, model, "joint", name, type=type, **ends, pose=pose, relative_to=relative_to, axis=axis, **limits)


# --- frames, models, includes --------------------------------------------------------------------------------------


@operation(
    "Add frame",
    Parameter("name", TextType(), "its name"),
    Parameter("attached_to", TargetType("attached_to", owner="parent"), "the frame that it moves with", default=None),
    _relative_to("parent"),
    _POSE,
    _in("parent", *_SCOPES),
    menu=_menu("frame", "Frame…", "Ctrl+K, F", "mdi6.axis-arrow", "Add a frame"),
    command=EditOption("add", _FORM, ("name",), word="frame"),
)
def add_frame(
    on: EditContext,
    name: str | None,
    attached_to: str | None,
    relative_to: str | None,
    pose: Array | None,
    parent: int | None,
) -> Edit:
    """Add a `<frame>` to a model or world, the top one by default; its pose is measured from `attached_to`."""
    return _added(on, parent, "frame", name, attached_to=attached_to, pose=pose, relative_to=relative_to)


@operation(
    "Add model",
    Parameter("name", TextType(), "its name"),
    _in("parent", *_SCOPES),
    _POSE,
    _relative_to("parent"),
    Parameter(
        "geometry",
        GeometryType(),
        "the shape of its link, at the origin of that; none by default",
        default=None,
        option="shape",
    ),
    menu=_menu("model", "Nested Model…", "Ctrl+K, M", "mdi6.hexagon-outline", "Add a model to a model or world"),
    command=EditOption("add", _FORM, ("name",), word="model"),
)
def add_model(
    on: EditContext,
    name: str | None,
    parent: int | None,
    pose: Array | None,
    relative_to: str | None,
    geometry: GivenGeometry | None,
) -> Edit:
    """Add a nested model with one link to a model or world, the top one by default."""
    from sdfviewer.refactoring.new_parts import NewShape, NewSolid, link_content

    content = None if geometry is None else link_content(on.model, parent or 0, NewSolid(NewShape.of(geometry)))
    return _added(on, parent, "model", name, pose=pose, relative_to=relative_to, content=content)


@operation(
    "Add include",
    Parameter("uri", TextType(), "the model that is included"),
    Parameter("name", TextType(), "its name; by default that of the file", default=None),
    _in("parent", *_SCOPES),
    _POSE,
    _relative_to("parent"),
    URIS,
    menu=_menu("include", "Include…", "Ctrl+K, I", "mdi6.file-import-outline", "Include a model from another file"),
    command=EditOption("add", _FORM, ("name",), word="include"),
)
def add_include(
    on: EditContext,
    uri: str | None,
    name: str | None,
    parent: int | None,
    pose: Array | None,
    relative_to: str | None,
    uris: UriForm | None,
) -> Outcome:
    """Include a model in a model or world, the top one by default.

    In a text that has no file yet, a path is written whole: it would be found from the working directory otherwise.
    """
    from sdfviewer.refactoring.adding import name_of_included

    if not name and uri:
        name = name_of_included(on.model, _owner(on.model, parent, "include"), uri)
    copy, written = _named(on, AssetKind.INCLUDE, uri, uris) if uri else (None, uri)
    edit = _added(on, parent, "include", name, uri=written, pose=pose, relative_to=relative_to)
    note = unread_by_drake(written) if written else ""
    return Outcome(replace(edit, notes=(*edit.notes, note) if note else edit.notes), copies=(copy,) if copy else ())


def _named(on: EditContext, kind: AssetKind, uri: str, form: UriForm | None) -> tuple[FileCopy | None, str]:
    """Return how a model or mesh that a URI leads to is named: in a form, or as it is given; and what is copied."""
    document, finder = on.document.path, on.loader.finder
    found = finder.find(uri, document)
    if form is None and (found.path is None or found.working_directory is None):
        return None, uri
    if found.path is None:
        raise EditError(f"'{uri}' is not found, so that it cannot be named otherwise; correct it, or leave out uris")
    if form != "copied":
        return None, uri_of(found.path, document, finder, form=form, is_model=kind is AssetKind.INCLUDE)
    if document is None:
        raise EditError("save the document first: what it names is copied beside its file")
    from sdfviewer.refactoring.composition.moved_uris import copied

    copy = copied(kind, found.path, document, document.absolute().parent)
    return (copy if copy.target != found.path else None), copy.uri


# --- what is in a link ---------------------------------------------------------------------------------------------

_SHAPED = (
    _in("link", Kind.LINK, required=True),
    Parameter("name", TextType(), "its name; a free one by default", default=None),
    Parameter(
        "geometry", GeometryType(), "its shape, or the name of one for a usual size", default="box", option="shape"
    ),
    _POSE,
    URIS,
)


def _with_named_mesh(
    on: EditContext, geometry: GivenGeometry, form: UriForm | None
) -> tuple[tuple[FileCopy, ...], GivenGeometry]:
    """Return a shape, a mesh with its file named in a form, and what is copied for that."""
    from sdfviewer.refactoring.new_parts import NewMesh

    if not isinstance(geometry, (Mesh, NewMesh)) or not geometry.uri:
        return (), geometry
    copy, uri = _named(on, AssetKind.MESH, geometry.uri, form)
    return (copy,) if copy else (), replace(geometry, uri=uri)


def _shaped(
    on: EditContext, link: int, tag: str, name: str | None, geometry: GivenGeometry, pose: Array | None
) -> Edit:
    """Return the edit that adds a visual or collision."""
    edit = _added(on, link, tag, name, pose=pose, **shape_fields(geometry))
    if not isinstance(geometry, Geometry):
        return edit
    draft = ModelDraft(on.model, on.loader)
    draft.make(edit)
    arguments = {"part": edit.added[0], "geometry": geometry}
    draft.make(set_geometry.perform(EditContext(draft.model, on.loader), arguments).edit)
    return draft.edit(edit.label)


@operation(
    "Add visual",
    *_SHAPED,
    Parameter("with_collision", SwitchType(), "also add a collision of the same shape", default=False),
    menu=_menu("visual", "Visual…", "Ctrl+K, V", "mdi6.eye-outline", "Add a visual to a link"),
    command=EditOption("add", _FORM, ("name",), word="visual"),
)
def add_visual(
    on: EditContext,
    link: int,
    name: str | None,
    geometry: GivenGeometry,
    pose: Array | None,
    uris: UriForm | None,
    with_collision: bool,
) -> Outcome:
    """Add a visual to a link, and where that is asked for a collision."""
    copies, geometry = _with_named_mesh(on, geometry, uris)
    return Outcome(_visual(on, link, name, geometry, pose, with_collision=with_collision), copies=copies)


def _visual(
    on: EditContext,
    link: int,
    name: str | None,
    geometry: GivenGeometry,
    pose: Array | None,
    *,
    with_collision: bool,
) -> Edit:
    """Return the edit that adds a visual, and where that is asked for a collision."""
    from sdfviewer.refactoring.adding import free_name
    from sdfviewer.refactoring.new_parts import name_of_collision, put_pair

    if not with_collision:
        return _shaped(on, link, "visual", name, geometry, pose)
    model = on.model
    name = name or free_name(model, link, "visual")
    if not isinstance(geometry, Geometry):
        fields = {**shape_fields(geometry), "pose": "" if pose is None else _written(pose)}
        return put_pair(model, link, name, fields)
    draft = ModelDraft(model, on.loader)
    draft.make(_shaped(on, link, "visual", name, geometry, pose))
    inside = EditContext(draft.model, on.loader)
    owner = draft.model.row(model.names[link])
    draft.make(_shaped(inside, owner, "collision", name_of_collision(model, link, name), geometry, pose))
    return draft.edit(draft.labels[0])


@operation(
    "Add collision",
    *_SHAPED,
    menu=_menu("collision", "Collision…", "Ctrl+K, C", "mdi6.shield-outline", "Add a collision to a link"),
    command=EditOption("add", _FORM, ("name",), word="collision"),
)
def add_collision(
    on: EditContext,
    link: int,
    name: str | None,
    geometry: GivenGeometry,
    pose: Array | None,
    uris: UriForm | None,
) -> Outcome:
    """Add a collision to a link."""
    copies, geometry = _with_named_mesh(on, geometry, uris)
    return Outcome(_shaped(on, link, "collision", name, geometry, pose), copies=copies)


@operation(
    "Add inertial",
    _in("link", Kind.LINK, required=True),
    DENSITY,
    Parameter("mass", NumberType("kg"), "its mass, in place of the density", default=None),
    menu=_menu(
        "inertial", "Inertial…", "Ctrl+K, B", "mdi6.weight", "Add mass and inertia to a link, computed from its shapes"
    ),
    command=EditOption("add", "inertial", (), word="inertial"),
)
def add_inertial(on: EditContext, link: int, density: float, mass: float | None) -> Edit:
    """Add mass and inertia to a link that has none, computed from its shapes."""
    from sdfviewer.refactoring.adding import insert_member, require_place
    from sdfviewer.refactoring.inertia import computed_body, inertial_fields

    require_place(on.model, link, "inertial")
    body = computed_body(on.model, link, density, mass, on.mesh_body)
    return insert_member(on.model, link, "inertial", None, **inertial_fields(body))


# --- sensors, lights, plugins --------------------------------------------------------------------------------------


@operation(
    "Add sensor",
    _in("parent", Kind.LINK, Kind.JOINT, required=True),
    Parameter("type", TextType(), "its type: camera, gpu_lidar, imu, force_torque ..."),
    Parameter("name", TextType(), "its name; a free one by default", default=None),
    _POSE,
    menu=_menu("sensor", "Sensor…", "Ctrl+K, Z", "mdi6.access-point", "Add a sensor to a link or joint"),
    command=EditOption("add", _FORM, ("name",), word="sensor"),
)
def add_sensor(on: EditContext, parent: int, type: str | None, name: str | None, pose: Array | None) -> Edit:
    """Add a sensor to a link or joint."""
    return _added(on, parent, "sensor", name, type=type, pose=pose)


@operation(
    "Add light",
    _in("parent", Kind.LINK, Kind.WORLD, required=True),
    Parameter("type", TextType(), "its type: point, spot or directional", default="point"),
    Parameter("name", TextType(), "its name; a free one by default", default=None),
    _POSE,
    menu=_menu("light", "Light…", "Ctrl+K, G", "mdi6.lightbulb-outline", "Add a light to a link or world"),
    command=EditOption("add", _FORM, ("name",), word="light"),
)
def add_light(on: EditContext, parent: int, type: str, name: str | None, pose: Array | None) -> Edit:
    """Add a light to a link or a world."""
    return _added(on, parent, "light", name, type=type, pose=pose)


@operation(
    "Add plugin",
    _in("parent", Kind.MODEL, Kind.WORLD, Kind.SENSOR, Kind.VISUAL, required=True),
    Parameter("filename", TextType(), "its library"),
    Parameter("name", TextType(), "its name"),
    Parameter("of", FramesType(), "the joints or links that it is about; with several a plugin for each", default=()),
    menu=_menu(
        "plugin", "Plugin…", "Ctrl+K, K", "mdi6.puzzle-outline", "Add a plugin to a model, world, sensor or visual"
    ),
    command=EditOption("add", _FORM, ("name",), word="plugin"),
)
def add_plugin(on: EditContext, parent: int, filename: str | None, name: str | None, of: Sequence[int]) -> Edit:
    """Add a plugin to a model, world, sensor or visual.

    Without a name it is called as the class in its library is, where that is known. What it cannot do without is
    written where the model gives it: joints whose names have the words of a parameter, such as left and right, the
    joints and links that it is about, the separation and the radius of the wheels between these joints. Of the motors
    of several rotors, neighbours turn in opposite directions.
    """
    from sdfviewer.model.plugin_catalogue import known_plugin
    from sdfviewer.refactoring.properties.plugin_parameters import Filled, fill_plugins, plugin_lines

    known = known_plugin(filename) if filename else None
    if not name and known is not None and known.names:
        name = known.names[0]

    def add(model: Model, filled: Filled) -> Edit:
        given = {"filename": filename, "content": "\n".join(plugin_lines(filled)) or None}
        return replace(_added(EditContext(model, on.loader), parent, "plugin", name, **given), notes=filled.notes)

    plugins = [Filled()] if known is None else fill_plugins(on.model, parent, known, of)
    if len(plugins) == 1:  # a form asks at each key, and what the file means after this edit is not needed
        return add(on.model, plugins[0])
    draft = ModelDraft(on.model, on.loader)
    for filled in plugins:
        draft.make(add(draft.model, filled))
    return draft.edit()
