"""What moves with what: a spanning forest over the bodies, and degrees of freedom that follow others.

A body is a link; the world, and every link of a static model, are the :data:`GROUND`. Joints are taken in the order of
the file. One that names a body nobody carries yet as its child carries it. One whose child is carried already carries
its parent instead, backwards: ``A → C, B → C`` closes no loop, and B moves with C. Only a joint between bodies that are
connected already closes a loop.

A follower, by a mimic constraint or a gearbox, is a straight line over its leader, ``q_f = gain · q_l + offset``;
chains of followers are folded into one line over the leader at their end, so that all followers together are one array
operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import read_number
from sdfviewer.transforms import Array

#: Represents the world and all that is fixed in it.
GROUND = -1
#: Represents a body that cannot be found.
NOWHERE = -2


class Carrier(NamedTuple):
    """What carries a body: another body, by a joint; ``backwards`` where the joint calls the carried one its parent."""

    body: int
    joint: Joint
    backwards: bool


@dataclass(slots=True)
class SpanningForest:
    """The carrier of each body that has one, and the joints that close loops.

    Attributes
    ----------
    carriers
        By row of the carried body.
    loop_joints
        In the order of the file.
    """

    carriers: dict[int, Carrier] = field(default_factory=dict)
    loop_joints: list[Joint] = field(default_factory=list)
    _trees: dict[int, int] = field(default_factory=dict)

    def add(self, joint: Joint, parent: int, child: int) -> None:
        """Hang two bodies together by a joint, or note that it closes a loop."""
        tree_of_parent, tree_of_child = self._tree(parent), self._tree(child)
        if tree_of_parent == tree_of_child:
            self.loop_joints.append(joint)
            return
        grounded = tree_of_parent == self._tree(GROUND)
        if child != GROUND and (grounded or child not in self.carriers):
            self._make_root(child)
            self.carriers[child] = Carrier(parent, joint, backwards=False)
        else:
            self._make_root(parent)
            self.carriers[parent] = Carrier(child, joint, backwards=True)
        self._trees[tree_of_child] = tree_of_parent

    def _tree(self, body: int) -> int:
        """Return the representative of all bodies connected with ``body``."""
        while (other := self._trees.setdefault(body, body)) != body:
            self._trees[body] = self._trees.setdefault(other, other)
            body = other
        return body

    def _make_root(self, body: int) -> None:
        """Turn the carriers around on the way from ``body`` to the root of its tree, which becomes ``body``."""
        carrier = self.carriers.pop(body, None)
        while carrier is not None:
            next_carrier = self.carriers.pop(carrier.body, None)
            self.carriers[carrier.body] = Carrier(body, carrier.joint, not carrier.backwards)
            body, carrier = carrier.body, next_carrier

    def loop(self, joint: Joint, parent: int, child: int) -> list[Joint]:
        """Return the joints of the loop that a joint closes: those from its child to its parent, then itself.

        Parameters
        ----------
        joint
            One of :attr:`loop_joints`.
        parent, child
            Its bodies.
        """
        ways = [self._to_root(child), self._to_root(parent)]
        while ways[0] and ways[1] and ways[0][-1] is ways[1][-1]:  # what carries both is not part of the loop
            for way in ways:
                way.pop()
        return [*ways[0], *reversed(ways[1]), joint]

    def _to_root(self, body: int) -> list[Joint]:
        """Return the joints that carry a body, the nearest first."""
        joints = []
        while (carrier := self.carriers.get(body)) is not None:
            joints.append(carrier.joint)
            body = carrier.body
        return joints

    def outwards(self) -> list[int]:
        """Return all carried bodies, each after the one that carries it."""
        ordered: dict[int, None] = {}
        for carried in self.carriers:
            way, body = [], carried
            while body in self.carriers and body not in ordered:
                way.append(body)
                body = self.carriers[body].body
            ordered.update(dict.fromkeys(reversed(way)))
        return list(ordered)


def body_of(model: Model, row: int) -> int:
    """Return the row of the body that carries a joint's end, or GROUND, or NOWHERE."""
    if row == ROOT:
        return GROUND
    body = int(model.bodies[row]) if row >= 0 else NOWHERE
    if body < 0:
        # The contents of a static model file are attached to the world outside it.
        return GROUND if row >= 0 and model.static[row] else NOWHERE
    return GROUND if model.kinds[body] is Kind.WORLD or model.static[body] else body


def bodies_of(model: Model) -> Rows:
    """Return :func:`body_of` (n,) of all rows."""
    bodies, static = model.bodies, model.static
    is_ground = static | model.kinds_are(Kind.WORLD)
    fixed = np.where(bodies >= 0, is_ground[np.maximum(bodies, 0)], static)
    return np.where(fixed, GROUND, np.where(bodies >= 0, bodies, NOWHERE))


def span(model: Model, joints: list[Joint]) -> SpanningForest:
    """Return the spanning forest of ``joints`` over the bodies of a model.

    Gearboxes come last: they couple joints that carry their bodies already, and carry only what nothing else does.
    """
    forest = SpanningForest()
    for joint in sorted(joints, key=lambda joint: joint.type == "gearbox"):
        parent, child = body_of(model, joint.parent), body_of(model, joint.child)
        if parent != child and NOWHERE not in (parent, child):
            forest.add(joint, parent, child)
    forest.loop_joints = [joint for joint in forest.loop_joints if joint.type != "gearbox"]
    return forest


AxisOfMotion = tuple[int, int]
"""A degree of freedom: row of its joint, number of its axis."""


class Line(NamedTuple):
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
