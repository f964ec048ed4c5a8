"""One property that differs between two models, besides the frames, and which rows are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.document.topics import LEFT_OUT, MOVED, Aspect, Topic, Topics
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array


class PropertyChange(str, Enum):
    """What became of a property: it has another value, is no longer there, or was not there before."""

    CHANGED = "changed"
    LOST = "lost"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class PropertyDifference:
    """A property of one row that differs between two models A and B.

    Attributes
    ----------
    aspect
        What kind of property it is.
    change
        Whether its value is another one, lost or added.
    kind
        What the row is: ``link``, ``joint``.
    before, after
        Scoped names of the row in A and in B.
    quantity
        Which property, for example ``mass`` or ``limits.upper``.
    value_before, value_after
        Its values in words: metres, radians, kilograms; None where it is not there.
    row_before, row_after
        The row in A and in B.
    element_before, element_after
        Where the value is written, None where that is not known: the row's own element says it then.
    """

    aspect: Aspect
    change: PropertyChange
    kind: str
    before: str
    after: str
    quantity: str
    value_before: str | None
    value_after: str | None
    row_before: int
    row_after: int
    element_before: Element | None = field(default=None, repr=False)
    element_after: Element | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """How the row is called now."""
        return self.after

    @property
    def changes(self) -> tuple[PropertyChange, ...]:
        """All that happened to the property, as of a frame."""
        return (self.change,)

    def __str__(self) -> str:
        values = f"{self.value_before or '-'} → {self.value_after or '-'}"
        return f"{self.change.value}: {self.kind} {self.name}: {self.quantity}  {values}"


#: Poses closer than this, in metres and in the entries of a rotation, are one place.
_SAME_PLACE = 1e-9
#: So many pairs are compared one by one; poses of more are rounded to this first.
_MOST_PAIRS, _ROUNDED = 250_000, 1e-7


def match_frames(
    a: Model, b: Model, renamed: Sequence[tuple[str, str]] = (), rows: Mapping[int, int] | None = None
) -> dict[int, int]:
    """Return the row of B for each row of A that is still there; both roots are matched whatever their names.

    Parameters
    ----------
    renamed
        Old and new scoped names, where it is known what was renamed, or has become another kind of frame. Other frames
        that vanish while one of the same kind appears in the same owner count as renamed where no other frame could be
        meant: at the same place in the root, or else with the same raw pose in the same frame.
    rows
        Rows of B by rows of A, where it is known which is which: names need not be unique.
    """
    rows = rows or {}
    names = dict(renamed)
    to_b: dict[int, int] = {0: 0, **rows}
    # A root of another name changes the beginning of every name; that alone is not another frame.
    root_a, root_b = ("", "") if a.is_world or b.is_world else (a.names[0] + "::", b.names[0] + "::")
    taken = set(to_b.values())
    rows_of: dict[tuple[str, Kind], list[int]] = {}
    if len(b.rows_by_name) < len(b):
        for row, name in enumerate(b.names):
            rows_of.setdefault((name, b.kinds[row]), []).append(row)
    namesakes = {called: iter(those) for called, those in rows_of.items()}  # each of them is passed once
    for row in (row for row in range(1, len(a)) if row not in to_b):
        known = names.get(a.names[row])
        if known is None and (renamed or rows) and (owner := to_b.get(int(a.owners[row]), 0)):
            is_known = int(a.owners[row]) in rows or a.names[int(a.owners[row])] in names
            inside = b.rows_by_name.get(f"{b.names[owner]}::{a.local_names[row]}")
            if is_known and inside is not None and b.kinds[inside] is a.kinds[row]:
                known = b.names[inside]  # what is in something renamed is called by its new name
        other = b.rows_by_name.get(root_b + a.names[row].removeprefix(root_a) if known is None else known)
        is_same = other is not None and (known is not None or a.kinds[row] is b.kinds[other])
        if other is not None and (other in taken or not is_same):  # of several of one name each is one
            alike = namesakes.get((b.names[other], a.kinds[row]), ())
            other = next((each for each in alike if each not in taken), None)
            is_same = other is not None
        if other is not None and is_same and other not in taken:
            to_b[row] = other
            taken.add(other)
    if len(to_b) < len(a) and len(taken) < len(b):
        _match_renamed(a, b, to_b, taken, a.X_RootF, b.X_RootF)
        _match_renamed(a, b, to_b, taken, *_written(a, b, to_b))
    return dict(sorted(to_b.items())) if rows else to_b


def _written(a: Model, b: Model, to_b: dict[int, int]) -> tuple[Array, Array]:
    """Return raw poses of A (n, 5, 4) and of B, in a further row of numbers what they are measured from."""
    poses = []
    for model, targets in ((a, [to_b.get(int(row), UNRESOLVED) for row in a.relative_to]), (b, b.relative_to)):
        below = np.zeros((len(model), 1, 4))
        below[:, 0, 0] = targets
        poses.append(np.concatenate([model.raw_poses, below], axis=1))
    return poses[0], poses[1]


def _match_renamed(a: Model, b: Model, to_b: dict[int, int], taken: set[int], X_a: Array, X_b: Array) -> None:
    """Match what is left, by kind and owner: where one frame of A and one of B have a pose that no other there has."""
    appeared: dict[tuple[Kind, int], list[int]] = {}
    for row in range(len(b)):
        if row not in taken:
            appeared.setdefault((b.kinds[row], int(b.owners[row])), []).append(row)
    vanished: dict[tuple[Kind, int], list[int]] = {}
    for row in range(len(a)):
        # Members of something renamed follow their owner.
        if row not in to_b and int(a.owners[row]) in to_b:
            vanished.setdefault((a.kinds[row], to_b[int(a.owners[row])]), []).append(row)
    for key, rows in vanished.items():
        candidates = appeared.get(key, [])
        if not candidates:
            continue
        for row, other in _alone_at(X_a, rows, X_b, candidates):
            to_b[row] = other
            taken.add(other)
            _match_members(a, row, b, other, to_b, taken)


def _alone_at(X_a: Array, rows: list[int], X_b: Array, candidates: list[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs of rows and candidates with the same pose, where no other row and no other candidate has it."""
    if len(rows) * len(candidates) > _MOST_PAIRS:
        yield from _alone_rounded(X_a, rows, X_b, candidates)
        return
    same = np.array([(np.abs(X_b[candidates] - X_a[row]) <= _SAME_PLACE).all(axis=(1, 2)) for row in rows])
    alone = same & (same.sum(axis=0) == 1) & (same.sum(axis=1, keepdims=True) == 1)
    for number, candidate in np.argwhere(alone).tolist():
        yield rows[number], candidates[candidate]


