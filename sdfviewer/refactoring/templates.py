"""The text of new files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.versions import NEWEST, Version, format_version

_NAME = re.compile(r"[\w-]+")
SIMULATORS: dict[str, Version] = {
    "Gazebo Jetty, Drake": (1, 12),
    "Gazebo Harmonic": (1, 11),
    "Gazebo Garden": (1, 10),
    "Gazebo Fortress": (1, 9),
}
"""The newest version that each simulator reads, the newest first.

Source: the versions of libsdformat that each has, 16, 14, 13 and 12.
"""


@dataclass(frozen=True)
class Template:
    """What a new file starts with.

    Attributes
    ----------
    title
        For menus.
    name
        Of the model or world, where nobody gives another.
    body
        The model, world or robot, with ``{name}``.
    """

    title: str
    name: str
    body: str

    @property
    def is_urdf(self) -> bool:
        """Whether it is a robot of URDF."""
        return self.body.startswith("<robot")

    def fits(self, path: Path | None) -> bool:
        """Return whether a file of this name may start with it."""
        return self.is_urdf is (path is not None and path.suffix.lower() == ".urdf")

    def start(self, document: Document) -> Edit:
        """Return the edit that makes this of an empty file, named as the file where that can be a name."""
        name = document.path.stem if document.path is not None and _NAME.fullmatch(document.path.stem) else None
        text = Replacement(0, len(document.text), self.text(name))
        return Edit(f"Start a {self.name}", document, (text,))

    def text(self, name: str | None = None, version: Version = NEWEST) -> str:
        """Return the text of a file, of a version of SDFormat where it is one."""
        body = self.body.replace("{name}", name or self.name).strip("\n")
        if self.is_urdf:
            return f'<?xml version="1.0"?>\n{body}\n'
        return f'<?xml version="1.0"?>\n<sdf version="{format_version(version)}">\n{body}\n</sdf>\n'


def _link(name: str, pose: str, mass: str, moments: str, shape: str, at: str = "", joint: str = "") -> str:
    """Return a link whose visual and collision have one shape, at a pose in the link."""
    ixx, iyy, izz = moments.split()
    relative_to = f' relative_to="{joint}"' if joint else ""
    link_pose = (
        f"\n      <pose{relative_to}>{pose}</pose>" if pose else f"\n      <pose{relative_to}/>" if joint else ""
    )
    own_pose = f"\n        <pose>{at}</pose>" if at else ""
    solids = "".join(
        f"""
      <{tag} name="{tag}">{own_pose}
        <geometry>
          {shape}
        </geometry>
      </{tag}>"""
        for tag in ("visual", "collision")
    )
    return f"""    <link name="{name}">{link_pose}
      <inertial>{own_pose}
        <mass>{mass}</mass>
        <inertia>
          <ixx>{ixx}</ixx>
          <iyy>{iyy}</iyy>
          <izz>{izz}</izz>
        </inertia>
      </inertial>{solids}
    </link>"""


def _joint(name: str, kind: str, parent: str, child: str, pose: str, axis: str = "0 0 1", limit: str = "") -> str:
    bounds = ""
    if limit:
        lower, upper = limit.split()
        bounds = f"""
        <limit>
          <lower>{lower}</lower>
          <upper>{upper}</upper>
          <effort>50</effort>
          <velocity>2</velocity>
        </limit>"""
    moves = f"\n      <axis>\n        <xyz>{axis}</xyz>{bounds}\n      </axis>" if axis else ""
    return f"""    <joint name="{name}" type="{kind}">
      <pose relative_to="{parent}">{pose}</pose>
      <parent>{parent}</parent>
      <child>{child}</child>{moves}
    </joint>"""


def _plugin(system: str, **parameters: str) -> str:
    """Return a system of Gazebo Sim: ``DiffDrive`` is in gz-sim-diff-drive-system."""
    file = re.sub(r"(?<=.)([A-Z])", r"-\1", system).lower()
    lines = "".join(f"\n      <{tag}>{value}</{tag}>" for tag, value in parameters.items())
    head = f'    <plugin filename="gz-sim-{file}-system"\n      name="gz::sim::systems::{system}"'
    return f"{head}>{lines}\n    </plugin>" if lines else f"{head}/>"


def _with(link: str, *parts: str) -> str:
    return link.removesuffix("    </link>") + "".join(parts) + "    </link>"


def _cylinder(radius: str, length: str) -> str:
    return f"<cylinder><radius>{radius}</radius><length>{length}</length></cylinder>"


_ARM = "\n".join(
    [
        '  <model name="{name}">',
        _link("base", "", "4", "0.0133 0.0133 0.02", _cylinder("0.1", "0.1"), "0 0 0.05 0 0 0"),
        _joint("joint_1", "revolute", "base", "upper_arm", "0 0 0.1 0 0 0", "0 0 1", "-3.1416 3.1416"),
        _link("upper_arm", "", "2", "0.0158 0.0158 0.0016", _cylinder("0.04", "0.3"), "0 0 0.15 0 0 0", "joint_1"),
        _joint("joint_2", "revolute", "upper_arm", "forearm", "0 0 0.3 0 0 0", "0 1 0", "-2.4 2.4"),
        _link("forearm", "", "1", "0.0055 0.0055 0.00045", _cylinder("0.03", "0.25"), "0 0 0.125 0 0 0", "joint_2"),
        '    <frame name="tool" attached_to="forearm">\n      <pose>0 0 0.25 0 0 0</pose>\n    </frame>',
        "  </model>",
    ]
)
_FINGER = "<box><size>0.02 0.01 0.06</size></box>"
_GRIPPER = "\n".join(
    [
        _joint("palm_joint", "fixed", "tool", "palm", "0 0 0 0 0 0", ""),
        _link(
            "palm",
            "",
            "0.3",
            "0.0001 0.0003 0.0003",
            "<box><size>0.03 0.1 0.03</size></box>",
            "0 0 0.015 0 0 0",
            "palm_joint",
        ),
        *(
            part
            for side, y, axis in (("left", "0.03", "0 1 0"), ("right", "-0.03", "0 -1 0"))
            for part in (
                _joint(
                    f"{side}_finger_joint",
                    "prismatic",
                    "palm",
                    f"{side}_finger",
                    f"0 {y} 0.03 0 0 0",
                    axis,
                    "-0.02 0.015",
                ),
                _link(
                    f"{side}_finger",
                    "",
                    "0.05",
                    "0.00002 0.00002 0.000002",
                    _FINGER,
                    "0 0 0.03 0 0 0",
                    f"{side}_finger_joint",
                ),
            )
        ),
        *(
            _plugin("JointPositionController", joint_name=joint, topic=joint, p_gain=gain)
            for joint, gain in (
                ("joint_1", "50"),
                ("joint_2", "50"),
                ("left_finger_joint", "20"),
                ("right_finger_joint", "20"),
            )
        ),
        _plugin("JointStatePublisher"),
    ]
)

_WHEEL = _cylinder("0.1", "0.04")
_SIDES = (("left", "0.2"), ("right", "-0.2"))
_IMU = """      <sensor name="imu" type="imu">
        <update_rate>100</update_rate>
        <topic>imu</topic>
      </sensor>
