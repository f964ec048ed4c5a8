"""Another version of the open file at the same joint positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.comparison.frames import Change, FrameComparison, FrameDifference
from sdfviewer.model.graph import Rows
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array


class OtherVersion:
    """The differences between another version and the file as it is, at the current joint positions.

    Parameters
    ----------
    session
        The open file.
    comparison
        The other version's model, and that of the session.

    Attributes
    ----------
    differences
        The frames that differ.
    X_before
        Poses (m, 4, 4) of all rows of the other version.
    """

    def __init__(self, session: Session, comparison: FrameComparison) -> None:
        self._compare(comparison, session.positions)

    def _compare(self, comparison: FrameComparison, positions: Mapping[str, Sequence[float]]) -> None:
        self.comparison = comparison
        q = comparison.configurations(positions) if positions else None
        self.differences: Sequence[FrameDifference] = comparison.differences(q)
        self.X_before: Array = comparison.poses(q)[0]

    @property
    def model(self) -> Model:
        """The model of the other version."""
        return self.comparison.a

    def _rows(self, *changes: Change) -> Rows:
        """Return the rows (k, 2) before and after of the frames to which something of that sort happened."""
        those = [each for each in self.differences if not set(changes).isdisjoint(each.changes)]
        return np.array([(each.row_before, each.row_after) for each in those], dtype=np.int64).reshape(-1, 2)

    @cached_property
    def appeared(self) -> Rows:
        """The rows (k,) of the file's frames that the other version does not have."""
        rows = self._rows(Change.APPEARED)[:, 1]
        return rows[self._is_vertex(self.comparison.b, rows)]

    @cached_property
    def vanished(self) -> Rows:
        """The rows (k,) of the other version's frames that the file does not have any more."""
        rows = self._rows(Change.VANISHED)[:, 0]
        return rows[self._is_vertex(self.model, rows)]

    @property
    def going(self) -> Rows:
        """The rows (k,) of the file's frames that are marked as gone although they are there."""
        return np.empty(0, dtype=np.int64)

    @cached_property
    def moved(self) -> Rows:
        """The rows (k, 2) of frames that moved: in the other version, and in the file."""
        rows = self._rows(Change.MOVED)
        return rows[self._is_vertex(self.model, rows[:, 0])]

    @staticmethod
    def _is_vertex(model: Model, rows: Rows) -> NDArray[np.bool_]:
        return np.array([model.kinds[row].is_vertex for row in rows.tolist()], dtype=bool)

    @cached_property
    def X_ghost(self) -> Array:
        """Poses (m, 4, 4) of the other version's rows that are elsewhere now, or nowhere; NaN for all others."""
        rows = self._rows(Change.MOVED, Change.VANISHED, Change.UNDEFINED)[:, 0]
        X: Array = np.full_like(self.X_before, np.nan)
        X[rows] = self.X_before[rows]
        return X

    def rows_before(self, names: Sequence[str]) -> list[int]:
        """Return the rows of the other version's ghosts for frames by their names now, or by those that vanished."""
        wanted = frozenset(names)
        rows = [each.row_before for each in self.differences if each.row_before >= 0 and each.name in wanted]
        return [row for row in rows if np.isfinite(self.X_ghost[row]).all()]


class AddedVersion(OtherVersion):
    """The additions of a previewed edit, drawn as ghosts; what it takes out is marked.

    Parameters
    ----------
    after, now
        The models after the edit and before it.
    positions
        Joint positions by scoped name.
    """

    def __init__(self, after: Model, now: Model, positions: Mapping[str, Sequence[float]]) -> None:
        self._compare(FrameComparison(after, now), positions)

    @cached_property
    def added(self) -> list[int]:
        """The rows of what the edit adds, in the model after it."""
        rows: list[int] = self._rows(Change.VANISHED)[:, 0].tolist()
        return rows

    @cached_property
    def appeared(self) -> Rows:
        """Nothing: what the edit takes out keeps its looks until it is made, and is marked as gone."""
        return np.empty(0, dtype=np.int64)

    @cached_property
    def going(self) -> Rows:
        """The rows (k,) of the file's frames that the edit takes out."""
        return super().appeared

    @cached_property
    def vanished(self) -> Rows:
        """Nothing: what is new is drawn, and not marked as gone."""
        return np.empty(0, dtype=np.int64)
