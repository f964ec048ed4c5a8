"""Names of Gazebo Classic and Ignition that Gazebo has renamed, with quick fixes.

Source: gz-sim's Migration.md, https://gazebosim.org/docs/latest/migrating_gazebo_classic_ros2_packages, the systems in
gz-sim/src/systems, and the plugins in gazebo_ros_pkgs/gazebo_plugins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sdfviewer.diagnostics import Message, Replacement, Severity, rule
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    insert_child,
    remove_element,
    replace_element,
    set_attribute,
    set_tag,
    set_text,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.model.findings import ElementPart, Finding


@rule("ignition-plugin", 151, severity=Severity.INFO)
def ignition_plugin(old: str, new: str) -> str:
    """A system plugin with a file and class name of Ignition Gazebo, which became Gazebo Sim in 2022.

    Gazebo Harmonic and later do not find it. What the plugin reads stays the same.

    Bad: ``<plugin filename="ignition-gazebo-imu-system" name="ignition::gazebo::systems::Imu"/>``

    Use instead: ``<plugin filename="gz-sim-imu-system" name="gz::sim::systems::Imu"/>``

    Source: https://gazebosim.org/docs/latest/migrating_gazebo_classic_ros2_packages, https://github.com/gazebosim/gz-sim
    /blob/gz-sim8/Migration.md
    """
    return f"'{old}' is called '{new}' since Gazebo Garden"


@rule("ignition-prefix", 152, severity=Severity.INFO)
def ignition_prefix(name: str) -> str:
    """An element, an attribute or a topic with the prefix ``ignition``, or the element ``<ignition_frame_id>``.

    Bad: ``<ignition_frame_id>lidar</ignition_frame_id>``, ``<ignition:type>...</ignition:type>``

    Use instead: ``<gz_frame_id>lidar</gz_frame_id>``, ``<gz:type>...</gz:type>``

    Source: https://gazebosim.org/docs/harmonic/migration_from_ignition, https://github.com/gazebosim/gz-sim/blob/gz-sim8
    /Migration.md, https://github.com/gazebosim/gz-sensors
    """
    return Message(f"'{name}' belongs to Ignition Gazebo", f"Gazebo calls it '{name.replace('ignition', 'gz')}'")


@rule("ignition-fuel", 153, severity=Severity.INFO)
def ignition_fuel(server: str, new: str) -> str:
    """A model or a file on Fuel with the address of the former server.

    Bad: ``<uri>https://fuel.ignitionrobotics.org/1.0/OpenRobotics/models/Ambulance</uri>``

    Use instead: ``<uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Ambulance</uri>``

    Source: https://gazebosim.org/docs/latest/fuel_insert
    """
    return f"{server} has moved to {new}"


@rule("classic-plugin", 154, severity=Severity.INFO)
def classic_plugin(old: str, instead: str) -> str:
    """A plugin of Gazebo Classic, which today's Gazebo cannot load.

    If a system of today's Gazebo does the same, the quick fix writes it with its own parameters. Sensors now publish
    without a plugin, and ``ros_gz_bridge`` takes their topics to ROS.

    Bad: ``<plugin name="diff_drive" filename="libgazebo_ros_diff_drive.so">...</plugin>``

    Use instead: ``<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">...</plugin>``

    Source: https://gazebosim.org/docs/latest/migrating_gazebo_classic_ros2_packages
    """
    return f"'{old}' is a plugin of Gazebo Classic: {instead}"


@rule("classic-sensor", 155, severity=Severity.INFO)
def classic_sensor(name: str, old: str, new: str) -> str:
    """A sensor of a type that has another name in today's Gazebo.

    ``ray`` asks the physics engine, which today's Gazebo does not do: its lidars are drawn. They are of the type
    ``gpu_lidar``, with their parameters in ``<lidar>``, since SDFormat 1.6. ``gps`` is ``navsat``, with its parameters
    in ``<navsat>``, and ``depth`` is ``depth_camera``.

    Bad: ``<sensor name="scan" type="ray"><ray>...</ray></sensor>``

    Use instead: ``<sensor name="scan" type="gpu_lidar"><lidar>...</lidar></sensor>``

    Source: https://gazebosim.org/docs/latest/migrating_gazebo_classic_ros2_packages, libsdformat, src/Sensor.cc
    """
    if old == "ray":
        return f"sensor '{name}' is of the type ray, which today's Gazebo does not have: use {new}"
    return f"sensor '{name}' is of the type {old}, which is called {new} today"


#: A library of Ignition: the word after the name, which is ``gazebo`` or that of another library, and the rest.
_IGNITION_FILE = re.compile(r"(?:lib)?ignition-([a-z]+)[0-9]*((?:-[a-z0-9]+)+)(?:\.so)?")
_IGNITION_CLASSES = {"ignition::gazebo::": "gz::sim::", "ignition::": "gz::"}
#: The prefix of topics.
_IGNITION_TOPIC = "/ignition/"
#: Servers that have moved.
_SERVERS = {
    "https://fuel.ignitionrobotics.org": "https://fuel.gazebosim.org",
    "https://api.ignitionfuel.org": "https://fuel.gazebosim.org",
    "https://app.ignitionrobotics.org": "https://app.gazebosim.org",
    "https://staging-fuel.ignitionrobotics.org": "https://staging-fuel.gazebosim.org",
}
_PREFIXES = ("ignition:", "ignition-")
_PREFIXED = re.compile(r"(?:(?<=</)|(?<=<))ignition(?=[:-][A-Za-z_])|(?<=\s)ignition(?=:[A-Za-z_][\w.-]*\s*=)")
_NAMESPACE = re.compile(r'xmlns:ignition\s*=\s*"[^"]*"')


@dataclass(frozen=True, slots=True)
class _System:
    """A system of today's Gazebo that does what a plugin of Gazebo Classic did.

    Attributes
    ----------
    filename, name
        Of the system.
    elements
        What its parameters are called, by what they were called; what is not here is kept.
    halved
        Those whose number is half of what it was: a radius for a diameter.
    listed
        Those that held a list with commas, and are written once for each value now.
    added
        An element that makes it do what the plugin did by itself.
    """

    filename: str
    name: str
    elements: Mapping[str, str] = field(default_factory=dict)
    halved: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    added: str = ""


_DIFF_DRIVE = _System(
    "gz-sim-diff-drive-system",
    "gz::sim::systems::DiffDrive",
    {
        "leftJoint": "left_joint",
        "rightJoint": "right_joint",
        "wheelSeparation": "wheel_separation",
        "wheelDiameter": "wheel_radius",
        "wheel_diameter": "wheel_radius",
        "commandTopic": "topic",
        "command_topic": "topic",
        "odometryTopic": "odom_topic",
        "odometry_topic": "odom_topic",
        "odometryFrame": "frame_id",
        "odometry_frame": "frame_id",
        "robotBaseFrame": "child_frame_id",
        "robot_base_frame": "child_frame_id",
        "updateRate": "odom_publish_frequency",
        "update_rate": "odom_publish_frequency",
    },
    frozenset({"wheelDiameter", "wheel_diameter"}),
)
_SKID_STEER = _System(
    _DIFF_DRIVE.filename,
    _DIFF_DRIVE.name,
    {
        **dict.fromkeys(("leftFrontJoint", "leftRearJoint"), "left_joint"),
        **dict.fromkeys(("rightFrontJoint", "rightRearJoint"), "right_joint"),
        **_DIFF_DRIVE.elements,
    },
    _DIFF_DRIVE.halved,
)
_LIFT_DRAG = _System("gz-sim-lift-drag-system", "gz::sim::systems::LiftDrag")
_JOINT_STATES = _System(
    "gz-sim-joint-state-publisher-system",
    "gz::sim::systems::JointStatePublisher",
    {"jointName": "joint_name"},
    listed=frozenset({"jointName"}),
)
_ODOMETRY = _System(
    "gz-sim-odometry-publisher-system",
    "gz::sim::systems::OdometryPublisher",
    {
        "topicName": "odom_topic",
        "updateRate": "odom_publish_frequency",
        "update_rate": "odom_publish_frequency",
        "frameName": "odom_frame",
        "frame_name": "odom_frame",
        "bodyName": "robot_base_frame",
        "body_name": "robot_base_frame",
    },
    added="<dimensions>3</dimensions>",  # of a plane by default
)
#: Systems by the stem of the plugin of Gazebo Classic.
_SYSTEMS = {
    "gazebo_ros_diff_drive": _DIFF_DRIVE,
    "gazebo_ros_joint_state_publisher": _JOINT_STATES,
    "gazebo_ros_p3d": _ODOMETRY,
    "gazebo_ros_skid_steer_drive": _SKID_STEER,
    "LiftDragPlugin": _LIFT_DRAG,
}
#: Similar systems, with other parameters, by the stem of the plugin.
_ALIKE = {
    "gazebo_ros_ackermann_drive": "gz::sim::systems::AckermannSteering",
    "gazebo_ros_force": "gz::sim::systems::ApplyLinkWrench",
    "gazebo_ros_joint_pose_trajectory": "gz::sim::systems::JointTrajectoryController",
    "gazebo_ros_joint_trajectory": "gz::sim::systems::JointTrajectoryController",
    "gazebo_ros_planar_move": "gz::sim::systems::VelocityControl",
    "gazebo_ros_wheel_slip": "gz::sim::systems::WheelSlip",
    "BuoyancyPlugin": "gz::sim::systems::Buoyancy, in the world,",
    "ContactPlugin": "gz::sim::systems::Contact, in the world,",
    "DiffDrivePlugin": "gz::sim::systems::DiffDrive, given wheel_separation and wheel_radius,",
    "WheelSlipPlugin": "gz::sim::systems::WheelSlip",
}
#: Plugins of sensors, which publish by themselves now.
_SENSORS = frozenset(
    f"gazebo_ros_{name}"
    for name in (
        *("camera", "depth_camera", "openni_kinect", "laser", "gpu_laser", "block_laser", "ray_sensor", "imu"),
        *("imu_sensor", "gps_sensor", "bumper", "multicamera", "ft_sensor", "range", "video", "sonar"),
    )
)
#: Sensor types that have a new name, with the former and the new element of their parameters.
_RENAMED = {
    "ray": ("gpu_lidar", "ray", "lidar"),
    "gpu_ray": ("gpu_lidar", "ray", "lidar"),
    "gps": ("navsat", "gps", "navsat"),
    "depth": ("depth_camera", "", ""),
}
#: One of these is in every file that holds a former name, or one of :data:`_TRACES_OF_SENSORS` beside a sensor.
_TRACES = ("ignition", "libgazebo", "Plugin.so")
_TRACES_OF_SENSORS = tuple(f"{quote}{name}{quote}" for name in _RENAMED for quote in "\"'")
#: The elements that may hold one.
_TAGS = frozenset({"plugin", "sensor", "ignition_frame_id"})
_CLASSIC = re.compile(r"lib(gazebo_ros[a-z0-9_]*|gazebo_ros2_control|[A-Z][A-Za-z]+Plugin)\.so")


def _may_hold_former_names(document: Document) -> bool:
    """Return whether it is worth to visit each element, which takes a tenth of the time to load a large world."""
    if any(document.contains(trace) for trace in _TRACES):
        return True
    return document.contains("<sensor") and any(document.contains(trace) for trace in _TRACES_OF_SENSORS)


def check_migration(document: Document) -> Iterator[Finding]:
    """Yield the former names in the file that is loaded."""
    if document.root is None or not _may_hold_former_names(document):
        return
    has_ignition, prefixed = document.contains("ignition"), False
    sensors: dict[int, Element] = {}
    for element in document.root.iter(*(() if has_ignition else _TAGS)):
        tag = element.tag
        if tag in _TAGS:
            if tag == "plugin":
                yield from _check_plugin(element, sensors.get(id(element)))
            elif tag == "sensor":
                sensors |= {id(plugin): element for plugin in element.findall("plugin")}
                yield from _check_sensor(element)
            else:
                fix = ("write <gz_frame_id>", partial(set_tag, element=element, tag="gz_frame_id"))
                message = ignition_prefix.format(tag)
                yield Finding(ignition_prefix, ElementPart(None, element), message, fixes=(fix,))
        if not has_ignition:
            continue
        if "ignition" in element.text and not element.children:
            yield from _check_text(element)
        if not prefixed and (
            name := next((each for each in (tag, *element.attributes) if each.startswith(_PREFIXES)), "")
        ):
            prefixed = True
            rule = ignition_prefix
            everywhere = (("replace the prefix ignition by gz everywhere", _replace_prefix),)
            yield Finding(rule, ElementPart(None, element), rule.format(name), fixes=everywhere)


def _check_sensor(element: Element) -> Iterator[Finding]:
    written = element.attributes.get("type", "")
    if written not in _RENAMED:
        return
    new, *parameters = _RENAMED[written]
    rule = classic_sensor

    def rename(document: Document) -> Replacements:
        edits = set_attribute(document, element, "type", new)
        content = element.find(parameters[0])
        return edits if content is None else edits + set_tag(document, content, parameters[1])

    message = rule.format(element.attributes.get("name", ""), written, new)
    yield Finding(rule, ElementPart(None, element, "@type"), message, fixes=((f"write {new}", rename),))


def _todays_file(filename: str) -> str:
    """Return what a library of Ignition is called now; as it is where it is none."""
    match = _IGNITION_FILE.fullmatch(filename)
    if match is None:
        return filename
    return f"gz-{'sim' if match[1] == 'gazebo' else match[1]}{match[2]}"


def _todays_class(name: str) -> str:
    """Return what a class of Ignition is called now; as it is where it is none."""
    prefix = next((each for each in _IGNITION_CLASSES if name.startswith(each)), None)
    return name if prefix is None else _IGNITION_CLASSES[prefix] + name.removeprefix(prefix)


def _check_plugin(element: Element, sensor: Element | None) -> Iterator[Finding]:
    """Yield what is former about a plugin, which may be that of a sensor."""
    filename, name = element.attributes.get("filename", ""), element.attributes.get("name", "")
    new_file, new_name = _todays_file(filename), _todays_class(name)
    if (new_file, new_name) != (filename, name):
        part, old, new = ("@filename", filename, new_file) if new_file != filename else ("@name", name, new_name)
        fix = (f"write {new}", partial(_set_both, element=element, filename=new_file, name=new_name))
        rule = ignition_plugin
        yield Finding(rule, ElementPart(None, element, part), rule.format(old, new), fixes=(fix,))
        return
    classic = _CLASSIC.fullmatch(filename)
    if classic is None:
        return
    rule, stem = classic_plugin, classic[1]
    system = _SYSTEMS.get(stem)
    if system is not None:
        fix = (f"write {system.filename}", partial(_modernise, element=element, system=system))
        message = rule.format(filename, f"{system.name} does the same")
        yield Finding(rule, ElementPart(None, element, "@filename"), message, fixes=(fix,))
        return
    instead = (
        f"{_ALIKE[stem]} does something similar" if stem in _ALIKE else "today's Gazebo has no plugin of that name"
    )
    if stem in _SENSORS:
        instead = "the sensor publishes by itself, and ros_gz_bridge takes its topic to ROS"
        if sensor is not None:
            written = _topic_and_frame(element, sensor)
            label = f"write {' and '.join(written)} instead" if written else "remove the plugin"
            fix = (label, partial(_replace_plugin, element=element, written=written))
            yield Finding(rule, ElementPart(None, element, "@filename"), rule.format(filename, instead), fixes=(fix,))
            return
    elif "control" in stem:
        instead = "use gz_ros2_control-system of the package gz_ros2_control"
    yield Finding(rule, ElementPart(None, element, "@filename"), rule.format(filename, instead))


def _topic_and_frame(plugin: Element, sensor: Element) -> list[str]:
    """Return the elements that tell a sensor the topic and the frame that its plugin was given."""
    ros = plugin.find("ros") or plugin
    remapped = (each.text.partition(":=") for each in ros.findall("remapping"))
    topic = next((to.strip() for name, _, to in remapped if name.strip() == "~/out"), "")
    topic = topic or plugin.text_of("topicName").strip() or _topic_of_camera(plugin, sensor)
    namespace = (ros.text_of("namespace") or plugin.text_of("robotNamespace")).strip()
    if topic and namespace and not topic.startswith("/"):
        topic = f"{namespace.rstrip('/')}/{topic}"
    frame = (plugin.text_of("frame_name") or plugin.text_of("frameName")).strip()
    written = []
    if topic and sensor.find("topic") is None:
        written.append(f"<topic>{escape(topic)}</topic>")
    if frame and not any(sensor.find(tag) is not None for tag in ("gz_frame_id", "ignition_frame_id", "frame_id")):
        written.append(f"<gz_frame_id>{escape(frame)}</gz_frame_id>")
    return written


def _replace_plugin(document: Document, element: Element, written: Sequence[str]) -> Replacements:
    return replace_element(document, element, "\n".join(written)) if written else remove_element(document, element)


def _topic_of_camera(plugin: Element, sensor: Element) -> str:
    """Return the topic of pictures that the plugin of a camera was given."""
    tag = "depthImageTopicName" if sensor.attributes.get("type", "").startswith("depth") else "imageTopicName"
    topic, camera = plugin.text_of(tag), plugin.text_of("cameraName")
    return f"{camera}/{topic}" if topic and camera and not topic.startswith("/") else topic


def _check_text(element: Element) -> Iterator[Finding]:
    """Yield the former name that is the text of an element: an address on Fuel, a library, or a topic."""
    text = element.text.strip()
    for old, new in _SERVERS.items():
        if text == old or text.startswith(f"{old}/"):
            rule = ignition_fuel
            fix = (f"write {new}", partial(set_text, element=element, text=new + text.removeprefix(old)))
            yield Finding(rule, ElementPart(None, element, "text"), rule.format(old, new), fixes=(fix,))
            return
    if element.tag == "filename" and (file := _todays_file(text)) != text:
        fix = (f"write {file}", partial(set_text, element=element, text=file))
        rule = ignition_plugin
        yield Finding(rule, ElementPart(None, element, "text"), rule.format(text, file), fixes=(fix,))
    elif element.tag.endswith("topic") and text.startswith(_IGNITION_TOPIC):
        topic = f"/gz/{text.removeprefix(_IGNITION_TOPIC)}"
        fix = (f"write {topic}", partial(set_text, element=element, text=topic))
        yield Finding(ignition_prefix, ElementPart(None, element, "text"), ignition_prefix.format(text), fixes=(fix,))


def _set_both(document: Document, element: Element, filename: str, name: str) -> Replacements:
    edits = set_attribute(document, element, "filename", filename)
    return edits + set_attribute(document, element, "name", name) if name else edits


def _replace_prefix(document: Document) -> Replacements:
    text = document.text
    edits = tuple(Replacement(*match.span(), "gz") for match in _PREFIXED.finditer(text))
    return edits + tuple(
        Replacement(*match.span(), 'xmlns:gz="http://gazebosim.org/schema"') for match in _NAMESPACE.finditer(text)
    )


def _modernise(document: Document, element: Element, system: _System) -> Replacements:
    """Return the edit that writes a system in place of a plugin of Gazebo Classic, its parameters renamed."""
    edits = _set_both(document, element, system.filename, system.name)
    if system.added and element.find(system.added[1:].partition(">")[0]) is None:
        edits += insert_child(document, element, system.added)
    for child in element.children:
        new = system.elements.get(child.tag)
        if new is None:
            continue
        if child.tag in system.listed:
            values = [value.strip() for value in child.text.split(",") if value.strip()]
            edits += replace_element(document, child, "\n".join(f"<{new}>{escape(value)}</{new}>" for value in values))
            continue
        edits += set_tag(document, child, new)
        if child.tag in system.halved:
            try:
                edits += set_text(document, child, f"{float(child.text) / 2:.12g}")
            except ValueError:
                continue  # no number: the plugin could not read it either
    return edits
