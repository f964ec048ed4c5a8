"""Change `relative_to` and `attached_to`, and keep either the poses or the numbers.

Each function returns an :class:`~sdfviewer.document.edits.Edit` of the model's document and changes nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.references import explain_missing_default
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.poses.writing import write_pose, write_relative_to
from sdfviewer.transforms import Array
from sdfviewer.versions import POSE_FRAME, TARGETS, format_version

#: What stays when a frame is measured from another: its place in the world, or the numbers that are written.
Keep: TypeAlias = Literal["pose", "numbers"]


def _target_row(model: Model, row: int, name: str) -> int:
    """Return the row that ``name`` would mean if it were written at ``row``."""
    target = model.legal_target(row, name)
    if target is None:
        names = (each for each, _ in model.legal_targets(row))
        raise RefactoringError(f"'{name}' is not a frame in this scope{did_you_mean(name, names)}")
    return target


def default_relative_to(model: Model, row: int, attached_to: int | None = None) -> int:
    """Return the row that a row's pose is relative to where no ``relative_to`` is written."""
    kind = model.kinds[row]
    if kind is Kind.JOINT:
        return model.joints_by_row[row].child
    if kind is Kind.FRAME:
        return int(model.attached_to[row]) if attached_to is None else attached_to
    return int(model.owners[row])


def would_close(model: Model, row: int, target: int, attribute: str = "relative_to") -> list[int]:
    """Return the rows of the cycle that an edge from ``row`` to ``target`` would close, empty if none."""
    parents = model.relative_to if attribute == "relative_to" else model.attached_to
    way = graph.chain(parents, target) if target >= 0 else []
    return [row, *way[: way.index(row)]] if row in way else []


def require_pose_frames(model: Model) -> None:
    """Refuse to name the frame of a pose in a version of SDFormat that has no words for it.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if model.version < POSE_FRAME:
        raise RefactoringError(
            f"a pose in SDFormat {format_version(model.version)} cannot name its frame; convert the file to SDFormat "
            f"{format_version(TARGETS[0])} or later"
        )


def refusal(model: Model, row: int, name: str | None, attribute: str = "relative_to") -> str | None:
    """Return why ``relative_to`` or ``attached_to`` of a row must not name a frame, None where it may.

    Parameters
    ----------
    name
        As it would stand in the file; None for the default.
    """
    try:
        require_editable(model, row)
        if name:
            require_pose_frames(model)
        target = _target_row(model, row, name) if name else default_relative_to(model, row)
    except RefactoringError as error:
        return str(error)
    if attribute == "attached_to" and model.kinds[row] is not Kind.FRAME:
        return f"a {model.kinds[row]} has no attached_to; only a <frame> has"
    if target < 0:
        return explain_missing_default(model, row)
    cycle = would_close(model, row, target, attribute)
    if cycle:
        return f"it would close a cycle: {' → '.join(model.names[each] for each in [*cycle, cycle[0]])}"
    return None


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
    reference = _target_row(model, row, target) if target else default_relative_to(model, row)
    X_RF = _kept_pose(model, row, reference) if keep == "pose" else None
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
    if model.relative_to_written[row] is None:
        reference = _target_row(model, row, target) if target else int(model.scopes[row])
        cycle = would_close(model, row, reference)
        if cycle:
            names = " → ".join(model.names[each] for each in [*cycle, cycle[0]])
            raise RefactoringError(
                f"the pose is relative to attached_to by default, which would close a cycle: {names}"
            )
        if keep == "pose":
            edits += write_pose(model, row, _kept_pose(model, row, reference))
    return Edit(f"Attach {model.distinct_name(row)} to {target or 'the model frame'}", model.document, edits)


def _kept_pose(model: Model, row: int, reference: int) -> Array:
    """Return the raw pose that keeps a row where it is when it is measured from ``reference``."""
    X_RF: Array = transforms.invert(model.X_RootF[reference]) @ model.X_RootF[row]
    if not np.isfinite(X_RF).all():
        raise RefactoringError("the pose is undefined and cannot be kept; keep the numbers instead")
    return X_RF


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
    return Edit(f"Make {len(rows)} elements relative to {target or 'their defaults'}", model.document, edits)
