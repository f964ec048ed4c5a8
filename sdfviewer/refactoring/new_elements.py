"""Write new elements: their XML from what a form, a command or a program says, and the pairs of links of an SRDF."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit, format_attribute, in_steps, insert_child, xml_lines
from sdfviewer.formats.registry import writing_of
from sdfviewer.formats.srdf import DisabledPair, Semantics, is_semantic, read_semantics
from sdfviewer.formats.urdf.elements import gazebo_lines
from sdfviewer.model.contents import MOMENTS
from sdfviewer.model.joints import LIMITS
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import SHAPES
from sdfviewer.model.values import parse_numbers
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.properties.catalogue import shapes, version_of
from sdfviewer.validation.content_rules import LIGHT_TYPES
from sdfviewer.versions import format_version

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
#: The directions of the axes that a new joint starts with; ball and fixed joints have none to choose.
NEW_AXES: dict[str, tuple[str, ...]] = {
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
    return in_steps(model.document, element_lines(model, owner, tag, fields))


def element_lines(model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> list[str]:
    """Return the lines of a new element, each level indented by two blanks; see :func:`element_xml`.

    ``content`` of a link or model is what is in it, in such lines.
    """
    writing = writing_of(model, owner)
    if writing.places(model, owner) is None:
        return _WRITERS[tag](model, owner, fields)
    if (why := writing.why_not_new(model, tag, fields)) is not None:
        raise RefactoringError(why)
    lines = writing.new_lines(model, owner, tag, fields)
    if lines is None:  # it is written in SDFormat, in an element about what it is on
        reference = "" if owner == 0 else model.elements[owner].attributes.get("name", "")
        return gazebo_lines(reference, _WRITERS[tag](model, owner, fields))
    return lines


def _given(**values: str) -> dict[str, str]:
    """Return the attributes that are not empty."""
    return {name: value for name, value in values.items() if value}


def _texts(texts: Mapping[str, str]) -> list[str]:
    """Return the lines of elements with a text each."""
    return [line for tag, text in texts.items() for line in xml_lines(tag, None, text)]


def _pose(given: Mapping[str, str]) -> list[str]:
    """Return the line of a pose, none where there is nothing to say."""
    text, attributes = given.get("pose", ""), _given(relative_to=given.get("relative_to", ""))
    numbers = parse_numbers(text) if text else ()
    if numbers is None or len(numbers) not in (0, 6):
        raise RefactoringError("a pose needs 6 numbers: x y z roll pitch yaw")
    if not any(numbers):
        return xml_lines("pose", attributes) if attributes else []
    return xml_lines("pose", attributes, " ".join(text.split()))


def _content(given: Mapping[str, str], otherwise: str = "") -> list[str]:
    return given.get("content", otherwise).splitlines()


def _link(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    return xml_lines("link", _given(name=given["name"]), [*_pose(given), *_content(given)])


def _frame(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    attributes = _given(name=given["name"], attached_to=given.get("attached_to", ""))
    return xml_lines("frame", attributes, _pose(given))


def _joint(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    missing = [end for end in ("parent", "child") if not given.get(end)]
    if missing:
        raise RefactoringError(f"a joint needs {' and '.join(f'a {end}' for end in missing)}")
    kind = given.get("type", "revolute")
    if kind not in JOINT_TYPES:
        raise RefactoringError(f"'{kind}' is not a joint type; it must be one of: {', '.join(JOINT_TYPES)}")
    axes = list(NEW_AXES.get(kind, ("0 0 1",)))
    if axes and given.get("axis"):
        axes[0] = given["axis"]
    lines = [*_pose(given), *_texts({end: given[end] for end in ("parent", "child")})]
    limits = _texts({tag: given[tag] for tag in LIMITS if given.get(tag)})
    for tag, xyz in zip(("axis", "axis2"), axes, strict=False):
        limit = xml_lines("limit", None, limits) if limits and tag == "axis" else []
        lines += xml_lines(tag, None, [*_texts({"xyz": xyz}), *limit])
    return xml_lines("joint", _given(name=given["name"], type=kind), lines)


def _shaped(tag: str) -> Callable[[Model, int, Mapping[str, str]], list[str]]:
    def write(model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
        shape, version = given.get("shape", "mesh" if given.get("uri") else "box"), version_of(model)
        if shape not in shapes(version):
            raise RefactoringError(f"SDFormat {format_version(version)} has no shape '{shape}'")
        has_uri = shape == "mesh" and given.get("uri")
        content = _texts({"uri": given["uri"]}) if has_uri else SHAPES[shape].new_content().splitlines()
        if shape == "mesh" and given.get("scale"):
            content += _texts({"scale": given["scale"]})
        if given.get("dimensions"):
            content = given["dimensions"].splitlines()
        lines = xml_lines("geometry", None, xml_lines(shape, None, content))
        if color := given.get("color"):
            lines += xml_lines("material", None, _texts(dict.fromkeys(("ambient", "diffuse"), color)))
        return xml_lines(tag, _given(name=given["name"]), [*_pose(given), *lines])

    return write


def _inertial(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    numbers = given.get("moments", "0.01 0.01 0.01 0 0 0").split()
    moments = {
        name: number
        for name, number in zip(MOMENTS, numbers, strict=True)
        if name in ("ixx", "iyy", "izz") or float(number) != 0
    }
    inertia = xml_lines("inertia", None, _texts(moments))
    return xml_lines("inertial", None, [*_pose(given), *_texts({"mass": given.get("mass", "1")}), *inertia])


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
        content = xml_lines("contact", None, _texts({"collision": collision.attributes.get("name", "")}))
    lines = [*_pose(given), *_texts({"update_rate": "30"}), *content]
    return xml_lines("sensor", _given(name=given["name"], type=kind), lines)


def _light(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    kind = given.get("type", "point")
    if kind not in LIGHT_TYPES:
        raise RefactoringError(f"'{kind}' is not a light type; it must be one of: {', '.join(LIGHT_TYPES)}")
    lines = _texts({"diffuse": "1 1 1 1", "specular": "0.1 0.1 0.1 1"})
    if kind != "point":
        lines += _texts({"direction": "0 0 -1"})
    if kind == "spot":
        lines += xml_lines("spot", None, _texts({"inner_angle": "0.5", "outer_angle": "0.8", "falloff": "1"}))
    return xml_lines("light", _given(name=given["name"], type=kind), [*_pose(given), *lines])


def _plugin(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    if not given.get("filename"):
        raise RefactoringError("a plugin needs the name of its library")
    return xml_lines("plugin", _given(filename=given["filename"], name=given["name"]), _content(given))


def _nested_model(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    return xml_lines("model", _given(name=given["name"]), [*_pose(given), *_content(given, '<link name="link"/>')])


def _include(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    uri = given.get("uri") or f"model://{given['name']}"
    return xml_lines("include", None, [*_texts({"uri": uri, "name": given["name"]}), *_pose(given)])


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


def disable_collisions(document: Document, pairs: Sequence[tuple[str, str, str]]) -> Edit:
    """Return the edit that adds pairs of links to those that an SRDF disables; what is written in it stays.

    Parameters
    ----------
    document
        The SRDF.
    pairs
        Two links, and the reason: ``Adjacent``, ``Never``, ``Default`` or ``Always``. Those that are in the file
        already, in either order, are left out.

    Raises
    ------
    RefactoringError
        If the document is no SRDF.
    """
    if document.root is None or not (is_semantic(document) or not document.root.children):
        raise RefactoringError(f"{document.name} is not an SRDF file")
    semantics = read_semantics(document)
    known = {pair.links for pair in semantics.disabled}
    new = [each for each in pairs if frozenset(each[:2]) not in known]
    lines = (
        f"<disable_collisions {format_attribute('link1', first)} {format_attribute('link2', second)} "
        f"{format_attribute('reason', reason)}/>"
        for first, second, reason in new
    )
    children = semantics.root.children
    last = semantics.disabled[-1].element if semantics.disabled else None
    after = children.index(last) + 1 if last is not None else len(children)
    before = children[after] if after < len(children) else None
    edits = insert_child(document, semantics.root, "\n".join(lines), before) if new else ()
    return Edit(f"Disable {counted(len(new), 'pair')} of links", document, edits)


def new_semantics(robot: str, path: Path | None = None) -> Document:
    """Return an SRDF of a robot that says nothing yet, for a file."""
    return parse_document(f'<?xml version="1.0"?>\n<robot {format_attribute("name", robot)}>\n</robot>\n', path)


def wrongly_disabled(semantics: Semantics, colliding: Sequence[tuple[str, str]]) -> list[DisabledPair]:
    """Return the pairs that an SRDF disables because they never collide, though they are among those that do."""
    found = {frozenset(pair) for pair in colliding}
    return [pair for pair in semantics.disabled if pair.reason == "Never" and pair.links in found]
