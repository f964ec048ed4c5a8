"""Names of Gazebo Classic and Ignition: each is reported, and its fixes write today's, once."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.diagnostics import Severity
from sdfviewer.document.document import parse_document
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.fix_check import fix_all
from sdfviewer.refactoring.fix_offers import offer_fixes

RULES = {"ignition-plugin", "ignition-prefix", "ignition-fuel", "classic-plugin", "classic-sensor"}


#: What plugins name.
JOINTS = "".join(
    f'<link name="of_{name}"/><joint name="{name}" type="fixed"><parent>a</parent><child>of_{name}</child></joint>'
    for name in ("l", "r", "left", "right")
)


def migrated(content: str) -> str:
    document = parse_document(f'<sdf version="1.9"><model name="m">{JOINTS}<link name="a"/>{content}</model></sdf>')
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
        ("libignition-physics5-dartsim-plugin.so", "gz-physics-dartsim-plugin"),
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


@pytest.mark.parametrize(
    ("former", "written"),
    [
        (
            '<plugin filename="GzScene3D" name="s"><ignition-gui><title>t</title></ignition-gui></plugin>',
            '<plugin filename="GzScene3D" name="s"><gz-gui><title>t</title></gz-gui></plugin>',
        ),
        (
            '<plugin filename="p" name="n"><filename>libignition-physics-bullet-plugin.so</filename></plugin>',
            '<plugin filename="p" name="n"><filename>gz-physics-bullet-plugin</filename></plugin>',
        ),
        (
            '<plugin filename="p" name="n"><topic>/ignition/scan</topic><cmd_topic>/gazebo/x</cmd_topic></plugin>',
            '<plugin filename="p" name="n"><topic>/gz/scan</topic><cmd_topic>/gazebo/x</cmd_topic></plugin>',
        ),
        (
            '<plugin filename="p" name="ignition::physics::dartsim::Plugin"/>',
            '<plugin filename="p" name="gz::physics::dartsim::Plugin"/>',
        ),
        (
            '<plugin name="l" filename="libLiftDragPlugin.so"><cla>1</cla><link_name>a</link_name></plugin>',
            '<plugin name="gz::sim::systems::LiftDrag" filename="gz-sim-lift-drag-system"><cla>1</cla>'
            "<link_name>a</link_name></plugin>",
        ),
        (
            '<plugin name="s" filename="libgazebo_ros_skid_steer_drive.so"><leftFrontJoint>a</leftFrontJoint>'
            "<leftRearJoint>b</leftRearJoint><wheelDiameter>1</wheelDiameter></plugin>",
            '<plugin name="gz::sim::systems::DiffDrive" filename="gz-sim-diff-drive-system"><left_joint>a</left_joint>'
            "<left_joint>b</left_joint><wheel_radius>0.5</wheel_radius></plugin>",
        ),
    ],
)
def test_other_names(former: str, written: str) -> None:
    assert migrated(former) == written


def test_an_address_on_fuel_is_replaced_wherever_it_is() -> None:
    visual = (
        '<link name="b"><visual name="v"><geometry><box><size>1 1 1</size></box></geometry><material><pbr><metal>'
        "<albedo_map>https://fuel.{}.org/1.0/o/models/b/1/files/a.png</albedo_map></metal></pbr></material></visual></link>"
    )
    assert migrated(visual.format("ignitionrobotics")) == visual.format("gazebosim")


@pytest.mark.parametrize(
    ("former", "written"),
    [
        ('type="gps"><gps/>', 'type="navsat"><navsat/>'),
        ('type="gpu_ray"><ray/>', 'type="gpu_lidar"><lidar/>'),
        ('type="depth"><camera/>', 'type="depth_camera"><camera/>'),
    ],
)
def test_types_of_sensors(former: str, written: str) -> None:
    text = '<link name="b"><sensor name="s" {}</sensor></link>'
    assert migrated(text.format(former)) == text.format(written)


def test_a_version_that_does_not_know_the_new_name_keeps_the_former_one() -> None:
    sensor = '<sensor name="s" type="gps"><gps/></sensor>'
    text = f'<sdf version="1.4"><model name="m"><link name="a">{sensor}</link></model></sdf>'
    after = fix_all(Loader(offer_fixes=offer_fixes), parse_document(text), RULES, unsafe=True)
    assert after.document.text == text


@pytest.mark.parametrize("other", ["", "<gravity>0 0 -3</gravity>"])
def test_gravity_and_magnetic_field_belong_to_the_world(other: str) -> None:
    physics = '<physics name="p" type="ode"><max_step_size>0.001</max_step_size>{}</physics>'
    moved = ("<gravity>0 0 -9</gravity>", "<magnetic_field>1 2 3</magnetic_field>")
    world = '<sdf version="1.9"><world name="w">{}</world></sdf>'
    document = parse_document(world.format(physics.format("".join(moved)) + other))
    loader = Loader(offer_fixes=offer_fixes)
    found = [each for each in loader.load_with_diagnostics(document)[1] if each.rule.name == "removed"]
    assert [len(each.fixes) for each in found] == [1, 1]
    after = fix_all(loader, document, {"removed"}, unsafe=True).document
    root = after.root
    assert root is not None
    assert [each.tag for each in root.children[0].children if each.tag != "physics"].count("gravity") == 1
    assert root.children[0].text_of("gravity") == (other[9:15] or "0 0 -9")
    assert root.children[0].text_of("magnetic_field") == "1 2 3"
    assert "gravity" not in after.text[after.text.index("<physics") : after.text.index("</physics")]


def test_models_of_classic_are_migrated_once(collection: Path) -> None:
    """Of each file that holds a former name, the fixes of all rules leave only what has no counterpart."""
    count = 0
    for name in ("classic/models/rover", "classic/models/submarine", "porter/models/porter"):
        loader = Loader(offer_fixes=offer_fixes)
        document = open_document(collection / name / "model.sdf")
        before = loader.load_with_diagnostics(document)[1]
        after = fix_all(loader, document, RULES, unsafe=True)
        left = loader.load_with_diagnostics(after.document)[1]
        count += len(after.applied)
        assert [each for each in left if each.rule.name in RULES and each.fixes] == []
        assert len([each for each in left if each.is_error]) <= len([each for each in before if each.is_error])
        assert fix_all(loader, after.document, RULES, unsafe=True).document.text == after.document.text
    assert count > 5


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
        (
            "<cameraName>front</cameraName><imageTopicName>raw</imageTopicName>",
            "<topic>front/raw</topic>",
        ),
        ("<cameraName>front</cameraName><imageTopicName>/raw</imageTopicName>", "<topic>/raw</topic>"),
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
