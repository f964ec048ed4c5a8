"""What two models say of their joints: type, ends, axes, limits, dynamics, followers, loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import astuple

import numpy as np

from sdfviewer.model.comparison.frames import SAME_POSE, FrameComparison
from sdfviewer.model.comparison.values import SameText, Values, record_differences, same_number, shown
from sdfviewer.model.contents import Limits
from sdfviewer.model.contents_reader import ContentsReader
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Axis, Joint
from sdfviewer.model.kinds import JOINT_TYPES
from sdfviewer.model.kinematics.followers import scoped_joint_row
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array

#: What SDFormat wrote before 1.10, and URDF still does, where there is no limit.
_NO_LIMIT = 1e16
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
        limits_a, limits_b = map(_without_placeholders, limits)
        yield from record_differences(limits_a, limits_b, same_uri, f"{prefix}.limits")
        dynamics = reader_a.dynamics(a, joint_a.row, axis_a), reader_b.dynamics(b, joint_b.row, axis_b)
        yield from record_differences(*dynamics, same_uri, f"{prefix}.dynamics")
        yield from _mimic(comparison, joint_a, axis_a, joint_b, axis_b, prefix)


def _mimic(
    comparison: FrameComparison, joint_a: Joint, axis_a: Axis, joint_b: Joint, axis_b: Axis, prefix: str
) -> Iterator[Values]:
    a, b = axis_a.mimic, axis_b.mimic
    if a is None or b is None:
        if a is not b:
            yield Values(f"{prefix}.mimic", None if a is None else a.joint, None if b is None else b.joint)
        return
    leader_a = scoped_joint_row(comparison.a, joint_a.row, a.joint)
    leader_b = scoped_joint_row(comparison.b, joint_b.row, b.joint)
    same_leader = a.joint == b.joint if leader_a is None else comparison.row_in_b(leader_a) == leader_b
    if not same_leader:
        yield Values(f"{prefix}.mimic.joint", a.joint, b.joint)
    if a.axis != b.axis:
        yield Values(f"{prefix}.mimic.axis", str(a.axis), str(b.axis))
    # The follower's position is a line in the leader's: its slope and its height at zero say all.
    for name, before, after in (
        ("multiplier", a.multiplier, b.multiplier),
        ("offset", a.offset - a.multiplier * a.reference, b.offset - b.multiplier * b.reference),
    ):
        if not same_number(before, after):
            yield Values(f"{prefix}.mimic.{name}", shown(before), shown(after))


def _without_placeholders(limits: Limits) -> Limits:
    """Return limits of which those are infinite that are so large that they are written for "no limit"."""
    return Limits(*(math.copysign(math.inf, value) if abs(value) >= _NO_LIMIT else value for value in astuple(limits)))


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
