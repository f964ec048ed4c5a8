"""One edit of several rows at once: what is common to them changes for all of them, as one step."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.document.edits import Edit, Replacements
from sdfviewer.semantics.editing.pose_numbers import Notation, written_numbers
from sdfviewer.semantics.editing.refactor import Keep, RefactoringError, set_pose_numbers, set_relative_to
from sdfviewer.semantics.model import Model


def set_pose_component(model: Model, rows: Sequence[int], component: int, value: float) -> Edit:
    """Return the edit that writes one of the six numbers of several raw poses, in metres or radians.

    Raises
    ------
    RefactoringError
        If a row is written elsewhere.
    """
    edits: Replacements = ()
    for row in rows:
        numbers = written_numbers(model, row)
        numbers[component] = value
        edits += set_pose_numbers(model, row, numbers, Notation.RADIANS).replacements
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
