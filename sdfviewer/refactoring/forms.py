"""Convert a model between element-relative and model-absolute form. Nothing moves.

In element-relative form each joint is written relative to its parent and each link relative to the joint that drives
it, so that the numbers are those of a URDF. In model-absolute form links are measured from their model and joints from
their child, which needs no ``relative_to`` at all. Explicit frames and nested models stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.model import graph
from sdfviewer.model.graph import UNRESOLVED, Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import driving_joints, element_relative_target
from sdfviewer.model.model import Model
from sdfviewer.model.targets import default_relative_to
from sdfviewer.refactoring.editable import RefactoringError, require_sdformat
from sdfviewer.refactoring.poses.writing import write_relative_to
from sdfviewer.versions import AXIS_IN_JOINT_FRAME


def to_element_relative_form(model: Model) -> Edit:
    """Return the edit that writes joints relative to their parent and links relative to the joint that drives them.

    A reference that cannot be written in its scope, or that would close a circle, is left as it is: a link of a nested
    model cannot name a joint outside of it.

    Raises
    ------
    RefactoringError
        If the file is no SDFormat file of version 1.5 or later, or its poses are not all defined.
    """
    if model.version < AXIS_IN_JOINT_FRAME:
        raise RefactoringError("poses can name a frame since SDFormat 1.5; convert the file to a later version first")
    drivers = driving_joints(model)

    def target_of(row: int) -> int:
        if model.kinds[row] is Kind.LINK and row not in drivers:
            return UNRESOLVED  # nothing to be measured from: it stays as it is
        return element_relative_target(model, row, drivers)

    return _rewritten(model, "Convert to element-relative form", target_of, by_default=False)


def to_model_absolute_form(model: Model) -> Edit:
    """Return the edit that writes links relative to their model and joints relative to their child: the defaults.

    Raises
    ------
    RefactoringError
        If the file is no SDFormat file, or its poses are not all defined.
    """

    def target_of(row: int) -> int:
        return default_relative_to(model, row)

    return _rewritten(model, "Convert to model-absolute form", target_of, by_default=True)


def _rewritten(model: Model, label: str, target_of: Callable[[int], int], *, by_default: bool) -> Edit:
    """Return the edit that measures each link and joint of the file from another frame and keeps it where it is."""
    require_sdformat(model)
    rows = [
        row
        for row, kind in enumerate(model.kinds)
        if (kind is Kind.LINK or kind is Kind.JOINT) and model.sources[row] is None
    ]
    if not np.isfinite(model.X_RootF[rows]).all():
        raise RefactoringError("some poses are undefined and could not be kept; fix these problems first")
    wanted = {row: target_of(row) for row in rows}
    names = {
        row: None if by_default else model.name_in(int(model.scopes[row]), target) for row, target in wanted.items()
    }
    movable = [row for row in rows if wanted[row] >= 0 and (by_default or names[row] is not None)]
    targets = _without_circles(model, {row: wanted[row] for row in movable})
    edits: list[Replacement] = []
    for row in movable:
        target = int(targets[row])
        if target != wanted[row]:
            continue
        moved = target != model.relative_to[row]
        if moved or (model.relative_to_written[row] is None) != by_default:
            X_RF = transforms.invert(model.X_RootF[target]) @ model.X_RootF[row] if moved else None
            edits += write_relative_to(model, row, names[row], X_RF)
    return Edit(label, model.document, tuple(edits))


def _without_circles(model: Model, wanted: dict[int, int]) -> Rows:
    """Return the target rows (n,) after the change, old ones wherever new ones would close a circle."""
    targets: Rows = model.relative_to.copy()
    for row, target in wanted.items():
        targets[row] = target
    while circles := [
        row for cycle in graph.cycles(targets) for row in cycle if targets[row] != model.relative_to[row]
    ]:
        targets[circles] = model.relative_to[circles]
    return targets
