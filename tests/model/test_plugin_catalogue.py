"""Parameters of plugins that name links and joints are references: checked, renamed, completed, found, asked about."""

from __future__ import annotations

from collections import Counter

import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.language.completion import complete, open_elements
from sdfviewer.language.names import name_at, names_of, reference_counts
from sdfviewer.model.model import Model
from sdfviewer.model.plugin_catalogue import RELEASES, known_plugin, known_plugins, plugin_parameters, topics_in
from sdfviewer.refactoring.removal import find_dependents, references_to
from sdfviewer.refactoring.renaming import plugin_lines, rename

LINKS = '<link name="base"/><link name="wheel"/><link name="arm"/>'
JOINT = (
    '<joint name="spin" type="revolute"><parent>base</parent><child>wheel</child><axis><xyz>0 0 1</xyz></axis></joint>'
)


def robot(plugin: str, more: str = "") -> str:
    """Return a world with a model around a plugin: names are looked up in the model, not around it."""
    inside = f'<model name="m">{LINKS}{JOINT}{plugin}{more}</model>'
    return f'<sdf version="1.11"><world name="w"><model name="wheel"><link name="l"/></model>{inside}</world></sdf>'


def plugin(file: str, parameters: str) -> str:
    return f'<plugin filename="{file}" name="p">{parameters}</plugin>'


def not_found(model: Model) -> list[str]:
    return [each.message.partition(", but")[0] for each in model.diagnostics if each.rule.name == "name-not-found"]


@pytest.mark.parametrize(
    "file",
    [
        *("gz-sim-diff-drive-system", "libgz-sim8-diff-drive-system.so", "ignition-gazebo-diff-drive-system"),
        *("libignition-gazebo6-diff-drive-system.so", "libgazebo_ros_diff_drive.so", "libDiffDrivePlugin.so"),
    ],
)
def test_a_plugin_is_known_however_its_library_is_written(file: str) -> None:
    text = robot(plugin(file, "<left_joint>spin</left_joint><right_joint>spinn</right_joint><topic>base</topic>"))
    model = load_model(text)
    assert not_found(model) == ["<right_joint> names 'spinn'"]
    assert "did you mean 'spin'?" in model.diagnostics[-1].message


@pytest.mark.parametrize(
    ("file", "parameters", "message"),
    [
        ("gz-sim-lift-drag-system", "<link_name>spin</link_name>", "<link_name> names 'spin'"),
        ("gz-sim-thruster-system", "<joint_name>wheel</joint_name>", "<joint_name> names 'wheel'"),
        ("gz-sim-wheel-slip-system", '<wheel link_name="wheeel"/>', "the link_name of <wheel> names 'wheeel'"),
        (
            "gz-sim-multicopter-control-system",
            "<a><rotor><jointName>x</jointName></rotor></a>",
            "<jointName> names 'x'",
        ),
        ("libgazebo_ros_f3d.so", "<bodyName>spin</bodyName>", "<bodyName> names 'spin'"),
        ("libgazebo_ros_ft_sensor.so", "<jointName>arm</jointName>", "<jointName> names 'arm'"),
        ("libgazebo_ros_ft_sensor.so", "<body_name>arms</body_name>", "<body_name> names 'arms'"),
        ("libgazebo_ros_hand_of_god.so", "<linkName>hand</linkName>", "<linkName> names 'hand'"),
        ("libgazebo_ros_tricycle_drive.so", "<steeringJoint>wheel</steeringJoint>", "<steeringJoint> names 'wheel'"),
        ("libgazebo_ros_vacuum_gripper.so", "<link_name>cup</link_name>", "<link_name> names 'cup'"),
        ("gz-sim-thruster-system", "<joint_name>spin</joint_name>", ""),
        ("gz-sim-thruster-system", "<joint_name>other::spin</joint_name>", ""),
        ("gz-sim-thruster-system", "<link_name>nothing</link_name>", ""),
        ("libmine.so", "<joint_name>nothing</joint_name>", ""),
    ],
)
def test_a_name_that_nothing_has_is_reported(file: str, parameters: str, message: str) -> None:
    assert not_found(load_model(robot(plugin(file, parameters)))) == [message] * bool(message)


def test_nothing_is_reported_that_may_be_in_a_nested_model_or_in_one_that_is_missing() -> None:
    drag = plugin("gz-sim-lift-drag-system", "<link_name>wing</link_name>")
    assert not_found(load_model(robot(drag)))
    assert not not_found(load_model(robot(drag, '<model name="glider"><link name="wing"/></model>')))
    assert not not_found(load_model(robot(drag, '<include merge="true"><uri>model://gone</uri></include>')))


