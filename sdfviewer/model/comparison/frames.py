"""What differs between the frames of two models: those that were moved, added, removed or renamed."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import compress
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer import transforms
from sdfviewer.model.comparison.difference import match_frames
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array

#: Poses that differ by less than this, in metres or radians, are the same: rounding of a few products.
SAME_POSE = 1e-9
#: Instead of the row that took a row along: there is none, or the row itself changed.
_NOBODY, _ITSELF = -1, -2


class Change(str, Enum):
    """What happened to a frame."""

    APPEARED = "appeared"
    VANISHED = "vanished"
    RENAMED = "renamed"
    KIND = "other kind"
    MOVED = "moved"
    BODY = "other body"
    UNDEFINED = "pose undefined"
    DEFINED = "pose defined"


#: What may happen to a frame that does not move.
_HARMLESS = frozenset({Change.RENAMED, Change.KIND})


#: What happened to the rows of one model.
_Happened: TypeAlias = dict[int, tuple[Change, ...]]
_NO_POSE = (math.nan, math.nan)
#: Which of some rows (k,) something happened to.
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class FrameDifference:
    """What happened to one frame between two models A and B.

    Attributes
    ----------
    changes
        All that happened to it.
    kind
        What it is.
    before, after
        Its scoped names in A and in B, None where it is not there.
    metres, radians
        By how much its pose in the root frame differs; NaN where it has none in A or in B.
    body_before, body_after
        Scoped names of the bodies that carry it, empty if there is none.
    along
        Name of the frame to which the same happened and that took this one along: what a pose is measured from, what a
        visual is written in. Empty where something happened to this frame itself.
    row_before, row_after
        Its rows in A and in B, -1 where it is not there.
    """

    changes: tuple[Change, ...]
    kind: str
    before: str | None
    after: str | None
    metres: float
    radians: float
    body_before: str = ""
    body_after: str = ""
    along: str = ""
    row_before: int = -1
    row_after: int = -1

    @property
    def is_harmless(self) -> bool:
        """Whether the frame is where it was, on the same body: it has another name, or is of another kind."""
        return set(self.changes) <= _HARMLESS

    @property
    def name(self) -> str:
        """How it is called now, or was called last."""
        return self.after if self.after is not None else self.before or ""

    def __str__(self) -> str:
        changes = ", ".join(change.value for change in self.changes)
        line = f"{changes}: {self.kind} {self.name}"
        if Change.RENAMED in self.changes:
            line += f" (was {self.before})"
        if np.isfinite(self.metres) and max(self.metres, self.radians) > 0:
            line += f"  {self.metres:.6g} m, {self.radians:.6g} rad"
        if Change.BODY in self.changes:
            line += f"  body {self.body_before or '-'} → {self.body_after or '-'}"
        return f"{line}  together with {self.along}" if self.along else line


def farthest_first(differences: Iterable[FrameDifference]) -> list[FrameDifference]:
    """Return what happened to frames themselves, those that moved farthest first: what was taken along is left out."""
    own = [each for each in differences if not each.along]
    return sorted(own, key=lambda each: (-np.nan_to_num(each.metres), -np.nan_to_num(each.radians)))


class FrameComparison:
    """Two models A and B, and which frame of the one is which of the other, whatever the joints do.

    Parameters
    ----------
    a, b
        The models: before and after.
    renamed
        Old and new scoped names, where it is known what was renamed; see `match_frames` for the others.
    rows
        Rows of B by rows of A, where it is known which is which.
    by_row
        Whether the rows of both are the same frames, whatever they are called, if they are of the same kinds: that is
        so after an edit that adds and removes none.
    X_AB
        Pose (4, 4) of the root of B in that of A, the identity by default: a format that has no pose for the root link
        puts the root frame there.
    """

    def __init__(
        self,
        a: Model,
        b: Model,
        renamed: Sequence[tuple[str, str]] = (),
        *,
        rows: Mapping[int, int] | None = None,
        by_row: bool = False,
        X_AB: Array | None = None,
    ) -> None:
        self.a, self.b = a, b
        self.X_AB = X_AB
        self.is_aligned = a.kinds == b.kinds
        # Names that are the same and unique in both say it, too.
        is_same = not renamed and not rows and a.names == b.names and len(b.rows_by_name) == len(b)
        self._renamed, self._known_rows, self._by_row = renamed, rows, self.is_aligned and (by_row or is_same)
        self._rows_a: Rows
        self._rows_b: Rows
        if self._by_row:
            self._rows_a = self._rows_b = np.arange(len(a))
        else:
            self._rows_a = np.array(list(self.to_b), dtype=np.int64)
            self._rows_b = np.array(list(self.to_b.values()), dtype=np.int64)
        # The row of B for each row of A; ROOT and UNRESOLVED stay, and -3 means removed.
        self._mapped: Rows = np.full(len(a) + 2, -3, dtype=np.int64)
        self._mapped[self._rows_a] = self._rows_b
        self._mapped[-2:] = (-2, -1)

    @cached_property
    def to_b(self) -> Mapping[int, int]:
        """The row of B for each row of A that is still there."""
        if self._by_row:
            return dict(zip(range(len(self.a)), range(len(self.b)), strict=True))
        return match_frames(self.a, self.b, self._renamed, self._known_rows)

    @cached_property
    def _to_a(self) -> Mapping[int, int]:
        return {other: row for row, other in self.to_b.items()}

    def row_in_b(self, row: int) -> int:
        """Return the row of B for a row of A; what is no row, such as ROOT, stays what it is, and -3 means removed."""
        return int(self._mapped[row])

    @cached_property
    def kinematics(self) -> tuple[Kinematics, Kinematics]:
        """Forward kinematics of A and of B."""
        return Kinematics(self.a), Kinematics(self.b)

    def configurations(self, positions: Mapping[str, Sequence[float]]) -> tuple[Array, Array]:
        """Return q of A and q of B for positions by the scoped names of joints in B."""
        names = {self.b.names[other]: self.a.names[row] for row, other in self.to_b.items()}
        kinematics_a, kinematics_b = self.kinematics
        of_a = {names[name]: values for name, values in positions.items() if name in names}
        return kinematics_a.positions(of_a), kinematics_b.positions(positions)

    def poses(self, q: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
        """Return the poses of the frames of A and of B in the root of A, by default at the initial configuration."""
        if q is None:
            return self._initial_poses
        return self.kinematics[0].poses(q[0]), self._in_a(self.kinematics[1].poses(q[1]))

    @cached_property
    def _initial_poses(self) -> tuple[Array, Array]:
        return self.a.X_RootF, self._in_a(self.b.X_RootF)

    def _in_a(self, X_RootF: Array) -> Array:
        """Return poses in the root of B as poses in the root of A."""
        return X_RootF if self.X_AB is None else self.X_AB @ X_RootF

    def differences(self, q: tuple[Array, Array] | None = None, tolerance: float = SAME_POSE) -> list[FrameDifference]:
        """Return the frames that differ, in the order of B, those that vanished at the end.

        Parameters
        ----------
        q
            Configurations of A and of B at which they are compared, by default the initial ones.
        tolerance
            In metres and radians.
        """
        a, b = self.a, self.b
        flags, metres, radians = self._flags(q, tolerance)
        names = _inner_names(a, self._rows_a), _inner_names(b, self._rows_b)
        flags = {
            Change.RENAMED: np.fromiter(map(operator.ne, *names), bool, len(self._rows_a)),
            Change.KIND: a.kind_numbers[self._rows_a] != b.kind_numbers[self._rows_b],
            **flags,
        }
        differing = np.flatnonzero(np.any(list(flags.values()), axis=0))
        rows = self._rows_b[differing].tolist()
        happened: _Happened = {
            row: tuple(compress(flags, those))
            for row, those in zip(rows, np.array(list(flags.values()))[:, differing].T.tolist(), strict=True)
        }
        happened.update((row, (Change.APPEARED,)) for row in range(len(b)) if row not in self._to_a)
        vanished: _Happened = {row: (Change.VANISHED,) for row in range(len(a)) if row not in self.to_b}
        apart = dict(zip(rows, zip(metres[differing].tolist(), radians[differing].tolist(), strict=True), strict=True))
        along = _along(happened, lambda row: self._leader(row, happened, q), b.names)
        found = [
            self._difference(self._to_a.get(row, -1), row, happened[row], apart.get(row, _NO_POSE), along[row])
            for row in sorted(happened)
        ]
        along = _along(vanished, lambda row: int(a.owners[row]), a.names)
        return found + [self._difference(row, -1, vanished[row], _NO_POSE, along[row]) for row in sorted(vanished)]

    def _flags(
        self, q: tuple[Array, Array] | None = None, tolerance: float = SAME_POSE
    ) -> tuple[dict[Change, Flags], Array, Array]:
        """Return which matched frames moved or changed their body, and metres and radians between their poses."""
        X_a, X_b = (X[rows] for X, rows in zip(self.poses(q), (self._rows_a, self._rows_b), strict=True))
        metres, radians = transforms.pose_error(X_a, X_b)
        defined_a, defined_b = (np.isfinite(X).all(axis=(1, 2)) for X in (X_a, X_b))
        both = defined_a & defined_b
        flags = {
            Change.MOVED: both & ((metres > tolerance) | (radians > tolerance)),
            Change.DEFINED: defined_b & ~defined_a,
            Change.UNDEFINED: defined_a & ~defined_b,
            Change.BODY: self._mapped[np.maximum(self.a.bodies[self._rows_a], ROOT)]
            != np.maximum(self.b.bodies[self._rows_b], ROOT),
        }
        return flags, metres, radians

    @cached_property
    def _initial_flags(self) -> dict[Change, Flags]:
        return self._flags()[0]

    @property
    def moved_rows(self) -> Rows:
        """The rows of A that have another pose or body in B; quicker than :meth:`moved`, which words them."""
        flags = self._initial_flags
        had_body = self.a.bodies[self._rows_a] >= 0
        return self._rows_a[flags[Change.MOVED] | (flags[Change.BODY] & had_body)]

    @property
    def lost_rows(self) -> Rows:
        """The rows of A that are not in B, or have no pose or no body there though they had one."""
        is_kept = np.zeros(len(self.a), dtype=bool)
        had_body = self.a.bodies[self._rows_a] >= 0
        has_body = self.b.bodies[self._rows_b] >= 0
        is_kept[self._rows_a] = ~(self._initial_flags[Change.UNDEFINED] | (had_body & ~has_body))
        return np.flatnonzero(~is_kept)

    def moved(self) -> list[FrameDifference]:
        """Return the frames that have another pose or body, appeared or vanished at the initial configurations."""
        return [each for each in self.differences() if not each.is_harmless]

    def moved_at_random(self, count: int = 20) -> list[FrameDifference]:
        """Return the differences at that of ``count`` random configurations at which the most frames are elsewhere.

        Joints stand within their limits, or within half a turn or a metre where they have none. The configurations are
        the same each time.
        """
        of_a, of_b = self.kinematics
        columns = {(dof.joint.row, dof.axis): column for column, dof in enumerate(of_b.dofs)}
        lower, upper = (np.array([getattr(dof, end) for dof in of_a.dofs]) for end in ("lower", "upper"))
        half = np.array([1.0 if dof.unit == "m" else np.pi for dof in of_a.dofs])
        lower, upper = np.where(np.isfinite(lower), lower, -half), np.where(np.isfinite(upper), upper, half)
        low, high = np.minimum(lower, upper), np.maximum(lower, upper)
        q_a = np.random.default_rng(0).uniform(low, high, (count, len(of_a.dofs)))
        for column, dof in enumerate(of_a.dofs):
            if (self.row_in_b(dof.joint.row), dof.axis) not in columns:
                q_a[:, column] = 0.0  # B has no such freedom, which is a difference of the joint
        # What follows in A alone gets its position in B: that it is free there is a difference of the joint, too.
        q_a = of_a.follow(q_a)
        q_b = np.zeros((count, len(of_b.dofs)))
        for column, dof in enumerate(of_a.dofs):
            other = columns.get((self.row_in_b(dof.joint.row), dof.axis))
            if other is not None:
                q_b[:, other] = q_a[:, column]
        q_b = of_b.follow(q_b)
        metres, radians = transforms.pose_error(
            of_a.poses(q_a, self._rows_a), self._in_a(of_b.poses(q_b, self._rows_b))
        )
        differing = ((metres > SAME_POSE) | (radians > SAME_POSE)).sum(axis=1)
        worst = int(np.argmax(differing))
        return self.differences((q_a[worst], q_b[worst])) if count else []

    @property
    def keeps_meaning(self) -> bool:
        """Whether the rows of both are the same frames, with the same edges in both graphs, at the same poses."""
        a, b = self.a, self.b
        return (
            self.is_aligned
            and np.array_equal(a.relative_to, b.relative_to)
            and np.array_equal(a.attached_to, b.attached_to)
            and np.array_equal(a.is_resolved, b.is_resolved)
            and not self.moved_rows.size
        )

    def _difference(
        self, old: int, new: int, changes: tuple[Change, ...], apart: tuple[float, float], along: str
    ) -> FrameDifference:
        """Return what happened to row `old` of A, which is row `new` of B; -1 where it is not there."""
        a, b = self.a, self.b
        return FrameDifference(
            changes,
            (b.kinds[new] if new >= 0 else a.kinds[old]).value,
            a.names[old] if old >= 0 else None,
            b.names[new] if new >= 0 else None,
            *apart,
            _name(a, int(a.bodies[old])) if old >= 0 else "",
            _name(b, int(b.bodies[new])) if new >= 0 else "",
            along,
            old,
            new,
        )

    def _leader(self, row: int, happened: _Happened, q: tuple[Array, Array] | None) -> int:
        """Return the row of B that took a row along in all that happened to it, negative if there is none."""
        leaders = []
        for change in happened[row]:
            leader = self._leader_in(change, row)
            if change is Change.MOVED and q is not None and not _has(happened, leader, change) and leader != _ITSELF:
                leader = self._carrier(row, q)
            if not _has(happened, leader, change):
                return _NOBODY
            leaders.append(leader)
        return leaders[-1]

    def _leader_in(self, change: Change, row: int) -> int:
        """Return which row a change of a row may come from, -1 for none and `_ITSELF` where the row itself changed."""
        a, b = self.a, self.b
        owner = int(b.owners[row])
        if change is Change.APPEARED:
            return owner
        old = self._to_a[row]
        if change is Change.KIND:
            return _ITSELF
        if change is Change.RENAMED:
            return owner if a.local_names[old] == b.local_names[row] else _ITSELF
        column_a, column_b = (a.attached_to, b.attached_to) if change is Change.BODY else (a.relative_to, b.relative_to)
        target = int(column_b[row])
        if self._mapped[column_a[old]] != target:
            return _ITSELF
        return target if change is Change.BODY or row in self._written_same else _ITSELF

    @cached_property
    def _written_same(self) -> frozenset[int]:
        """The rows of B whose raw pose is that of A."""
        apart = np.abs(self.b.raw_poses[self._rows_b] - self.a.raw_poses[self._rows_a])
        return frozenset(self._rows_b[(apart <= SAME_POSE).all(axis=(1, 2))].tolist())

    def _carrier(self, row: int, q: tuple[Array, Array]) -> int:
        """Return the row of the body that takes a row along where joints are moved, negative if there is none."""
        body = int(self.b.bodies[row])
        if body != row:
            return body
        carrier = self.kinematics[1].forest.carriers.get(row)
        if carrier is None or carrier.body not in self._to_a:
            return _NOBODY
        X_a, X_b = self.poses(q)
        P, L = carrier.body, row
        X_PL_a = transforms.invert(X_a[self._to_a[P]]) @ X_a[self._to_a[L]]
        X_PL_b = transforms.invert(X_b[P]) @ X_b[L]
        return P if np.allclose(X_PL_a, X_PL_b, rtol=0, atol=SAME_POSE) else _ITSELF


def compare_models(a: Model, b: Model, renamed: Sequence[tuple[str, str]] = ()) -> list[FrameDifference]:
    """Return the frames that differ between A and B at their initial configurations; see `FrameComparison`."""
    return FrameComparison(a, b, renamed).differences()


def _has(happened: _Happened, row: int, change: Change) -> bool:
    return row in happened and change in happened[row]


def _along(happened: _Happened, leader_of: Callable[[int], int], names: Sequence[str]) -> dict[int, str]:
    """Return for each row the name of the row that took it along, empty where something happened to it itself."""
    leaders = {row: leader if (leader := leader_of(row)) in happened else _NOBODY for row in happened}
    along = {}
    for row in happened:
        top, seen = row, {row}
        while (leader := leaders[top]) >= 0 and leader not in seen:
            top = leader
            seen.add(top)
        if leader == row:  # each takes the other along: it began with either
            top = row
        along[row] = "" if top == row else names[top]
    return along


def _name(model: Model, row: int) -> str:
    return model.names[row] if row >= 0 else ""


def _inner_names(model: Model, rows: Rows) -> list[str]:
    """Return the names of rows without that of their root, so that another root renames nothing but itself."""
    names = list(map(model.names.__getitem__, rows.tolist()))
    if model.is_world:
        return names
    prefix = model.names[0] + "::"
    return [name.removeprefix(prefix) for name in names]
