"""The rows that move with some frames, and the rows whose numbers are recalculated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sdfviewer.formats.registry import writing_of
from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.kinematics.tree import body_of
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError, why_read_only

_Value = TypeVar("_Value", np.bool_, np.int64)


def require_movable(model: Model, row: int) -> None:
    """Refuse to move what has no pose of its own in this file.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if row == 0:
        raise RefactoringError("the root frame cannot be moved: all other poses depend on it")
    if not np.isfinite(model.X_RootF[row]).all():
        raise RefactoringError(f"'{model.names[row]}' cannot be moved: its pose is undefined")
    reason = why_read_only(model, row)
    if reason is None:
        if (why := writing_of(model, row).why_fixed(model, row)) is not None:
            raise RefactoringError(why)
        return
    placed = row
    while placed > 0 and model.sources[placed] is not None:
        placed = int(model.owners[placed])
    is_placed_here = 0 < placed < row
    instead = f", or select '{model.names[placed]}' to move the whole model" if is_placed_here else ""
    raise RefactoringError(f"{reason}{instead}")


class MoveSet:
    """Some frames that are moved as one, and what follows each.

    What is measured from a moved frame follows it because the text says so; of several frames that are measured from
    each other only the first is written. Nothing follows a frame that is moved *alone*: what is measured from it is
    recalculated, so that it stays.

    Parameters
    ----------
    model
        What they are in.
    rows
        The frames.
    alone
        Whether what is measured from them stays where it is.

    Attributes
    ----------
    rows
        The frames, of a link of a URDF the joint that says where it is.
    leads
        The frames (k,) that are moved themselves.
    lead_of
        For each row (n,) the number among `leads` of the frame that it moves with, -1 where it stays.
    written
        The rows whose numbers change.

    Raises
    ------
    RefactoringError
        If one of the frames cannot be moved, or something that is to stay cannot be written.
    """

    def __init__(self, model: Model, rows: Sequence[int], *, alone: bool = False) -> None:
        together = {row: writing_of(model, row).rows_at(model, row) for row in rows}
        self.model, self.alone = model, alone
        self.rows = tuple(dict.fromkeys(each[0] for each in together.values()))
        self._chosen = [row for each in together.values() for row in each]
        chosen = np.zeros(len(model), dtype=bool)
        chosen[self._chosen] = True
        references = model.relative_to
        joined = self._joined(chosen)
        if alone:
            ends = graph.sinks(np.where(joined, references, ROOT))
            with_whom = np.where(chosen, ends, ROOT)
        else:
            moved = chosen & ~joined
            ends = graph.sinks(np.where(moved, ROOT, references))
            with_whom = np.where(_at(moved, ends), ends, ROOT)
        self.leads: Rows = np.unique(with_whom[with_whom >= 0])
        for row in self.leads.tolist():
            require_movable(model, row)
        self.lead_of: Rows = np.where(with_whom >= 0, np.searchsorted(self.leads, with_whom), -1)
        self.written: Rows = self._written()
        self._require_kept()

    def _joined(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of the chosen rows (n,) go where another one does, so that nothing is written at them.

        At joint positions other than zero that takes more than to be measured from it: they must be on one body.
        """
        model = self.model
        joined = np.zeros(len(model), dtype=bool)
        targets = model.relative_to
        if not self.alone:
            ends = graph.sinks(np.where(chosen, ROOT, targets))
            targets = np.where(targets >= 0, ends[targets], ROOT)
        for row in self._chosen:
            target = int(targets[row])
            if target >= 0 and chosen[target]:
                joined[row] = model.sources[row] is not None or body_of(model, row) == body_of(model, target)
        return joined

    def _written(self) -> Rows:
        """Return the rows that move differently from the frame of their pose, or from their placement frame."""
        references = self.model.relative_to
        differs = (references >= 0) & (self.lead_of != _at(self.lead_of, references, -1))
        for row, frame in self.model.scope.placement_frames.items():
            # The pose of a model is that of its placement frame; if that frame moves, the model should stay.
            differs[row] |= row > 0 and self.lead_of[row] != self.lead_of[frame]
        rows = np.flatnonzero(differs)
        return rows[np.isfinite(self.model.X_RootF[rows]).all(axis=(1, 2))]

    def _require_kept(self) -> None:
        for row in self.kept.tolist():
            reason = why_read_only(self.model, row)
            if reason is not None:
                raise RefactoringError(f"poses that depend on it cannot be kept: {reason}")

    @property
    def followers(self) -> Rows:
        """The rows that follow the leads."""
        follows = self.lead_of >= 0
        follows[self.leads] = False
        return np.flatnonzero(follows)

    @property
    def kept(self) -> Rows:
        """The rows whose numbers change so that they stay where they are."""
        return np.setdiff1d(self.written, self.leads)


def _at(values: NDArray[_Value], rows: Rows, otherwise: int = 0) -> NDArray[_Value]:
    """Return the values of rows (n,), something else where a row is negative."""
    return np.where(rows >= 0, values[rows], np.asarray(otherwise, values.dtype))