def _alone_rounded(X_a: Array, rows: list[int], X_b: Array, candidates: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the same of thousands of frames, whose poses are compared when they are rounded: not each with each."""
    places: list[dict[bytes, int]] = []
    for X, numbers in ((X_a, rows), (X_b, candidates)):
        poses = X[numbers]
        is_known: list[bool] = np.asarray(np.isfinite(poses).all(axis=(1, 2))).tolist()
        rounded = np.nan_to_num(np.round(poses / _ROUNDED)) + 0.0  # no negative zeros
        found: dict[bytes, int] = {}
        for number, pose, known in zip(numbers, rounded, is_known, strict=True):
            if known:
                place = pose.tobytes()
                found[place] = number if place not in found else UNRESOLVED
        places.append(found)
    for place, row in places[0].items():
        other = places[1].get(place, UNRESOLVED)
        if UNRESOLVED not in (row, other):
            yield row, other


def _match_members(a: Model, row: int, b: Model, other: int, to_b: dict[int, int], taken: set[int]) -> None:
    prefix_a, prefix_b = a.names[row] + "::", b.names[other] + "::"
    for member in range(row + 1, len(a)):
        if not a.names[member].startswith(prefix_a):
            break
        match = b.rows_by_name.get(prefix_b + a.names[member][len(prefix_a) :])
        if match is not None and match not in taken and a.kinds[member] is b.kinds[match]:
            to_b[member] = match
            taken.add(match)


#: What the comparison calls what elements of a joint, below its axis and in it, say.
_OF_AXES = {"limit": "limits", "dynamics": "dynamics", "mimic": "mimic"}
_OF_JOINTS = {"thread_pitch": "screw_pitch", "screw_thread_pitch": "screw_pitch"}
#: The aspect of what an element of a row says that is no setting, by kind of the row.
_ASPECTS: Mapping[Kind, Aspect] = {
    Kind.LINK: Aspect.MASS,
    Kind.VISUAL: Aspect.APPEARANCE,
    Kind.COLLISION: Aspect.CONTACT,
    Kind.SENSOR: Aspect.SENSOR,
    Kind.PROJECTOR: Aspect.SENSOR,
    Kind.PARTICLE_EMITTER: Aspect.SENSOR,
    Kind.LIGHT: Aspect.LIGHT,
    Kind.ACTOR: Aspect.ACTOR,
    Kind.MODEL: Aspect.MODEL,
    Kind.WORLD: Aspect.PHYSICS,
}
#: What elements say that mean the same in rows of every kind.
_OF_ALL: Mapping[str, Topics] = {
    "plugin": (Topic(Aspect.PLUGIN),),
    "geometry": (Topic(Aspect.SHAPE),),
    "namespace": (Topic(Aspect.SETTING, "@namespace"),),  # of an include: the attribute of its model
    **dict.fromkeys(("pose", "origin"), (*MOVED, Topic(Aspect.MODEL, "pose"))),
}
#: What the comparison calls what an element says, where that is not its tag.
_CALLED = {
    "camera": "cameras",
    "ray": "lidar",
    "inertial": "(mass|center_of_mass|inertia)",
    "scene": "(ambient|background|shadows|grid|origin_visual|has_sky|fog)",
    "physics": "(physics|name|type|is_default|max_.*|real_time_.*|gravity|magnetic_field)",
}


def topics_of(kind: Kind, path: Sequence[str]) -> Topics:
    """Return what may differ of a row of a kind where what a path leads to is lost or written otherwise.

    Parameters
    ----------
    path
        Tags from below the element of the row, at the end an attribute, ``@name``; empty for the whole row.
    """
    if not path:
        return LEFT_OUT
    first = path[0]
    if first in _OF_ALL:
        return _OF_ALL[first]
    where = "/".join(rf"{re.escape(each)}(\[\d+\])?" for each in path)
    written = Topic(Aspect.SETTING, f"{where}([/@].*)?")
    if kind is Kind.JOINT:
        return (*_of_joint(path), written)
    aspect = _ASPECTS.get(kind)
    if aspect is None:
        return (written,)
    called = _CALLED.get(first, re.escape(first))
    if kind is Kind.WORLD and len(path) > 1:  # whose records are of what is in scene and physics
        inner = re.escape(path[1].removeprefix("@"))
        called = f"(has_)?{inner}|{re.escape(first)}"
    return (Topic(aspect, f"({called}|{where})([./@].*)?"), written)


def _of_joint(path: Sequence[str]) -> Topics:
    first = path[0]
    if first in ("parent", "child"):
        return (Topic(Aspect.JOINT, first), *MOVED)
    if first not in ("axis", "axis2"):
        return (Topic(Aspect.JOINT, _OF_JOINTS.get(first, re.escape(first))),)
    if len(path) == 1:
        return (Topic(Aspect.JOINT, rf"axes|{first}(\..*)?"),)
    below = _OF_AXES.get(path[1])
    if below is None:
        return (Topic(Aspect.JOINT, first),)
    inner = rf"\.{re.escape(path[2])}" if len(path) > 2 and below != "mimic" else r"(\..*)?"
    return (Topic(Aspect.JOINT, rf"{first}\.{below}{inner}"),)


def row_and_path(model: Model, element: Element) -> tuple[int, tuple[str, ...]]:
    """Return the row that an element of the model's own document is written in, and the tags that lead to it there.

    The row is -1 where it is in none.
    """
    path: list[str] = []
    for around in model.document.outwards(element):
        row = model.rows_by_element.get(id(around))
        if row is not None:
            return row, tuple(reversed(path))
        path.append(around.tag)
    return -1, tuple(reversed(path))
