"""Requirements of urdfdom and of libsdformat's URDF parser, and of those who use a robot later."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule


@rule("urdf-is-xacro", 801, libsdformat="FILE_READ")
def urdf_is_xacro(what: str, can_expand: bool) -> str:
    """A URDF file that still holds xacro macros: it is a program that writes a robot, not yet the robot.

    It is read as it is written, as urdfdom does: that is an error where the text alone is no robot, and a warning where
    it is one, with names such as ``${prefix}base_link``. ``--xacro`` on the command line, ``xacro=True`` in the library
    and *Evaluate as xacro* in the window or in the quick fixes of an editor show the robot that it writes. The call of
    a macro in a file that neither defines nor includes any, as some expanded files have, is a warning: xacro refuses
    it, urdfdom ignores it.

    Bad: ``<xacro:property name="radius" value="0.1"/>``, ``<sphere radius="${radius}"/>``

    Use instead: the name ``robot.urdf.xacro``, or the output of ``xacro robot.urdf.xacro > robot.urdf``.

    Source: https://wiki.ros.org/xacro
    """
    if not can_expand:
        return Message(
            f"{what} calls a macro of xacro that this file does not have, so everybody ignores it", "remove it"
        )
    return f"this file holds xacro ({what}) and is read as it is written: evaluate it as xacro, or name it .urdf.xacro"


@rule("urdf-missing", 802, libsdformat="FILE_READ")
def urdf_missing(what: str, where: str) -> str:
    """An element or attribute that URDF requires and that is missing.

    This is an error in a joint and a warning in a link, where urdfdom skips the rest of the link and continues.

    Bad: ``<joint name="j" type="revolute">`` without ``<limit>``

    Use instead: ``<limit lower="-1" upper="1" effort="10" velocity="1"/>``

    Source: urdfdom, ``parseLink`` and ``parseJoint``; https://wiki.ros.org/urdf/XML
    """
    return Message(f"{where} needs {what}", "add it")


@rule("urdf-bad-value", 803, libsdformat="FILE_READ")
def urdf_bad_value(value: str, where: str, wanted: str) -> str:
    """A value that is not of the type that URDF requires. It is read as zero.

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
    return Message(f"two <{tag}> elements are called '{name}'", "rename one")


@rule("urdf-link-unknown", 805, libsdformat="FILE_READ")
def urdf_link_unknown(tag: str, joint: str, name: str, hint: str) -> str:
    """A joint whose parent or child is not a link of the robot.

    Bad: ``<parent link="bass"/>`` where the link is called ``base``.

    Use instead: ``<parent link="base"/>``

    Source: urdfdom, ``ModelInterface::initTree``
    """
    return f"{tag} '{name}' of joint '{joint}' is not a link of this robot" + hint


