"""Which parameters of plugins name links and joints of the model that the plugin is written in.

Source: ``Configure`` of each system in gz-sim/src/systems, which looks the name up in its own model; for Gazebo Classic
``Load`` of the plugins in gazebo/plugins and gazebo_ros_pkgs/gazebo_plugins. Parameters that name something of another
model, a frame of messages or a topic are left out, as are systems that look names up in the whole world.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

#: What a parameter names.
Named: TypeAlias = Literal["joint", "link"]

#: What a library is called without the part that says of which version it is: ``libgz-sim8-diff-drive-system.so``.
_FILE = re.compile(r"(?:lib)?(?:(?:gz-sim|ignition-gazebo)\d*-)?(.*?)(?:\.so|\.dylib|\.dll)?")


def _named(joints: str = "", links: str = "") -> Mapping[str, Named]:
    return {**dict.fromkeys(joints.split(), "joint"), **dict.fromkeys(links.split(), "link")}


_WHEELS = _named("left_joint right_joint")
_LIFT_DRAG = _named("control_joint_name", "link_name")
_JOINT, _LINK, _BODY = _named("joint_name"), _named(links="link_name"), _named(links="body_name bodyName")
#: The parameters of each plugin; ``@name`` is an attribute of an element in the plugin.
_PARAMETERS: Mapping[str, Mapping[str, Named]] = {
    "ackermann-steering-system": {**_WHEELS, **_named("left_steering_joint right_steering_joint")},
    "advanced-lift-drag-system": _LINK,
    "apply-joint-force-system": _JOINT,
    "buoyancy-engine-system": _LINK,
    "detachable-joint-system": _named(links="parent_link"),
    "diff-drive-system": _WHEELS,
    "hydrodynamics-system": _LINK,
    "joint-controller-system": _JOINT,
    "joint-position-controller-system": _JOINT,
    "joint-state-publisher-system": _JOINT,
    "joint-trajectory-controller-system": _JOINT,
    "kinetic-energy-monitor-system": _named(links="base_link_name"),
    "lift-drag-system": _LIFT_DRAG,
    "mecanum-drive-system": _named("front_left_joint front_right_joint back_left_joint back_right_joint"),
    "multicopter-control-system": _named("jointName", "comLinkName"),
    "multicopter-motor-model-system": _named("jointName", "linkName"),
    "spacecraft-thruster-model-system": _LINK,
    "thruster-system": _JOINT,
    "track-controller-system": _named(links="link"),
    "tracked-vehicle-system": _named(links="link body_link"),
    "trajectory-follower-system": _LINK,
    "velocity-control-system": _LINK,
    "wheel-slip-system": _named(links="@link_name"),
    "DiffDrivePlugin": _WHEELS,
    "LiftDragPlugin": _LIFT_DRAG,
    "WheelSlipPlugin": _named(links="@link_name"),
    "gazebo_ros_ackermann_drive": _named(
        "front_left_joint front_right_joint rear_left_joint rear_right_joint"
        " left_steering_joint right_steering_joint steering_wheel_joint"
    ),
    "gazebo_ros_diff_drive": {**_WHEELS, **_named("leftJoint rightJoint")},
    "gazebo_ros_f3d": _BODY,
    "gazebo_ros_force": {**_BODY, **_LINK},
    "gazebo_ros_ft_sensor": _named("joint_name jointName", "body_name"),
    "gazebo_ros_hand_of_god": _named(links="link_name linkName"),
    "gazebo_ros_joint_state_publisher": _JOINT,  # jointName is a list
    "gazebo_ros_p3d": _BODY,
    "gazebo_ros_skid_steer_drive": _named("leftFrontJoint rightFrontJoint leftRearJoint rightRearJoint"),
    "gazebo_ros_tricycle_drive": _named(
        "steeringJoint actuatedWheelJoint encoderWheelLeftJoint encoderWheelRightJoint"
    ),
    "gazebo_ros_vacuum_gripper": _named(links="link_name bodyName"),
    "gazebo_ros_wheel_slip": _named(links="@link_name"),
}
_NONE: Mapping[str, Named] = {}


def plugin_parameters(filename: str) -> Mapping[str, Named]:
    """Return what the parameters of a plugin name, by their tags; of an attribute in it by ``@`` and its name.

    Parameters
    ----------
    filename
        The library of the plugin as it is written, with or without ``lib``, version and ending.
    """
    match = _FILE.fullmatch(filename.strip())
    return _NONE if match is None else _PARAMETERS.get(match[1], _NONE)
