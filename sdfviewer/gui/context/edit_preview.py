"""The preview of an edit in all views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.other_version import AddedVersion
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array

#: Frames that move by less stand still.
_STILL = 1e-9


@dataclass(frozen=True, eq=False)
class EditPreview:
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
    added
        What it would add, None where it adds nothing.
    """

    edit: Edit
    model: Model | None
    X_ghost: Array | None
    added: AddedVersion | None = None


class Previewer:
    """Works out what edits would do, beside the window: the session may change meanwhile.

    Parameters
    ----------
    session
        The open file.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        # Loaders are not shared between threads.
        self._loader = session.make_loader()

    def prepare(self, edit: Edit) -> Callable[[], EditPreview]:
        """Return the job that works out what an edit of the present text would do, at the current joint positions."""
        session, loader = self._session, self._loader
        document, before, positions = session.document, session.model, dict(session.positions)
        X_before = session.X_RootF

        def preview() -> EditPreview:
            after = loader.load(document.edited(edit.replacements))
            if before is None or after is None:
                return EditPreview(edit, after, None)
            if len(after) != len(before):
                grows = len(after) > len(before)
                return EditPreview(edit, after, None, AddedVersion(after, before, positions) if grows else None)
            X_after = after.X_RootF
            if positions:
                kinematics = Kinematics(after)
                X_after = kinematics.poses(kinematics.positions(positions))
            same = np.isclose(X_before, X_after, rtol=0.0, atol=_STILL, equal_nan=True)
            X_ghost = np.where(same.all(axis=(1, 2), keepdims=True), np.nan, X_after)
            return EditPreview(edit, after, X_ghost if np.isfinite(X_ghost).any() else None)

        return preview
