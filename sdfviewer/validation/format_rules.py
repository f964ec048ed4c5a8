"""What other formats than SDFormat and URDF ask of their files: MJCF, SRDF and xacro."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule
from sdfviewer.extras import install_command


@rule("mjcf-unknown", 841)
def mjcf_unknown(what: str, tag: str, hint: str) -> str:
    """An element or attribute that MJCF does not have in this place. MuJoCo refuses the file.

    Bad: ``<geom typ="box" size="1 1 1"/>``, ``<joint><geom/></joint>``

    Use instead: ``<geom type="box" size="1 1 1"/>``

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
    """
    return f"MJCF has no {what} in <{tag}>" + hint


@rule("mjcf-bad-value", 842)
def mjcf_bad_value(value: str, where: str, wanted: str, hint: str) -> str:
    """A value that is not of the type that MJCF requires. The default is read in its place.

    Bad: ``<geom pos="0 0"/>``, ``<joint type="revolute"/>``

    Use instead: ``<geom pos="0 0 0"/>``, ``<joint type="hinge"/>``

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#attribute-types
    """
    return f"'{value}' in {where} is not {wanted}" + hint


@rule("mjcf-attributes", 843)
def mjcf_attributes(where: str, what: str) -> str:
    """An attribute that is missing, attributes that exclude each other, or an element that may be there only once.

    Bad: ``<inertial pos="0 0 0"/>``, ``<body quat="1 0 0 0" euler="0 0 90"/>``

    Use instead: ``<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>``, and one orientation

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
    """
    return f"{where} " + what


@rule("mjcf-name-unknown", 844)
def mjcf_name_unknown(kind: str, name: str, hint: str) -> str:
    """A reference to something that the file does not have.

    Bad: ``<geom type="mesh" mesh="hand"/>`` where no ``<mesh>`` is called so

    Use instead: the name of a ``<mesh>`` in ``<asset>``; one without a name is called as its file.

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
    """
    return f"there is no {kind} '{name}'" + hint


@rule("mjcf-name-repeated", 845)
def mjcf_name_repeated(kind: str, name: str) -> str:
    """Two elements of one kind with one name.

    Bad: ``<body name="arm"/> <body name="arm"/>``

    Use instead: a name for each. A body and a joint may share one.

    Source: https://mujoco.readthedocs.io/en/stable/modeling.html#naming-elements
    """
    return Message(f"there are two of the kind {kind} called '{name}'", "rename one")


@rule("mjcf-refused", 846)
def mjcf_refused(what: str) -> str:
    """Something that MuJoCo's compiler refuses though each value is well written.

    Bad: ``<geom type="sphere" size="0"/>``, ``<joint range="1 -1"/>``, a joint in ``<worldbody>``

    Use instead: what the message says.

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
    """
    return "MuJoCo refuses this: " + what


@rule("mjcf-include", 847)
def mjcf_include(name: str, why: str) -> str:
    """A file that cannot be included or attached.

    MuJoCo looks for it in the folder of the main file, then in that of the including file. A file can be included once.

    Bad: ``<include file="hand.xml"/>`` where there is no such file

    Use instead: a path from the folder of the main file

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#include
    """
    return f"'{name}' cannot be read: " + why


@rule("mjcf-not-read", 848, severity=Severity.WARNING)
def mjcf_not_read(what: str, why: str) -> str:
    """A part of the robot that is left out, since frames, links and joints cannot say it, or not yet.

    Bad: ``<flexcomp type="grid" ...>``, ``<composite type="cable" ...>``, a mesh whose corners are written in the file

    Use instead: bodies, joints and geoms, as ``mujoco.mj_saveLastXML`` writes them.

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#meta-elements
    """
    return f"{what} is left out: " + why


@rule("mjcf-not-converted", 849, severity=Severity.INFO)
def mjcf_not_converted(what: str, number: int) -> str:
    """Something about a robot that only MuJoCo knows. It is not shown, and not written in other formats.

    Bad: ``<actuator>``, ``<tendon>`` and ``<contact>`` in a file that is to be converted

    Use instead: what the other format has for it, added after the conversion.

    Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
    """
    others = f" ({number} times in this file)" if number > 1 else ""
    return f"{what} has no counterpart in SDFormat and is not converted{others}"


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


OF_XACRO = frozenset(
    f"xacro:{tag}"
    for tag in ("arg", "attribute", "call", "element", "if", "include", "insert_block", "macro", "property", "unless")
)
"""Tags of the elements with which a file says something to xacro itself; others call a macro."""

OF_XACRO_FILES = frozenset(
    {"xacro-failed", "xacro-not-installed", "xacro-not-evaluated", "xacro-warning", "xacro-macros-only"}
)
"""Rules that only files named ``*.xacro`` break."""


@rule("xacro-failed", 821, libsdformat="FILE_READ")
def xacro_failed(what: str) -> str:
    """A xacro file that cannot be evaluated: the package ``xacro`` stops here.

    Set an argument without a default with ``--arg NAME=VALUE``, or in the dialog that opens the file.

    Bad: ``<sphere radius="${radius}"/>`` where no property is called ``radius``.

    Use instead: ``<xacro:property name="radius" value="0.1"/>`` before it.

    Source: https://github.com/ros/xacro/wiki
    """
    return "xacro: " + what


@rule("xacro-not-installed", 822, libsdformat="FILE_READ")
def xacro_not_installed() -> str:
    """A xacro file that needs the package ``xacro``, which is not installed.

    Bad: ``robot.urdf.xacro`` opened where the extra ``xacro`` is not installed.

    Use instead: the command of the message, which installs it; or the output of ``xacro robot.urdf.xacro``.

    Source: https://github.com/ros/xacro
    """
    return f"this is xacro, and the package that evaluates it is not installed: {install_command('xacro')}"


@rule("xacro-not-evaluated", 823, severity=Severity.WARNING)
def xacro_not_evaluated(name: object, other: object, advice: str) -> str:
    """A xacro file that is not allowed to be evaluated. Its text can be read and edited; no robot is shown.

    A xacro file is a program. The command line and the library evaluate the files that are named, but not those that
    these include or that are found in folders. The window and editors ask; an answer is about the content of a file,
    and they ask again when it has changed on disk or reads another file.

    Bad: ``<include><uri>arm.urdf.xacro</uri></include>`` from an untrusted source.

    Use instead: ``--xacro`` on the command line, ``xacro=True`` in the library, *Evaluate* in the notice of the window
    or in the quick fixes of an editor; or include what ``xacro arm.urdf.xacro`` writes.

    Source: https://github.com/ros/xacro/wiki
    """
    what = "is a xacro program and has not been evaluated" if other is None else f"now reads {other}"
    return Message(f"{name} {what}", f"to evaluate it, {advice}")


@rule("xacro-warning", 824, severity=Severity.WARNING)
def xacro_warning(what: str) -> str:
    """A warning of the package ``xacro`` while it evaluates a file, or an element that it copies without reading it.

    ``<property>``, ``<macro>`` and ``<include>`` without the prefix ``xacro:`` are read by no xacro since ROS Jade.

    Bad: ``<xacro:property name="pi" value="3.14"/>``, which replaces a symbol that every file has.

    Use instead: another name.

    Source: https://github.com/ros/xacro/wiki
    """
    return "xacro: " + what


@rule("xacro-macros-only", 825, severity=Severity.WARNING)
def xacro_macros_only() -> str:
    """A xacro file without a robot: it contains macros and properties for files that include it.

    Bad: ``leg.xacro`` with nothing but ``<xacro:macro name="leg" ...>``.

    Use instead: the file that includes it, ``robot.urdf.xacro``.

    Source: https://github.com/ros/xacro/wiki
    """
    return "this xacro file writes no robot: open the file that includes it"
