"""SRDF files: what they say must fit the robot that they are about."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity, rule


@rule("srdf-robot-missing", 861, severity=Severity.WARNING)
def srdf_robot_missing(name: str) -> str:
    """An SRDF whose robot is not found.

    An SRDF gives the name of its robot, not the file. A ``.urdf`` whose robot has that name is searched beside the SRDF
    and in folders such as ``urdf`` and ``robots`` of its package and of the packages beside it. Without it no name can
    be checked, and nothing can be shown.

    Bad: ``<robot name="arm">`` in an SRDF where every URDF nearby is called ``my_arm``.

    Use instead: ``<robot name="my_arm">``

    Source: srdfdom, ``Model::initXml``: "Semantic description is not specified for the same robot as the URDF"
    """
    return f"the robot '{name}' is not found: put its URDF beside this file, or correct the name"


@rule("srdf-name-unknown", 862, severity=Severity.WARNING)
def srdf_name_unknown(what: str, name: str, hint: str) -> str:
    """A name of a group that no group of the SRDF has.

    Names of links and joints are checked by ``name-not-found``.

    Bad: ``<group_state name="home" group="amr">`` where the group is called ``arm``.

    Use instead: ``<group_state name="home" group="arm">``

    Source: srdfdom, ``Model::loadGroupStates`` and ``Model::loadEndEffectors``
    """
    return f"{what} names the group '{name}', which is not in this file" + hint


@rule("srdf-not-a-chain", 863, severity=Severity.WARNING)
def srdf_not_a_chain(group: str, base: str, tip: str, hint: str) -> str:
    """A chain whose last link is not below its first one in the robot, so that the group has no joints.

    Bad: ``<chain base_link="hand" tip_link="base"/>``

    Use instead: ``<chain base_link="base" tip_link="hand"/>``

    Source: MoveIt, ``RobotModel::addJointModelGroup``
    """
    return f"the chain of group '{group}' leads nowhere: '{tip}' is not below '{base}'" + hint


@rule("srdf-state", 864, severity=Severity.WARNING)
def srdf_state(state: str, joint: str, why: str) -> str:
    """A position of a group state that the joint cannot have.

    Bad: ``<joint name="elbow" value="3"/>`` where the limits are -1 and 1.

    Use instead: ``<joint name="elbow" value="0.5"/>``

    Source: srdfdom, ``Model::loadGroupStates``; MoveIt, ``RobotModel::buildGroupStates``
    """
    return f"state '{state}' puts joint '{joint}' " + why


@rule("srdf-repeated", 865, severity=Severity.WARNING)
def srdf_repeated(what: str) -> str:
    """A group, a state or a disabled pair of links that is written twice, or a pair of one link with itself.

    The quick fix removes a pair that says nothing.

    Bad: two ``<disable_collisions link1="a" link2="b" reason="Never"/>``

    Use instead: one of them.

    Source: srdfdom, ``Model::loadGroups`` and ``Model::loadCollisionPairs``
    """
    return what


@rule("srdf-no-velocity", 866, severity=Severity.WARNING)
def srdf_no_velocity(joint: str, group: str) -> str:
    """A joint of a group that has no limit of velocity, or one of 0.

    MoveIt cannot say how long a motion of the joint takes: time parameterisation fails, or takes 1 rad/s, unless
    ``joint_limits.yaml`` gives a limit.

    Bad: ``<limit lower="-1" upper="1" effort="0" velocity="0"/>``

    Use instead: ``<limit lower="-1" upper="1" effort="10" velocity="2"/>``

    Source: MoveIt, ``TimeOptimalTrajectoryGeneration::computeTimeStamps``
    """
    return f"joint '{joint}' of group '{group}' has no velocity limit in the URDF, so MoveIt cannot time its motions"