def test_plugins_in_a_urdf_name_links_and_joints_of_the_robot() -> None:
    thruster = plugin("gz-sim-thruster-system", "<joint_name>prop</joint_name>")
    joint = '<joint name="prop" type="fixed"><parent link="a"/><child link="prop"/></joint>'
    text = f'<robot name="r"><link name="a"/><link name="prop"/>{joint}<gazebo>{thruster}</gazebo></robot>'
    model = load_model(text)
    assert not not_found(model)
    wrong = load_model(text.replace("<joint_name>prop", "<joint_name>prp"))
    assert not_found(wrong) == ["<joint_name> names 'prp'"]
    joint_row = next(joint.row for joint in model.joints)
    after = model.document.edited(rename(model, joint_row, "turn").replacements).text
    assert after == text.replace('joint name="prop"', 'joint name="turn"').replace(
        "<joint_name>prop", "<joint_name>turn"
    )


TEXT = robot(
    plugin("gz-sim-diff-drive-system", "<left_joint>spin</left_joint><topic>spin</topic>")
    + plugin("libmine.so", "<joint_name>spin</joint_name>")
    + plugin("gz-sim-lift-drag-system", "<link_name>arm</link_name>")
)


def test_a_rename_follows_known_parameters_and_names_the_lines_of_others() -> None:
    model = load_model(TEXT.replace("<topic", "\n<topic").replace("<joint_name", "\n<joint_name"))
    row = model.row("m::spin")
    after = model.document.edited(rename(model, row, "turn").replacements).text
    assert "<left_joint>turn</left_joint>" in after
    assert "<topic>spin</topic>" in after
    assert "<joint_name>spin</joint_name>" in after
    assert plugin_lines(model, row) == [2, 3]


def test_a_rename_takes_along_what_plugins_mention_where_that_is_wanted() -> None:
    model = load_model(TEXT.replace("<joint_name>spin", "<joint_name> m::spin "))
    after = model.document.edited(rename(model, model.row("m::spin"), "turn", in_plugins=True).replacements).text
    assert "<left_joint>turn</left_joint>" in after
    assert "<topic>turn</topic>" in after
    assert "<joint_name> m::turn </joint_name>" in after
    assert "<link_name>arm</link_name>" in after


def test_hover_highlights_and_lenses_find_it() -> None:
    model = load_model(TEXT)
    at = TEXT.index("<left_joint>") + len("<left_joint>")
    name = name_at(model, at)
    assert name is not None
    assert (name.start, name.end, name.row) == (at, at + len("spin"), model.row("m::spin"))
    assert (at, at + len("spin")) in names_of(model, model.row("m::spin"))
    assert reference_counts(model)[model.row("m::arm")] == 1


def test_completion_offers_the_joints_or_links_of_the_model() -> None:
    model = load_model(TEXT)

    def choices(before: str) -> set[str]:
        text = TEXT[: TEXT.index(before) + len(before)]
        return set(complete(text, model, lambda at: open_elements(text[:at])).choices)

    assert choices("<left_joint>") == {"spin"}
    assert choices("<link_name>") == {"base", "wheel", "arm"}
    assert choices("<topic>") == {"spin"}, "the topics of the file"
    assert choices("<joint_name>") == set(), "what this plugin means by it is not known"


@pytest.mark.parametrize(
    ("before", "choice", "count"),
    [
        ('<plugin filename="', "gz-sim-thruster-system", 40),
        ('<plugin filename="gz-sim-log-system" name="', "gz::sim::systems::LogRecord", 2),
        ('<plugin filename="gz-sim-lift-drag-system"><', "control_joint_name", 15),
        ('<plugin filename="gz-sim-wheel-slip-system"><wheel><', "wheel_radius", 4),
        ('<plugin filename="gz-sim-wheel-slip-system"><wheel ', "link_name", 1),
        ('<plugin filename="gz-sim-wheel-slip-system"><wheel link_name="', "arm", 3),
        ('<plugin filename="gz-sim-odometry-publisher-system"><dimensions>', "3", 2),
        ('<plugin filename="gz-sim-battery-linearbatteryplugin-system"><', "", 0),
        ('<plugin filename="gz-sim-linearbatteryplugin-system"><enable_recharge>', "true", 2),
    ],
)
def test_completion_knows_libraries_classes_parameters_and_values(before: str, choice: str, count: int) -> None:
    model = load_model(robot(""))
    text = robot(before)[: robot(before).index(before) + len(before)]
    choices = complete(text, model, lambda at: open_elements(text[:at])).choices
    assert len(choices) >= count
    assert not choice or choice in choices


