"""What differs between two states of a model: frames that moved, appeared, vanished, changed body or name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sdfviewer import transforms
from sdfviewer.semantics.model import Model
from sdfviewer.transforms import Array

#: Poses that differ by less than this, in metres or radians, are the same: rounding of a few products.
SAME_POSE = 1e-9


class Change(str, Enum):
    """What happened to a frame."""

    APPEARED = "appeared"
    VANISHED = "vanished"
    RENAMED = "renamed"
    MOVED = "moved"
    BODY = "other body"
    UNDEFINED = "pose undefined"
    DEFINED = "pose defined"


@dataclass(frozen=True, slots=True)
class FrameDifference:
    """What happened to one frame between two models A and B.

    Attributes
    ----------
    changes
        All that happened to it.
    kind
        What it is.
    before, after
        Its scoped names in A and in B, None where it is not there.
    metres, radians
        By how much its pose in the root frame differs; NaN where it has none in A or in B.
    body_before, body_after
        Scoped names of the bodies that carry it, empty where there is none.
    """

    changes: tuple[Change, ...]
    kind: str
    before: str | None
    after: str | None
    metres: float
    radians: float
    body_before: str = ""
    body_after: str = ""

    @property
    def name(self) -> str:
        """How it is called now, or was called last."""
        return self.after if self.after is not None else self.before or ""


def compare_models(
    a: Model, b: Model, renamed: Sequence[tuple[str, str]] = (), tolerance: float = SAME_POSE
) -> list[FrameDifference]:
    """Return the frames that differ between A and B, in the order of B, those that vanished at the end.

    Parameters
    ----------
    renamed
        Old and new scoped names, where it is known what was renamed. Other frames that vanish while one of the same
        kind appears at the same place in the same body count as renamed.
    tolerance
        In metres and radians.
    """
    to_b = _matched(a, b, dict(renamed))
    rows_a = np.array(list(to_b), dtype=np.int64)
    rows_b = np.array(list(to_b.values()), dtype=np.int64)
    distances, angles = transforms.pose_error(a.X_RootF[rows_a], b.X_RootF[rows_b])
    metres, radians = distances.tolist(), angles.tolist()
    defined_a, defined_b = (_defined(X) for X in (a.X_RootF[rows_a], b.X_RootF[rows_b]))
    kept = {int(row): number for number, row in enumerate(rows_b)}
    found = []
    for row in range(len(b)):
        number = kept.get(row)
        if number is None:
            found.append(_one_sided(b, row, Change.APPEARED))
            continue
        old = int(rows_a[number])
        changes = []
        if _inner_name(a, old) != _inner_name(b, row):
            changes.append(Change.RENAMED)
        if defined_a[number] and defined_b[number]:
            if metres[number] > tolerance or radians[number] > tolerance:
                changes.append(Change.MOVED)
        elif defined_a[number] != defined_b[number]:
            changes.append(Change.DEFINED if defined_b[number] else Change.UNDEFINED)
        body_a, body_b = int(a.bodies[old]), int(b.bodies[row])
        if (to_b.get(body_a, -1) if body_a >= 0 else -1) != max(body_b, -1):
            changes.append(Change.BODY)
        if changes:
            found.append(
                FrameDifference(
                    tuple(changes),
                    b.kinds[row].value,
                    a.names[old],
                    b.names[row],
                    metres[number],
                    radians[number],
                    _name(a, body_a),
                    _name(b, body_b),
                )
            )
    found += [_one_sided(a, row, Change.VANISHED) for row in range(len(a)) if row not in to_b]
    return found


def _defined(X: Array) -> list[bool]:
    finite = np.asarray(np.isfinite(X).all(axis=(1, 2)))
    return [bool(each) for each in finite]


def _inner_name(model: Model, row: int) -> str:
    """Return the name of a row without that of its root, so that another root renames nothing but itself."""
    name = model.names[row]
    return name if row == 0 or model.is_world else name.removeprefix(model.names[0] + "::")


def _name(model: Model, row: int) -> str:
    return model.names[row] if row >= 0 else ""


def _one_sided(model: Model, row: int, change: Change) -> FrameDifference:
    name, body = model.names[row], _name(model, int(model.bodies[row]))
    if change is Change.APPEARED:
        return FrameDifference((change,), model.kinds[row].value, None, name, np.nan, np.nan, "", body)
    return FrameDifference((change,), model.kinds[row].value, name, None, np.nan, np.nan, body, "")


def _matched(a: Model, b: Model, renamed: dict[str, str]) -> dict[int, int]:
    """Return the row of B for each row of A that is still there; both roots are matched whatever their names."""
    to_b: dict[int, int] = {0: 0}
    # A root of another name changes the beginning of every name; that alone is not another frame.
    root_a, root_b = ("", "") if a.is_world or b.is_world else (a.names[0] + "::", b.names[0] + "::")
    taken = {0}
    for row in range(1, len(a)):
        name = renamed.get(a.names[row])
        if name is None:
            name = root_b + a.names[row].removeprefix(root_a)
        other = b.rows_by_name.get(name)
        if other is not None and other not in taken and a.kinds[row] is b.kinds[other]:
            to_b[row] = other
            taken.add(other)
    _match_renamed(a, b, to_b, taken)
    return to_b


def _match_renamed(a: Model, b: Model, to_b: dict[int, int], taken: set[int]) -> None:
    """Add the frames that have another name in B: same kind, same owner, same pose, and no other candidate."""
    appeared: dict[tuple[object, ...], list[int]] = {}
    for row in range(len(b)):
        if row not in taken:
            appeared.setdefault((b.kinds[row], int(b.owners[row])), []).append(row)
    vanished: dict[tuple[object, ...], list[int]] = {}
    for row in range(len(a)):
        # Members of something renamed follow their owner.
        if row not in to_b and int(a.owners[row]) in to_b:
            vanished.setdefault((a.kinds[row], to_b[int(a.owners[row])]), []).append(row)
    for key, rows in vanished.items():
        candidates = appeared.get(key, [])
        for row in rows:
            same = [other for other in candidates if other not in taken and _same_pose(a, row, b, other)]
            if len(same) == 1:
                to_b[row] = same[0]
                taken.add(same[0])
                _match_members(a, row, b, same[0], to_b, taken)


def _match_members(a: Model, row: int, b: Model, other: int, to_b: dict[int, int], taken: set[int]) -> None:
    prefix_a, prefix_b = a.names[row] + "::", b.names[other] + "::"
    for member in range(row + 1, len(a)):
        if not a.names[member].startswith(prefix_a):
            break
        match = b.rows_by_name.get(prefix_b + a.names[member][len(prefix_a) :])
        if match is not None and match not in taken and a.kinds[member] is b.kinds[match]:
            to_b[member] = match
            taken.add(match)


def _same_pose(a: Model, row: int, b: Model, other: int) -> bool:
    return bool(np.allclose(a.X_RootF[row], b.X_RootF[other], rtol=0, atol=SAME_POSE))
