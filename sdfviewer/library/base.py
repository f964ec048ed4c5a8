"""What the handles of the library share: a wall around faults, protection from writing, the frame table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from inspect import unwrap
from traceback import walk_tb
from types import CodeType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.diagnostics import Diagnostic, InvalidValueError, SdfViewerError
from sdfviewer.faults import fault_error
from sdfviewer.files.finder import Finder
from sdfviewer.formats.interface import ModelParser
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.names import AnyHandle, GoneError, RowFinder, UnknownNameError, short_name
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Dof, Kinematics
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.near_names import Hinted, NearNames, foreign_names
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.scene.collisions import CollisionChecker


#: The edit to use instead of an assignment.
EDITS_FOR = {
    "pose": "edit.move(frame, X_RootF) or edit.set_pose(frame, xyz=...)",
    "raw_pose": "edit.set_pose(frame, X)",
    "name": "edit.rename(old, new)",
    "relative_to": "edit.set_relative_to(frame, target)",
    "attached_to": "edit.set_attached_to(frame, target)",
    "parent": "edit.set_parent(joint, frame)",
    "child": "edit.set_child(joint, frame)",
    "limits": "edit.set_limits(joint, lower, upper)",
    "axis": "edit.set_property(joint, 'axis/xyz', (0, 0, 1))",
    "type": "edit.set_property(joint, '@type', 'fixed')",
    "mass": "edit.set_inertial(link, mass=...)",
    "inertial": "edit.set_inertial(link, mass=...)",
    "geometry": "edit.set_geometry(part, geometry)",
}


OPEN_TO_EDIT = "document = sdfviewer.open_document(path), then: with document.edit() as edit:"
_EDITING = ("add_", "set_", "rename", "remove", "delete", "move_", "duplicate", "apply_")


def edit_for(name: str) -> str:
    """Return the call of an edit that a name may mean, empty where there is none."""
    if not name.startswith(_EDITING):
        return ""
    from sdfviewer.operations.table import OPERATIONS  # noqa: PLC0415  # only a wrong name asks

    if name in OPERATIONS:
        return f"edit.{name}(...)"
    known = foreign_names()["DocumentEdit"].get(name.replace("_", "").lower(), "")
    if known.startswith("edit."):
        return known
    near = NearNames(OPERATIONS).nearest(name)
    return f"edit.{near[0]}(...)" if near else ""


class ReadOnly(Hinted):
    """An object whose public attributes cannot be assigned to, with an error that names the edit for that."""

    __slots__ = ()

    def _hint(self, name: str) -> str:
        edit = "" if self._right(name) else edit_for(name)
        return f"; use {OPEN_TO_EDIT} {edit}" if edit else super()._hint(name)

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None:
            if not name.startswith("_"):
                edit = EDITS_FOR.get(name, "edit.set_property(...)")
                what = f"'{type(self).__name__}.{name}' cannot be assigned to"
                raise AttributeError(f"{what}; use {OPEN_TO_EDIT} {edit}", name=name, obj=self)
            object.__setattr__(self, name, value)


_P = ParamSpec("_P")
_R = TypeVar("_R")


def walled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return a function that raises an InternalError where it raises what is no error of this library.

    What is wrong with the call itself, such as a missing argument, stays the TypeError that Python raises.
    """
    doing = f"answer {function.__qualname__}"
    body = unwrap(function).__code__

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        except SdfViewerError:
            raise
        except Exception as error:
            if _is_of_caller(error, body):
                raise
            raise fault_error(doing, error) from error

    return call


def _is_of_caller(error: Exception, body: CodeType) -> bool:
    """Return whether Python could not make the call, or a stream that the caller gave has failed."""
    if isinstance(error, OSError):
        return error.filename is None
    return isinstance(error, TypeError) and all(frame.f_code is not body for frame, _ in walk_tb(error.__traceback__))


class Walled:
    """A class whose public methods and properties stand behind the wall, in its subclasses too."""

    __slots__ = ()

    def __init_subclass__(cls, **words: Any) -> None:
        super().__init_subclass__(**words)
        for name, member in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(member, property):
                getter = None if member.fget is None else walled(member.fget)
                setattr(cls, name, property(getter, member.fset, member.fdel, member.__doc__))
            elif isinstance(member, cached_property):
                member.func = walled(member.func)
            elif isinstance(member, classmethod):
                setattr(cls, name, classmethod(walled(member.__func__)))
            elif callable(member) and hasattr(member, "__qualname__") and not isinstance(member, type):
                setattr(cls, name, walled(member))


class ModelBase(Walled, ReadOnly, AnyHandle):
    """A frame table that may be replaced by a later one, in which everything is found again by its name."""

    def __init__(
        self,
        table: FrameTable,
        finder: Finder | None = None,
        parsers: tuple[ModelParser, ...] = (),
        expander: Expander | None = None,
    ) -> None:
        if not isinstance(table, FrameTable):
            raise TypeError(f"a {type(self).__name__} is read from a file: use sdfviewer.load(path)")
        self._state = State(table, finder or Finder(), parsers=parsers, expander=expander or Expander())
        self._history: list[tuple[dict[str, str], str]] = []
        self._is_live = False

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that is wrong with the file, in the order of the file."""
        return self._state.table.diagnostics

    @abstractmethod
    def _thing(self, row: int) -> Any:
        """Return the handle of a row."""

    @abstractmethod
    def _row_of(self, thing: Any) -> int:
        """Return the row of a frame by its name or handle."""

    def _row_in(self, table: FrameTable) -> int:
        if self._state.table is not table:
            raise InvalidValueError(f"{self!r} is another model; pass the name of a frame in this one")
        return 0

    def _advance(self, table: FrameTable, renamed: Mapping[str, str], label: str) -> None:
        """Use the meaning of a document after an edit."""
        self._history.append((dict(renamed), label))
        state = self._state
        self._state = State(table, state.finder, state.revision + 1, state.parsers, state.expander)

    def _follow(self, revision: int, name: str, kinds: Sequence[Kind]) -> int:
        """Return the row of what had a scoped name at an earlier revision.

        Raises
        ------
        GoneError
            If it is not there any more.
        """
        table, label = self._state.table, ""
        for renamed, label_of in self._history[revision:]:
            name = renamed.get(name, name)
            label = label_of
        row = table.rows_by_name.get(name)
        if row is None or table.kinds[row] not in kinds:
            raise GoneError(f"'{name}' is gone since the edit '{label}'" if label else f"'{name}' is gone")
        return row


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
