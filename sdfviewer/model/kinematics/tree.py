"""The kinematic tree: a spanning forest over the bodies.

A body is a link; the world, and every link of a static model, are the :data:`GROUND`. Joints are taken in the order of
the file. One that names a body nobody carries yet as its child carries it. One whose child is carried already carries
its parent instead, backwards: ``A → C, B → C`` closes no loop, and B moves with C. Only a joint between bodies that are
connected already closes a loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model

#: Represents the world and all that is fixed in it.
GROUND = -1
#: Represents a body that cannot be found.
NOWHERE = -2


@dataclass(frozen=True, slots=True)
class Carrier:
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
