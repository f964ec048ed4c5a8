"""Two models compared whole: what is written in their rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.topics import Aspect
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.comparison.difference import PropertyChange
from sdfviewer.model.model import Model

ROBOT = """<sdf version="1.9">
  <model name="robot">
    <link name="base">
      <inertial><mass>2</mass><pose>0 0 0.1 0 0 0</pose>
        <inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>
      <visual name="v"><geometry><box><size>1 2 3</size></box></geometry>
        <material><diffuse>1 0 0 1</diffuse></material></visual>
      <collision name="c"><geometry><mesh><uri>meshes/a.stl</uri></mesh></geometry>
        <surface><friction><ode><mu>0.5</mu></ode></friction></surface></collision>
      <sensor name="imu" type="imu"><update_rate>100</update_rate>
        <imu><angular_velocity><x><noise type="gaussian"><stddev>0.01</stddev></noise></x></angular_velocity></imu>
      </sensor>
      <light name="lamp" type="point"><diffuse>1 1 1 1</diffuse></light>
    </link>
    <link name="arm"><pose>0 0 1 0 0 0</pose></link>
    <link name="tip"><pose>0 0 2 0 0 0</pose></link>
    <joint name="j" type="revolute"><parent>base</parent><child>arm</child>
      <axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit>
        <dynamics><damping>0.5</damping></dynamics></axis></joint>
    <joint name="k" type="prismatic"><parent>arm</parent><child>tip</child><axis><xyz>1 0 0</xyz></axis></joint>
    <plugin name="control" filename="libcontrol.so"><joint>j</joint><gain>2.0</gain></plugin>
  </model>
