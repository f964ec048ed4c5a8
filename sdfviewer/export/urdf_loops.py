"""Joints that URDF itself cannot hold, as SDFormat inside ``<gazebo>``: libsdformat adds them to the robot it reads.

Other programs ignore ``<gazebo>``, so such a joint is lost for them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from sdfviewer import transforms
from sdfviewer.export.urdf_parts import copies
from sdfviewer.export.xml_lines import element
from sdfviewer.formats.contents import read_dynamics, read_limits
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Axis, Joint
from sdfviewer.model.kinematics.followers import gearbox_line
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import GROUND, body_of
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_number

#: What a joint of a type has beside its axes, as text that is the same in every version of SDFormat.
_EXTRAS = ("gearbox_ratio", "thread_pitch", "screw_thread_pitch")


def gazebo_joint(model: Model, joint: Joint, names: Mapping[int, str]) -> list[str] | None:
    """Return a joint inside ``<gazebo>``, with its pose in its child link; None where an end is no link of the URDF.

    Parameters
    ----------
    model, joint
        The joint in SDFormat.
    names
        The URDF's names of links and joints by row.
    """
    parent, child = body_of(model, joint.parent), body_of(model, joint.child)
    if child not in names or (parent != GROUND and parent not in names):
        return None
    X_CJ = transforms.invert(model.X_RootF[child]) @ model.X_RootF[joint.row]
    if not np.isfinite(X_CJ).all():
        return None
    numbers = " ".join(format_number(value) for value in transforms.matrix_to_pose(X_CJ).tolist())
    # A link that is merged into another one is a frame there, so the frame is named.
    lines = element("pose", {"relative_to": names[child]}, numbers)
    lines += element("parent", None, "world" if parent == GROUND else names[parent])
    lines += element("child", None, names[child])
    for tag, axis in zip(("axis", "axis2"), joint.axes, strict=False):
        lines += element(tag, None, _axis(model, joint, axis))
    written = model.elements[joint.row]
    for tag in _EXTRAS:
        if text := written.text_of(tag):
            lines += element(tag, None, text)
    if reference := written.text_of("gearbox_reference_body"):
        scope = int(model.scopes[joint.row])
        row = model.rows_by_name.get(model.member_prefix(scope) + reference, ROOT)
        lines += element("gearbox_reference_body", None, names.get(row, reference))
    lines += copies(model, joint.row, written.findall("physics", "sensor"))
    return element("gazebo", None, element("joint", {"name": names[joint.row], "type": joint.type}, lines))


def _axis(model: Model, joint: Joint, axis: Axis) -> list[str]:
    lines = element("xyz", None, " ".join(format_number(value) for value in axis.xyz.tolist()))
    limits, dynamics = read_limits(model, joint.row, axis), read_dynamics(model, joint.row, axis)
    values = {"lower": axis.lower, "upper": axis.upper, "effort": limits.effort, "velocity": limits.velocity}
    known = [line for tag, value in values.items() if math.isfinite(value) for line in _number(tag, value)]
    lines += element("limit", None, known) if known else []
    values = {
        "damping": dynamics.damping,
        "friction": dynamics.friction,
        "spring_reference": dynamics.spring_reference,
        "spring_stiffness": dynamics.spring_stiffness,
    }
    known = [line for tag, value in values.items() if value for line in _number(tag, value)]
    return lines + (element("dynamics", None, known) if known else [])


def _number(tag: str, value: float) -> list[str]:
    return element(tag, None, format_number(value))


def geared_joint(kinematics: Kinematics, model: Model, gearbox: Joint) -> int | None:
    """Return the row of the joint that follows another one because of a gearbox, None where the gearbox moves none."""
    line = gearbox_line(model, kinematics.forest, gearbox)
    if line is None:
        return None
    row, number = line[0]
    followed = (dof for dof in kinematics.dofs if (dof.joint.row, dof.axis) == (row, number))
    return row if any(dof.leader is not None for dof in followed) else None