"""
_LIDAR = """      <sensor name="lidar" type="gpu_lidar">
        <pose>0.15 0 0.12 0 0 0</pose>
        <update_rate>10</update_rate>
        <topic>scan</topic>
        <lidar>
          <scan>
            <horizontal>
              <samples>360</samples>
              <min_angle>-3.1416</min_angle>
              <max_angle>3.1416</max_angle>
            </horizontal>
          </scan>
          <range>
            <min>0.1</min>
            <max>12</max>
          </range>
        </lidar>
      </sensor>
"""
_CHASSIS = _link("chassis", "", "8", "0.0817 0.1734 0.2417", "<box><size>0.5 0.35 0.1</size></box>", "0 0 0.03 0 0 0")
_ROVER = "\n".join(
    [
        '  <model name="{name}">',
        "    <pose>0 0 0.1 0 0 0</pose>",
        _with(_CHASSIS, _IMU, _LIDAR),
        *(
            part
            for side, y in _SIDES
            for part in (
                _joint(f"{side}_wheel_joint", "continuous", "chassis", f"{side}_wheel", f"0.1 {y} 0 0 0 0", "0 1 0"),
                _link(
                    f"{side}_wheel",
                    "",
                    "0.6",
                    "0.00158 0.003 0.00158",
                    _WHEEL,
                    "0 0 0 1.5708 0 0",
                    f"{side}_wheel_joint",
                ),
            )
        ),
        _link(
            "caster", "", "0.2", "0.0002 0.0002 0.0002", "<sphere><radius>0.05</radius></sphere>", "", "caster_joint"
        ),
        '    <joint name="caster_joint" type="ball">\n      <pose relative_to="chassis">-0.18 0 -0.05 0 0 0</pose>\n'
        "      <parent>chassis</parent>\n      <child>caster</child>\n    </joint>",
        _plugin(
            "DiffDrive",
            left_joint="left_wheel_joint",
            right_joint="right_wheel_joint",
            wheel_separation="0.4",
            wheel_radius="0.1",
            topic="cmd_vel",
            odom_topic="odom",
            frame_id="odom",
            child_frame_id="chassis",
        ),
        _plugin("JointStatePublisher"),
        "  </model>",
    ]
)

# The rotors of each diagonal turn the same way; the constants are those of Gazebo's own quadrotor.
_ROTORS = (
    ("0", "0.18 -0.18 0.05", "ccw"),
    ("1", "-0.18 0.18 0.05", "ccw"),
    ("2", "0.18 0.18 0.05", "cw"),
    ("3", "-0.18 -0.18 0.05", "cw"),
)
_BEAMS = "".join(
    f"""      <visual name="beam_{number}">
        <pose>0 0 0.03 0 0 {yaw}</pose>
        <geometry>
          <box><size>0.51 0.02 0.015</size></box>
        </geometry>
      </visual>
