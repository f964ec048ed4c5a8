"""The model of a session and the poses of its rows at the joint positions, computed when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array


class SessionPoses:
    """Poses at the joint positions, in both conventions, and the last poses of what has none now.

    Attributes
    ----------
    model
        The model; None if there is none.
    positions
        Position of each joint that is not at zero, by scoped joint name, one number for each axis.
    """

    def __init__(self) -> None:
        self.model: Model | None = None
        self.positions: dict[str, tuple[float, ...]] = {}
        self._last_poses: dict[str, Array] = {}

    def set_model(self, model: Model | None) -> None:
        """Take another model, and keep the last pose of each row that it cannot place."""
        before, X_before = self.model, self.X_RootF
        self.model = model
        self._forget("kinematics", "comparison", "X_last", "X_RootF", "element_relative", "differences")
        if model is not before:
            self._keep_last_poses(before, X_before)

    def set_positions(self, positions: Mapping[str, tuple[float, ...]]) -> None:
        """Put the joints to positions, all others to zero."""
        self.positions = dict(positions)
        self._forget("X_RootF", "element_relative", "differences")

    def _forget(self, *names: str) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    def _keep_last_poses(self, before: Model | None, X_before: Array) -> None:
        earlier, self._last_poses = self._last_poses, {}
        if self.model is None or before is None:
            return
        for row in np.flatnonzero(np.isnan(self.model.X_RootF).any(axis=(1, 2))).tolist():
            name = self.model.names[row]
            old = before.rows_by_name.get(name)
            X = X_before[old] if old is not None and np.isfinite(X_before[old]).all() else earlier.get(name)
            if X is not None:
                self._last_poses[name] = X

    @cached_property
    def kinematics(self) -> Kinematics | None:
        """Forward kinematics of the model."""
        return None if self.model is None else Kinematics(self.model)

    @cached_property
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows."""
        if not self.positions and self.model is not None:
            return self.model.X_RootF
        if self.kinematics is None:
            return np.empty((0, 4, 4))
        return self.kinematics.poses(self.kinematics.positions(self.positions))

    @cached_property
    def comparison(self) -> Comparison | None:
        """The model in both conventions."""
        return None if self.model is None else Comparison(self.model)

    @cached_property
    def element_relative(self) -> Array:
        """Poses (n, 4, 4) of all rows in the element-relative convention."""
        if self.comparison is None or self.kinematics is None:
            return np.empty((0, 4, 4))
        return self.comparison.poses(self.kinematics.positions(self.positions))[1]

    @cached_property
    def differences(self) -> Differences:
        """The distance of each row between the conventions."""
        are_frames = None if self.model is None else self.model.is_vertex
        return Differences.between(self.X_RootF, self.element_relative, are_frames)

    @cached_property
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
