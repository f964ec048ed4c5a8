"""Add and duplicate elements, in the style of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sdfviewer.document.edits import Edit, element_source, indentation_step, insert_child
from sdfviewer.document.element import Element
from sdfviewer.document.tables import table
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.sdformat.members import is_valid_member_name
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among
from sdfviewer.model.references import set_name
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.number_expression import parse_number
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.properties.catalogue import shapes, version_of
from sdfviewer.refactoring.properties.property_values import new_shape
from sdfviewer.versions import FRAME_SEMANTICS, VERSIONS, Version, format_version

#: What can be added to a thing of each kind, the most usual first.
CHILDREN_OF: dict[Kind, tuple[str, ...]] = {
    Kind.WORLD: ("model", "include", "frame", "joint", "light", "plugin"),
    Kind.MODEL: ("link", "joint", "frame", "model", "include", "plugin"),
    Kind.LINK: ("visual", "collision", "inertial", "sensor", "light"),
    Kind.JOINT: ("sensor",),
    Kind.SENSOR: ("plugin",),
    Kind.VISUAL: ("plugin",),
}
#: The path of a thing of each kind in the element tables.
_PATHS = {
    Kind.WORLD: "world",
    Kind.MODEL: "model",
    Kind.LINK: "model/link",
    Kind.JOINT: "model/joint",
    Kind.SENSOR: "model/link/sensor",
    Kind.VISUAL: "model/link/visual",
}
#: Elements that have no name: a thing has one of them.
_UNNAMED = frozenset({"inertial"})
#: Elements that are no frame and cannot be selected.
_NO_ROWS = frozenset({"inertial", "plugin"})

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


# --- where ---------------------------------------------------------------------------------------------------------


def owners_for(model: Model, tag: str) -> list[int]:
    """Return the rows that an element may be added to: what is written in the file itself and can hold it."""
    return [
        row
        for row, kind in enumerate(model.kinds)
        if tag in CHILDREN_OF.get(kind, ()) and model.sources[row] is None and model.elements[row].tag != "include"
    ]


def nearest_owner(model: Model, row: int | None, tag: str) -> int | None:
    """Return the owner of a new element while ``row`` is selected: it, or the nearest one around it that can be.

    Where none around it can be, the link that it moves with, as for a visual at a joint or a frame, or the first one
    inside of it: a visual is added to the first link of the selected model. Otherwise the first one of the file, in a
    world the first one that is not static: the robot and not its ground. None where there is none, or where what is
    selected comes from another file: no other is meant then.
    """
    owners = owners_for(model, tag)
    around = row
    while around is not None and around >= 0:
        if around in owners:
            return around
        around = int(model.owners[around])
    if row is not None and row > 0 and (model.sources[row] is not None or model.elements[row].tag == "include"):
        return None
    if (
        row is not None
        and row > 0
        and int(model.bodies[row]) in owners
        and model.kinds[row] in (Kind.JOINT, Kind.FRAME)
    ):
        return int(model.bodies[row])
    inside = next((each for each in owners if row is not None and row > 0 and _is_inside(model, each, row)), None)
    if inside is not None:
        return inside
    # A world is static itself.
    return next((each for each in owners if each == 0 or not (model.is_world and model.static[each])), None)


def _is_inside(model: Model, row: int, outer: int) -> bool:
    while row > outer:  # what owns a row comes before it
        row = int(model.owners[row])
    return row == outer


def explain_no_owner(model: Model, row: int | None, tag: str) -> str:
    """Return in words why a new element has no owner while ``row`` is selected, and what to do."""
    around = row
    while around is not None and around > 0 and model.sources[around] is not None:
        around = int(model.owners[around])
    if around is not None and around > 0 and model.elements[around].tag == "include":
        what_to_do = f"Open that file to add a {tag} to it, or select a model of this file."
        return f"'{model.names[around]}' is included from another file. {what_to_do}"
    if owners_for(model, tag):
        return f"All models here are static. Select the one to add a {tag} to, or add a model first."
    return f"No element in this file can contain a <{tag}>."


def suggest_fields(model: Model, owner: int, tag: str, selection: Sequence[int]) -> dict[str, str]:
    """Return the fields that the selection suggests for a new element in ``owner``.

    Parameters
    ----------
    selection
        Selected rows, the one selected last at the end.
    """
    prefix = model.member_prefix(owner)
    names = [
        model.names[row][len(prefix) :]
        for row in selection
        if row != owner and model.kinds[row].is_vertex and model.names[row].startswith(prefix)
    ]
    if tag == "link":
        bodies = [
            model.names[int(model.bodies[row])] for row in selection if row != owner and model.bodies[row] > owner
        ]
        parents = [name[len(prefix) :] for name in bodies if name.startswith(prefix)]
        return {"parent": parents[-1]} if parents else {}
    if tag == "joint" and names:
        return dict(zip(("parent", "child"), names, strict=False))
    if tag == "frame" and names:
        return {"attached_to": names[-1]}
    return {}


def read_pose_words(text: str) -> str:
    """Return the six numbers of a pose that somebody types, with expressions and units in it evaluated.

    Raises
    ------
    RefactoringError
        If they are not six, or one is no number of its unit.
    """
    words = text.replace(",", " ").split()
    if len(words) not in (3, 6):
        raise RefactoringError("a pose needs 6 numbers, x y z roll pitch yaw, or 3 for a position only")
    try:
        numbers = [parse_number(word, "m" if place < 3 else "rad") for place, word in enumerate(words)]
    except ValueError as error:
        raise RefactoringError(str(error).removesuffix(".")) from None
    return format_numbers([*numbers, *[0.0] * (6 - len(words))])


def free_name(model: Model, owner: int, wanted: str) -> str:
    """Return ``wanted``, or ``wanted_1``, ``wanted_2`` ..., whichever no member of ``owner`` has."""
    prefix = model.member_prefix(owner)
    return free_name_among(prefix + wanted, model.rows_by_name, 1)[len(prefix) :]


def require_free_name(model: Model, owner: int, name: str, *, among_rows: bool = True) -> None:
    """Raise a `RefactoringError` where a new member of ``owner`` cannot have a name; the message says why.

    Parameters
    ----------
    among_rows
        Whether the names of other members are taken: a plugin is no member.
    """
    if not name:
        raise RefactoringError("enter a name")
    if "::" in name:
        raise RefactoringError(f"the name '{name}' contains '::', which separates the names of scopes")
    if not is_valid_member_name(name):
        raise RefactoringError(f"the name '{name}' is reserved")
    taken = model.rows_by_name.get(model.member_prefix(owner) + name) if among_rows else None
    if taken is not None:
        raise RefactoringError(f"the name '{name}' is taken by a {model.kinds[taken]}")


# --- what ----------------------------------------------------------------------------------------------------------


def insert_member(model: Model, owner: int, tag: str, name: str | None = None, **fields: str) -> Edit:
    """Return the edit that adds an element to a world, model, link or joint.

    Parameters
    ----------
    owner
        Row of the thing that is to hold it.
    tag
        One of :data:`CHILDREN_OF` its kind.
    name
        Its name; a free one by default.
    **fields
        As they would be written in the file: ``pose`` (six numbers) and ``relative_to`` of anything that has a pose;
        ``type``, ``parent``, ``child``, ``axis``, ``lower``, ``upper``, ``effort`` and ``velocity`` of a joint;
        ``attached_to`` of a frame; ``shape`` and ``dimensions`` (the lines in it) of a visual or collision, and
        ``uri`` and ``scale`` of its mesh; ``type`` of a light or sensor; ``filename`` of a plugin; ``uri`` of an
        include; ``mass`` and ``moments`` of an inertial; ``content`` of a link or model, as :func:`element_lines`
        gives it.

    Raises
    ------
    RefactoringError
        If it cannot be added there, or a field or the name cannot be used.
    """
    require_editable(model, owner)
    element = model.elements[owner]
    require_place(model, owner, tag)
    if tag not in _UNNAMED:
        name = name or free_name(model, owner, tag)
        require_free_name(model, owner, name, among_rows=tag not in _NO_ROWS)
    given = {key: value for key, value in fields.items() if value}
    given["name"] = name or ""
    xml = element_xml(model, owner, tag, given)
    edits = insert_child(model.document, element, xml, _before(element, tag))
    added = () if tag in _NO_ROWS else (model.member_prefix(owner) + (name or ""),)
    return Edit(f"Add {tag} {name or ''}".rstrip(), model.document, edits, added=added)


def element_xml(model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> str:
    """Return the XML of a new element with the indentation steps of the file; see :func:`insert_member`."""
    return as_xml(model, element_lines(model, owner, tag, fields))


def element_lines(model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> list[str]:
    """Return the lines of a new element, each level indented by two blanks; see :func:`insert_member`.

    ``content`` of a link or model is what is in it, in such lines.
    """
    return "\n".join(_WRITERS[tag](model, owner, fields)).splitlines()


def as_xml(model: Model, lines: Sequence[str]) -> str:
    """Return such lines with the indentation steps of the file."""
    step = indentation_step(model.document)
    return "\n".join(_indented(line, step) for line in lines)


class TooOldError(RefactoringError):
    """The file's version of SDFormat has no such element; a later one has it.

    Attributes
    ----------
    needed
        The first version that has it.
    """

    def __init__(self, message: str, needed: Version) -> None:
        super().__init__(message)
        self.needed = needed


def require_place(model: Model, owner: int, tag: str) -> None:
    """Raise a `RefactoringError` where an element of a tag cannot be added to a row."""
    kind, element, version = model.kinds[owner], model.elements[owner], version_of(model)
    if tag not in CHILDREN_OF.get(kind, ()) or element.tag == "include":
        places = " or ".join(str(each) for each, tags in CHILDREN_OF.items() if tag in tags)
        raise RefactoringError(f"a <{tag}> cannot be added to '{model.names[owner]}', but to a {places} of this file")
    if not _is_known(kind, tag, version):
        fault = f"SDFormat {format_version(version)} has no <{tag}> in a <{element.tag}>"
        needed = next((each for each in VERSIONS if each > version and _is_known(kind, tag, each)), None)
        raise RefactoringError(fault) if needed is None else TooOldError(fault, needed)
    if tag in _UNNAMED and element.find(tag) is not None:
        raise RefactoringError(f"'{model.names[owner]}' already has an <{tag}>")


def _is_known(kind: Kind, tag: str, version: Version) -> bool:
    """Return whether a version of SDFormat has an element of a tag, with today's meaning, in a kind of element."""
    definition = table(version).element(_PATHS[kind])
    is_unknown = definition is not None and tag not in definition.children and tag != "include"
    return not (is_unknown or (tag == "frame" and version < FRAME_SEMANTICS))