"""
    for number, yaw in (("0", "0.7854"), ("1", "-0.7854"))
)
_QUADROTOR = "\n".join(
    [
        '  <model name="{name}">',
        "    <pose>0 0 0.04 0 0 0</pose>",
        _with(_link("base", "", "1.5", "0.0049 0.008 0.0113", "<box><size>0.24 0.18 0.08</size></box>"), _BEAMS, _IMU),
        *(
            part
            for number, place, _ in _ROTORS
            for part in (
                _joint(f"rotor_{number}_joint", "continuous", "base", f"rotor_{number}", f"{place} 0 0 0"),
                _link(
                    f"rotor_{number}",
                    "",
                    "0.005",
                    "0.00005 0.00005 0.0001",
                    _cylinder("0.1", "0.005"),
                    "",
                    f"rotor_{number}_joint",
                ),
            )
        ),
        *(
            _plugin(
                "MulticopterMotorModel",
                jointName=f"rotor_{number}_joint",
                linkName=f"rotor_{number}",
                turningDirection=direction,
                timeConstantUp="0.0125",
                timeConstantDown="0.025",
                maxRotVelocity="800",
                motorConstant="8.54858e-06",
                momentConstant="0.016",
                commandSubTopic="command/motor_speed",
                actuator_number=number,
                rotorDragCoefficient="8.06428e-05",
                rollingMomentCoefficient="1e-06",
                rotorVelocitySlowdownSim="10",
                motorType="velocity",
            )
            for number, _, direction in _ROTORS
        ),
        "  </model>",
    ]
)

_WORLD = (
    """  <world name="{name}">
    <physics name="1ms" type="ignored">
      <max_step_size>0.001</max_step_size>
      <real_time_factor>1</real_time_factor>
    </physics>
