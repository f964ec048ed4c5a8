"""Adjacent bodies: connected by a joint, or through bodies without a shape."""

from __future__ import annotations

from collections.abc import Collection

from sdfviewer.model.kinematics.tree import GROUND, NOWHERE, body_of
from sdfviewer.model.model import Model


def adjacent_bodies(model: Model, shaped: Collection[int]) -> set[tuple[int, int]]:
    """Return the pairs of neighbouring bodies, the lower row first; GROUND is all that is fixed to the world.

    Neighbours are the two bodies of a joint. A body without a shape makes neighbours of all that are joined to it, as
    in MoveIt's Setup Assistant: many robots have such links between two real ones.

    Parameters
    ----------
    model
        The model.
    shaped
        Rows of the bodies that have a shape, GROUND among them where it has one.
    """
    beside: dict[int, set[int]] = {}
    for joint in model.joints:
        parent, child = body_of(model, joint.parent), body_of(model, joint.child)
        if NOWHERE in (parent, child) or parent == child:
            continue
        beside.setdefault(parent, set()).add(child)
        beside.setdefault(child, set()).add(parent)
    passable = {body for body in beside if body not in shaped and body != GROUND}
    pairs: set[tuple[int, int]] = set()
    for body in shaped:
        waiting, seen = list(beside.get(body, ())), {body}
        while waiting:
            other = waiting.pop()
            if other in seen:
                continue
            seen.add(other)
            if other in passable:
                waiting += beside[other]
            else:
                pairs.add((min(body, other), max(body, other)))
    return pairs
