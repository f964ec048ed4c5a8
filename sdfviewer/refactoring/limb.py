"""A limb of a robot: what belongs to it, how its mirrored copy is called, and whether that is its reflection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit
from sdfviewer.formats.comparison import CONFIGURATIONS, compare, read_back
from sdfviewer.formats.load import Loader
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.model.comparison.frames import SAME_POSE
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
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
class LimbCopy:
    """What is copied, by which frame, and how the copies are called.

    Attributes
    ----------
    link
        Row of the link that the limb begins with.
    frame
        Row of the frame R that the copy is placed by; -1 for the model that the link is in.
    axis
        0, 1 or 2: an axis of R.
    """

    link: int
    frame: int = -1
    axis: int = 1

    def swapped(self, name: str) -> str | None:
        """Return the name of the counterpart of something, None where it is called the same."""
        raise NotImplementedError

    def copied(self, name: str) -> str:
        """Return what the copy of a member is called."""
        raise NotImplementedError


@dataclass(frozen=True)
class Repetition(LimbCopy):
    """One of several copies of a limb, around an axis of R or along it.

    Attributes
    ----------
    stem, ending
        The name of the link is the stem, perhaps a number, and the ending; names with the stem get another number.
    before, number
        The number in the names of the limb, empty where there is none, and that in the names of the copy.
    angle, distance
        By how many radians the copy is turned about the axis, and how many metres it is moved along it.
    """

    stem: str = ""
    before: str = ""
    number: int = 2
    angle: float = 0.0
    distance: float = 0.0

    def swapped(self, name: str) -> str | None:
        """Return a name with another number in it, None where it has not the stem."""
        old = self.stem + self.before
        new = f"{self.stem}{self.number}" if self.before else f"{self.stem}_{self.number}"
        found = re.sub(rf"(?<![^\W_]){re.escape(old)}(?![0-9])", new, name, count=1)
        if found == name and self.before:  # as the rotor_0 of an arm_0
            found = re.sub(rf"(?<![0-9]){self.before}(?![0-9])", str(self.number), name, count=1)
        return None if found == name else found

    def copied(self, name: str) -> str:
        """Return a name with another number in it or at its end."""
        return self.swapped(name) or f"{name}_{self.number}"

    @property
    def X_RR(self) -> transforms.Array:
        """How the copy is moved, a pose (4, 4) in R."""
        motion = [0.0] * 6
        motion[self.axis], motion[3 + self.axis] = self.distance, self.angle
        return transforms.pose_to_matrix(motion)


def repetitions(
    model: Model, link: int, count: int, frame: int, axis: int, angle: float, distance: float
) -> list[Repetition]:
    """Return the copies of a limb that make so many of it: numbers in names count up, ``rotor_0``, ``rotor_1`` ..."""
    name = model.local_names[link]
    number = re.search(r"(?<!\d)\d+(?=\D*$)", name)
    stem, before = (name, "") if number is None else (name[: number.start()], number[0])
    first = 1 if number is None else int(before)
    return [
        Repetition(link, frame, axis, stem, before, first + each, each * angle, each * distance)
        for each in range(1, count)
    ]


@dataclass(frozen=True)
class Mirror(LimbCopy):
    """What is mirrored, across which plane, and how the copies are called.

    The plane is normal to the axis of R, and goes through its origin.

    Attributes
    ----------
    find, replace
        What is exchanged in names; a name without it gets ``_replace`` at its end.
    """

    find: str = "left"
    replace: str = "right"

    def copied(self, name: str) -> str:
        """Return a name of the other side."""
        return self.swapped(name) or f"{name}_{self.replace.strip('_')}"

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
    """Return the rows of the limb that begins with a link, see :func:`limbs`.

    Raises
    ------
    RefactoringError
        If the row is not a link.
    """
    if model.kinds[link] is not Kind.LINK:
        raise RefactoringError("choose the link that the limb begins with")
    return limbs(model, [link])


def limbs(model: Model, links: Sequence[int], *, alone: bool = False) -> list[int]:
    """Return the rows of links, of the links that joints carry below them, of these joints, and of frames on them.

    They are members of the model that each link is in; a model that is nested there comes as one row.

    Parameters
    ----------
    alone
        Whether the links below are left out, with what is on them.
    """
    by_scope: dict[int, set[int]] = {}
    for link in links:
        by_scope.setdefault(int(model.owners[link]), set()).add(link)
    return sorted({row for scope, each in by_scope.items() for row in _limbs_in(model, scope, each, alone=alone)})


def _limbs_in(model: Model, scope: int, links: set[int], *, alone: bool) -> set[int]:
    """Return the rows of the limbs that begin with some links of one model."""

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
    bodies, front = set(links), [] if alone else list(links)
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
    return rows


def with_limbs(model: Model, rows: Sequence[int]) -> list[int]:
    """Return rows with all that they carry: the limb that begins with each link, and with the child of each joint."""
    links = []
    for row in rows:
        link = row
        if (joint := model.joints_by_row.get(row)) is not None and joint.child >= 0:
            link = int(model.bodies[joint.child])
        if model.kinds[link] is Kind.LINK:
            links.append(link)
    return sorted({*rows, *limbs(model, links)})


def carried_with(model: Model, rows: Sequence[int], *, alone: bool = False) -> list[int]:
    """Return links, models and frames with the links and models that joints carry below them.

    Parameters
    ----------
    alone
        Whether only the rows themselves are meant.
    """
    links = [] if alone else [row for row in rows if model.kinds[row] is Kind.LINK]
    carried = (each for each in limbs(model, links) if model.kinds[each] in (Kind.LINK, Kind.MODEL))
    return sorted({*rows, *carried})


def copied_names(model: Model, copy: LimbCopy) -> dict[int, str]:
    """Return the names of the copies of all rows of the limb, and of what is inside of them.

    Raises
    ------
    RefactoringError
        If a name cannot be used; the message says which.
    """
    if isinstance(copy, Mirror) and (not copy.replace or copy.find == copy.replace):
        raise RefactoringError("enter what the names of the copies have instead")
    names: dict[int, str] = {}
    for member in limb(model, copy.link):
        old = model.local_names[member]
        if "::" in model.elements[member].attributes.get("name", ""):
            raise RefactoringError(f"'{model.names[member]}' belongs to a flattened model; its limbs cannot be copied")
        new = copy.copied(old)
        scoped = model.names[member][: len(model.names[member]) - len(old)] + new
        if why := why_invalid_name(new):
            raise RefactoringError(f"the name '{new}' {why}")
        if scoped in model.rows_by_name or new in names.values():
            raise RefactoringError(f"the name '{new}' is taken")
        names[member] = new
        names.update(
            (row, other)
            for row in model.inside(member)[1:]
            if (other := copy.swapped(model.local_names[row])) is not None
        )
    return names


def reflection_faults(model: Model, mirror: Mirror, edit: Edit, loader: Loader) -> tuple[str, ...]:
    """Return how the copy of a limb is not its reflection, and what else differs: errors of this program.

    Parameters
    ----------
    model, mirror
        The model before, and what was mirrored.
    edit
        Writes the copy.
    loader
        What has loaded the model.

    Returns
    -------
    Sentences that begin with file and line.
    """
    start = f"{model.document.name}:1: error of sdfviewer: "
    after = loader.load(model.document.edited(edit.replacements))
    if after is None:
        return (f"{start}the text with the copy cannot be read",)
    copies: list[int] = []
    pairs: list[tuple[int, int]] = []
    for row, name in zip(limb(model, mirror.link), edit.added, strict=True):
        copy = after.rows_by_name.get(name)
        ours, theirs = _held(model, row), [] if copy is None else _held(after, copy)
        if [model.kinds[each] for each in ours] != [after.kinds[each] for each in theirs]:
            return (f"{start}the copy of '{model.names[row]}' is not whole",)
        copies += theirs
        pairs += zip(ours, theirs, strict=True)
    before_and_after = Kinematics(model), Kinematics(after)
    count = min(comparable_configurations(model), comparable_configurations(after))
    back = read_back(compare(model, after, edit.renamed), (), copies, configurations=count)
    unlike = _unlike(model, mirror, after, pairs, *before_and_after, count)
    return (*back.faults, *(f"{start}{each}" for each in dict.fromkeys(unlike)))


def comparable_configurations(model: Model) -> int:
    """Return how many positions of the joints can be compared once the joints are in another order.

    Where there are loops none can: another joint may close one of them, and the same positions mean something else.
    """
    return 0 if Kinematics(model).loop_joints or _has_two_parents(model) else CONFIGURATIONS


def _has_two_parents(model: Model) -> bool:
    """Return whether a body is the child of several joints, of which only one can carry it."""
    children = [int(model.bodies[joint.child]) for joint in model.joints_by_row.values() if joint.child >= 0]
    return len(set(children)) < len(children)


def _held(model: Model, row: int) -> list[int]:
    """Return a row and all that is in it, also what an extension of a URDF puts there."""
    held = {row}
    for each in range(row + 1, len(model)):
        if int(model.owners[each]) in held:
            held.add(each)
    return sorted(held)


def _unlike(
    model: Model,
    mirror: Mirror,
    after: Model,
    pairs: Sequence[tuple[int, int]],
    of_a: Kinematics,
    of_b: Kinematics,
    count: int,
) -> Iterator[str]:
    """Yield how copies differ from the reflection of their rows, at the initial and at some random configurations."""
    rows = dict(pairs)
    columns = {(dof.joint.row, dof.axis): column for column, dof in enumerate(of_b.dofs)}
    q_a = np.random.default_rng(0).uniform(-1.0, 1.0, (count + 1, len(of_a.dofs)))
    # The positions of a ball joint have no axes that could be reversed, and what cannot move has no direction: Gazebo
    # reads a fixed joint that it is to keep as a revolute one between 0 and 0, about an axis that nobody writes.
    inside = np.array(
        [dof.joint.row in rows and dof.joint.type != "ball" and dof.range[0] < dof.range[1] for dof in of_a.dofs],
        dtype=bool,
    )
    q_a = of_a.follow(q_a)
    q_a[:, ~inside] = q_a[0] = 0.0  # what carries the limb stays, also where it follows others
    q_b = np.zeros((len(q_a), len(of_b.dofs)))
    for column, dof in enumerate(of_a.dofs):
        if dof.joint.row in rows:
            other = columns.get((rows[dof.joint.row], dof.axis))
            if other is not None:
                q_b[:, other] = q_a[:, column]
            elif count:
                yield f"the copy of joint '{dof.joint.name}' does not move as that does"
                return
    S = np.diag([*np.where(np.arange(3) == mirror.axis, -1.0, 1.0), 1.0])
    plane = mirror.frame if mirror.frame >= 0 else int(model.owners[mirror.link])
    X_RRoot = transforms.invert(model.X_RootF[plane])
    wanted = S @ (X_RRoot @ of_a.poses(q_a, np.array([row for row, _ in pairs]))) @ S
    found = X_RRoot @ of_b.poses(q_b, np.array([copy for _, copy in pairs]))
    with np.errstate(invalid="ignore"):
        metres, radians = transforms.pose_error(wanted, found)
        unlike = np.any((metres > 10 * SAME_POSE) | (radians > 10 * SAME_POSE), axis=0).tolist()
    for (row, copy), is_unlike in zip(pairs, unlike, strict=True):
        if is_unlike:
            yield f"{after.kinds[copy]} '{after.names[copy]}' is not the reflection of '{model.names[row]}'"
        if model.kinds[row] is Kind.LINK:
            ours, theirs = resolve_inertial(model, row), resolve_inertial(after, copy)
            if (ours is None) is not (theirs is None):
                yield f"'{after.names[copy]}' has no mass where '{model.names[row]}' has one"
            elif ours is not None and theirs is not None:
                R = S[:3, :3]
                if not (
                    np.isclose(ours.mass, theirs.mass, rtol=1e-9)
                    and np.allclose(R @ ours.center_of_mass, theirs.center_of_mass, rtol=0, atol=1e-9)
                    and np.allclose(R @ ours.inertia_in_link @ R, theirs.inertia_in_link, rtol=1e-9, atol=1e-12)
                ):
                    yield f"the mass of '{after.names[copy]}' is not the reflection of that of '{model.names[row]}'"