"""
    + "\n".join(map(_plugin, ("Physics", "UserCommands", "SceneBroadcaster", "Sensors", "Imu", "Contact")))
    + """
    <light name="sun" type="directional">
      <direction>-0.5 0.1 -0.9</direction>
    </light>
    <model name="ground">
      <static>true</static>
      <link name="link">
        <collision name="collision">
          <geometry>
            <plane/>
          </geometry>
        </collision>
        <visual name="visual">
          <geometry>
            <plane>
              <size>100 100</size>
            </plane>
          </geometry>
        </visual>
      </link>
    </model>
  </world>"""
)


def _urdf_link(name: str, height: str, mass: str, moments: str, shape: str) -> str:
    """Return a link of a URDF whose inertial, visual and collision are at a height, empty for its origin."""
    ixx, iyy, izz = moments.split()
    origin = f'\n      <origin xyz="0 0 {height}" rpy="0 0 0"/>' if height else ""
    solids = "".join(
        f"""
    <{tag}>{origin}
      <geometry>
        {shape}
      </geometry>
    </{tag}>"""
        for tag in ("visual", "collision")
    )
    return f"""  <link name="{name}">
    <inertial>{origin}
      <mass value="{mass}"/>
      <inertia ixx="{ixx}" ixy="0" ixz="0" iyy="{iyy}" iyz="0" izz="{izz}"/>
    </inertial>{solids}
  </link>"""


def _urdf_joint(name: str, kind: str, child: str, xyz: str, rpy: str = "0 0 0") -> str:
    """Return a joint of a URDF that carries a link on the base."""
    axis = "" if kind == "fixed" else '\n    <axis xyz="0 0 1"/>'
    return f"""  <joint name="{name}" type="{kind}">
    <origin xyz="{xyz}" rpy="{rpy}"/>
    <parent link="base_link"/>
    <child link="{child}"/>{axis}
  </joint>"""


_URDF_BASE = _urdf_link("base_link", "0.05", "6", "0.05 0.085 0.125", '<box size="0.4 0.3 0.1"/>')
_WHEEL_SHAPE = '<cylinder radius="0.1" length="0.04"/>'
_URDF_WHEELS = "\n".join(
    part
    for side, y in (("left", "0.17"), ("right", "-0.17"))
    for part in (
        _urdf_joint(f"{side}_wheel_joint", "continuous", f"{side}_wheel", f"0.1 {y} 0", "-1.5707963267948966 0 0"),
        _urdf_link(f"{side}_wheel", "", "0.6283185", "0.001654572 0.001654572 0.003141593", _WHEEL_SHAPE),
    )
)
_URDF_CASTER = f"""{_urdf_joint("caster_joint", "fixed", "caster", "-0.15 0 -0.1")}
{_urdf_link("caster", "0.05", "0.2617994", "0.0002617994 0.0002617994 0.0002617994", '<sphere radius="0.05"/>')}"""


def _robot(*parts: str) -> str:
    return "\n".join(['<robot name="{name}">', *parts, "</robot>"])


#: What an empty file gets before something is added to it, by the ending of its name.
EMPTY = {
    ".urdf": Template("URDF Robot", "robot", _robot()),
    ".sdf": Template("Model", "model", '  <model name="{name}">\n  </model>'),
}
TEMPLATES = {
    "model": Template("Model", "model", '  <model name="{name}">\n    <link name="base"/>\n  </model>'),
    "arm": Template("Arm", "arm", _ARM),
    "arm_gripper": Template("Arm With Gripper", "arm", _ARM.removesuffix("  </model>") + _GRIPPER + "\n  </model>"),
    "rover": Template("Rover", "rover", _ROVER),
    "quadrotor": Template("Quadrotor", "quadrotor", _QUADROTOR),
    "world": Template("World", "default", _WORLD),
    "urdf": Template("URDF Robot", "robot", _robot(_URDF_BASE)),
    "urdf_base": Template("URDF Mobile Base", "mobile_base", _robot(_URDF_BASE, _URDF_WHEELS, _URDF_CASTER)),
}
"""What a new file can start with, by the name of the template."""