def _before(element: Element, tag: str) -> Element | None:
    """Return the child before which people write an element: the inertial of a link comes first, after its pose."""
    if tag != "inertial":
        return None
    return next((child for child in element.children if child.tag in ("collision", "visual", "sensor", "light")), None)


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
    if not (given.get("parent") and given.get("child")):
        raise RefactoringError("a joint needs a parent and a child")
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
        content = f"<uri>{escape(given['uri'])}</uri>" if shape == "mesh" and given.get("uri") else new_shape(shape)
        if shape == "mesh" and given.get("scale"):
            content += f"\n<scale>{escape(given['scale'])}</scale>"
        if given.get("dimensions"):
            content = given["dimensions"]
        geometry = [f"<{shape}>", *(f"  {line}" for line in content.splitlines()), f"</{shape}>"]
        lines = ["  <geometry>", *(f"    {line}" for line in geometry), "  </geometry>"]
        return _element(tag, _attributes(name=given["name"]), [*_pose(given), *lines])

    return write


def _inertial(_model: Model, _owner: int, given: Mapping[str, str]) -> list[str]:
    mass = given.get("mass", "1")
    numbers = given.get("moments", "0.01 0.01 0.01 0 0 0").split()
    lines = [
        f"    <{name}>{escape(number)}</{name}>"
        for name, number in zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), numbers, strict=True)
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
    lines = [*_pose(given), *(["  <update_rate>30</update_rate>"]), *(f"  {line}" for line in content)]
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
    return _element("plugin", _attributes(filename=given["filename"], name=given["name"]), [])


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


# --- copies --------------------------------------------------------------------------------------------------------


def duplicate(model: Model, row: int) -> Edit:
    """Return the edit that writes a copy of an element behind it.

    References inside the copy still name what they named: a copied joint connects the same links.

    Raises
    ------
    RefactoringError
        If the row is the root or comes from another file.
    """
    require_editable(model, row)
    if row == 0:
        raise RefactoringError("the root of a file cannot be duplicated")
    document, element, owner = model.document, model.elements[row], int(model.owners[row])
    old = model.local_names[row]
    name = free_name(model, owner, f"{old}_copy")
    # Not the owner's element: members of a model that an older tool has flattened stand beside it.
    around = document.parent(element)
    assert around is not None
    siblings = around.children
    following = siblings.index(element) + 1
    before = siblings[following] if following < len(siblings) else None
    xml = element_source(document, element, set_name(document, element, name))
    copy = model.names[row][: -len(old)] + name
    return Edit(f"Duplicate {old}", model.document, insert_child(document, around, xml, before), added=(copy,))
