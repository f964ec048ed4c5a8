"""Look up elements by scoped or by unambiguous short names; lists of handles that find their items by name too."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeVar, overload

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.model import UnknownFrameError
from sdfviewer.model.names import NameIndex
from sdfviewer.model.near_names import Hinted, did_you_mean


class UnknownNameError(UnknownFrameError):
    """Nothing of the wanted kind has that name."""


class AmbiguousNameError(UnknownFrameError):
    """Several things have that short name; the message lists their scoped names."""


class GoneError(SdfViewerError, LookupError):
    """The element of a handle was removed from the document."""


class AnyHandle(ABC):
    """What can be looked up instead of its name."""

    __slots__ = ()

    @abstractmethod
    def _row_in(self, table: FrameTable) -> int:
        """Return its row in a table.

        Raises
        ------
        InvalidValueError
            If it is in another one.
        """


def short_name(table: FrameTable, row: int) -> str:
    """Return the name of a row without that of the top model, as it is written inside of it."""
    name = table.names[row]
    return name.removeprefix(table.names[0] + "::") if row and not table.is_world else name


class RowFinder:
    """Finds the rows of a table by what people call them.

    Parameters
    ----------
    table
        What has names.
    """

    def __init__(self, table: FrameTable) -> None:
        self._table, self._index = table, NameIndex(table.names)

    def row(self, name: str | AnyHandle, kinds: Collection[Kind] | None = None, within: int | None = None) -> int:
        """Return the row that a name or a handle means.

        A name from the root of the file comes first, then one from inside the top model, then a short one.

        Parameters
        ----------
        name
            As people write it: ``arm::gripper::palm``, ``gripper::palm`` or ``palm``; or a handle.
        kinds
            What it may be; anything by default.
        within
            The row of the model that it must be in.

        Raises
        ------
        UnknownNameError
            If nothing has it.
        AmbiguousNameError
            If several things have it as their short name.
        InvalidValueError
            If a handle belongs to another model.
        """
        table = self._table
        wanted = "frame" if kinds is None or len(kinds) > 1 else next(iter(kinds)).value
        if isinstance(name, AnyHandle):
            own = name._row_in(table)
            if kinds is not None and table.kinds[own] not in kinds:
                raise UnknownNameError(f"{name!r} is not a {wanted}")
            return own
        if not isinstance(name, str):
            raise UnknownNameError(f"look up a {wanted} by its name, not by {name!r}")
        prefix = "" if within is None else table.member_prefix(within)
        if kinds is None and within is None and name == table.root_frame:
            return 0
        for full in (name, prefix + name, f"{table.names[0]}::{name}"):
            row = table.rows_by_name.get(full)
            if row is not None and self._fits(row, kinds, prefix):
                return row
        rows = [row for row in self._index.ending_with(name) if self._fits(row, kinds, prefix)]
        if len(rows) == 1:
            return rows[0]
        if rows:
            names = ", ".join(f"'{short_name(table, row)}'" for row in rows[:6])
            raise AmbiguousNameError(f"several {_plural(wanted)} are called '{name}': {names}; use one of these names")
        other = table.rows_by_name.get(name, table.rows_by_name.get(f"{table.names[0]}::{name}"))
        if other is not None and kinds is not None and table.kinds[other] not in kinds:
            raise UnknownNameError(f"'{name}' is a {table.kinds[other]}, not a {wanted}")
        if name == "world" and not table.is_world:
            raise UnknownNameError(f"there is no {wanted} 'world': a model's own frame is '__model__', the default")
        candidates = [row for row in range(len(table)) if self._fits(row, kinds, prefix)]
        raise UnknownNameError(f"there is no {wanted} '{name}'{did_you_mean(name, self._names(candidates))}")

    def _fits(self, row: int, kinds: Collection[Kind] | None, prefix: str) -> bool:
        table = self._table
        return (kinds is None or table.kinds[row] in kinds) and table.names[row].startswith(prefix)

    def _names(self, rows: Iterable[int]) -> list[str]:
        table = self._table
        return list(dict.fromkeys(name for row in rows for name in (short_name(table, row), table.local_names[row])))


def _plural(kind: str) -> str:
    return kind + "s"


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """The name."""


_Item_co = TypeVar("_Item_co", bound=Named, covariant=True)


class Handles(Hinted, tuple[_Item_co, ...]):
    """A tuple whose items are found by their names too: ``model.links[0]``, ``model.links["palm"]``.

    A short name is enough where it is unambiguous. ``"palm" in model.links`` asks whether there is such an item. Where
    many items are looked up, ``model.link("palm")`` is faster: it does not make the whole list.

    Raises
    ------
    UnknownNameError, AmbiguousNameError
        If no item, or more than one, has that name.
    """

    __slots__ = ()

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _Item_co: ...

    @overload
    def __getitem__(self, key: slice, /) -> tuple[_Item_co, ...]: ...

    @overload
    def __getitem__(self, key: str, /) -> _Item_co: ...

    def __getitem__(self, key: SupportsIndex | slice | str, /) -> Any:
        return self._named(key) if isinstance(key, str) else tuple.__getitem__(self, key)

    def __contains__(self, item: object) -> bool:
        return any(item in _names(each) for each in self) if isinstance(item, str) else tuple.__contains__(self, item)

    def _named(self, name: str) -> _Item_co:
        for kind in range(3):  # the name, then that from the root of the file, then that in the item's own scope
            found = [each for each in self if name == _names(each)[kind]]
            if len(found) == 1:
                return found[0]
            if found:
                names = ", ".join(f"'{each.name}'" for each in found[:6])
                raise AmbiguousNameError(f"several items are called '{name}': {names}; use one of these names")
        choices = [choice for each in self for choice in dict.fromkeys((_names(each)[0], _names(each)[2]))]
        raise UnknownNameError(f"there is nothing called '{name}' in this list{did_you_mean(name, choices)}")

    def _hint(self, name: str) -> str:
        return f"; index the list by the name: ['{name}']" if self.__contains__(name) else super()._hint(name)

    if not TYPE_CHECKING:

        def __call__(self, *arguments: object, **options: object) -> None:  # noqa: D102  # says what to do instead
            what = type(self[0]).__name__.lower() if self else "item"
            more = "; links that collide at a configuration: model.colliding_links(q)" if what == "collision" else ""
            raise TypeError(
                f"this is a list of {len(self)}, not a function: index it by a name or number, {what}s[name]{more}"
            )


def _names(item: Named) -> tuple[str, str, str]:
    """Return the name of an item, that from the root of the file, and that in its own scope."""
    return item.name, getattr(item, "scoped_name", item.name), getattr(item, "local_name", item.name)