@rule("urdf-not-a-tree", 806, libsdformat="FILE_READ")
def urdf_not_a_tree(what: str) -> str:
    """Links that do not form one tree: a link with two parents, several roots, or none.

    URDF measures every link from its parent, so each link except the root must have exactly one parent.

    libsdformat drops a group of links that is connected to nothing else without a word, where each of them is the child
    of a joint. Here that is an error, too: what was drawn would not be there.

    Bad: two joints with ``<child link="gripper"/>``

    Use instead: one joint for each link except the root, or SDFormat, where joints may close loops.

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
    return f"'{name}' is not a joint type of URDF" + hint


@rule("urdf-joint-without-counterpart", 808, libsdformat="POSE_RELATIVE_TO_INVALID")
def urdf_joint_without_counterpart(name: str, joint_type: str) -> str:
    """A floating or planar joint, which SDFormat does not have.

    libsdformat leaves the joint out and then cannot find the link that is measured from it. Here the link is shown
    where the joint starts, and does not move.

    Bad: ``<joint name="base" type="floating">``

    Use instead: no joint; a robot that nothing holds moves freely in Gazebo.

    Source: libsdformat, ``CreateJoint`` and ``CreateLink`` in src/parser_urdf.cc
    """
    return Message(f"joint '{name}' is {joint_type}, which SDFormat does not have", "its link does not move here")


@rule("urdf-material-unknown", 809, severity=Severity.WARNING)
def urdf_material_unknown(name: str, hint: str) -> str:
    """A visual whose material is not defined.

    Bad: ``<material name="steel"/>`` where no ``<material name="steel">`` with a colour or texture exists.

    Use instead: ``<material name="steel"><color rgba="0.6 0.6 0.65 1"/></material>``, once in the file.

    Source: urdfdom, ``parseURDF`` and ``assignMaterial``
    """
    return Message(f"material '{name}' is not defined in this file", "give it a <color> or a <texture>") + hint


@rule("urdf-massless", 810, severity=Severity.WARNING)
def urdf_massless(name: str, below: int) -> str:
    """A link without mass that no fixed joint merges into a link with mass.

    Gazebo cannot simulate it: libsdformat leaves it out, and every link below it. It is shown here.

    Bad: ``<link name="base"/>`` at the end of a revolute joint.

    Use instead: ``<link name="base"><inertial>...</inertial></link>``, or a fixed joint.

    Source: libsdformat, ``CreateSDF`` in src/parser_urdf.cc
    """
    others = f", and {below} link{'s' if below > 1 else ''} below it" if below else ""
    return Message(f"link '{name}' has no mass, so Gazebo leaves it out{others}", "add an <inertial>")


@rule("urdf-merged-without-mass", 811, libsdformat="ELEMENT_INVALID")
def urdf_merged_without_mass(name: str, into: str) -> str:
    """Links joined by a fixed joint that together have no mass, though the merged one has an inertia.

    libsdformat merges such links and divides by their mass to find the centre of mass; the result is not a number, and
    the whole file is refused.

    Bad: ``<mass value="0"/>`` in a link fixed to another one without mass.

    Use instead: no ``<inertial>`` where there is no mass.

    Source: libsdformat, ``ReduceInertialToParent`` and ``dMassAdd`` in src/parser_urdf.cc
    """
    return Message(
        f"merging link '{name}' into '{into}' divides by their mass of zero", "remove the <inertial> of mass zero"
    )


@rule("urdf-version-unknown", 812, libsdformat="FILE_READ")
def urdf_version_unknown(version: str) -> str:
    """A version of URDF that does not exist or is newer than this program knows.

    The file is read as the newest version that is known. urdfdom refuses it.

    Bad: ``<robot name="r" version="2.0">``, ``<robot name="r" version="1">``

    Use instead: one of ``1.0``, ``1.1``, ``1.2``; a file without a version is URDF 1.0.

    Source: urdfdom 6.0, ``URDFVersion`` and ``parseURDF``
    """
    return f"URDF has no version '{version}': it is one of 1.0, 1.1, 1.2"


@rule("urdf-newer-feature", 813, severity=Severity.WARNING)
def urdf_newer_feature(what: str, since: str, version: str) -> str:
    """A feature of a later URDF version than the one that the file names. urdfdom ignores it.

    A rotation written as ``quat_xyzw`` is ignored here too. A ``<capsule>`` is shown; urdfdom leaves out its visual or
    collision. A file that names no version is URDF 1.0.

    Bad: ``<robot name="r"> ... <origin quat_xyzw="0 0 0.7071 0.7071"/>``

    Use instead: ``<robot name="r" version="1.1">``

    Source: urdfdom 6.0, ``parsePose``, ``parseGeometry`` and ``parseJointLimits``
    """
    return Message(f"{what} is new in URDF {since}", f"this file is URDF {version}, in which it is ignored")


@rule("urdf-two-rotations", 814, libsdformat="FILE_READ")
def urdf_two_rotations() -> str:
    """An ``<origin>`` with angles and a quaternion. The quaternion is taken; urdfdom refuses the file.

    In a visual, collision or inertial it is a warning: urdfdom skips the rest of the link and continues.

    Bad: ``<origin rpy="0 0 0" quat_xyzw="0 0 0.7071 0.7071"/>``

    Use instead: ``<origin quat_xyzw="0 0 0.7071 0.7071"/>``

    Source: urdfdom 6.0, ``parsePose``
    """
    return "<origin> has both rpy and quat_xyzw: remove one of them"


@rule("urdf-fixed-to-massless", 815, libsdformat="FRAME_ATTACHED_TO_INVALID")
def urdf_fixed_to_massless(name: str, target: str) -> str:
    """A link on a fixed joint whose parent has no mass and is not the root.

    libsdformat merges the two and leaves out the massless result, but keeps a frame for the merged link. The frame is
    then attached to nothing, and the whole file is refused.

    Bad: ``<link name="hand"/>`` without mass on a revolute joint, ``<link name="tip"/>`` on a fixed joint below it.

    Use instead: ``<link name="hand"><inertial>...</inertial></link>``

    Source: libsdformat, ``ReduceFixedJoints`` and ``CreateSDF`` in src/parser_urdf.cc
    """
    return f"link '{name}' is fixed to '{target}', which has no mass: Gazebo leaves '{target}' out and refuses the file"


@rule("urdf-misplaced", 816, severity=Severity.WARNING)
def urdf_misplaced(tag: str, where: str, wanted: str) -> str:
    """An element of URDF where URDF does not have it. Everybody ignores it there, with all in it.

    Elements that URDF does not know at all are not reported: many programs have some of their own.

    Bad: ``<joint ...> ... <link name="hand"/> </joint>``

    Use instead: ``<joint ...> ... </joint> <link name="hand"/>``

    Source: https://wiki.ros.org/urdf/XML
    """
    return f"<{tag}> in <{where}> is ignored: it belongs in {wanted}"


@rule("urdf-bad-color", 817)
def urdf_bad_color(value: str) -> str:
    """A colour that is not four numbers from 0 to 1: urdfdom reports a malformed colour and takes none.

    Programs that use urdfdom draw the visual in their own default colour. Here the numbers are drawn as near as they
    can be. This is an error, although libsdformat reads the rest of the file: the colour does not survive.

    Bad: ``<color rgba="255 0 0 1"/>``, ``<color rgba="#f00"/>``, ``<color rgb="1 0 0"/>``

    Use instead: ``<color rgba="1 0 0 1"/>``

    Source: urdfdom, ``parseMaterial``, and urdfdom_headers, ``Color::init``
    """
    return f"'{value}' is not a colour: rgba is four numbers from 0 to 1, as in '1 0 0 1'"


@rule("urdf-misspelt", 818, severity=Severity.WARNING)
def urdf_misspelt(what: str, where: str, hint: str) -> str:
    """An element or attribute that URDF does not know and that is nearly one that would count there.

    Everybody ignores it: ``<orign>`` in a joint leaves the joint at its parent. The words of SDFormat are found, too,
    where URDF has others: ``<pose>`` in a joint or link, ``min`` of a ``<limit>``; and the first letters of a word,
    ``r`` of a ``<sphere>``.

    All other elements and attributes that URDF does not know are not reported: many programs have some of their own.

    Bad: ``<origin xzy="0 0 1"/>``

    Use instead: ``<origin xyz="0 0 1"/>``

    Source: https://wiki.ros.org/urdf/XML
    """
    return f"{what} in <{where}> is ignored" + hint


@rule("urdf-option-without-effect", 819, severity=Severity.WARNING)
def urdf_option_without_effect(tag: str, where: str, reference: str) -> str:
    """An option of Gazebo where libsdformat does not read it.

    Options of links, ``<mu1>`` and others, count only in a ``<gazebo>`` whose ``reference`` is a link; those of joints,
    ``<springStiffness>`` and others, where it is a joint; ``<static>`` where there is none. ``<preserveFixedJoint>``
    and ``<disableFixedJointLumping>`` count only where it is the joint: in the joint itself, in a ``<gazebo>`` of a
    link or in one without a reference the link is merged all the same.

    Bad: ``<joint name="mount" type="fixed"> ... <preserveFixedJoint>true</preserveFixedJoint> </joint>``

    Use instead: ``<gazebo reference="mount"><preserveFixedJoint>true</preserveFixedJoint></gazebo>``

    Source: libsdformat, ``ParseSDFExtension`` and ``InsertSDFExtensionJoint`` in src/parser_urdf.cc
    """
    place = f'<gazebo reference="{reference}">' if reference else "a <gazebo> without a reference"
    return f"<{tag}> in {where} has no effect: it belongs in {place}"


# --- what no parser refuses, and ROS, MoveIt or a simulation trips over later ---------------------------------------


@rule("urdf-cannot-move", 826, severity=Severity.WARNING)
def urdf_cannot_move(name: str, joint_type: str, at: float) -> str:
    """A revolute or prismatic joint whose two limits are the same.

    A limit that is not written is 0, so that a ``<limit>`` with effort and velocity alone keeps the joint at 0. The
    quick fixes write what it does, a fixed joint, or what was meant where no limit is written, a continuous one.

    Bad: ``<joint name="j" type="revolute"> ... <limit effort="10" velocity="1"/> </joint>``

    Use instead: ``<limit lower="-1.57" upper="1.57" effort="10" velocity="1"/>``, or ``type="continuous"``

    Source: urdfdom, ``parseJointLimits``
    """
    return f"the {joint_type} joint '{name}' cannot move: its lower and its upper limit are both {at:g}"


@rule("urdf-axis-not-unit", 827, severity=Severity.INFO)
def urdf_axis_not_unit(name: str, length: float) -> str:
    """An axis whose vector is not of unit length.

    urdfdom hands the vector on as it is written. Most programs normalise it; those that do not move the joint by more
    or less than its position says. The quick fix writes the unit vector.

    Bad: ``<axis xyz="0 0 2"/>``

    Use instead: ``<axis xyz="0 0 1"/>``

    Source: https://wiki.ros.org/urdf/XML/joint, "The vector should be normalized"; urdfdom, ``parseJoint``
    """
    return Message(f"the axis of joint '{name}' has length {length:.3g}", "write a unit vector")


@rule("urdf-no-inertia", 828, severity=Severity.WARNING)
def urdf_no_inertia(name: str) -> str:
    """A link with mass whose moments of inertia are all zero, also with what is fixed to it.

    Nothing resists its rotation: a simulation becomes unstable or refuses it, as MuJoCo does. The quick fix computes
    the moments from the shapes of the link and its mass.

    Bad: ``<mass value="1"/> <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>``

    Use instead: ``<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>``

    Source: MuJoCo, "mass and inertia of moving bodies must be larger than mjMINVAL"
    """
    return Message(f"link '{name}' has mass and no inertia", "give it the moments of its shape")


@rule("urdf-name-for-ros", 829, severity=Severity.WARNING)
def urdf_name_for_ros(tag: str, name: str, why: str) -> str:
    """A name that urdfdom reads and that other parts of ROS do not take.

    A link is a frame of tf2, which refuses names that begin with ``/``. The interfaces of ros2_control are called
    ``joint/position``, so that a joint has no ``/`` in its name. Blanks at the ends of a name belong to it in urdfdom
    and are cut off by others.

    The quick fix renames it with all references in the file.

    Bad: ``<link name="/base_link"/>``

    Use instead: ``<link name="base_link"/>``

    Source: geometry2, ``BufferCore::validateFrameId`` in tf2/src/buffer_core.cpp; ros2_control, documentation of
    hardware interfaces
    """
    return Message(f"the name '{name}' of a <{tag}> {why}", "rename it")


@rule("urdf-loop", 830, severity=Severity.WARNING)
def urdf_loop(name: str, parent: str, child: str, hint: str) -> str:
    """A ``<constraint>``, as an open proposal for URDF closes a loop with.

    It is not part of any version of URDF: urdfdom, Gazebo and this program read the links as a tree, in which the loop
    is open. SDFormat has loops: a second joint with the same child.

    Bad: ``<constraint name="c" type="revolute"> <parent link="a"/> <child link="b"/> </constraint>``

    Use instead: SDFormat, where a joint may close a loop, or the constraint in a file of the program that reads it.

    Source: https://github.com/ros/urdfdom/pull/264
    """
    ends = f"between '{parent}' and '{child}'" if parent and child else "without two links"
    return Message(f"constraint '{name}' closes a loop {ends}", "no version of URDF has that, so it stays open") + hint
