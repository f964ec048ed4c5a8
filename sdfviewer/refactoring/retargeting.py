"""Change `relative_to` and `attached_to`, and keep either the poses or the numbers.

Each function returns an :class:`~sdfviewer.document.edits.Edit` of the model's document and changes nothing itself.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, set_attribute
from sdfviewer.model.graph import ROOT
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.poses.writing import write_pose, write_relative_to
from sdfviewer.transforms import Array

#: What stays when a frame is measured from another: its place in the world, or the numbers that are written.
Keep: TypeAlias = Literal["pose", "numbers"]


def refusal(model: Model, row: int, name: str | None, attribute: Attribute = "relative_to") -> str | None:
    """Return why an attribute of a row cannot be edited to name a frame, None where it can.

    Parameters
    ----------
    name
        As it would stand in the file; None for the default.
    """
    try:
        require_editable(model, row)
    except RefactoringError as error:
        return str(error)
    return ReferenceTargets(model, row, attribute).named(name).reason


def set_relative_to(model: Model, row: int, target: str | None, keep: Keep = "pose") -> Edit:
    """Return the edit that measures a row's pose from another frame.

    Parameters
    ----------
    model, row
        What to edit.
    target
        The name as it would stand in the file, None for no ``relative_to``: the default of that element.
    keep
        ``"pose"`` rewrites the numbers so that nothing moves, ``"numbers"`` leaves them so that the frame moves.

    Raises
    ------
    RefactoringError
        If the target is none, would close a cycle, or leaves the pose undefined while it is to be kept.
    """
    why = refusal(model, row, target)
    if why is not None:
        raise RefactoringError(f"'{model.names[row]}' cannot be relative to '{target or 'its default'}': {why}")
    meant = ReferenceTargets(model, row, "relative_to").named(target).row
    X_RF = kept_pose(model, row, meant) if keep == "pose" else None
    label = f"Make {model.distinct_name(row)} relative to {target or 'its default'}"
    return Edit(label, model.document, write_relative_to(model, row, target, X_RF))


def set_attached_to(model: Model, row: int, target: str | None, keep: Keep = "pose") -> Edit:
    """Return the edit that attaches a frame to another; see :func:`set_relative_to`.

    A frame whose pose has no ``relative_to`` is measured from what it is attached to, so its numbers change with
    ``keep="pose"``.
    """
    why = refusal(model, row, target, "attached_to")
    if why is not None:
        raise RefactoringError(f"'{model.names[row]}' cannot be attached to '{target or 'its default'}': {why}")
    edits = set_attribute(model.document, model.elements[row], "attached_to", target)
    if model.relative_to_written[row] is None and keep == "pose":
        reference = ReferenceTargets(model, row, "attached_to").named(target).row
        edits += write_pose(model, row, kept_pose(model, row, reference))
    return Edit(f"Attach {model.distinct_name(row)} to {target or 'the model frame'}", model.document, edits)


def kept_pose(model: Model, row: int, reference: int) -> Array:
    """Return the raw pose that keeps a row where it is when it is measured from ``reference``."""
    X_RootR = np.eye(4) if reference == ROOT else model.X_RootF[reference]
    X_RF: Array = transforms.invert(X_RootR) @ model.X_RootF[row]
    if not np.isfinite(X_RF).all():
        raise RefactoringError("the pose is undefined and cannot be kept; keep the numbers instead")
    return X_RF
