"""Degrees of freedom that depend on others: mimic constraints and gearboxes.

A follower is a straight line over its leader, ``q_f = gain · q_l + offset``; chains of followers are folded into one
line over the leader at their end, so that all followers together are one array operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import read_number
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.model.kinematics.tree import SpanningForest

AxisOfMotion = tuple[int, int]
"""A degree of freedom: row of its joint, number of its axis."""


@dataclass(frozen=True, slots=True)
class Line:
    """A follower's position over its leader's: ``gain · q + offset``."""

    leader: AxisOfMotion
    gain: float
    offset: float


@dataclass(frozen=True, slots=True)
class Followers:
    """For each degree of freedom which one it follows directly, and the line over the one at the end of the chain.

    Attributes
    ----------
    leaders
        Column of the leader (m,), ROOT where a degree of freedom is free.
    sources, gains, offsets
        ``q = gains · q[sources] + offsets`` (m,); for what is free that is itself.
    """

    leaders: Rows
    sources: Rows
    gains: Array
    offsets: Array


def scoped_joint_row(model: Model, row: int, name: str) -> int | None:
    """Return the row of the joint that ``name`` means where the joint in ``row`` is written, None if nothing."""
    scope = int(model.scopes[row])
    found = model.find(scope, name)
    return found if found is not None and model.kinds[found] is Kind.JOINT else None


def mimic_lines(model: Model) -> Iterator[tuple[AxisOfMotion, Line]]:
    """Yield each degree of freedom that mimics another one, with its line over that one."""
    for joint in model.joints:
        for number, axis in enumerate(joint.axes):
            mimic = axis.mimic
            leader = scoped_joint_row(model, joint.row, mimic.joint) if mimic is not None else None
            if mimic is not None and leader is not None:
                offset = mimic.offset - mimic.multiplier * mimic.reference
                yield (joint.row, number), Line((leader, mimic.axis), mimic.multiplier, offset)


def gearbox_lines(model: Model, forest: SpanningForest) -> Iterator[tuple[AxisOfMotion, Line]]:
    """Yield each degree of freedom that a gearbox couples to another one, with its line over that one."""
    for joint in model.joints:
        if (line := gearbox_line(model, forest, joint)) is not None:
            yield line


def gearbox_line(model: Model, forest: SpanningForest, joint: Joint) -> tuple[AxisOfMotion, Line] | None:
    """Return the degree of freedom that a gearbox couples to another one, None where it couples none.

    A gearbox between the bodies P and C holds ``θ_C = -ratio · θ_P``, both angles measured from its reference body. It
    couples the two turning joints between that body and P, and that body and C.
    """
    if joint.type != "gearbox" or min(joint.parent, joint.child) < 0:
        return None
    element = model.elements[joint.row]
    reference = element.text_of("gearbox_reference_body")
    if not reference:
        return None
    scope = int(model.scopes[joint.row])
    row = model.find(scope, reference)
    base = ROOT if row is None else int(model.bodies[row])
    first = _turn(model, forest, base, int(model.bodies[joint.parent]))
    second = _turn(model, forest, base, int(model.bodies[joint.child]))
    if first is None or second is None or first[0] == second[0]:
        return None
    ratio = read_number(element, "gearbox_ratio", 1.0)
    # The angle of each joint is that of the body relative to the reference body, or the reverse.
    return (second[0].row, 0), Line((first[0].row, 0), -ratio * first[1] * second[1], 0.0)


def _turn(model: Model, forest: SpanningForest, base: int, body: int) -> tuple[Joint, float] | None:
    """Return the turning joint that connects two bodies, and the sign of its angle seen from ``base``."""
    for carried, other in ((body, base), (base, body)):
        carrier = forest.carriers.get(carried)
        if carrier is None or carrier.body != other or carrier.joint.type not in ("revolute", "continuous"):
            continue
        child_is_body = int(model.bodies[carrier.joint.child]) == body
        return carrier.joint, 1.0 if child_is_body else -1.0
    return None


def fold_followers(axes: list[AxisOfMotion], lines: dict[AxisOfMotion, Line]) -> Followers:
    """Return the followers among axes; those that follow each other in a circle, or nothing here, are free."""
    columns = {axis: column for column, axis in enumerate(axes)}
    size = len(axes)
    leaders: Rows = np.full(size, ROOT, dtype=np.int64)
    gains, offsets = np.ones(size), np.zeros(size)
    for axis, line in lines.items():
        column, leader = columns.get(axis), columns.get(line.leader)
        if column is not None and leader is not None and leader != column:
            leaders[column], gains[column], offsets[column] = leader, line.gain, line.offset
    for cycle in graph.cycles(leaders):
        leaders[cycle], gains[cycle], offsets[cycle] = ROOT, 1.0, 0.0
    sources: Rows = np.arange(size)
    folded_gains, folded_offsets = np.ones(size), np.zeros(size)
    for column in range(size):
        gain, offset, end = 1.0, 0.0, column
        while leaders[end] >= 0:
            # q = gain · (g · q_next + o) + offset
            offset += gain * offsets[end]
            gain *= gains[end]
            end = int(leaders[end])
        sources[column], folded_gains[column], folded_offsets[column] = end, gain, offset
    return Followers(leaders, sources, folded_gains, folded_offsets)


def mimic_cycles(model: Model) -> list[list[AxisOfMotion]]:
    """Return each circle of degrees of freedom that mimic each other, in the direction from follower to leader."""
    lines = dict(mimic_lines(model))
    axes = list(lines)
    columns = {axis: column for column, axis in enumerate(axes)}
    leaders: Rows = np.array([columns.get(lines[axis].leader, ROOT) for axis in axes], dtype=np.int64)
    return [[axes[column] for column in cycle] for cycle in graph.cycles(leaders)]
