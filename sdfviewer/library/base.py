"""The base class of handles."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from sdfviewer.diagnostics import Diagnostic, InvalidValueError
from sdfviewer.files.finder import Finder
from sdfviewer.formats.interface import ModelParser
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.names import AnyHandle, GoneError
from sdfviewer.library.read_only import ReadOnly
from sdfviewer.library.state import State
from sdfviewer.library.wall import Walled
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable


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
