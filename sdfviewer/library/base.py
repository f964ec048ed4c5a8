"""What the classes of the library have in common: a wall around faults, protection from writing, handles."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from inspect import unwrap
from traceback import walk_tb
from types import CodeType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from sdfviewer.diagnostics import Diagnostic, InvalidValueError, SdfViewerError
from sdfviewer.faults import fault_error
from sdfviewer.files.finder import Finder
from sdfviewer.formats.interface import ModelParser
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.names import AnyHandle, GoneError
from sdfviewer.library.state import State
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.near_names import Hinted, NearNames, foreign_names

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
