"""What a file would mean after an edit that the user only looks at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.document.edits import Edit
from sdfviewer.semantics import Model
from sdfviewer.semantics.kinematics.forward import Kinematics
from sdfviewer.session import Session
from sdfviewer.transforms import Array

#: Frames that move by less stand still.
_STILL = 1e-9


@dataclass(frozen=True, eq=False)
class Trial:
    """An edit that has not been made.

    Attributes
    ----------
    edit
        The edit.
    model
        What the text would mean then, None where it could not be read.
    X_ghost
        Poses (n, 4, 4) of the rows that would move or get a pose, NaN for all others; None where nothing moves, or
        where rows come or go.
    """

    edit: Edit
    model: Model | None
    X_ghost: Array | None


def try_edit(session: Session, edit: Edit) -> Trial:
    """Return what an edit of the present text would do, at the joint positions as they stand; nothing changes."""
    after, _ = session.preview(edit)
    before = session.model
    if before is None or after is None or len(after) != len(before):
        return Trial(edit, after, None)
    X_after = after.X_RootF
    if session.positions:
        kinematics = Kinematics(after)
        X_after = kinematics.poses(kinematics.positions(session.positions))
    same = np.isclose(session.X_RootF, X_after, rtol=0.0, atol=_STILL, equal_nan=True)
    X_ghost = np.where(same.all(axis=(1, 2), keepdims=True), np.nan, X_after)
    return Trial(edit, after, X_ghost if np.isfinite(X_ghost).any() else None)