</sdf>
"""


def model_at(text: str, path: Path) -> Model:
    model = Loader().load(parse_document(text, path))
    assert model is not None
    return model


def differences(before: str, after: str, *aspects: Aspect) -> list[tuple[str, str, str, str | None, str | None]]:
    """Return what differs: what became of it, the row, the property, both values."""
    found = compare(load_model(before), load_model(after)).properties(*aspects)
    return [(each.changes[0].value, each.name, each.quantity, each.value_before, each.value_after) for each in found]


@pytest.mark.parametrize(
    ("old", "new", "aspect", "found"),
    [
        ("<mass>2<", "<mass>3<", Aspect.MASS, ("changed", "robot::base", "mass", "2", "3")),
        (
            "0 0 0.1 0 0 0",
            "0 0 0.2 0 0 0",
            Aspect.MASS,
            ("changed", "robot::base", "center_of_mass", "0 0 0.1", "0 0 0.2"),
        ),
        (
            "<ixx>0.1<",
            "<ixx>0.15<",
            Aspect.MASS,
            ("changed", "robot::base", "inertia", "0.1 0 0 0.2 0 0.25", "0.15 0 0 0.2 0 0.25"),
        ),
        (
            "<inertial><mass>2</mass><pose>0 0 0.1 0 0 0</pose>\n        <inertia><ixx>0.1</ixx><iyy>0.2</iyy>"
            "<izz>0.25</izz></inertia></inertial>",
            "",
            Aspect.MASS,
            ("lost", "robot::base", "mass", "2", "1"),
        ),
        (">1 2 3<", ">1 2 4<", Aspect.SHAPE, ("changed", "robot::base::v", "geometry.size", "1 2 3", "1 2 4")),
        ("a.stl", "b.stl", Aspect.SHAPE, ("changed", "robot::base::c", "geometry.uri", "meshes/a.stl", "meshes/b.stl")),
        (
            "<geometry><box><size>1 2 3</size></box></geometry>",
            "",
            Aspect.SHAPE,
            ("lost", "robot::base::v", "geometry", "box, size 1 2 3", "empty"),
        ),
        (
            ">1 0 0 1<",
            ">0 0 1 1<",
            Aspect.APPEARANCE,
            ("changed", "robot::base::v", "material.diffuse", "1 0 0 1", "0 0 1 1"),
        ),
        ("<mu>0.5<", "<mu>0.6<", Aspect.CONTACT, ("changed", "robot::base::c", "surface.mu", "0.5", "0.6")),
        (">100<", ">50<", Aspect.SENSOR, ("changed", "robot::base::imu", "update_rate", "100", "50")),
        (
            "<stddev>0.01</stddev>",
            "",
            Aspect.SENSOR,
            ("lost", "robot::base::imu", "imu/angular_velocity/x/noise/stddev", "0.01", None),
        ),
        (">1 1 1 1<", ">1 1 0 1<", Aspect.LIGHT, ("changed", "robot::base::lamp", "diffuse", "1 1 1 1", "1 1 0 1")),
        ("<upper>1<", "<upper>2<", Aspect.JOINT, ("changed", "robot::j", "axis.limits.upper", "1", "2")),
        ("<damping>0.5<", "<damping>1<", Aspect.JOINT, ("changed", "robot::j", "axis.dynamics.damping", "0.5", "1")),
        (">0 0 1</xyz", ">0 1 0</xyz", Aspect.JOINT, ("changed", "robot::j", "axis", "0 0 1", "0 1 0")),
        ("prismatic", "revolute", Aspect.JOINT, ("changed", "robot::k", "type", "prismatic", "revolute")),
        (
            "<parent>arm<",
            "<parent>base<",
            Aspect.JOINT,
            ("changed", "robot::k", "parent", "robot::arm", "robot::base"),
        ),
        (
            ">0 0 1</xyz>",
            '>0 0 1</xyz><mimic joint="k"><multiplier>2</multiplier></mimic>',
            Aspect.JOINT,
            ("added", "robot::j", "axis.mimic", None, "k"),
        ),
        ("<gain>2.0<", "<gain>3<", Aspect.PLUGIN, ("changed", "robot", "plugin control gain", "2.0", "3")),
        ("libcontrol", "libother", Aspect.PLUGIN, ("lost", "robot", "plugin control", "libcontrol.so", None)),
        ('"robot">', '"robot"><static>1</static>', Aspect.MODEL, ("changed", "robot", "static", "false", "true")),
        ('"robot">', '"robot"><pose>1 2 3 0 0 0</pose>', Aspect.MODEL, ("added", "robot", "pose", None, "1 2 3 0 0 0")),
    ],
)
def test_each_change_is_a_difference_of_its_aspect_alone(
    old: str, new: str, aspect: Aspect, found: tuple[str, ...]
) -> None:
    after = ROBOT.replace(old, new, 1)
    assert after != ROBOT
    assert differences(ROBOT, after)[0] == found
    assert differences(ROBOT, after, aspect)[0] == found
    assert differences(ROBOT, after, *(each for each in Aspect if each is not aspect)) == []


def test_what_means_the_same_is_no_difference() -> None:
    after = (
        ROBOT.replace("<gain>2.0<", "<gain> 2 <")
        .replace("<update_rate>100<", "<update_rate>1e2<")
        .replace("<box><size>1 2 3</size></box>", "<box>\n<size>1.0  2.0 3.0</size></box>")
        .replace("<ode><mu>0.5</mu></ode>", "<ode><mu>0.5</mu><mu2>1</mu2></ode>")  # the default
        .replace('<link name="tip">', '<link name="tip"><inertial><mass>1</mass></inertial>')  # the default
        .replace('"1.9"', '"1.11"')
    )
    assert differences(ROBOT, after) == []


def test_an_axis_that_turns_with_its_frame_is_the_same_axis() -> None:
    turned = ROBOT.replace(
        '<joint name="j" type="revolute">', '<joint name="j" type="revolute"><pose>0 0 0 0 0.5 0</pose>'
    )
    assert differences(ROBOT, turned) == []
    comparison = compare(load_model(ROBOT), load_model(turned))
    assert [each.name for each in comparison.differences()] == ["robot::j"]
    assert {each.name for each in comparison.moved_at_random()} == {
        *("robot::j", "robot::arm", "robot::tip", "robot::k"),
    }


def test_a_mimic_constraint_is_the_line_that_it_describes() -> None:
    def robot(mimic: str) -> str:
        return ROBOT.replace(">0 0 1</xyz>", f'>0 0 1</xyz><mimic joint="k"><multiplier>2</multiplier>{mimic}</mimic>')

    assert differences(robot("<offset>1</offset>"), robot("<reference>-0.5</reference>")) == []
    found = differences(robot("<offset>1</offset>"), robot("<reference>0.5</reference>"))
    assert found == [("changed", "robot::j", "axis.mimic.offset", "1", "-1")]


def test_values_are_found_at_their_lines() -> None:
    comparison = compare(model_at(ROBOT, Path("a.sdf")), load_model("\n" + ROBOT.replace("1 2 3", "1 2 4")))
    (found,) = comparison.properties()
    assert found.changes == (PropertyChange.CHANGED,)
    assert comparison.places(found) == ("a.sdf:6", "-:7")


def test_a_file_is_the_same_wherever_it_is_named_from() -> None:
    def model(uri: str, folder: str) -> Model:
        return model_at(ROBOT.replace("meshes/a.stl", uri), Path(folder).absolute() / "r.sdf")

    assert compare(model("meshes/a.stl", "x"), model("../x/meshes/a.stl", "y")).properties() == []
    assert compare(model("model://x/a.stl", "x"), model("package://x/a.stl", "y")).properties() == []
    (found,) = compare(model("meshes/a.stl", "x"), model("../z/meshes/a.stl", "y")).properties()
    assert found.quantity == "geometry.uri"


def test_a_renamed_joint_is_the_same_one_in_a_plugin() -> None:
    renamed = ROBOT.replace('"j"', '"turn"').replace("<joint>j<", "<joint>turn<")
    assert compare(load_model(ROBOT), load_model(renamed), (("robot::j", "robot::turn"),)).properties() == []


def test_the_physics_of_a_world() -> None:
    world = '<sdf version="1.9"><world name="w">{}</world></sdf>'
    after = world.format('<gravity>0 0 -1.6</gravity><physics type="ode"><max_step_size>0.01</max_step_size></physics>')
    before = world.format('<physics type="ode"><max_step_size>0.001</max_step_size></physics>')
    assert differences(before, after) == [
        ("changed", "world", "gravity", "0 0 -9.8", "0 0 -1.6"),
        ("changed", "world", "max_step_size", "0.001", "0.01"),
    ]


def test_urdf_and_sdformat_of_one_robot_are_compared() -> None:
    urdf = (
        '<robot name="robot"><link name="base"><inertial><mass value="2"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
        '<visual><geometry><sphere radius="2"/></geometry></visual></link></robot>'
    )
    sdf = (
        '<sdf version="1.9"><model name="robot"><link name="base"><inertial><mass>2</mass></inertial>'
        '<visual name="base_visual"><geometry><sphere><radius>{}</radius></sphere></geometry></visual>'
        "</link></model></sdf>"
    )
    assert differences(urdf, sdf.format(2)) == []
    assert [each[2:] for each in differences(urdf, sdf.format(3))] == [("geometry.radius", "2", "3")]
