"""What two models say of their joints: type, ends, axes, limits, dynamics, followers, loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace

import numpy as np

from sdfviewer.model.comparison.frames import SAME_POSE, FrameComparison
from sdfviewer.model.comparison.values import SameText, Values, record_differences, same_number, shown
from sdfviewer.model.contents import ContentsReader, Limits
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import JOINT_TYPES
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array

#: What SDFormat wrote before 1.10, and URDF still does, where there is no limit.
NO_LIMIT = 1e16
#: Reads the rows of a model.
ReaderOf = Callable[[Model, int], ContentsReader]


def joint_differences(
    comparison: FrameComparison, joint_a: Joint, joint_b: Joint, reader_of: ReaderOf, same_uri: SameText
) -> Iterator[Values]:
    """Yield what differs between two joints.

    An axis counts as another one where its direction differs both in the joint's frame and in the root: where only
    the frame was turned, the frame is what differs.
    """
    a, b = comparison.a, comparison.b
    X_b = comparison.poses()[1]
    if joint_a.type != joint_b.type:
        yield Values("type", joint_a.type, joint_b.type)
    for name in ("parent", "child"):
        end_a, end_b = getattr(joint_a, name), getattr(joint_b, name)
        if comparison.row_in_b(end_a) != end_b:
            yield Values(name, _name(a, end_a), _name(b, end_b))
    axes_a, axes_b = (joint.axes[: JOINT_TYPES.get(joint.type, 2)] for joint in (joint_a, joint_b))
    if len(axes_a) != len(axes_b) and joint_a.type == joint_b.type:
        yield Values("axes", str(len(axes_a)), str(len(axes_b)))
    if joint_a.type == joint_b.type == "screw" and not same_number(joint_a.screw_pitch, joint_b.screw_pitch):
        yield Values("screw_pitch", shown(joint_a.screw_pitch), shown(joint_b.screw_pitch))
    for tag in ("gearbox_ratio", "gearbox_reference_body"):
        texts = a.elements[joint_a.row].text_of(tag), b.elements[joint_b.row].text_of(tag)
        if joint_a.type == joint_b.type == "gearbox" and texts[0] != texts[1]:
            yield Values(tag, texts[0] or None, texts[1] or None)
    for number, (axis_a, axis_b) in enumerate(zip(axes_a, axes_b, strict=False)):
        prefix = "axis2" if number else "axis"
        if not _same_direction(axis_a.xyz, axis_b.xyz) and not _same_direction(
            a.X_RootF[joint_a.row, :3, :3] @ axis_a.xyz, X_b[joint_b.row, :3, :3] @ axis_b.xyz
        ):
            yield Values(prefix, _vector(axis_a.xyz), _vector(axis_b.xyz))
        reader_a, reader_b = reader_of(a, joint_a.row), reader_of(b, joint_b.row)
        limits = reader_a.limits(a, joint_a.row, axis_a), reader_b.limits(b, joint_b.row, axis_b)
        limits_a, limits_b = (_effective(each, joint) for each, joint in zip(limits, (joint_a, joint_b), strict=True))
        yield from record_differences(limits_a, limits_b, same_uri, f"{prefix}.limits")
        dynamics = reader_a.dynamics(a, joint_a.row, axis_a), reader_b.dynamics(b, joint_b.row, axis_b)
        yield from record_differences(*dynamics, same_uri, f"{prefix}.dynamics")
        yield from _mimic(comparison, joint_a, joint_b, number, prefix)


def _followed(kinematics: Kinematics, joint: Joint, number: int) -> tuple[int, int, float, float] | None:
    """Return row and axis of the joint that one of a joint follows, with gain and offset; None where it moves freely.

    Chains of mimic constraints and gearboxes are one line over the freedom at their end; constraints that go round in
    circles are none.
    """
    column = next(
        (c for c in kinematics.columns_of_joints.get(joint.row, ()) if kinematics.dofs[c].axis == number), None
    )
    if column is None or kinematics.dofs[column].leader is None:
        return None
    followers = kinematics.followers
    leader = kinematics.dofs[int(followers.sources[column])]
    return leader.joint.row, leader.axis, float(followers.gains[column]), float(followers.offsets[column])


def _mimic(comparison: FrameComparison, joint_a: Joint, joint_b: Joint, number: int, prefix: str) -> Iterator[Values]:
    kinematics_a, kinematics_b = comparison.kinematics
    a, b = _followed(kinematics_a, joint_a, number), _followed(kinematics_b, joint_b, number)
    names = a and comparison.a.local_names[a[0]], b and comparison.b.local_names[b[0]]
    if a is None or b is None:
        if a is not b:
            yield Values(f"{prefix}.mimic", names[0] or None, names[1] or None)
        return
    if comparison.row_in_b(a[0]) != b[0] or a[1] != b[1]:
        yield Values(f"{prefix}.mimic", *(f"{name} axis {each[1]}" for name, each in zip(names, (a, b), strict=True)))
    for name, before, after in (("multiplier", a[2], b[2]), ("offset", a[3], b[3])):
        if not same_number(before, after):
            yield Values(f"{prefix}.mimic.{name}", shown(before), shown(after))


def _effective(limits: Limits, joint: Joint) -> Limits:
    """Return the limits that count: none where a number means that, and none of a continuous joint's angle."""
    infinite = (math.copysign(math.inf, value) if abs(value) >= NO_LIMIT else value for value in astuple(limits))
    found = Limits(*infinite)
    return replace(found, lower=-math.inf, upper=math.inf) if joint.type == "continuous" else found


def _same_direction(u: Array, v: Array) -> bool:
    if not (np.isfinite(u).all() and np.isfinite(v).all()):
        return bool(np.isfinite(u).all() == np.isfinite(v).all())
    return math.dist(u.tolist(), v.tolist()) <= SAME_POSE


def _vector(u: Array) -> str | None:
    return shown(tuple(u.tolist()))


def _name(model: Model, row: int) -> str | None:
    if row == ROOT:
        return "world"
    return model.names[row] if row >= 0 else None
