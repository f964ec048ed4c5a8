"""Names of Gazebo Classic and Ignition: each is reported, and its fixes write today's, once."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.diagnostics import Severity
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.fix_all import fix_all
from sdfviewer.refactoring.fix_offers import offer_fixes

RULES = {"ignition-plugin", "ignition-prefix", "ignition-fuel", "classic-plugin", "classic-sensor"}


def migrated(content: str) -> str:
    document = parse_document(f'<sdf version="1.9"><model name="m"><link name="a"/>{content}</model></sdf>')
    after = fix_all(Loader(offer_fixes=offer_fixes), document, RULES, unsafe=True).document
    again = fix_all(Loader(offer_fixes=offer_fixes), after, RULES, unsafe=True)
    assert again.applied == ()
    assert again.document.text == after.text
    return after.text.partition('<link name="a"/>')[2].removesuffix("</model></sdf>")


@pytest.mark.parametrize(
    ("filename", "expected"),
    [
        ("ignition-gazebo-diff-drive-system", "gz-sim-diff-drive-system"),
        ("libignition-gazebo-imu-system.so", "gz-sim-imu-system"),
        ("libignition-gazebo6-physics-system.so", "gz-sim-physics-system"),
    ],
)
def test_system_plugins(filename: str, expected: str) -> None:
    text = migrated(f'<plugin filename="{filename}" name="ignition::gazebo::systems::X"><topic>t</topic></plugin>')
    assert text == f'<plugin filename="{expected}" name="gz::sim::systems::X"><topic>t</topic></plugin>'


def test_prefixes_and_addresses() -> None:
    assert migrated('<plugin filename="f" name="p"><ignition:a ignition:b="1">x</ignition:a></plugin>') == (
        '<plugin filename="f" name="p"><gz:a gz:b="1">x</gz:a></plugin>'
    )
    uri = "https://fuel.{}.org/1.0/o/models/b"
    include = '<link name="b"><visual name="v"><geometry><mesh><uri>{}</uri></mesh></geometry></visual></link>'
    assert migrated(include.format(uri.format("ignitionrobotics"))) == include.format(uri.format("gazebosim"))


def test_a_plugin_of_classic_gets_the_parameters_of_its_system() -> None:
    assert migrated(
        '<plugin name="d" filename="libgazebo_ros_diff_drive.so"><leftJoint>l</leftJoint>'
        "<wheelDiameter>0.3</wheelDiameter><other>1</other></plugin>"
    ) == (
        '<plugin name="gz::sim::systems::DiffDrive" filename="gz-sim-diff-drive-system"><left_joint>l</left_joint>'
        "<wheel_radius>0.15</wheel_radius><other>1</other></plugin>"
    )


def test_the_odometry_of_p3d_has_three_dimensions() -> None:
    text = migrated('<plugin name="p" filename="libgazebo_ros_p3d.so"><bodyName>b</bodyName></plugin>')
    assert text.split() == [
        "<plugin",
        'name="gz::sim::systems::OdometryPublisher"',
        'filename="gz-sim-odometry-publisher-system"><robot_base_frame>b</robot_base_frame>',
        "<dimensions>3</dimensions>",
        "</plugin>",
    ]


@pytest.mark.parametrize(
    ("former", "written"),
    [
        ("<jointName>left, right</jointName>", "<joint_name>left</joint_name>\n<joint_name>right</joint_name>"),
        ("<joint_name>l</joint_name><joint_name>r</joint_name>",) * 2,
        ("<topic>/joint_states</topic>",) * 2,  # which the system reads too
    ],
)
def test_joint_states_are_published_for_the_same_joints(former: str, written: str) -> None:
    text = migrated(f'<plugin name="p" filename="libgazebo_ros_joint_state_publisher.so">{former}</plugin>')
    lines = [line.strip() for line in text.splitlines()]
    assert "\n".join(lines) == (
        '<plugin name="gz::sim::systems::JointStatePublisher" filename="gz-sim-joint-state-publisher-system">'
        f"{written}</plugin>"
    )


SENSOR = '<link name="b"><sensor name="s" type="{}">{}</sensor></link>'
SCAN = "<{0}><scan><horizontal><samples>9</samples></horizontal></scan></{0}>"


@pytest.mark.parametrize(
    ("plugin", "written"),
    [
        ("<topicName>scan</topicName><frameName>f</frameName>", "<topic>scan</topic><gz_frame_id>f</gz_frame_id>"),
        ("<topicName>scan</topicName><robotNamespace>/r</robotNamespace>", "<topic>/r/scan</topic>"),
        ("<ros><namespace>r</namespace><remapping>~/out:=scan</remapping></ros>", "<topic>r/scan</topic>"),
        (
            "<ros><remapping>~/out:=/scan</remapping></ros><frame_name>f</frame_name>",
            "<topic>/scan</topic><gz_frame_id>f</gz_frame_id>",
        ),
        ("<hz>1</hz>", ""),
    ],
)  # fmt: skip
def test_a_sensor_publishes_where_its_plugin_did(plugin: str, written: str) -> None:
    former = f'<plugin name="p" filename="libgazebo_ros_laser.so">{plugin}</plugin>'
    text = migrated(SENSOR.format("ray", SCAN.format("ray") + former))
    assert "".join(text.split("\n")).replace("  ", "") == SENSOR.format("gpu_lidar", SCAN.format("lidar") + written)


def test_a_topic_that_the_sensor_has_stays() -> None:
    former = '<plugin name="p" filename="libgazebo_ros_imu_sensor.so"><topicName>x</topicName></plugin>'
    assert migrated(SENSOR.format("imu", f"<topic>t</topic>{former}")) == SENSOR.format("imu", "<topic>t</topic>")


def test_what_has_no_counterpart_is_reported_without_a_fix() -> None:
    found = sdfviewer.check(
        '<sdf version="1.9"><model name="m"><link name="a"/><plugin name="c" filename="libgazebo_ros_camera.so"/>'
        "</model></sdf>"
    )
    assert [(each.rule.name, each.severity, len(each.fixes)) for each in found] == [
        ("classic-plugin", Severity.INFO, 0)
    ]
    assert "ros_gz_bridge" in found[0].message


def test_a_urdf_is_migrated_too(tmp_path: Path) -> None:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    found = sdfviewer.check(
        f'<robot name="r"><link name="a">{inertial}</link><gazebo><plugin name="ignition::gazebo::systems::Imu" '
        'filename="libignition-gazebo-imu-system.so"/></gazebo></robot>'
    )
    assert [each.rule.name for each in found] == ["ignition-plugin"]
    assert "gz-sim-imu-system" in found[0].fixes[0].replacements[0].text
