"""Find the links that collide during a motion, and the intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.model.kinematics.tree import GROUND
from sdfviewer.scene.collision.checker import CollisionChecker
from sdfviewer.scene.collision.triangles import Numbers
from sdfviewer.scene.nodes import Floats

_ROUNDS = 18
"""Halvings of the way between two configurations: a part in 262 144 of it is left."""


@dataclass(frozen=True, slots=True)
class LinkContact:
    """Two links that collide during a motion.

    Attributes
    ----------
    first, second
        Scoped names of the links; ``world`` is all that is fixed to the world.
    rows
        Their rows, -1 for the world.
    intervals
        From where to where they collide, in what the motion is measured in: seconds, or the position of a joint. The
        order is that of the motion.
    from_start
        Whether they collide where the motion starts.
    always
        Whether they collide all along the motion.
    """

    first: str
    second: str
    rows: tuple[int, int]
    intervals: tuple[tuple[float, float], ...]
    from_start: bool
    always: bool = False

    @property
    def begins(self) -> float:
        """Where they begin to collide."""
        return self.intervals[0][0]


def contacts_along(checker: CollisionChecker, places: Floats, q: Floats) -> tuple[LinkContact, ...]:
    """Return the links that collide during a motion, those that begin first at the front.

    Where a collision begins and ends is found by halving between the configurations given; what begins and ends between
    two of them is missed.

    Parameters
    ----------
    checker
        Tests single configurations.
    places
        Where on the motion the configurations are (n,): seconds, or positions of a joint, ascending or descending.
    q
        The configurations (n, m), linear in between.
    """
    series = checker.colliding(q)
    pairs = sorted(set().union(*series))
    states = np.array([[pair in each for each in series] for pair in pairs], dtype=bool).reshape(len(pairs), len(q))
    changed, before = np.nonzero(states[:, 1:] != states[:, :-1])
    edges = _find_edges(checker, q, np.array(pairs, dtype=np.int64).reshape(-1, 2)[changed], before)
    turning: dict[int, list[float]] = {number: [] for number in range(len(pairs))}
    for number, place in zip(changed.tolist(), np.interp(edges, np.arange(len(q)), places).tolist(), strict=True):
        turning[number].append(place)
    names = checker.kinematics.model.names
    contacts: list[LinkContact] = []
    for number, pair in enumerate(pairs):
        ends = turning[number]
        if states[number, 0]:
            ends = [float(places[0]), *ends]
        if states[number, -1]:
            ends = [*ends, float(places[-1])]
        first, second = ("world" if row == GROUND else names[row] for row in pair)
        intervals = tuple(zip(ends[::2], ends[1::2], strict=True))
        always = bool(states[number].all())
        contacts.append(LinkContact(first, second, pair, intervals, bool(states[number, 0]), always))
    direction = 1.0 if places[-1] >= places[0] else -1.0
    return tuple(sorted(contacts, key=lambda contact: direction * contact.begins))


def _find_edges(checker: CollisionChecker, q: Floats, pairs: Numbers, before: Numbers) -> Floats:
    """Return where pairs (k, 2) begin or cease to collide after configurations `before` (k,), in their numbering."""
    if not len(before):
        return np.zeros(0)
    low, high = before.astype(np.float64), before + 1.0
    ends = checker.collide(q[before + 1], pairs)
    for _ in range(_ROUNDS):
        middle = (low + high) / 2.0
        part = (middle - before)[:, None]
        hit = checker.collide(q[before] + part * (q[before + 1] - q[before]), pairs)
        same = hit == ends
        high, low = np.where(same, middle, high), np.where(same, low, middle)
    return np.asarray(high, dtype=np.float64)