def test_a_removal_asks_about_it_and_leaves_the_model_there() -> None:
    model = load_model(TEXT)
    row = model.row("m::arm")
    assert [(each.element.tag, each.name) for each in references_to(model, [row])] == [("link_name", "arm")]
    assert find_dependents(model, [row]) == ()


def test_of_an_unknown_plugin_no_parameter_is_known() -> None:
    assert plugin_parameters("") == {}
    assert plugin_parameters("libmine.so") == {}


#: The folders of ``src/systems`` in gz-sim at the revision that the catalogue names.
SYSTEMS = """
ackermann_steering acoustic_comms advanced_lift_drag air_pressure air_speed altimeter apply_joint_force
apply_link_wrench battery_plugin breadcrumbs buoyancy buoyancy_engine camera_video_recorder collada_world_exporter
comms_endpoint contact cpu_lidar detachable_joint diff_drive drive_to_pose_controller dvl elevator entity_semantics
environment_preload environmental_sensor_system follow_actor force_torque free_space_explorer hydrodynamics imu
joint_controller joint_position_controller joint_state_publisher joint_traj_control kinetic_energy_monitor label
led_plugin lens_flare lift_drag lighter_than_air_dynamics log log_video_recorder logical_audio_sensor_plugin
logical_camera lookup_wheel_slip magnetometer mecanum_drive model_photo_shoot multicopter_control
multicopter_motor_model navsat odometry_publisher optical_tactile_plugin particle_emitter perfect_comms
performer_detector physics pose_publisher python_system_loader rf_comms scene_broadcaster sensors shader_param
spacecraft_thruster_model thermal thruster touch_plugin track_controller tracked_vehicle trajectory_follower
triggered_publisher user_commands velocity_control websocket_server wheel_slip wind_effects
"""


def test_every_system_of_gazebo_is_in_the_catalogue() -> None:
    listed = SYSTEMS.split()
    assert len(listed) == 76
    systems = [each for each in known_plugins().values() if each.since]
    folders = Counter(each.source.rpartition("/")[2] for each in systems)
    assert folders == Counter([*listed, "thermal"]), "a system of a model and one of a sensor are in that folder"
    assert all(each.names and each.since in RELEASES for each in systems)
    files = {each.source.partition(": ")[0] for each in known_plugins().values()}
    assert all("@" in source for source in files if "gazebo_ros_pkgs" not in source), "each file names its revision"


def test_the_catalogue_is_consistent() -> None:
    for library, plugin in known_plugins().items():
        assert known_plugin(plugin.filename) is plugin, library
        assert plugin.help.endswith(".")
        for path, parameter in plugin.parameters.items():
            where = f"{library}: {path}"
            assert parameter.help.endswith("."), where
            assert (parameter.kind == "choice") == bool(parameter.values), where
            around = path.rpartition("/")[0]
            assert not around or around in plugin.parameters, f"{where} is in nothing"
            if parameter.kind == "number" and parameter.default is not None:
                float(parameter.default)
            if parameter.kind == "boolean" and parameter.default is not None:
                assert parameter.default in ("true", "false"), where
            if parameter.kind == "choice" and parameter.default is not None and not parameter.is_open:
                assert parameter.default in parameter.values, where
            assert not parameter.since or plugin.since < parameter.since <= max(RELEASES), where


def test_a_parameter_is_known_by_its_path() -> None:
    wind = known_plugin("gz-sim-wind-effects-system")
    assert wind is not None
    assert wind.knows("horizontal/magnitude/sin/period")
    assert wind.knows("force_approximation_scaling_factor/when/k"), "what is in it is not listed"
    assert not wind.knows("magnitude")
    assert wind.knows("gz:note")
    water = known_plugin("gz-sim-hydrodynamics-system")
    assert water is not None
    assert water.knows("xUabsU")
    assert not water.knows("xUabs")
    loader = known_plugin("gz-sim-python-system-loader-system")
    assert loader is not None
    assert loader.knows("whatever")
    wheels = known_plugin("libWheelSlipPlugin.so")
    assert wheels is not None
    assert [each.tag for each in wheels.children("wheel")] == ["@link_name"]


def test_topics_are_those_of_elements_without_blanks_and_long_blanks_take_no_time() -> None:
    blanks = " " * 100_000
    text = f"<topic> /a </topic><topic>{blanks}x<topic>\n/b{blanks}</topic><topic/><other>/c</other><topic> /a</topic>"
    assert topics_in(text) == ("/a", "/b")
