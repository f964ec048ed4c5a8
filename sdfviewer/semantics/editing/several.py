"""One edit of several rows at once: what is common to them changes for all of them, as one step."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.document.edits import Edit, Replacements
from sdfviewer.semantics.editing.refactor import Keep, RefactoringError, set_raw_pose, set_relative_to
from sdfviewer.semantics.model import Model
from sdfviewer.transforms import matrix_to_pose, pose_to_matrix


def written_pose(model: Model, row: int) -> list[float]:
    """Return ``x y z roll pitch yaw`` of a row in metres and radians: as written where six numbers are."""
    # A pitch beyond 90° does not come back from a matrix.
    if row in model.scope.exact_poses:
        values: list[float] = matrix_to_pose(model.raw_poses[row]).tolist()
        return values
    return list(model.scope.raw_poses[row])


def set_pose_component(model: Model, rows: Sequence[int], component: int, value: float) -> Edit:
    """Return the edit that writes one of the six numbers of several raw poses, in metres or radians.

    Raises
    ------
    RefactoringError
        If a row is written elsewhere.
    """
    edits: Replacements = ()
    for row in rows:
        pose = written_pose(model, row)
        pose[component] = value
        edits += set_raw_pose(model, row, pose_to_matrix(pose)).replacements
    return Edit(f"Move {len(rows)} elements", edits)


def common_targets(model: Model, rows: Sequence[int]) -> list[tuple[str, int]]:
    """Return the names that mean the same frame in the scopes of all rows, without the rows themselves."""
    common: list[tuple[str, int]] = model.legal_targets(rows[0])
    for row in rows[1:]:
        if model.scopes[row] != model.scopes[rows[0]]:
            others = set(model.legal_targets(row))
            common = [target for target in common if target in others]
    return [(name, target) for name, target in common if target not in rows]


def set_relative_to_all(model: Model, rows: Sequence[int], target: str | None, keep: Keep = "pose") -> Edit:
    """Return the edit that measures several poses from another frame, or each from its default (``target`` None).

    Raises
    ------
    RefactoringError
        If that is impossible for one of them.
    """
    edits: Replacements = ()
    for row in rows:
        if target is not None and int(dict(model.legal_targets(row)).get(target, -1)) in rows:
            raise RefactoringError(f"'{target}' is one of the selected frames")
        edits += set_relative_to(model, row, target, keep).replacements
    return Edit(f"Make {len(rows)} elements relative to {target or 'their defaults'}", edits)
