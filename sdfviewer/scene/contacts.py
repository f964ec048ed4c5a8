"""Find the links that collide during a motion, and the intervals; and the pairs that need no test.

The contacts also follow joints that are moved by hand. The pairs are those of MoveIt's Setup Assistant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from sdfviewer.model.kinematics.forward import Dof, Kinematics
from sdfviewer.model.kinematics.motion import DEFAULT_CONFIGURATIONS
from sdfviewer.model.kinematics.tree import GROUND
from sdfviewer.scene.collisions import CollisionChecker
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.overlaps import Numbers

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


@dataclass(frozen=True, slots=True)
class Onset:
    """Where a collision began.

    Attributes
    ----------
    dof
        The degree of freedom that moved most then.
    value
        Its position: radians or metres.
    """

    dof: Dof
    value: float


@dataclass(frozen=True, slots=True)
class TrackedContact:
    """Two links that collide now.

    Attributes
    ----------
    contact
        The pair.
    onset
        Where the collision began, None where that was not followed.
    """

    contact: LinkContact
    onset: Onset | None = None


class ContactTracker:
    """Answers one configuration after the other; between two of them the joints move on a straight line.

    Pairs that collide with all joints at zero are `always` in contact, as in MoveIt, which leaves them out.
    """

    def __init__(self) -> None:
        self._checker: CollisionChecker | None = None
        self._q: Floats | None = None
        self._at_zero: frozenset[tuple[int, int]] = frozenset()
        self._onsets: dict[tuple[int, int], Onset] = {}

    def lose(self) -> None:
        """Take the next configuration for one that no motion led to."""
        self._q = None

    def follow(self, checker: CollisionChecker, q: Floats) -> tuple[TrackedContact, ...]:
        """Return the links that collide at positions q (m,): the latest first, last those that always do."""
        if checker is not self._checker:
            self._at_zero = frozenset(checker.colliding(checker.kinematics.q0[None])[0])
            self._checker, self._q, self._onsets = checker, checker.kinematics.q0, {}
        before = q if self._q is None else self._q
        along = contacts_along(checker, np.array([0.0, 1.0]), np.stack([before, q]))
        now = [replace(each, always=each.rows in self._at_zero) for each in along if each.intervals[-1][1] >= 1.0]
        step = q - before
        column = int(np.argmax(np.abs(step))) if len(step) else 0
        begun: dict[tuple[int, int], Onset] = {}
        for contact in now:
            begins = contact.intervals[-1][0]
            if begins > 0.0 and not contact.always:
                begun[contact.rows] = Onset(
                    checker.kinematics.dofs[column], float(before[column] + begins * step[column])
                )
        lasting = {each.rows for each in now} - set(begun) if self._q is not None else set()
        # The latest come first.
        onsets = begun | {rows: onset for rows, onset in self._onsets.items() if rows in lasting}
        self._q, self._onsets = q, onsets
        places = {rows: place for place, rows in enumerate(onsets)}
        now.sort(key=lambda each: (each.always, places.get(each.rows, len(places))))
        return tuple(TrackedContact(each, onsets.get(each.rows)) for each in now)


#: Of each joint's range, with the other joints at zero.
_STEPS_OF_SWEEP = 9
_CHUNK = 64
ADJACENT, DEFAULT, ALWAYS, NEVER = "Adjacent", "Default", "Always", "Never"


@dataclass(frozen=True, slots=True)
class PairFinding:
    """What sampling shows of the pairs of links.

    Attributes
    ----------
    pairs
        Links and reason of those that need no test, by their rows: ``Adjacent`` where a joint connects them,
        ``Default`` where they collide with all joints at zero, ``Always`` where they do in every configuration,
        ``Never`` where they do in none.
    colliding
        The links that collide in some configuration.
    configurations
        How many were tested.
    problems
        Why meshes cannot be read: these collide with nothing, so that pairs may be in `pairs` that do collide.
    """

    pairs: tuple[tuple[str, str, str], ...]
    colliding: tuple[tuple[str, str], ...]
    configurations: int
    problems: tuple[str, ...]


def find_pairs(
    kinematics: Kinematics,
    loader: MeshLoader,
    configurations: int = DEFAULT_CONFIGURATIONS,
    *,
    hulls: bool = False,
) -> PairFinding:
    """Return the pairs of links that need no test, from sweeps of all joints and configurations at random.

    The random ones are the same at each call.

    Parameters
    ----------
    kinematics, loader, hulls
        As for :class:`CollisionChecker`.
    configurations
        How many are tested, the sweeps of the joints among them.
    """
    checker = CollisionChecker(kinematics, loader, hulls=hulls, neighbours=True, rigid=True)
    names = kinematics.model.local_names
    bodies = [row for row in checker.bodies if row != GROUND]
    at_zero = checker.colliding(kinematics.q0[None])[0]
    found, always = set(at_zero), set(at_zero)
    count = 1
    for q in _configurations(kinematics, configurations - 1):
        # What has collided once and not always is known: only the others are tested.
        checker.left_out = checker.adjacent | (found - always)
        for hit in checker.colliding(q):
            always &= hit
            found |= hit
        count += len(q)
    pairs = []
    for pair in combinations(sorted(bodies), 2):
        if pair in checker.adjacent:
            reason = ADJACENT
        elif pair in always:
            reason = ALWAYS
        elif pair in at_zero:
            reason = DEFAULT
        elif pair not in found:
            reason = NEVER
        else:
            continue
        pairs.append((names[pair[0]], names[pair[1]], reason))
    colliding = tuple((names[a], names[b]) for a, b in sorted(found - always - checker.adjacent) if a != GROUND)
    return PairFinding(tuple(pairs), colliding, count, tuple(problem.message for problem in checker.problems))


def _configurations(kinematics: Kinematics, count: int) -> Iterator[Floats]:
    """Yield configurations (n, m) within the ranges of the joints, of which each follows its leader if it has one."""
    low, high = np.array([dof.range for dof in kinematics.dofs], dtype=np.float64).reshape(-1, 2).T
    q0 = kinematics.q0
    sweeps = []
    for number, dof in enumerate(kinematics.dofs):
        if dof.leader is None:
            q = np.repeat(q0[None], _STEPS_OF_SWEEP, axis=0)
            q[:, number] = np.linspace(low[number], high[number], _STEPS_OF_SWEEP)
            sweeps.append(q)
    some = np.concatenate(sweeps)[:count] if sweeps else np.zeros((0, len(q0)))
    more = np.random.default_rng(0).uniform(low, high, (max(count - len(some), 0) if len(q0) else 0, len(q0)))
    whole = np.concatenate([some, more])
    for first in range(0, len(whole), _CHUNK):
        yield kinematics.follow(whole[first : first + _CHUNK])
