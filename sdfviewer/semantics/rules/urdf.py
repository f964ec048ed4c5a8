"""Robots in URDF: what urdfdom and libsdformat's URDF parser ask for."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity, rule


@rule("urdf-is-xacro", 801, libsdformat="FILE_READ")
def urdf_is_xacro(what: str) -> str:
    """A URDF file that still holds xacro macros: it is a program that writes a robot, not yet the robot.

    What is plain URDF in it is shown.

    Bad: ``<xacro:property name="radius" value="0.1"/>``, ``<sphere radius="${radius}"/>``

    Use instead: the output of ``xacro robot.urdf.xacro > robot.urdf``.

    Source: https://wiki.ros.org/xacro
    """
    return f"this is xacro, not URDF ({what}): expand it with `xacro FILE > FILE.urdf` and open that"


@rule("urdf-missing", 802, libsdformat="FILE_READ")
def urdf_missing(what: str, where: str) -> str:
    """An element or attribute that URDF requires is not there.

    In a joint that is an error. In a link it is a warning: urdfdom leaves out what follows in that link and goes on.

    Bad: ``<joint name="j" type="revolute">`` without ``<limit>``

    Use instead: ``<limit lower="-1" upper="1" effort="10" velocity="1"/>``

    Source: urdfdom, ``parseLink`` and ``parseJoint``; https://wiki.ros.org/urdf/XML
    """
    return f"{where} needs {what}"


@rule("urdf-bad-value", 803, libsdformat="FILE_READ")
def urdf_bad_value(value: str, where: str, wanted: str) -> str:
    """A value that is not of the kind that URDF asks for. Zero stands for it.

    Bad: ``<origin xyz="0 0"/>``, ``<mass value="heavy"/>``

    Use instead: ``<origin xyz="0 0 0"/>``, ``<mass value="1.5"/>``

    Source: urdfdom, ``Vector3::init`` and ``strToDouble``
    """
    return f"'{value}' in {where} is not {wanted}"


@rule("urdf-duplicate-name", 804, libsdformat="FILE_READ")
def urdf_duplicate_name(tag: str, name: str) -> str:
    """Two links, two joints or two materials of a robot with one name.

    Bad: ``<link name="base"/> <link name="base"/>``

    Use instead: a name for each. A link and a joint may share one in URDF; in SDFormat they may not.

    Source: urdfdom, ``parseURDF``
    """
    return f"there is a {tag} called '{name}' already"


@rule("urdf-link-unknown", 805, libsdformat="FILE_READ")
def urdf_link_unknown(tag: str, joint: str, name: str, hint: str) -> str:
    """A joint whose parent or child is no link of the robot.

    Bad: ``<parent link="bass"/>`` where the link is called ``base``.

    Use instead: ``<parent link="base"/>``

    Source: urdfdom, ``ModelInterface::initTree``
    """
    return f"the {tag} of joint '{joint}', '{name}', is no link of this robot{hint}"


@rule("urdf-not-a-tree", 806, libsdformat="FILE_READ")
def urdf_not_a_tree(what: str) -> str:
    """Links that do not form one tree: a link with two parents, several roots, or none.

    URDF measures every link from its parent, so that each must have exactly one, save the root.

    Bad: two joints with ``<child link="gripper"/>``

    Use instead: one joint for each link but the root; SDFormat, where joints may close loops.

    Source: urdfdom, ``ModelInterface::initTree`` and ``initRoot``
    """
    return what


@rule("urdf-joint-type", 807, libsdformat="FILE_READ")
def urdf_joint_type(name: str, hint: str) -> str:
    """A joint of a type that URDF does not know.

    Known are ``revolute``, ``continuous``, ``prismatic``, ``fixed``, ``floating`` and ``planar``.

    Bad: ``<joint name="j" type="hinge">``

    Use instead: ``<joint name="j" type="revolute">``

    Source: urdfdom, ``parseJoint``
    """
    return f"'{name}' is no type of joint in URDF{hint}"


@rule("urdf-joint-without-counterpart", 808, libsdformat="POSE_RELATIVE_TO_INVALID")
def urdf_joint_without_counterpart(name: str, joint_type: str) -> str:
    """A floating or planar joint: SDFormat has none.

    libsdformat leaves the joint out and then cannot find the link that is measured from it. Here the link is shown
    where the joint starts, and does not move.

    Bad: ``<joint name="base" type="floating">``

    Use instead: no joint; a robot that nothing holds moves freely in Gazebo.

    Source: libsdformat, ``CreateJoint`` and ``CreateLink`` in src/parser_urdf.cc
    """
    return f"joint '{name}' is {joint_type}, which SDFormat does not have; its link stays where it starts"


@rule("urdf-material-unknown", 809, severity=Severity.WARNING)
def urdf_material_unknown(name: str, hint: str) -> str:
    """A visual whose material is a name that nothing defines.

    Bad: ``<material name="steel"/>`` where no ``<material name="steel">`` with a colour or texture exists.

    Use instead: ``<material name="steel"><color rgba="0.6 0.6 0.65 1"/></material>``, once in the file.

    Source: urdfdom, ``parseURDF`` and ``assignMaterial``
    """
    return f"material '{name}' has neither a colour nor a texture anywhere in the file{hint}"


@rule("urdf-massless", 810, severity=Severity.WARNING)
def urdf_massless(name: str, below: int) -> str:
    """A link without mass that no fixed joint merges into one with mass.

    Gazebo cannot simulate it: libsdformat leaves it out, and every link below it. It is shown here all the same.

    Bad: ``<link name="base"/>`` at the end of a revolute joint.

    Use instead: ``<link name="base"><inertial>...</inertial></link>``, or a fixed joint.

    Source: libsdformat, ``CreateSDF`` in src/parser_urdf.cc
    """
    others = f", and {below} link{'s' if below > 1 else ''} below it" if below else ""
    return f"link '{name}' has no mass: Gazebo leaves it out{others}"


@rule("urdf-merged-without-mass", 811, libsdformat="ELEMENT_INVALID")
def urdf_merged_without_mass(name: str, into: str) -> str:
    """Links joined by a fixed joint that together have no mass, though the merged one has an inertia.

    libsdformat merges such links and divides by their mass to find the centre of mass; the result is not a number, and
    the whole file is refused.

    Bad: ``<mass value="0"/>`` in a link fixed to another one without mass.

    Use instead: no ``<inertial>`` where there is no mass.

    Source: libsdformat, ``ReduceInertialToParent`` and ``dMassAdd`` in src/parser_urdf.cc
    """
    return f"merging link '{name}' into '{into}' divides by their mass, zero; remove the <inertial> of mass zero"
