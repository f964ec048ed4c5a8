"""Place frames by others: align several, distribute them evenly, or move the part of one so that two coincide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, Replacements, insert_child, set_attribute, set_text
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.registry import writing_of
from sdfviewer.model import graph
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTargets, is_in_tree
from sdfviewer.model.values import NOISE
from sdfviewer.refactoring.adding import free_name, insert_member
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.pose_moving import require_movable
from sdfviewer.refactoring.pose_notation import Notation, numbers_of
from sdfviewer.refactoring.pose_writing import refusal, require_pose, set_pose_numbers, write_pose, write_relative_to
from sdfviewer.transforms import Array
from sdfviewer.versions import SCOPED_REFERENCES, format_version


class Arrangement(str, Enum):
    """Where the origins go: where the last selected one is, or at even distances between the outermost two."""

    ALIGN = "align"
    DISTRIBUTE = "distribute"


def arrange(model: Model, rows: Sequence[int], how: Arrangement, axes: Sequence[int], *, frame: int = 0) -> Edit:
    """Return the edit that lines frames up, or spaces them evenly, at their initial poses.

    What is measured from a frame moves with it. No frame turns.

    Parameters
    ----------
    rows
        The frames. The last one stays where the others are aligned with it.
    axes
        The axes of ``frame`` along which the origins change, of 0, 1 and 2. Frames are distributed in the order of
        their places along the line between the two that are farthest apart in these axes.
    frame
        Row of the frame whose axes these are; the root by default.

    Raises
    ------
    RefactoringError
        If there are too few frames, if a pose is undefined, or if a frame cannot be moved.
    """
    rows = list(dict.fromkeys(writing_of(model, row).rows_at(model, row)[0] for row in rows))
    least = 2 if how is Arrangement.ALIGN else 3
    if len(rows) < least:
        raise RefactoringError(f"select at least {least} frames to {how.value}")
    if not axes:
        raise RefactoringError("choose an axis")
    if not np.isfinite(model.X_RootF[[*rows, frame]]).all():
        raise RefactoringError("the pose of one of the frames is undefined")
    goals = dict(zip(rows, _goals(model, rows, how, axes, frame), strict=True))
    moves = {row: goal - model.X_RootF[row][:3, 3] for row, goal in goals.items()}

    def X_after(row: int) -> Array:
        """Return the pose (4, 4) of a frame after the edit: it moves with the first of the frames on its chain."""
        X: Array = model.X_RootF[row].copy()
        lead = next((each for each in graph.chain(model.relative_to, row) if each in moves), None)
        if lead is not None:
            X[:3, 3] += moves[lead]
        return X

    edits: Replacements = ()
    for row in rows:
        if row == 0 and not moves[row].any():
            continue  # the others are aligned with the root, which is measured from nothing
        X_RF = transforms.invert(X_after(int(model.relative_to[row]))) @ X_after(row)
        if np.abs(X_RF - model.raw_poses[row]).max() > NOISE:
            require_movable(model, row)
            edits += write_pose(model, row, X_RF)
    verb = "Align" if how is Arrangement.ALIGN else "Distribute"
    return Edit(f"{verb} {len(rows)} elements", model.document, edits)


def _goals(model: Model, rows: Sequence[int], how: Arrangement, axes: Sequence[int], frame: int) -> Iterator[Array]:
    """Yield where each origin goes: (3,) in the root frame."""
    X_RootR = model.X_RootF[frame]
    p_RF = (transforms.invert(X_RootR) @ model.X_RootF[rows])[:, :3, 3]
    wanted = p_RF.copy()
    if how is Arrangement.ALIGN:
        wanted[:, axes] = p_RF[-1, axes]
    else:
        some = p_RF[:, axes]
        far = np.linalg.norm(some[:, None] - some[None], axis=2)
        first, last = np.unravel_index(int(far.argmax()), far.shape)
        line = some[last] - some[first]
        if not line.any():
            raise RefactoringError("the frames are at one place along these axes")
        order = np.argsort((some - some[first]) @ line, kind="stable")
        steps = np.linspace(0.0, 1.0, len(rows))[:, None]
        wanted[order[:, None], np.array(axes)] = some[first] + steps * line
    for p in wanted:
        yield X_RootR[:3, :3] @ p + X_RootR[:3, 3]


# --- mating -------------------------------------------------------------------------------------------------------


class Align(str, Enum):
    """What of frame B coincides with frame A."""

    ALL = "all"
    ORIGIN = "origin"
    AXIS = "axis"


class MateForm(str, Enum):
    """How a mate is written."""

    RELATIVE_TO = "relative_to"
    PLACEMENT_FRAME = "placement_frame"
    JOINT = "joint"


@dataclass(frozen=True)
class Mate:
    """Frame B is to meet frame A.

    Attributes
    ----------
    a, b
        Rows of the frames; what carries B moves.
    align
        What coincides: origin and all axes, the origin alone, or the origin and the z axis.
    offset
        Position (3,) of B in A then, in metres.
    angle
        Rotation of B about the z axis of A then, in radians.
    """

    a: int
    b: int
    align: Align = Align.ALL
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    angle: float = 0.0

    def X_AB(self, model: Model) -> Array:
        """Return the pose (4, 4) of B in A once they meet."""
        R_AB = (transforms.invert(model.X_RootF[self.a]) @ model.X_RootF[self.b])[:3, :3]
        if self.align is Align.ALL:
            R_AB = np.eye(3)
        elif self.align is Align.AXIS:
            R_AB = _shortest_turn(R_AB[:, 2]) @ R_AB
        c, s = np.cos(self.angle), np.sin(self.angle)
        return transforms.pose(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ R_AB, np.array(self.offset))


def _shortest_turn(z: Array) -> Array:
    """Return the rotation (3, 3) by the smallest angle that turns a unit vector to +z."""
    v = np.cross(z, [0.0, 0.0, 1.0])
    c = float(z[2])
    if c < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    turn: Array = np.eye(3) + K + K @ K / (1 + c)
    return turn


def moving_part(model: Model, mate: Mate) -> int:
    """Return the row that moves: the model around B that A is not in, or the link that B is on.

    Raises
    ------
    RefactoringError
        If nothing can move that carries B and not A.
    """
    a, b = mate.a, mate.b
    if a == b:
        raise RefactoringError("choose two frames")
    around_a = set(model.around(a))
    way = list(model.around(b))
    scope = next(row for row in way if row in around_a)
    part = way[way.index(scope) - 1] if scope != b else b
    if scope in (a, b) and part != b:
        part = next(row for row in way if int(model.owners[row]) == scope)
    if scope == b:
        raise RefactoringError(f"'{model.names[a]}' is inside '{model.names[b]}', which would have to move")
    if model.kinds[part] is Kind.FRAME:
        body = int(model.bodies[part])
        while body >= 0 and int(model.owners[body]) != scope and int(model.owners[body]) >= 0:
            body = int(model.owners[body])
        if body < 0 or model.kinds[body] is Kind.WORLD or body == scope:
            raise RefactoringError(f"'{model.names[b]}' is not attached to anything that can move")
        part = body
    if model.kinds[part] is Kind.JOINT:
        part = int(model.bodies[part])
    if part < 0 or part == int(model.bodies[a]) or part in model.around(a):
        raise RefactoringError("both frames are on the same part")
    require_editable(model, part)
    return part


def joints_that_hold(model: Model, part: int) -> list[Joint]:
    """Return the fixed joints between what is in a part and what is not: the part leaves its place in them."""

    def inside(row: int) -> bool:
        return part in model.around(row)

    fixed = (joint for joint in model.joints_by_row.values() if joint.type == "fixed")
    return [joint for joint in fixed if inside(joint.parent) != inside(joint.child)]


def mate_refusals(model: Model, mate: Mate) -> dict[MateForm, str | None]:
    """Return why a mate cannot be written in each form, None for those in which it can."""
    refusals: dict[MateForm, str | None] = {}
    for form in MateForm:
        try:
            write_mate(model, mate, form)
        except RefactoringError as error:
            refusals[form] = str(error)
        else:
            refusals[form] = None
    return refusals


def write_mate(model: Model, mate: Mate, form: MateForm | None = None) -> Edit:
    """Return the edit that makes frame B meet frame A.

    Parameters
    ----------
    form
        ``relative_to`` measures the part from A, ``placement_frame`` places a model by B, ``joint`` adds a fixed joint
        as well; by default the first that can be written of placement_frame, for whole models, and relative_to.

    Raises
    ------
    RefactoringError
        If nothing can move, or it cannot be written so; the message says why.
    """
    part = moving_part(model, mate)
    if form is None and not is_in_tree(model, part):
        is_placed = model.kinds[part] is Kind.MODEL and part != mate.b
        try:
            return write_mate(model, mate, MateForm.PLACEMENT_FRAME if is_placed else MateForm.RELATIVE_TO)
        except RefactoringError:
            if not is_placed:
                raise
            return write_mate(model, mate, MateForm.RELATIVE_TO)
    a, b = mate.a, mate.b
    X_RootA, X_RootB, X_RootP = (model.X_RootF[row] for row in (a, b, part))
    if not all(np.isfinite(X).all() for X in (X_RootA, X_RootB, X_RootP)):
        raise RefactoringError("the pose of one of the frames is undefined")
    X_AB = mate.X_AB(model)
    X_AP: Array = X_AB @ transforms.invert(X_RootB) @ X_RootP
    label = f"Mate {model.distinct_name(b)} with {model.distinct_name(a)}"
    if is_in_tree(model, part):
        return Edit(label, model.document, _in_tree(model, part, a, X_RootA @ X_AP, form))
    if form is MateForm.PLACEMENT_FRAME:
        return Edit(label, model.document, _placed(model, mate, part, X_AB))
    edits = _measured(model, part, a, X_AP)
    if form is MateForm.JOINT:
        return _joined(model, mate, part, label, edits)
    return Edit(label, model.document, edits)


def _in_tree(model: Model, part: int, a: int, X_RootP: Array, form: MateForm | None) -> Replacements:
    """Return the edit of the joint that carries a link of a URDF: it moves, or (``joint``) gets the link of A too."""
    if form is MateForm.PLACEMENT_FRAME:
        raise RefactoringError("a URDF has no placement_frame")
    joint = require_pose(model, part)
    if a in graph.dependents(model.relative_to, joint):
        raise RefactoringError(f"'{model.names[a]}' moves with '{model.names[part]}'")
    target, link = int(model.relative_to[joint]), int(model.bodies[a])
    if form is MateForm.JOINT:
        targets = ReferenceTargets(model, joint, "parent")
        name = targets.name_of(link) if link >= 0 else None
        why = "no link carries it" if name is None else targets.named(name).reason
        if why is not None:
            raise RefactoringError(f"'{model.names[part]}' cannot be joined to '{model.names[a]}': {why}")
        return write_relative_to(model, joint, name, transforms.invert(model.X_RootF[link]) @ X_RootP)
    return write_pose(model, joint, transforms.invert(model.X_RootF[target]) @ X_RootP)


def _name_at(model: Model, row: int, target: int) -> str:
    """Return how a row's ``relative_to`` names another row."""
    targets = ReferenceTargets(model, row, "relative_to")
    name = targets.name_of(target)
    if name is None:
        raise RefactoringError(targets.refusal(target) or "")
    return name


