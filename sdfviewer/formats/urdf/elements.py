"""The elements and attributes of URDF, in the form of the tables of SDFormat, for completion and hover.

Source: https://wiki.ros.org/urdf/XML and urdfdom 6.0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from sdfviewer.document.edits import format_attribute, xml_lines
from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.formats.urdf.origins import LATER_LIMITS, WITH_MORE_LIMITS, WITH_QUATERNIONS, UrdfVersion
from sdfviewer.model.shapes import URDF_SHAPES
from sdfviewer.model.values import format_numbers, parse_numbers


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
    limits = {name: fields.get(name, "") for name in ("lower", "upper", "effort", "velocity")}
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
        from sdfviewer.model.shapes import URDF_SHAPES  # noqa: PLC0415  # which reads all shapes

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
