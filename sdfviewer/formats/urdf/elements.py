"""The elements and attributes of URDF, in the form of the tables of SDFormat, for completion and hover.

Source: https://wiki.ros.org/urdf/XML and urdfdom. What only newer versions than 1.0 know is left out.
"""

from __future__ import annotations

from sdfviewer.document.tables import AttributeDefinition, ElementDefinition


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


_ORIGIN = _element("origin", "0", "xyz:vector3 rpy:vector3")
_GEOMETRY = _element(
    "geometry",
    "1",
    "",
    _element("box", "0", "size:vector3!"),
    _element("cylinder", "0", "radius:double! length:double!"),
    _element("sphere", "0", "radius:double!"),
    _element("mesh", "0", "filename:string! scale:vector3"),
)
_MATERIAL = (_element("color", "0", "rgba:color!"), _element("texture", "0", "filename:string!"))
_LINK = _element(
    "link",
    "+",
    "name:string!",
    _element(
        "inertial",
        "0",
        "",
        _ORIGIN,
        _element("mass", "1", "value:double!"),
        _element("inertia", "1", "ixx:double! ixy:double! ixz:double! iyy:double! iyz:double! izz:double!"),
    ),
    _element("visual", "*", "name:string", _ORIGIN, _GEOMETRY, _element("material", "0", "name:string!", *_MATERIAL)),
    _element("collision", "*", "name:string", _ORIGIN, _GEOMETRY),
)
_JOINT = _element(
    "joint",
    "*",
    "name:string! type:string!",
    _ORIGIN,
    _element("parent", "1", "link:string!"),
    _element("child", "1", "link:string!"),
    _element("axis", "0", "xyz:vector3!"),
    _element("limit", "0", "lower:double upper:double effort:double! velocity:double!"),
    _element("dynamics", "0", "damping:double friction:double"),
    _element("mimic", "0", "joint:string! multiplier:double offset:double"),
    _element("calibration", "0", "rising:double falling:double"),
    _element(
        "safety_controller",
        "0",
        "soft_lower_limit:double soft_upper_limit:double k_position:double k_velocity:double!",
    ),
)
#: ``<robot>`` with everything in it.
ROBOT = _element(
    "robot",
    "1",
    "name:string! version:string",
    _LINK,
    _JOINT,
    _element("material", "*", "name:string!", *_MATERIAL),
    _element("transmission", "*", "name:string!", allows_any_child=True),
    _element("gazebo", "*", "reference:string", allows_any_child=True),
)
