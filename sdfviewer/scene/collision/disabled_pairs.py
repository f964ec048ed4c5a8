"""Find the pairs of links that need not be tested for collisions, as MoveIt's Setup Assistant does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.motion import DEFAULT_CONFIGURATIONS
from sdfviewer.model.kinematics.tree import GROUND
from sdfviewer.scene.collision.checker import CollisionChecker
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.nodes import Floats

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
