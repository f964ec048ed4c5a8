"""Move frames interactively, without changing the text.

Only the raw poses of a few frames, the leads, change. Everything whose pose is relative to a lead F, directly or by
others, keeps its pose in F: with the motion M0, X_RootF(0) goes to M0 X_RootF(0), and every frame G of those to M0
X_RootG(0).

The mouse drags what is seen at joint positions q: X_RootF(q) is to go to M X_RootF(q), one motion M for all leads.
With the displacement D_F(q) = X_RootF(q) X_RootF(0)⁻¹ that is D_F'(q) M0 = M D_F(q), where D_F' is the displacement
after the move. The nearest joints below F may follow F: a joint's pose is relative to its child by default.
Their motion E(q) rotates with them, D_F'(q) = D_A'(q) M0 E(q) M0⁻¹, so that it is the body A below them that M0 is seen
from: M0 = D_A'(q)⁻¹ M D_A(q). Further down, D_A' differs from D_A only by the joints that follow other leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.document.edits import Edit, Replacements, prepend_child, set_text
from sdfviewer.document.element import Element
from sdfviewer.formats.registry import writing_of
from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import GROUND, body_of
from sdfviewer.model.model import Model
from sdfviewer.model.scope import WrittenAxis
from sdfviewer.model.values import NOISE, format_numbers, parse_bool
from sdfviewer.refactoring.editable import RefactoringError, why_read_only
from sdfviewer.refactoring.pose_notation import (
    Notation,
    matrix_of,
    nearest,
    notation_of,
    numbers_of,
    written_numbers,
    written_pose,
)
from sdfviewer.refactoring.pose_writing import describe_move, write_numbers_of
from sdfviewer.transforms import Array, invert

_Value = TypeVar("_Value", np.bool_, np.int64)


def require_movable(model: Model, row: int) -> None:
    """Refuse to move what has no pose of its own in this file.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if row == 0:
        raise RefactoringError("the root frame cannot be moved: all other poses depend on it")
    if not np.isfinite(model.X_RootF[row]).all():
        raise RefactoringError(f"'{model.names[row]}' cannot be moved: its pose is undefined")
    reason = why_read_only(model, row)
    if reason is None:
        if (why := writing_of(model, row).why_fixed(model, row)) is not None:
            raise RefactoringError(why)
        return
    placed = row
    while placed > 0 and model.sources[placed] is not None:
        placed = int(model.owners[placed])
    is_placed_here = 0 < placed < row
    instead = f", or select '{model.names[placed]}' to move the whole model" if is_placed_here else ""
    raise RefactoringError(f"{reason}{instead}")


