"""Follow joints that are moved by hand: which links collide, and at which joint position each pair began to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sdfviewer.model.kinematics.forward import Dof
from sdfviewer.scene.collision.checker import CollisionChecker
from sdfviewer.scene.collision.contacts import LinkContact, contacts_along
from sdfviewer.scene.nodes import Floats


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
