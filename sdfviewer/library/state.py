"""The shared state of the handles of one model: the frame table and cached results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.files.finder import Finder
from sdfviewer.formats.interface import ModelParser
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.names import RowFinder, UnknownNameError, short_name
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Dof, Kinematics
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.names import did_you_mean
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.scene.collision.checker import CollisionChecker

#: Joint positions: numbers for each joint by name or handle, or all as an array (..., m). None is the initial ones.
Positions: TypeAlias = "Mapping[Any, ArrayLike] | ArrayLike | None"


#: Radians or metres by which a given position of a follower may miss where its leader puts it.
_FOLLOWER_TOLERANCE = 1e-6


@dataclass(eq=False)
class State:
    """A frame table, and what is computed from it; all of it is computed once and never changes."""

    table: FrameTable
    finder: Finder
    revision: int = 0
    #: What reads included files of other formats; those of installed packages are not among them.
    parsers: tuple[ModelParser, ...] = ()
    #: Evaluates the xacro files that may be.
    expander: Expander = field(default_factory=Expander, repr=False)
    checkers: dict[tuple[bool, bool], CollisionChecker] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, object]:
        # Parsers are functions of the caller, which often cannot be pickled.
        return {
            "table": self.table,
            "finder": self.finder,
            "revision": self.revision,
            "parsers": (),
            "expander": self.expander,
            "checkers": {},
        }

    @property
    def loader(self) -> Loader:
        """Loads the files that this model is written to."""
        return Loader(self.finder, expander=self.expander.fork(waits=True), parsers=self.parsers)

    @cached_property
    def index(self) -> RowFinder:
        """The rows by name."""
        return RowFinder(self.table)

    @cached_property
    def kinematics(self) -> Kinematics:
        """Forward kinematics."""
        return Kinematics(self.table)

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The rows that are written in each row, in document order."""
        found: dict[int, list[int]] = {}
        for row, owner in enumerate(self.table.owners.tolist()):
            found.setdefault(owner, []).append(row)
        return found

    def rows(self, kind: Kind, within: int = 0) -> list[int]:
        """Return the rows of a kind in a model or world, those of models nested in it too, in document order."""
        table = self.table
        return [row for row in table.inside(within) if table.kinds[row] is kind and row != within]

    # --- joint positions ---------------------------------------------------------------------------------------

    def positions(self, given: Positions) -> Array:
        """Return joint positions as an array (..., m), with followers where their leaders put them.

        Raises
        ------
        UnknownNameError
            If a name is not that of a joint that moves.
        InvalidValueError
            If the number of values is wrong, one is not finite, or one of a follower is not where its leader puts it.
        """
        kinematics = self.kinematics
        if given is None:
            return kinematics.follow(kinematics.q0)
        if isinstance(given, Mapping):
            q, named = self._from_names(given)
            followed = kinematics.follow(q)
            self._refuse_followers(followed, q, [column for column in self.follower_columns if column in named])
            return followed
        q = _numbers(given, "joint positions")
        count = len(kinematics.dofs)
        if q.ndim and q.shape[-1] == len(self.free_columns) < count:
            whole = np.zeros((*q.shape[:-1], count))
            whole[..., self.free_columns] = q
            return kinematics.follow(whole)
        if q.ndim == 0 or q.shape[-1] != count:
            names = ", ".join(dof_name(self.table, dof) for dof in kinematics.dofs[:8])
            more = ", ..." if count > 8 else ""
            free = f", or {len(self.free_columns)} of the independent ones" if self.follower_columns else ""
            raise InvalidValueError(
                f"joint positions of shape {q.shape}: the last axis must hold {count} values ({names}{more}){free}"
            )
        followed = kinematics.follow(q)
        # Who starts from `q0` and moves a leader leaves its followers where they were.
        self._refuse_followers(followed, q, self.follower_columns, kinematics.follow(kinematics.q0))
        return followed

    @cached_property
    def follower_columns(self) -> list[int]:
        """The columns of q that follow others."""
        return [column for column, dof in enumerate(self.kinematics.dofs) if dof.leader is not None]

    @cached_property
    def free_columns(self) -> list[int]:
        """The columns of q that follow no other."""
        return [column for column, dof in enumerate(self.kinematics.dofs) if dof.leader is None]

    def _refuse_followers(self, followed: Array, q: Array, columns: list[int], unset: Array | None = None) -> None:
        """Refuse positions of followers that are not where their leaders put them.

        Raises
        ------
        InvalidValueError
            With the first of them.
        """
        for column in columns:
            own, right = q[..., column], followed[..., column]
            is_right = np.isclose(own, right, rtol=0.0, atol=_FOLLOWER_TOLERANCE)
            if unset is not None:
                is_right |= (own == 0.0) | np.isclose(own, unset[column], rtol=0.0, atol=_FOLLOWER_TOLERANCE)
            if not is_right.all():
                dof = self.kinematics.dofs[column]
                leader = self.kinematics.dofs[int(self.kinematics.sources[column])]
                name, other = dof_name(self.table, dof), dof_name(self.table, leader)
                given, there = (float(values[~is_right].flat[0]) for values in (own, right))
                raise InvalidValueError(
                    f"joint '{name}' follows '{other}', which puts it at {there:.6g}, not at {given:.6g}: "
                    f"set '{other}' and leave '{name}' out"
                )

    def _from_names(self, given: Mapping[Any, ArrayLike]) -> tuple[Array, set[int]]:
        """Return joint positions (..., m) from numbers by name, and the columns that are named."""
        kinematics = self.kinematics
        parts: list[tuple[list[int], Array]] = []
        for name, values in given.items():
            row = self.index.row(name, (Kind.JOINT,))
            name = name if isinstance(name, str) else short_name(self.table, row)  # noqa: PLW2901  # for messages
            own = kinematics.columns_of_joints.get(row, [])
            if not own:
                raise UnknownNameError(self.why_fixed(name, row))
            numbers = _numbers(values, f"the position of joint '{name}'")
            if len(own) == 1 and (numbers.ndim == 0 or numbers.shape[-1] != 1):
                numbers = numbers[..., np.newaxis]
            if numbers.ndim == 0 or numbers.shape[-1] != len(own):
                raise InvalidValueError(
                    f"joint '{name}' has {len(own)} degrees of freedom, not values of shape {numbers.shape}"
                )
            parts.append((own, numbers))
        try:
            batch = np.broadcast_shapes(*(numbers.shape[:-1] for _, numbers in parts))
        except ValueError as error:
            raise InvalidValueError(f"batches of different sizes: {error}") from error
        q = np.zeros((*batch, len(kinematics.dofs)))
        for own, numbers in parts:
            q[..., own] = numbers
        return q, {column for own, _ in parts for column in own}

    def why_fixed(self, name: str, row: int) -> str:
        """Return why a joint has no position, with the name of one that has, and may be meant."""
        why = self.kinematics.why_fixed(row)
        hint = did_you_mean(name, [short_name(self.table, dof.joint.row) for dof in self.kinematics.dofs])
        return f"joint '{name}' {why}{hint}"

    def poses(self, given: Positions, rows: list[int] | Rows) -> Array:
        """Return X_RootF (..., k, 4, 4) of k rows at joint positions."""
        if given is None and not len(self.kinematics.followers.leaders):
            fixed: Array = self.table.X_RootF[np.asarray(rows, dtype=np.int64)]  # a copy
            return fixed
        return self.kinematics.poses(self.positions(given), rows)


def dof_name(table: FrameTable, dof: Dof) -> str:
    """Return the name of a degree of freedom without that of the top model."""
    name = short_name(table, dof.joint.row)
    return name + dof.name.removeprefix(dof.joint.name)


def _numbers(values: ArrayLike, what: str) -> Array:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"{what} must be numbers, not {values!r}") from error
    if not np.isfinite(numbers).all():
        raise InvalidValueError(f"{what} must be finite numbers")
    return numbers
