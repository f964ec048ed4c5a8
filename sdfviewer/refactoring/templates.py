"""The text of new files."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.versions import NEWEST, format_version


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

    def text(self, name: str | None = None) -> str:
        """Return the text of a file of the newest version."""
        body = self.body.replace("{name}", name or self.name).strip("\n")
        if self.is_urdf:
            return f'<?xml version="1.0"?>\n{body}\n'
        return f'<?xml version="1.0"?>\n<sdf version="{format_version(NEWEST)}">\n{body}\n</sdf>\n'


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
    """Return a joint that is measured from its parent."""
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
    return f"""    <joint name="{name}" type="{kind}">
      <pose relative_to="{parent}">{pose}</pose>
      <parent>{parent}</parent>
      <child>{child}</child>
      <axis>
        <xyz>{axis}</xyz>{bounds}
      </axis>
    </joint>"""


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

_WHEEL = _cylinder("0.1", "0.04")
_ROVER = "\n".join(
    [
        '  <model name="{name}">',
        "    <pose>0 0 0.1 0 0 0</pose>",
        _link("chassis", "", "8", "0.0817 0.1734 0.2417", "<box><size>0.5 0.35 0.1</size></box>", "0 0 0.03 0 0 0"),
        *(
            part
            for side, y in (("left", "0.2"), ("right", "-0.2"))
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
        "  </model>",
    ]
)

_WORLD = """  <world name="{name}">
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


def _urdf_link(name: str, height: str, mass: str, moments: str, shape: str) -> str:
    """Return a link of a URDF whose inertial, visual and collision are at a height."""
    ixx, iyy, izz = moments.split()
    origin = f'<origin xyz="0 0 {height}" rpy="0 0 0"/>'
    solids = "".join(
        f"""
    <{tag}>
      {origin}
      <geometry>
        {shape}
      </geometry>
    </{tag}>"""
        for tag in ("visual", "collision")
    )
    return f"""  <link name="{name}">
    <inertial>
      {origin}
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
    for side, y in (("left", "0.15"), ("right", "-0.19"))
    for part in (
        _urdf_joint(f"{side}_wheel_joint", "continuous", f"{side}_wheel", f"0.1 {y} 0", "-1.5707963267948966 0 0"),
        _urdf_link(f"{side}_wheel", "0.02", "0.6283185", "0.001654572 0.001654572 0.003141593", _WHEEL_SHAPE),
    )
)
_URDF_CASTER = f"""{_urdf_joint("caster_joint", "fixed", "caster", "-0.15 0 -0.1")}
{_urdf_link("caster", "0.05", "0.2617994", "0.0002617994 0.0002617994 0.0002617994", '<sphere radius="0.05"/>')}"""


def _robot(*parts: str) -> str:
    return "\n".join(['<robot name="{name}">', *parts, "</robot>"])


TEMPLATES = {
    "model": Template("Model", "model", '  <model name="{name}">\n    <link name="base"/>\n  </model>'),
    "arm": Template("Arm", "arm", _ARM),
    "rover": Template("Rover", "rover", _ROVER),
    "world": Template("World", "default", _WORLD),
    "urdf": Template("URDF Robot", "robot", _robot(_URDF_BASE)),
    "urdf_base": Template("URDF Mobile Base", "mobile_base", _robot(_URDF_BASE, _URDF_WHEELS, _URDF_CASTER)),
}
"""What a new file can start with, by the name of the template."""
