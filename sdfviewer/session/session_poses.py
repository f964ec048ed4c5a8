"""The model of a session and the poses of its rows at the joint positions, computed when requested.

An unforeseen exception in computing them becomes a problem of the file. Views get the poses that are known
without: those at zero, or none at all. Another model or other positions are tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from sdfviewer.computed import computed_from, forget
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import internal_error
from sdfviewer.faults import log_fault
from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array

_Result = TypeVar("_Result")


class SessionPoses:
    """Poses at the joint positions, in both conventions, and the last poses of what has none now.

    Attributes
    ----------
    model
        The model; None if there is none.
    positions
        Position of each joint that is not at zero, by scoped joint name, one number for each axis.
    faults
        What has failed, for this model and these positions.
    """

    def __init__(self) -> None:
        self.faults: tuple[Diagnostic, ...] = ()
        self.model: Model | None = None
        self.positions: dict[str, tuple[float, ...]] = {}
        self._last_poses: dict[str, Array] = {}

    def set_model(self, model: Model | None) -> None:
        """Take another model, and keep the last pose of each row that it cannot place."""
        before, X_before = self.model, self.X_RootF
        self.model = model
        forget(self, "model")
        self.faults = ()
        if model is not before:
            self._attempt(lambda: self._keep_last_poses(before, X_before), None)

    def set_positions(self, positions: Mapping[str, tuple[float, ...]]) -> None:
        """Put the joints to positions, all others to zero."""
        self.positions = dict(positions)
        forget(self, "positions")
        if self.faults:
            forget(self, "model")
            self.faults = ()

    def _attempt(self, compute: Callable[[], _Result], otherwise: _Result) -> _Result:
        """Return what is computed; where that fails, note that and return something else."""
        try:
            return compute()
        except Exception as error:
            if self.model is not None:
                log_fault(f"place the parts of {self.model.document.name}", error)
                self.faults = (*self.faults, internal_error(self.model.document, error, "placed"))
            return otherwise

    def _keep_last_poses(self, before: Model | None, X_before: Array) -> None:
        earlier, self._last_poses = self._last_poses, {}
        if self.model is None or before is None:
            return
        for row in np.flatnonzero(~self.model.is_resolved).tolist():
            name = self.model.names[row]
            old = before.rows_by_name.get(name)
            X = X_before[old] if old is not None and np.isfinite(X_before[old]).all() else earlier.get(name)
            if X is not None:
                self._last_poses[name] = X

    @computed_from("model")
    def kinematics(self) -> Kinematics | None:
        """Forward kinematics of the model; None where there is no model, or it fails."""
        model = self.model
        return None if model is None else self._attempt(lambda: Kinematics(model), None)

    @computed_from("model", "kinematics", "positions")
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows."""
        model, kinematics = self.model, self.kinematics if self.positions else None
        if model is None:
            return np.empty((0, 4, 4))
        if kinematics is None:
            return model.X_RootF
        return self._attempt(lambda: kinematics.poses(kinematics.positions(self.positions)), model.X_RootF)

    @computed_from("model")
    def comparison(self) -> Comparison | None:
        """The model in both conventions; None where there is no model, or it fails."""
        model = self.model
        return None if model is None else self._attempt(lambda: Comparison(model), None)

    @computed_from("comparison", "kinematics", "positions", "X_RootF")
    def element_relative(self) -> Array:
        """Poses (n, 4, 4) of all rows in the element-relative convention; those in the other one where it fails."""
        comparison, kinematics = self.comparison, self.kinematics
        if comparison is None or kinematics is None:
            return self.X_RootF
        return self._attempt(lambda: comparison.poses(kinematics.positions(self.positions))[1], self.X_RootF)

    @computed_from("model", "X_RootF", "element_relative")
    def differences(self) -> Differences:
        """The distance of each row between the conventions."""
        are_frames = None if self.model is None else self.model.is_vertex
        return Differences.between(self.X_RootF, self.element_relative, are_frames)

    @computed_from("model", "_last_poses")
    def X_last(self) -> Array:
        """Last known poses (n, 4, 4) of the rows that the text cannot place now, at the joint positions then.

        NaN for all other rows, and for those that never had a pose. While a reference is half typed, views show what
        depends on it there.
        """
        n = 0 if self.model is None else len(self.model)
        if not self._last_poses:  # nearly always: no table is made of a large world
            return np.broadcast_to(np.nan, (n, 4, 4))
        X = np.full((n, 4, 4), np.nan)
        if self.model is not None:
            for name, X_RootF in self._last_poses.items():
                if name in self.model.rows_by_name:
                    X[self.model.rows_by_name[name]] = X_RootF
        return X
