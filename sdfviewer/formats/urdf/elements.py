"""The elements and attributes of URDF, in the form of the tables of SDFormat, for completion and hover.

Source: https://wiki.ros.org/urdf/XML and urdfdom 6.0.
"""

from __future__ import annotations

from functools import cache

from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.formats.urdf.origins import LATER_LIMITS, WITH_MORE_LIMITS, WITH_QUATERNIONS, UrdfVersion
from sdfviewer.model.shapes import URDF_SHAPES


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
