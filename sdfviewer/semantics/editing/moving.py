"""A frame that is being moved by hand: what moves along, without touching the text.

Only the raw pose of the frame F changes, so everything whose pose is relative to F, directly or by others, keeps its
pose in F: with the motion M, X_RootF(0) goes to M X_RootF(0), and so does every frame G of those, M X_RootG(0).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.document.edits import Edit
from sdfviewer.semantics import graph
from sdfviewer.semantics.editing import refactor
from sdfviewer.semantics.kinematics.forward import Kinematics
from sdfviewer.semantics.model import Model
from sdfviewer.transforms import Array, invert


def require_movable(model: Model, row: int) -> None:
    """Refuse to move what has no pose of its own in this file.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if row == 0:
        raise refactor.RefactoringError("the root frame cannot be moved: all other poses are measured from it")
    if not np.isfinite(model.X_RootF[row]).all():
        raise refactor.RefactoringError(f"'{model.names[row]}' cannot be moved: its pose is not defined")
    refactor.require_editable(model, row)


class Move:
    """One frame, taken in hand at joint positions q.

    Parameters
    ----------
    kinematics, q
        What moves, and where it stands.
    row
        The frame F.

    Attributes
    ----------
    X_RootF
        Poses (n, 4, 4) of all rows at q, as the frame stands now.

    Raises
    ------
    RefactoringError
        If the frame cannot be moved: it is the root, written in another file, or leads to nowhere.
    """

    def __init__(self, kinematics: Kinematics, q: ArrayLike, row: int) -> None:
        self.model: Model = kinematics.model
        self.row = row
        require_movable(self.model, row)
        self._q = np.asarray(q, dtype=np.float64)
        self._followers = graph.dependents(self.model.relative_to, row)
        self._start = kinematics.poses(self._q)
        self._at_rest = not self._q.any()
        self._displacements = self._start @ invert(self.model.X_RootF)
        self._carried_by_itself = self._turns_joints()
        self._anchor = self._anchor_displacement(kinematics)
        self.X_RootF = self._start
        self._X0: Array = self.model.X_RootF

    def _turns_joints(self) -> bool:
        """Return whether moving the frame moves the axis of any joint."""
        following = set(self._followers.tolist())
        for number, joint in enumerate(self.model.joints):
            axes = self.model.scope.joints[number].axes
            if joint.row in following or any(axis.expressed_in in following for axis in axes):
                return True
        return False

    def _anchor_displacement(self, kinematics: Kinematics) -> Array:
        """Return D (4, 4) of what stands still under the frame while it is moved.

        The nearest joints below it may move along: a joint's pose is relative to its child by default. Their motion
        turns with them, D(q) = D_A(q) M E(q) M⁻¹, so that it is the body A below them that the motion is seen from.
        """
        following = set(self._followers.tolist())
        D = self._displacements[self.row]
        for joint in kinematics.joints_above(self.row):
            if joint.row not in following:
                break
            end = joint.parent
            D = self._displacements[end] if end >= 0 else np.eye(4)
        return D if np.isfinite(D).all() else np.eye(4)

    @property
    def start(self) -> Array:
        """X_RootF(q) (4, 4) of the frame before it was moved."""
        return np.asarray(self._start[self.row])

    @property
    def pose(self) -> Array:
        """X_RootF(q) (4, 4) of the frame as it stands now."""
        return np.asarray(self.X_RootF[self.row])

    def by(self, motion: ArrayLike) -> Array:
        """Move the frame from its start by a motion M (4, 4) of the posed world; return all poses (n, 4, 4) at q."""
        M = np.asarray(motion, dtype=np.float64)
        M0 = invert(self._anchor) @ M @ self._anchor
        X0 = self.model.X_RootF.copy()
        X0[self._followers] = M0 @ X0[self._followers]
        self._X0 = X0
        if self._at_rest:
            self.X_RootF = X0
        elif self._carried_by_itself:
            self.X_RootF = Kinematics(self.model, X0).poses(self._q)
        else:
            self.X_RootF = self._displacements @ X0
        return self.X_RootF

    def edit(self) -> Edit:
        """Return the edit that writes where the frame stands now, in the frame that its pose is authored in."""
        return refactor.set_resolved_pose(self.model, self.row, self._X0[self.row])
