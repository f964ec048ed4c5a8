"""Write new elements: their XML from what a form, a command or a program says about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sdfviewer.document.edits import indentation_step
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.registry import writing_of
from sdfviewer.formats.urdf.new_elements import gazebo_lines
from sdfviewer.model.contents import MOMENTS
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import SHAPES
from sdfviewer.model.values import parse_numbers
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.properties.catalogue import shapes, version_of
from sdfviewer.versions import format_version

LIGHT_TYPES = ("point", "spot", "directional")
SENSOR_TYPES = {
    Kind.LINK: (
        "camera",
        "depth_camera",
        "rgbd_camera",
        "gpu_lidar",
        "imu",
        "contact",
        "altimeter",
        "magnetometer",
        "navsat",
        "air_pressure",
    ),
    Kind.JOINT: ("force_torque",),
}
#: What limits the first axis of a joint, in the order in which it is written.
LIMITS = ("lower", "upper", "effort", "velocity")
#: The directions of the axes that a new joint starts with; ball and fixed joints have none to choose.
_NEW_AXES: dict[str, tuple[str, ...]] = {
    "ball": (),
    "fixed": (),
    "gearbox": ("0 0 1", "0 0 1"),
    "revolute2": ("0 0 1", "1 0 0"),
    "universal": ("1 0 0", "0 1 0"),
}


def element_xml(model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> str:
    """Return the XML of a new element with the indentation steps of the file.

    Parameters
    ----------
    owner
        Row of the thing that is to hold it.
    tag
        What is written.
    fields
        What is said about it, see :func:`~sdfviewer.refactoring.adding.insert_member`.

    Raises
    ------
    RefactoringError
        If a field cannot be used.
    """
    return as_xml(model, element_lines(model, owner, tag, fields))


def element_lines(model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> list[str]:
    """Return the lines of a new element, each level indented by two blanks; see :func:`element_xml`.

    ``content`` of a link or model is what is in it, in such lines.
    """
    writing = writing_of(model, owner)
    if writing.places(model, owner) is None:
        return "\n".join(_WRITERS[tag](model, owner, fields)).splitlines()
    if (why := writing.why_not_new(model, tag, fields)) is not None:
        raise RefactoringError(why)
    lines = writing.new_lines(model, owner, tag, fields)
    if lines is None:  # it is written in SDFormat, in an element about what it is on
        reference = "" if owner == 0 else model.elements[owner].attributes.get("name", "")
        return gazebo_lines(reference, "\n".join(_WRITERS[tag](model, owner, fields)).splitlines())
    return lines


def as_xml(model: Model, lines: Sequence[str]) -> str:
    """Return such lines with the indentation steps of the file."""
    step = indentation_step(model.document)
    return "\n".join(_indented(line, step) for line in lines)


def _indented(line: str, step: str) -> str:
    """Return a line whose levels of two blanks are steps of the file."""
    content = line.lstrip(" ")
    return step * ((len(line) - len(content)) // 2) + content


def _attributes(**values: str) -> str:
    return "".join(f' {name.rstrip("_")}="{escape(value, chr(34))}"' for name, value in values.items() if value)


def _pose(given: Mapping[str, str]) -> list[str]:
    """Return the line of a pose, none where there is nothing to say."""
    text, relative_to = given.get("pose", ""), given.get("relative_to", "")
    numbers = parse_numbers(text) if text else ()
    if numbers is None or len(numbers) not in (0, 6):
        raise RefactoringError("a pose needs 6 numbers: x y z roll pitch yaw")
    if not any(numbers):
        return [f"  <pose{_attributes(relative_to=relative_to)}/>"] if relative_to else []
    return [f"  <pose{_attributes(relative_to=relative_to)}>{' '.join(text.split())}</pose>"]


def _element(tag: str, attributes: str, content: Sequence[str]) -> list[str]:
    return [f"<{tag}{attributes}>", *content, f"</{tag}>"] if content else [f"<{tag}{attributes}/>"]


def _content(given: Mapping[str, str], otherwise: str = "") -> list[str]:
    return [f"  {line}" for line in given.get("content", otherwise).splitlines()]


def _link(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    return _element("link", _attributes(name=given["name"]), [*_pose(given), *_content(given)])


def _frame(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    attributes = _attributes(name=given["name"], attached_to=given.get("attached_to", ""))
    return _element("frame", attributes, _pose(given))


def _joint(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    missing = [end for end in ("parent", "child") if not given.get(end)]
    if missing:
        raise RefactoringError(f"a joint needs {' and '.join(f'a {end}' for end in missing)}")
    kind = given.get("type", "revolute")
    if kind not in JOINT_TYPES:
        raise RefactoringError(f"'{kind}' is not a joint type; it must be one of: {', '.join(JOINT_TYPES)}")
    axes = list(_NEW_AXES.get(kind, ("0 0 1",)))
    if axes and given.get("axis"):
        axes[0] = given["axis"]
    lines = [f"  <parent>{escape(given['parent'])}</parent>", f"  <child>{escape(given['child'])}</child>"]
    limit = [f"      <{tag}>{escape(given[tag])}</{tag}>" for tag in LIMITS if given.get(tag)]
    limit = ["    <limit>", *limit, "    </limit>"] if limit else []
    for tag, xyz in zip(("axis", "axis2"), axes, strict=False):
        lines += [f"  <{tag}>", f"    <xyz>{escape(xyz)}</xyz>", *limit, f"  </{tag}>"]
        limit = []  # those of the second axis are another matter
    return _element("joint", _attributes(name=given["name"], type=kind), [*_pose(given), *lines])


def _shaped(tag: str) -> Callable[[Model, int, Mapping[str, str]], list[str]]:
    def write(model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
        shape, version = given.get("shape", "mesh" if given.get("uri") else "box"), version_of(model)
        if shape not in shapes(version):
            raise RefactoringError(f"SDFormat {format_version(version)} has no shape '{shape}'")
        has_uri = shape == "mesh" and given.get("uri")
        content = f"<uri>{escape(given['uri'])}</uri>" if has_uri else SHAPES[shape].new_content()
        if shape == "mesh" and given.get("scale"):
            content += f"\n<scale>{escape(given['scale'])}</scale>"
        if given.get("dimensions"):
            content = given["dimensions"]
        geometry = [f"<{shape}>", *(f"  {line}" for line in content.splitlines()), f"</{shape}>"]
        lines = ["  <geometry>", *(f"    {line}" for line in geometry), "  </geometry>"]
        if color := given.get("color"):
            shades = (f"    <{shade}>{escape(color)}</{shade}>" for shade in ("ambient", "diffuse"))
            lines += ["  <material>", *shades, "  </material>"]
        return _element(tag, _attributes(name=given["name"]), [*_pose(given), *lines])

    return write


def _inertial(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    mass = given.get("mass", "1")
    numbers = given.get("moments", "0.01 0.01 0.01 0 0 0").split()
    lines = [
        f"    <{name}>{escape(number)}</{name}>"
        for name, number in zip(MOMENTS, numbers, strict=True)
        if name in ("ixx", "iyy", "izz") or float(number) != 0
    ]
    inner = [*_pose(given), f"  <mass>{escape(mass)}</mass>", "  <inertia>", *lines, "  </inertia>"]
    return _element("inertial", "", inner)


#: What each type of sensor starts with.
_SENSOR_CONTENT: dict[str, tuple[str, ...]] = {
    "camera": (
        "<camera>",
        "  <horizontal_fov>1.047</horizontal_fov>",
        "  <image>",
        "    <width>640</width>",
        "    <height>480</height>",
        "  </image>",
        "  <clip>",
        "    <near>0.1</near>",
        "    <far>100</far>",
        "  </clip>",
        "</camera>",
    ),
    "gpu_lidar": (
        "<lidar>",
        "  <scan>",
        "    <horizontal>",
        "      <samples>640</samples>",
        "      <min_angle>-1.5707963267948966</min_angle>",
        "      <max_angle>1.5707963267948966</max_angle>",
        "    </horizontal>",
        "  </scan>",
        "  <range>",
        "    <min>0.08</min>",
        "    <max>10</max>",
        "  </range>",
        "</lidar>",
    ),
}
_SENSOR_CONTENT["depth_camera"] = _SENSOR_CONTENT["rgbd_camera"] = _SENSOR_CONTENT["camera"]


def _sensor(model: Model, owner: int, given: Mapping[str, str]) -> list[str]:
    kinds = SENSOR_TYPES[model.kinds[owner]]
    kind = given.get("type", kinds[0])
    content = list(_SENSOR_CONTENT.get(kind, ()))
    if kind == "contact":
        collision = model.elements[owner].find("collision")
        if collision is None:
            raise RefactoringError("a contact sensor needs a collision in its link")
        name = escape(collision.attributes.get("name", ""))
        content = ["<contact>", f"  <collision>{name}</collision>", "</contact>"]
    lines = [*_pose(given), "  <update_rate>30</update_rate>", *(f"  {line}" for line in content)]
    return _element("sensor", _attributes(name=given["name"], type=kind), lines)


def _light(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    kind = given.get("type", "point")
    if kind not in LIGHT_TYPES:
        raise RefactoringError(f"'{kind}' is not a light type; it must be one of: {', '.join(LIGHT_TYPES)}")
    lines = ["  <diffuse>1 1 1 1</diffuse>", "  <specular>0.1 0.1 0.1 1</specular>"]
    if kind != "point":
        lines.append("  <direction>0 0 -1</direction>")
    if kind == "spot":
        spot = ["<inner_angle>0.5</inner_angle>", "<outer_angle>0.8</outer_angle>", "<falloff>1</falloff>"]
        lines += ["  <spot>", *(f"    {line}" for line in spot), "  </spot>"]
    return _element("light", _attributes(name=given["name"], type=kind), [*_pose(given), *lines])


def _plugin(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    if not given.get("filename"):
        raise RefactoringError("a plugin needs the name of its library")
    return _element("plugin", _attributes(filename=given["filename"], name=given["name"]), _content(given))


def _nested_model(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    return _element("model", _attributes(name=given["name"]), [*_pose(given), *_content(given, '<link name="link"/>')])


def _include(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    uri = given.get("uri") or f"model://{given['name']}"
    lines = [f"  <uri>{escape(uri)}</uri>", f"  <name>{escape(given['name'])}</name>", *_pose(given)]
    return _element("include", "", lines)


_WRITERS: dict[str, Callable[[Model, int, Mapping[str, str]], list[str]]] = {
    "link": _link,
    "frame": _frame,
    "joint": _joint,
    "visual": _shaped("visual"),
    "collision": _shaped("collision"),
    "inertial": _inertial,
    "sensor": _sensor,
    "light": _light,
    "plugin": _plugin,
    "model": _nested_model,
    "include": _include,
}