class MoveSet:
    """Some frames that are moved as one, and what follows each.

    What is measured from a moved frame follows it because the text says so; of several frames that are measured from
    each other only the first is written. Nothing follows a frame that is moved *alone*: what is measured from it is
    recalculated, so that it stays.

    Parameters
    ----------
    model
        What they are in.
    rows
        The frames.
    alone
        Whether what is measured from them stays where it is.

    Attributes
    ----------
    rows
        The frames, of a link of a URDF the joint that says where it is.
    leads
        The frames (k,) that are moved themselves.
    lead_of
        For each row (n,) the number among `leads` of the frame that it moves with, -1 where it stays.
    written
        The rows whose numbers change.

    Raises
    ------
    RefactoringError
        If one of the frames cannot be moved, or something that is to stay cannot be written.
    """

    def __init__(self, model: Model, rows: Sequence[int], *, alone: bool = False) -> None:
        together = {row: writing_of(model, row).rows_at(model, row) for row in rows}
        self.model, self.alone = model, alone
        self.rows = tuple(dict.fromkeys(each[0] for each in together.values()))
        self._chosen = [row for each in together.values() for row in each]
        chosen = np.zeros(len(model), dtype=bool)
        chosen[self._chosen] = True
        references = model.relative_to
        joined = self._joined(chosen)
        if alone:
            ends = graph.sinks(np.where(joined, references, ROOT))
            with_whom = np.where(chosen, ends, ROOT)
        else:
            moved = chosen & ~joined
            ends = graph.sinks(np.where(moved, ROOT, references))
            with_whom = np.where(_at(moved, ends), ends, ROOT)
        self.leads: Rows = np.unique(with_whom[with_whom >= 0])
        for row in self.leads.tolist():
            require_movable(model, row)
        self.lead_of: Rows = np.where(with_whom >= 0, np.searchsorted(self.leads, with_whom), -1)
        self.written: Rows = self._written()
        self._require_kept()

    def _joined(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of the chosen rows (n,) go where another one does, so that nothing is written at them.

        At joint positions other than zero that takes more than to be measured from it: they must be on one body.
        """
        model = self.model
        joined = np.zeros(len(model), dtype=bool)
        targets = model.relative_to
        if not self.alone:
            ends = graph.sinks(np.where(chosen, ROOT, targets))
            targets = np.where(targets >= 0, ends[targets], ROOT)
        for row in self._chosen:
            target = int(targets[row])
            if target >= 0 and chosen[target]:
                joined[row] = model.sources[row] is not None or body_of(model, row) == body_of(model, target)
        return joined

    def _written(self) -> Rows:
        """Return the rows that move differently from the frame of their pose, or from their placement frame."""
        references = self.model.relative_to
        differs = (references >= 0) & (self.lead_of != _at(self.lead_of, references, -1))
        for row, frame in self.model.scope.placement_frames.items():
            # The pose of a model is that of its placement frame; if that frame moves, the model should stay.
            differs[row] |= row > 0 and self.lead_of[row] != self.lead_of[frame]
        rows = np.flatnonzero(differs)
        return rows[np.isfinite(self.model.X_RootF[rows]).all(axis=(1, 2))]

    def _require_kept(self) -> None:
        for row in self.kept.tolist():
            reason = why_read_only(self.model, row)
            if reason is not None:
                raise RefactoringError(f"poses that depend on it cannot be kept: {reason}")

    @property
    def followers(self) -> Rows:
        """The rows that follow the leads."""
        follows = self.lead_of >= 0
        follows[self.leads] = False
        return np.flatnonzero(follows)

    @property
    def kept(self) -> Rows:
        """The rows whose numbers change so that they stay where they are."""
        return np.setdiff1d(self.written, self.leads)


def _at(values: NDArray[_Value], rows: Rows, otherwise: int = 0) -> NDArray[_Value]:
    """Return the values of rows (n,), something else where a row is negative."""
    return np.where(rows >= 0, values[rows], np.asarray(otherwise, values.dtype))


_DECIMALS = 12
"""How many decimals of metres and radians a drag means: a snapped amount has no last digit in a rotated frame."""


@dataclass(frozen=True, eq=False)
class _MovedJoint:
    """A joint between two bodies that follows a lead, by the number of the lead, and the next such joint below it."""

    below: _MovedJoint | None
    lead: int
    parent: int
    child: int


class Move:
    """Some frames that are dragged at joint positions q.

    Parameters
    ----------
    kinematics, q
        What moves, and where it is.
    move_set
        The frames, and what follows them.

    Attributes
    ----------
    start, X_RootF
        Poses (n, 4, 4) of all rows at q, before the drag and now.
    X_zero
        Poses (n, 4, 4) of all rows at zero positions now.
    """

    def __init__(self, kinematics: Kinematics, q: ArrayLike, move_set: MoveSet) -> None:
        self.model: Model = move_set.model  # the one that is edited has the same rows as the one that moves
        self.move_set = move_set
        self._q = np.asarray(q, dtype=np.float64)
        self._moved = np.flatnonzero(move_set.lead_of >= 0)
        self.start: Array = kinematics.poses(self._q)
        self.X_RootF: Array = self.start
        self.X_zero: Array = self.model.X_RootF
        self._at_rest = not self._q.any()
        if not self._at_rest:
            self._displacements = self.start @ invert(self.model.X_RootF)
            self._turns_joints = self._find_turned_joints()
            self._find_anchors(kinematics)

    # --- building ----------------------------------------------------------------------------------------------

    def _find_turned_joints(self) -> bool:
        """Return whether the axis of any joint moves."""
        lead_of = self.move_set.lead_of
        for number, joint in enumerate(self.model.joints):
            axes = self.model.scope.joints[number].axes
            if lead_of[joint.row] >= 0 or any(each.expressed_in >= 0 <= lead_of[each.expressed_in] for each in axes):
                return True
        return False

    def _find_anchors(self, kinematics: Kinematics) -> None:
        """Find the body A that the motion of each lead is seen from, and the joints below it that move."""
        carriers, lead_of = kinematics.forest.carriers, self.move_set.lead_of
        moved: dict[int, _MovedJoint] = {}
        for body in kinematics.forest.outwards():
            carrier = carriers[body]
            below, lead = moved.get(carrier.body), int(lead_of[carrier.joint.row])
            last = _MovedJoint(below, lead, carrier.body, body) if lead >= 0 else below
            if last is not None:
                moved[body] = last
        anchors = []
        for lead, row in enumerate(self.move_set.leads.tolist()):
            body = body_of(self.model, row)
            while (carrier_of := carriers.get(body)) is not None and lead_of[carrier_of.joint.row] == lead:
                body = carrier_of.body
            anchors.append(body)
        self._D_A = np.array([self._displacement(body) for body in anchors])
        # Outwards, so that the frame that a lead is measured from comes before it.
        order = {body: number for number, body in enumerate(moved)}
        moving = sorted((order[moved[body].child], lead) for lead, body in enumerate(anchors) if body in moved)
        self._on_moved = [(lead, moved[anchors[lead]]) for _, lead in moving]

    def _displacement(self, body: int) -> Array:
        """Return D (4, 4) of a body at q, the identity of the ground and of what is not defined."""
        D = self._displacements[body] if body >= 0 else np.eye(4)
        return D if np.isfinite(D).all() else np.eye(4)

    # --- moving ------------------------------------------------------------------------------------------------

    def by(self, motion: ArrayLike) -> Array:
        """Move the frames from their start by a motion M (4, 4) of the posed world; return all poses (n, 4, 4) at q."""
        motions = self._motions(np.asarray(motion, dtype=np.float64))
        X0 = self.model.X_RootF.copy()
        X0[self._moved] = motions[self.move_set.lead_of[self._moved]] @ X0[self._moved]
        self.X_zero = X0
        if self._at_rest:
            self.X_RootF = X0
        elif self._turns_joints:
            self.X_RootF = Kinematics(self.model, X0, self._expressing(X0)).poses(self._q)
        else:
            self.X_RootF = self._displacements @ X0
        return self.X_RootF

    def _expressing(self, X0: Array) -> Array:
        """Return the poses (n, 4, 4) that axes are expressed in, unmoved where they are to keep their direction."""
        if not self.move_set.alone:
            return X0
        X_RootE: Array = X0.copy()
        for axis in kept_axes(self.move_set):
            X_RootE[axis.expressed_in] = self.model.X_RootF[axis.expressed_in]
        return X_RootE

    def _motions(self, M: Array) -> Array:
        """Return the motion M0 (k, 4, 4) of each lead at the initial configuration."""
        if self._at_rest:
            same: Array = np.tile(M, (len(self.move_set.leads), 1, 1))
            return same
        motions: Array = invert(self._D_A) @ M @ self._D_A
        known: dict[int, Array] = {}
        for lead, joint in self._on_moved:
            # Above the joint nothing moves: D_A' = D_C' D_C⁻¹ D_A.
            D = self._moved_displacement(joint, motions, known) @ invert(self._displacement(joint.child))
            motions[lead] = invert(D @ self._D_A[lead]) @ M @ self._D_A[lead]
        return motions

    def _moved_displacement(self, joint: _MovedJoint, motions: Array, known: dict[int, Array]) -> Array:
        """Return D_C' (4, 4) of the body C that a moved joint carries."""
        path: list[_MovedJoint] = []
        each: _MovedJoint | None = joint
        while each is not None and each.child not in known:
            path.append(each)
            each = each.below
        at = GROUND if each is None else each.child
        D = np.eye(4) if each is None else known[at]
        for each in reversed(path):
            D_P, D_C, M0 = self._displacement(each.parent), self._displacement(each.child), motions[each.lead]
            D = D @ invert(self._displacement(at)) @ D_P
            D = D @ M0 @ invert(D_P) @ D_C @ invert(M0)
            known[each.child], at = D, each.child
        return D

    # --- writing -----------------------------------------------------------------------------------------------

    def raw_poses(self, rows: ArrayLike) -> Array:
        """Return the poses (k, 4, 4) that are to be written at k rows: those of their placement frames, if any."""
        return self._raw_poses(np.asarray(rows, dtype=np.int64), self.X_zero)

    def _raw_poses(self, rows: Rows, X0: Array) -> Array:
        frames = self.model.scope.placement_frames
        placed = [frames.get(row, row) for row in rows.tolist()]
        X_RP: Array = invert(X0[self.model.relative_to[rows]]) @ X0[placed]
        return X_RP

    def written_pose(self, row: int) -> Array:
        """Return the pose (4, 4) that the file is to write for a row; that of a link of a URDF is at its joint."""
        X_RP: Array = self.raw_poses(writing_of(self.model, row).rows_at(self.model, row)[:1])[0]
        return X_RP

    def numbers(self, row: int) -> list[float]:
        """Return the six numbers of a row as they are to be written, in metres and radians."""
        return numbers_of(self.written_pose(row), Notation.RADIANS)

    def edit(self, verb: str = "Move") -> Edit:
        """Return the edit that writes where the frames are now, each in the frame that its pose is authored in."""
        edits: Replacements = ()
        written = self.move_set.written
        before, after = self._raw_poses(written, self.model.X_RootF), self._raw_poses(written, self.X_zero)
        for row, X_old, X_new in zip(written.tolist(), before, after, strict=True):
            if np.abs(X_new - X_old).max() > NOISE:
                edits += write_numbers_of(self.model, row, X_new, _DECIMALS)
        if self.move_set.alone:
            edits += keep_parts(self.model, self.move_set, self.X_zero)
        return Edit(self._describe(verb), self.model.document, edits)

    def _describe(self, verb: str) -> str:
        """Return the label of the edit: of one element also where it is afterwards."""
        rows = self.move_set.rows
        if len(rows) > 1:
            return f"{verb} {len(rows)} elements"
        row = rows[-1]
        if row not in self.move_set.written:
            return f"{verb} {self.model.distinct_name(row)}"
        notation = notation_of(written_pose(self.model, row))
        X_RP = self._raw_poses(np.array([row]), self.X_zero)[0]
        numbers = nearest(numbers_of(X_RP, notation), written_numbers(self.model, row, notation), notation)
        return describe_move(self.model, row, numbers, notation)


#: What has a pose in its link or sensor, but is no row of the frame table.
_PARTS = ("inertial", "audio_source", "camera")


def keep_parts(model: Model, move_set: MoveSet, X0: Array) -> Replacements:
    """Return the edit that keeps in place what no row represents: inertias and the like, and axes of other joints.

    Parameters
    ----------
    X0
        X_RootF (n, 4, 4) of all rows at the initial configuration after the move.
    """
    edits: Replacements = ()
    for lead in move_set.leads.tolist():
        X_FF0 = invert(X0[lead]) @ model.X_RootF[lead]  # where the frame was, seen from where it is
        for row in writing_of(model, lead).rows_at(model, lead):
            for part in model.elements[row].findall(*_PARTS):
                edits += _keep_part(model, row, part, X_FF0)
    for axis in kept_axes(move_set):
        R_FF0 = X0[axis.expressed_in, :3, :3].T @ model.X_RootF[axis.expressed_in, :3, :3]
        edits += write_direction(model, axis.element, (R_FF0 @ axis.xyz).tolist())
    return edits


def kept_axes(move_set: MoveSet) -> Iterator[WrittenAxis]:
    """Yield the axes that are expressed in a frame that is moved, of joints that stay."""
    places = move_set.lead_of
    for joint in move_set.model.scope.joints:
        for axis in joint.axes:
            if axis.expressed_in >= 0 <= places[axis.expressed_in] and places[joint.row] < 0:
                yield axis


def _keep_part(model: Model, row: int, part: Element, X_FF0: Array) -> Replacements:
    """Return the edit of the pose of a part of a frame F that a row is at."""
    if part.tag == "inertial" and parse_bool(part.attributes.get("auto", "")):
        return ()  # its pose comes from the collisions, which stay
    document, writing = model.document, writing_of(model, row)
    pose = writing.read_pose(model, part)
    notation = notation_of(pose)
    numbers = writing.pose_numbers(pose)
    written = numbers if numbers is not None and len(numbers) == notation.size else None
    X = X_FF0 if written is None else X_FF0 @ matrix_of(written, notation)
    if pose.element is None:
        return writing.insert_pose(document, part, numbers_of(X, Notation.RADIANS))
    values = numbers_of(X, notation)
    return writing.write_pose(document, pose, values if written is None else nearest(values, written, notation))


def write_direction(model: Model, axis: Element, direction: list[float]) -> Replacements:
    """Return the edit that gives an ``<axis>`` another direction, in the frame in which it is written."""
    text = format_numbers(direction)
    xyz = axis.find("xyz")
    if xyz is None:
        return prepend_child(model.document, axis, f"<xyz>{text}</xyz>")
    return set_text(model.document, xyz, text)
