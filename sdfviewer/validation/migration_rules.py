"""Names of Gazebo Classic and Ignition that Gazebo has renamed."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule


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