def _measured(model: Model, part: int, a: int, X_AP: Array) -> Replacements:
    """Return the edit that measures the part from A: from the nearest frame on A's way that does not depend on it."""
    name = _name_at(model, part, a)
    why = refusal(model, part, name)
    if why is not None:
        raise RefactoringError(why)
    return write_relative_to(model, part, name, X_AP)


def _placed(model: Model, mate: Mate, part: int, X_AB: Array) -> Replacements:
    element = model.elements[part]
    if model.version < SCOPED_REFERENCES:
        raise RefactoringError(f"SDFormat {format_version(model.version)} has no placement_frame")
    if model.kinds[part] is not Kind.MODEL:
        raise RefactoringError("only a model has a placement frame")
    if part == mate.b:
        raise RefactoringError("the model frame itself needs no placement frame")
    inner = model.name_in(part, mate.b) or model.names[mate.b]
    if mate.b in graph.dependents(model.relative_to, mate.a).tolist():
        raise RefactoringError(f"'{model.names[mate.a]}' depends on the pose of '{model.names[mate.b]}'")
    name = _name_at(model, part, mate.a)
    why = refusal(model, part, name)
    if why is not None:
        raise RefactoringError(why)
    document = model.document
    # The pose of a placed model is that of its placement frame; the pose written now does not matter.
    edits: Replacements
    if element.tag == "include":
        old = element.find("placement_frame")
        xml = f"<placement_frame>{escape(inner)}</placement_frame>"
        edits = insert_child(document, element, xml) if old is None else set_text(document, old, inner)
    else:
        edits = set_attribute(document, element, "placement_frame", inner)
    pose = element.find("pose")
    if pose is None:
        numbers: Sequence[float] = numbers_of(X_AB, Notation.RADIANS)
        text = "" if np.allclose(X_AB, np.eye(4), rtol=0, atol=1e-12) else " ".join(f"{each:.15g}" for each in numbers)
        attribute = f'relative_to="{escape(name, chr(34))}"'
        xml = f"<pose {attribute}>{text}</pose>" if text else f"<pose {attribute}/>"
        if element.end_length == 0:
            raise RefactoringError("an empty model cannot be placed")
        return edits + insert_child(document, element, xml, element.children[0] if element.children else None)
    edits += set_attribute(document, pose, "relative_to", name)
    return edits + set_pose_numbers(model, part, numbers_of(X_AB, Notation.RADIANS), Notation.RADIANS).replacements


def _joined(model: Model, mate: Mate, part: int, label: str, edits: Replacements) -> Edit:
    """Return the edit with a fixed joint between the frames, in the scope of the part."""
    scope = int(model.owners[part])
    ends = [model.name_in(scope, row) or model.names[row] for row in (mate.a, mate.b)]
    if int(model.bodies[mate.a]) < 0 or int(model.bodies[mate.b]) < 0:
        raise RefactoringError("a joint needs links on both sides")
    name = free_name(model, scope, f"{model.local_names[mate.a]}_{model.local_names[mate.b]}_joint")
    joint = insert_member(model, scope, "joint", name, type="fixed", parent=ends[0], child=ends[1])
    return Edit(label, model.document, edits + joint.replacements, added=joint.added)
