"""Align and distribute: move several frames so that their origins line up or are evenly spaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, Replacements
from sdfviewer.formats.registry import writing_of
from sdfviewer.model import graph
from sdfviewer.model.model import Model
from sdfviewer.model.values import NOISE
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.poses.move_set import require_movable
from sdfviewer.refactoring.poses.writing import write_pose
from sdfviewer.transforms import Array


class Arrangement(str, Enum):
    """Where the origins go: where the last selected one is, or at even distances between the outermost two."""

    ALIGN = "align"
    DISTRIBUTE = "distribute"


def arrange(model: Model, rows: Sequence[int], how: Arrangement, axes: Sequence[int], *, frame: int = 0) -> Edit:
    """Return the edit that lines frames up, or spaces them evenly, at their initial poses.

    What is measured from a frame moves with it. No frame turns.

    Parameters
    ----------
    rows
        The frames. The last one stays where the others are aligned with it.
    axes
        The axes of ``frame`` along which the origins change, of 0, 1 and 2. Frames are distributed in the order of
        their places along the line between the two that are farthest apart in these axes.
    frame
        Row of the frame whose axes these are; the root by default.

    Raises
    ------
    RefactoringError
        If there are too few frames, if a pose is undefined, or if a frame cannot be moved.
    """
    rows = list(dict.fromkeys(writing_of(model, row).rows_at(model, row)[0] for row in rows))
    least = 2 if how is Arrangement.ALIGN else 3
    if len(rows) < least:
        raise RefactoringError(f"select at least {least} frames to {how.value}")
    if not axes:
        raise RefactoringError("choose an axis")
    if not np.isfinite(model.X_RootF[[*rows, frame]]).all():
        raise RefactoringError("the pose of one of the frames is undefined")
    goals = dict(zip(rows, _goals(model, rows, how, axes, frame), strict=True))
    moves = {row: goal - model.X_RootF[row][:3, 3] for row, goal in goals.items()}

    def X_after(row: int) -> Array:
        """Return the pose (4, 4) of a frame after the edit: it moves with the first of the frames on its chain."""
        X: Array = model.X_RootF[row].copy()
        lead = next((each for each in graph.chain(model.relative_to, row) if each in moves), None)
        if lead is not None:
            X[:3, 3] += moves[lead]
        return X

    edits: Replacements = ()
    for row in rows:
        if row == 0 and not moves[row].any():
            continue  # the others are aligned with the root, which is measured from nothing
        X_RF = transforms.invert(X_after(int(model.relative_to[row]))) @ X_after(row)
        if np.abs(X_RF - model.raw_poses[row]).max() > NOISE:
            require_movable(model, row)
            edits += write_pose(model, row, X_RF)
    verb = "Align" if how is Arrangement.ALIGN else "Distribute"
    return Edit(f"{verb} {len(rows)} elements", model.document, edits)


def _goals(model: Model, rows: Sequence[int], how: Arrangement, axes: Sequence[int], frame: int) -> Iterator[Array]:
    """Yield where each origin goes: (3,) in the root frame."""
    X_RootR = model.X_RootF[frame]
    p_RF = (transforms.invert(X_RootR) @ model.X_RootF[rows])[:, :3, 3]
    wanted = p_RF.copy()
    if how is Arrangement.ALIGN:
        wanted[:, axes] = p_RF[-1, axes]
    else:
        some = p_RF[:, axes]
        far = np.linalg.norm(some[:, None] - some[None], axis=2)
        first, last = np.unravel_index(int(far.argmax()), far.shape)
        line = some[last] - some[first]
        if not line.any():
            raise RefactoringError("the frames are at one place along these axes")
        order = np.argsort((some - some[first]) @ line, kind="stable")
        steps = np.linspace(0.0, 1.0, len(rows))[:, None]
        wanted[order[:, None], np.array(axes)] = some[first] + steps * line
    for p in wanted:
        yield X_RootR[:3, :3] @ p + X_RootR[:3, 3]
