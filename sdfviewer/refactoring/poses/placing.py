"""Where the pose of an element is written, and what to write there so that it is seen at a place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, invert


@dataclass(frozen=True, eq=False)
class PoseBase:
    """What the pose of a new element is measured from.

    Attributes
    ----------
    model
        The model that it is added to.
    X_RootF
        Poses (n, 4, 4) of all rows as they are shown, at some joint positions.
    row
        The frame R that the pose is relative to, -1 for the root.
    carrier
        What the new element moves with, -1 where no joint moves it.
    """

    model: Model
    X_RootF: Array
    row: int
    carrier: int

    @property
    def _displacement(self) -> Array:
        """By how much (4, 4) the joints have moved the carrier."""
        if self.carrier < 0:
            return np.eye(4)
        D: Array = self.X_RootF[self.carrier] @ invert(self.model.X_RootF[self.carrier])
        return D if np.isfinite(D).all() else np.eye(4)

    @property
    def _X_RootR(self) -> Array:
        X: Array = np.eye(4) if self.row < 0 else self.model.X_RootF[self.row]
        return X if np.isfinite(X).all() else np.eye(4)

    def shown(self, X_RP: Array) -> Array:
        """Return where an element with a written pose (4, 4) is shown."""
        X: Array = self._displacement @ self._X_RootR @ X_RP
        return X

    def written(self, X_RootP: Array) -> Array:
        """Return the pose (4, 4) to write for an element that is to be shown at a pose (4, 4)."""
        X: Array = invert(self._X_RootR) @ invert(self._displacement) @ X_RootP
        return X
