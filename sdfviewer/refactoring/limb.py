"""A limb of a robot: what belongs to it, and how its mirrored copy is called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError

#: Pairs of words for two sides, tried in this order on the names of a limb.
SIDES = (
    ("left", "right"),
    ("Left", "Right"),
    ("LEFT", "RIGHT"),
    ("front", "rear"),
    ("upper", "lower"),
    ("l_", "r_"),
    ("L_", "R_"),
    ("_l", "_r"),
    ("_L", "_R"),
)


@dataclass(frozen=True)
class Mirror:
    """What is mirrored, across which plane, and how the copies are called.

    Attributes
    ----------
    link
        Row of the link that the limb begins with.
    frame
        Row of the frame R whose origin the plane goes through; -1 for the model that the link is in.
    axis
        0, 1 or 2: the axis of R that the plane is normal to.
    find, replace
        What is exchanged in names; a name without it gets ``_replace`` at its end.
    """

    link: int
    frame: int = -1
    axis: int = 1
    find: str = "left"
    replace: str = "right"

    def swapped(self, name: str) -> str | None:
        """Return a name with the other side in it, None where it has none."""
        find, replace = self.find, self.replace
        if not find or find not in name:
            return None
        if find.endswith("_") and name.startswith(find):
            return replace + name[len(find) :]
        if find.startswith("_") and name.endswith(find):
            return name[: -len(find)] + replace
        return name.replace(find, replace)


def guess_sides(name: str) -> tuple[str, str]:
    """Return what to find in a name and what to replace it with for the other side."""
    for one, other in SIDES:
        for find, replace in ((one, other), (other, one)):
            if find in name and (not find.startswith("_") or name.endswith(find)):
                if find.endswith("_") and not name.startswith(find):
                    continue
                return find, replace
    return "", "mirrored"


def limb(model: Model, link: int) -> list[int]:
    """Return the rows of a link, of the links that joints carry below it, of these joints, and of frames on them.

    They are members of the model that the link is in; a model that is nested there comes as one row.

    Raises
    ------
    RefactoringError
        If the row is not a link, or if a joint comes back to the links above it.
    """
    if model.kinds[link] is not Kind.LINK:
        raise RefactoringError("choose the link that the limb begins with")
    scope = int(model.owners[link])

    def member(row: int) -> int:
        while row >= 0 and int(model.owners[row]) != scope:
            row = int(model.owners[row])
        return row

    carried: dict[int, list[int]] = {}
    for joint in model.joints_by_row.values():
        if joint.parent >= 0 and joint.child >= 0:
            parent, child = (member(int(model.bodies[end])) for end in (joint.parent, joint.child))
            if parent >= 0 and child >= 0 and parent != child:
                carried.setdefault(parent, []).append(child)
    bodies, front = {link}, [link]
    while front:
        for child in carried.get(front.pop(), ()):
            if child not in bodies:
                bodies.add(child)
                front.append(child)
    members = np.flatnonzero(model.owners == scope).tolist()
    rows = set(bodies)
    for row in members:
        if model.kinds[row] is Kind.JOINT and (joint_of := model.joints_by_row.get(row)) is not None:
            if joint_of.child >= 0 and member(int(model.bodies[joint_of.child])) in bodies:
                rows.add(row)
        elif model.kinds[row] is Kind.FRAME and member(int(model.bodies[row])) in bodies:
            rows.add(row)
    return sorted(rows)


def mirrored_names(model: Model, mirror: Mirror) -> dict[int, str]:
    """Return the names of the copies of all rows of the limb, and of what is inside of them.

    Raises
    ------
    RefactoringError
        If a name cannot be used; the message says which.
    """
    if not mirror.replace or mirror.find == mirror.replace:
        raise RefactoringError("enter what the names of the copies have instead")
    names: dict[int, str] = {}
    for member in limb(model, mirror.link):
        old = model.local_names[member]
        new = mirror.swapped(old) or f"{old}_{mirror.replace.strip('_')}"
        scoped = model.names[member][: len(model.names[member]) - len(old)] + new
        if why := why_invalid_name(new):
            raise RefactoringError(f"the name '{new}' {why}")
        if scoped in model.rows_by_name or new in names.values():
            raise RefactoringError(f"the name '{new}' is taken")
        names[member] = new
        names.update(
            (row, other)
            for row in model.inside(member)[1:]
            if (other := mirror.swapped(model.local_names[row])) is not None
        )
    return names
