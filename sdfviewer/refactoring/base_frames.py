"""What the pose of a new element is measured from, in the words of the file's version."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.poses.notation import Notation, numbers_of
from sdfviewer.transforms import invert, pose_to_matrix
from sdfviewer.versions import FRAME_SEMANTICS

MODEL_FRAME = "__model__"


def in_words_of_file(model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a new element as the version of the file can write them.

    Before SDFormat 1.7 no pose has a ``relative_to``: it becomes a pose in the frame that counts without one, which is
    that of the owner, and for a joint that of its child.

    Raises
    ------
    RefactoringError
        If ``relative_to`` names no frame, or the pose is undefined.
    """
    written = dict(fields)
    if model.version >= FRAME_SEMANTICS or not written.get("relative_to"):
        return written
    by_child = tag == "joint" and written.get("child")
    base = _row(model, owner, "child", written["child"]) if by_child else owner
    reference = _row(model, owner, "attached_to", written.pop("relative_to"))  # later versions could write it
    written["pose"] = _pose_in(model, base, reference, written.get("pose", ""))
    return written


def _row(model: Model, owner: int, attribute: Attribute, name: str) -> int:
    target = ReferenceTargets(model, None, attribute, owner=owner).named(name)
    if target.reason is not None:
        raise RefactoringError(target.reason)
    return target.row


def _pose_in(model: Model, base: int, reference: int, pose: str) -> str:
    """Return a pose that is given in one frame as it is in another, as six numbers."""
    numbers = parse_numbers(pose) if pose else (0.0,) * 6
    if numbers is None or len(numbers) != 6:
        return pose  # which is refused as any that has not six numbers
    X_BaseNew = invert(model.X_RootF[base]) @ model.X_RootF[reference] @ pose_to_matrix(numbers)
    if not np.isfinite(X_BaseNew).all():
        raise RefactoringError(f"the pose of '{model.names[reference]}' is undefined")
    return format_numbers(numbers_of(X_BaseNew, Notation.RADIANS))
