"""The elements and attributes of URDF, in the form of the tables of SDFormat, and words that are nearly one of them.

Many programs have elements of their own in URDF files, so that a word which URDF does not know is no fault. One that is
a letter away from a word that would count there is: everybody ignores it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    format_attribute,
    insert_child,
    remove_element,
    replace_element,
    xml_lines,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.formats.urdf.values import LATER_LIMITS, WITH_MORE_LIMITS, WITH_QUATERNIONS, UrdfVersion, ValueReader
from sdfviewer.model.joints import LIMITS
from sdfviewer.model.shapes import URDF_SHAPES
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.validation import urdf_rules as rules


def _element(
    tag: str, cardinality: str, attributes: str = "", *children: ElementDefinition, allows_any_child: bool = False
) -> ElementDefinition:
    """Return a definition; attributes are ``name:type``, those that are required with ``!`` behind."""
    made = {}
    for word in attributes.split():
        name, _, value_type = word.removesuffix("!").partition(":")
        made[name] = AttributeDefinition(name, value_type, "", word.endswith("!"))
    return ElementDefinition(
        tag,
        None,
        "",
        cardinality,
        allows_any_child=allows_any_child,
        attributes=made,
        children={child.tag: child for child in children},
    )


@cache
def definition_of_robot(version: UrdfVersion) -> ElementDefinition:
    """Return the definition of ``<robot>`` with everything that a version knows in it."""
    knows_quaternions, knows_more_limits = version >= WITH_QUATERNIONS, version >= WITH_MORE_LIMITS
    quaternion = " quat_xyzw:quaternion" if knows_quaternions else ""
    limits = "lower:double upper:double effort:double! velocity:double!"
    if knows_more_limits:  # where none has to be written
        limits = " ".join([limits.replace("!", ""), *(f"{name}:double" for name in LATER_LIMITS)])
    origin = _element("origin", "0", f"xyz:vector3 rpy:vector3{quaternion}")
    geometry = _element(
        "geometry",
        "1",
        "",
        *(
            _element(
                tag, "0", " ".join(f"{name}:{'double' if count == 1 else 'vector3'}!" for name, count in sizes.items())
            )
            for tag, kind in URDF_SHAPES.items()
            if (sizes := kind.urdf_numbers) and kind.is_in_urdf(version)
        ),
        _element("mesh", "0", "filename:string! scale:vector3"),
    )
    material = (_element("color", "0", "rgba:color!"), _element("texture", "0", "filename:string!"))
    link = _element(
        "link",
        "+",
        "name:string!",
        _element(
            "inertial",
            "0",
            "",
            origin,
            _element("mass", "1", "value:double!"),
            _element("inertia", "1", "ixx:double! ixy:double! ixz:double! iyy:double! iyz:double! izz:double!"),
        ),
        _element("visual", "*", "name:string", origin, geometry, _element("material", "0", "name:string!", *material)),
        _element("collision", "*", "name:string", origin, geometry),
    )
    joint = _element(
        "joint",
        "*",
        "name:string! type:string!",
        origin,
        _element("parent", "1", "link:string!"),
        _element("child", "1", "link:string!"),
        _element("axis", "0", "xyz:vector3!"),
        _element("limit", "0", limits),
        _element("dynamics", "0", "damping:double friction:double"),
        _element("mimic", "0", "joint:string! multiplier:double offset:double"),
        _element("calibration", "0", "rising:double falling:double"),
        _element(
            "safety_controller",
            "0",
            "soft_lower_limit:double soft_upper_limit:double k_position:double k_velocity:double!",
        ),
    )
    return _element(
        "robot",
        "1",
        "name:string! version:string",
        link,
        joint,
        _element("material", "*", "name:string!", *material),
        _element("transmission", "*", "name:string!", allows_any_child=True),
        _element("gazebo", "*", "reference:string", allows_any_child=True),
    )


# --- new elements -------------------------------------------------------------------------------------------------


#: The types of joints that urdfdom knows.
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
#: What a ``<gazebo>`` about a link holds under names that no other one on the merged link may have.
NAMED_IN_GAZEBO = ("sensor", "light", "projector")
#: What is written for an attribute of a new element that URDF requires, where 0 would stop a joint.
USUAL = {"effort": "100", "velocity": "1"}
#: What limits the position of a new joint for which nothing is given: URDF has no joint without limits but continuous.
_RANGES = {"revolute": ("-3.141592653589793", "3.141592653589793"), "prismatic": ("0", "1")}
_SIZE = re.compile(r"<(\w+)>([^<]*)</")


def attributes(values: Mapping[str, str]) -> str:
    """Return the attributes of a start tag, without those that are empty."""
    return "".join(f" {format_attribute(name, text)}" for name, text in values.items() if text)


def origin_xml(numbers: Sequence[float]) -> str:
    """Return an ``<origin>`` with ``x y z roll pitch yaw`` in metres and radians."""
    return f"<origin{attributes({'xyz': format_numbers(numbers[:3]), 'rpy': format_numbers(numbers[3:])})}/>"


def shape_xml(tag: str, sizes: Mapping[str, str]) -> str:
    """Return the element of a shape with sizes by their paths in SDFormat."""
    if tag == "mesh":
        sizes = {"filename": sizes.get("uri", ""), "scale": sizes.get("scale", "")}
    return f"<{tag}{attributes(sizes)}/>"


def why_not_new(tag: str, fields: Mapping[str, str], shapes: Collection[str]) -> str | None:
    """Return why the fields of a new element cannot be written, None where they can.

    Parameters
    ----------
    tag, fields
        As :func:`~sdfviewer.refactoring.adding.insert_member` takes them.
    shapes
        The shapes that the version has.
    """
    if tag == "joint":
        missing = [end for end in ("parent", "child") if not fields.get(end)]
        if missing:
            return f"a joint needs {' and '.join(f'a {end}' for end in missing)}"
        kind = fields.get("type", "revolute")
        if kind not in JOINT_TYPES:
            return f"'{kind}' is not a joint type of URDF; it must be one of: {', '.join(JOINT_TYPES)}"
    if tag in ("visual", "collision") and (shape := _shape_of(fields)) not in shapes:
        return f"URDF has no shape '{shape}'; it has {', '.join(shapes)}"
    numbers = parse_numbers(fields["pose"]) if fields.get("pose") else ()
    if numbers is None or len(numbers) not in (0, 6):
        return "a pose needs 6 numbers: x y z roll pitch yaw"
    return None


def new_lines(tag: str, fields: Mapping[str, str], version: UrdfVersion) -> list[str] | None:
    """Return the lines of a new element, None for what a ``<gazebo>`` holds: that is SDFormat."""
    write = _WRITERS.get(tag)
    return None if write is None else write(fields, version)


def gazebo_lines(reference: str, lines: Sequence[str]) -> list[str]:
    """Return lines of SDFormat in a ``<gazebo>`` about a link or joint, or (empty) about the robot."""
    return xml_lines("gazebo", {"reference": reference} if reference else None, lines)


def _origin(fields: Mapping[str, str]) -> list[str]:
    numbers = parse_numbers(fields.get("pose", "")) or ()
    return [origin_xml(numbers)] if any(numbers) else []


def _link(fields: Mapping[str, str], _version: UrdfVersion) -> list[str]:
    return xml_lines("link", {"name": fields["name"]}, fields.get("content", "").splitlines())


def _joint(fields: Mapping[str, str], version: UrdfVersion) -> list[str]:
    kind = fields.get("type", "revolute")
    lines = [
        *_origin(fields),
        *xml_lines("parent", {"link": fields["parent"]}),
        *xml_lines("child", {"link": fields["child"]}),
    ]
    if kind not in ("fixed", "floating"):
        lines.append(f"<axis{attributes({'xyz': fields.get('axis') or '0 0 1'})}/>")
    limits = {name: fields.get(name, "") for name in LIMITS}
    if kind in _RANGES and not limits["lower"] and not limits["upper"]:
        limits["lower"], limits["upper"] = _RANGES[kind]
    if any(limits.values()) and kind not in ("fixed", "floating", "planar"):
        needed = USUAL if version < WITH_MORE_LIMITS else {}
        lines.append(f"<limit{attributes({name: text or needed.get(name, '') for name, text in limits.items()})}/>")
    return xml_lines("joint", {"name": fields["name"], "type": kind}, lines)


def _shape_of(fields: Mapping[str, str]) -> str:
    return fields.get("shape", "mesh" if fields.get("uri") else "box")


def _part(tag: str) -> Callable[[Mapping[str, str], UrdfVersion], list[str]]:
    def write(fields: Mapping[str, str], _version: UrdfVersion) -> list[str]:
        shape = _shape_of(fields)
        sizes = {size.path: size.new for size in URDF_SHAPES[shape].sizes}
        sizes.update(_SIZE.findall(fields.get("dimensions", "")))
        sizes.update({name: fields[name] for name in ("uri", "scale") if fields.get(name)})
        lines = [*_origin(fields), *xml_lines("geometry", None, [shape_xml(shape, sizes)])]
        if color := fields.get("color"):
            name = "color_" + "".join(f"{round(255 * float(part)):02x}" for part in color.split()[:3])
            lines += xml_lines("material", {"name": name}, xml_lines("color", {"rgba": color}))
        return xml_lines(tag, {"name": fields["name"]} if fields["name"] else None, lines)

    return write


def _inertial(fields: Mapping[str, str], _version: UrdfVersion) -> list[str]:
    ixx, iyy, izz, ixy, ixz, iyz = fields.get("moments", "0.01 0.01 0.01 0 0 0").split()
    inertia = {"ixx": ixx, "ixy": ixy, "ixz": ixz, "iyy": iyy, "iyz": iyz, "izz": izz}
    lines = [*_origin(fields), f"<mass{attributes({'value': fields.get('mass', '1')})}/>"]
    return xml_lines("inertial", None, [*lines, f"<inertia{attributes(inertia)}/>"])


def _frame(fields: Mapping[str, str], version: UrdfVersion) -> list[str]:
    """Return a link without mass on a fixed joint, whose name is a field of its own."""
    joint = {**fields, "name": fields["joint_name"], "type": "fixed", "child": fields["name"]}
    return [*_joint(joint, version), *_link({"name": fields["name"]}, version)]


_WRITERS: Mapping[str, Callable[[Mapping[str, str], UrdfVersion], list[str]]] = {
    "link": _link,
    "joint": _joint,
    "visual": _part("visual"),
    "collision": _part("collision"),
    "inertial": _inertial,
    "frame": _frame,
}


#: Words of SDFormat, and words that say the same, with those that URDF has for them.
_OTHER_WORDS = {
    **{(tag, "pose"): "origin" for tag in ("joint", "inertial", "visual", "collision")},
    ("limit", "@min"): "lower",
    ("limit", "@max"): "upper",
    **{(tag, word): "length" for tag in ("cylinder", "capsule") for word in ("@height", "@h")},
}
#: Shorter words are compared with others by their letters alone; from the longer ones two may be wrong.
_SHORT, _LONG = 4, 9
#: The first letters that stand for a word, where it can be left out.
_ABBREVIATION = 2
_NUMBERS_OF_POSE = 6
_ORIGIN = "<origin xyz='0 0 0' rpy='0 0 0'/>"


def report_misspelt(element: Element, definition: ElementDefinition, reader: ValueReader) -> None:
    """Report the attributes of an element that are nearly those of its definition.

    Where URDF requires a single attribute, which is missing, and there is a single other one, that is meant; a name is
    not.
    """
    unknown = [name for name in element.attributes if name not in definition.attributes and ":" not in name]
    unknown = [name for name in unknown if name != "xmlns"]
    required = [name for name, each in definition.attributes.items() if each.is_required]
    missing = [name for name in required if name not in element.attributes]
    for name in unknown:
        optional = [each for each in definition.attributes if each not in element.attributes and each not in missing]
        meant = meant_by(name, [*missing, *optional])
        if (other := _OTHER_WORDS.get((element.tag, f"@{name}"))) in (*missing, *optional):
            meant = [str(other)]
        meant = meant or [
            each
            for each in (*missing, *optional)
            if each.startswith(name) and (each in missing or len(name) >= _ABBREVIATION)
        ]
        if not meant and len(required) == len(unknown) == 1 and missing != ["name"]:
            meant = missing
        if meant:
            reader.report(rules.urdf_misspelt, element, f"@{name}", f"'{name}'", element.tag, meant=meant)


def report_pose_of_link(pose: Element, joint: Element | None, reader: ValueReader) -> None:
    """Report the ``<pose>`` of a link; `joint` is the one above it, whose origin places the link in URDF."""
    rule = rules.urdf_misspelt
    written, fixes = _as_origin(pose), [("remove it", partial(_removed, pose))]
    if joint is None:
        effect = Message("", "the root link of a URDF is at the origin of the robot")
    else:
        name = joint.attributes.get("name", "")
        effect = Message("", f"in URDF the <origin> of joint '{name}' places the link")
        if written and joint.find("origin") is None:
            fixes.insert(0, (f"write {written} in joint '{name}'", partial(_moved_into, pose, joint, written)))
    reader.report(rule, pose, None, "<pose>", "link", effect, fixes=tuple(fixes))


def report_misspelt_child(child: Element, parent: Element, definition: ElementDefinition, reader: ValueReader) -> None:
    """Report a child that URDF does not know, if it is nearly one that the definition of its parent has."""
    if ":" in child.tag:
        return
    other = _OTHER_WORDS.get((parent.tag, child.tag))
    if other is not None and parent.find(other) is None and other in definition.children:
        written = _as_origin(child)
        effect = f"URDF has <{other}> with attributes: {written or _ORIGIN}"
        fixes = ((f"write {written}", partial(_replaced, child, written)),) if written else ()
        reader.report(rules.urdf_misspelt, child, None, f"<{child.tag}>", parent.tag, Message("", effect), fixes=fixes)
        return
    meant = meant_by(child.tag, definition.children)
    if meant:
        reader.report(rules.urdf_misspelt, child, None, f"<{child.tag}>", parent.tag, meant=meant)


def _as_origin(pose: Element) -> str:
    """Return the ``<origin>`` that a pose of SDFormat is in URDF, empty where it is not six plain numbers."""
    words = pose.text.split()
    if len(words) != _NUMBERS_OF_POSE or pose.attributes or parse_numbers(pose.text) is None:
        return ""
    return f'<origin xyz="{" ".join(words[:3])}" rpy="{" ".join(words[3:])}"/>'


def _replaced(pose: Element, written: str, document: Document) -> Replacements:
    return replace_element(document, pose, written)


def _removed(pose: Element, document: Document) -> Replacements:
    return remove_element(document, pose)


def _moved_into(pose: Element, joint: Element, written: str, document: Document) -> Replacements:
    return (*remove_element(document, pose), *insert_child(document, joint, written))


def meant_by(word: str, known: Iterable[str]) -> Sequence[str]:
    """Return the words, in their order, of which one is nearly another word: a slip of the keyboard away."""
    most = 2 if len(word) >= _LONG else 1
    return [
        each
        for each in known
        if each != word
        and (
            _letters(each) == _letters(word)
            or (sorted(each) == sorted(word) and _slips(word, each) == 1)
            or (min(len(word), len(each)) >= _SHORT and _slips(word, each) <= most)
        )
    ]


def _letters(word: str) -> str:
    """Return a word without what separates its parts: ``max_vel`` and ``maxVel`` are one word."""
    return word.replace("_", "").replace("-", "").casefold()


def _slips(a: str, b: str) -> int:
    """Return how many letters are missing, too many, wrong, or swapped with the next one."""
    before: list[int] = []
    last: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, last, row = last, row, [i]
        for j, other in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
    return row[-1]
