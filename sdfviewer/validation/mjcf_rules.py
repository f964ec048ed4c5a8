"""Requirements of MuJoCo on its files, and what of them is not read."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule


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
