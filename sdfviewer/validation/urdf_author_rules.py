"""What no parser refuses in a URDF and what ROS, MoveIt or a simulation trips over later."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity, rule


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
    return f"the axis of joint '{name}' has length {length:.3g}; write a unit vector"


@rule("urdf-no-inertia", 828, severity=Severity.WARNING)
def urdf_no_inertia(name: str) -> str:
    """A link with mass whose moments of inertia are all zero, also with what is fixed to it.

    Nothing resists its rotation: a simulation becomes unstable or refuses it, as MuJoCo does. The quick fix computes
    the moments from the shapes of the link and its mass.

    Bad: ``<mass value="1"/> <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>``

    Use instead: ``<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>``

    Source: MuJoCo, "mass and inertia of moving bodies must be larger than mjMINVAL"
    """
    return f"link '{name}' has mass and no inertia; give it the moments of its shape"


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
    return f"the name '{name}' of a <{tag}> {why}; rename it"


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
    return f"constraint '{name}' closes a loop {ends}; no version of URDF has that, so it stays open{hint}"
