"""The two pose conventions: model-absolute, as in SDFormat, and element-relative, as in URDF.

A pose without ``relative_to`` is measured

================  ==================================  =====================================================
pose of           model-absolute                      element-relative
================  ==================================  =====================================================
a link            from its model                      from the joint that drives it, so that it is X_JcC;
                                                      from its model where no joint does
a joint           from its child                      from its parent P, so that it is X_PJp
a frame           from what it is attached to         the same
================  ==================================  =====================================================

An explicit ``relative_to`` means the same in both. The conventions differ in the elements that rely on a default, and
in what depends on those. The element-relative one may have a cycle of its own: a joint that is written relative to its
child, while the child is measured from the joint.

Source: pose frame semantics proposal, 'Addendum: Model Building, Contrast
"Model-Absolute" vs "Element-Relative" Coordinates'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer import transforms
from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import bodies_of
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, invert

MODEL_ABSOLUTE, ELEMENT_RELATIVE = "model-absolute", "element-relative"
CONVENTIONS = (MODEL_ABSOLUTE, ELEMENT_RELATIVE)

#: Poses that differ by less are the same: rounding of numbers that went through a file.
TOLERANCE = 1e-9


class PoseConvention:
    """The poses of a model in one of the two conventions.

    Attributes
    ----------
    model
        The file.
    name
        ``"model-absolute"`` or ``"element-relative"``.
    relative_to
        Target rows (n,) of the pose graph in this convention.
    X_RootF
        Resolved poses (n, 4, 4) at the initial configuration; NaN where this convention leaves them undefined.
    """

    def __init__(self, model: Model, name: str = MODEL_ABSOLUTE) -> None:
        if name not in CONVENTIONS:
            raise ValueError(f"'{name}' must be one of: {', '.join(CONVENTIONS)}")
        self.model = model
        self.name = name
        if name == MODEL_ABSOLUTE:
            self.relative_to, self.X_RootF = model.relative_to, model.X_RootF
        else:
            self.relative_to = element_relative_targets(model)
            is_same = np.array_equal(self.relative_to, model.relative_to)
            self.X_RootF = model.X_RootF if is_same else graph.resolve(self.relative_to, model.raw_poses)

    @cached_property
    def kinematics(self) -> Kinematics:
        """Forward kinematics of this convention; its degrees of freedom are those whose joints it can place."""
        return Kinematics(self.model, self.X_RootF)

    @cached_property
    def cycles(self) -> list[list[int]]:
        """The rows of each cycle in the poses of this convention, in the direction of ``relative_to``."""
        return graph.cycles(self.relative_to)

    def cycle_path(self, cycle: list[int]) -> str:
        """Return a cycle as ``a → b → a``, with scoped names."""
        return " → ".join(self.model.names[row] for row in [*cycle, cycle[0]])


def driving_joints(model: Model) -> dict[int, Joint]:
    """Return by row of each link the joint that drives it: the first in the file that names its body as child."""
    drivers: dict[int, Joint] = {}
    for joint in model.joints:
        body = int(model.bodies[joint.child]) if joint.child >= 0 else ROOT
        if body >= 0 and model.kinds[body] is Kind.LINK:
            drivers.setdefault(body, joint)
    return drivers


def element_relative_target(model: Model, row: int, drivers: dict[int, Joint]) -> int:
    """Return the row that a pose without ``relative_to`` is measured from in the element-relative convention."""
    kind = model.kinds[row]
    if kind is Kind.LINK and row in drivers:
        return drivers[row].row
    if kind is Kind.JOINT:
        parent = model.joints_by_row[row].parent
        # The world outside of a model file has no row; the model frame represents it, as in libsdformat's URDF parser.
        return int(model.scopes[row]) if parent == ROOT else parent
    return int(model.relative_to[row])


def element_relative_targets(model: Model) -> Rows:
    """Return the target rows (n,) of the pose graph in the element-relative convention."""
    drivers = driving_joints(model)
    targets: Rows = model.relative_to.copy()
    # All other rows are measured from the same ones in both conventions: a world of thousands of models has few joints.
    for row in {*drivers, *model.joints_by_row}:
        if model.relative_to_written[row] is None:
            targets[row] = element_relative_target(model, row, drivers)
    return targets


@dataclass(frozen=True, slots=True)
class Differences:
    """Distance of each row between the conventions: metres (n,) and radians (n,), NaN where undefined.

    `are_frames` says which rows (n,) are frames, by default all: visuals, sensors and others are carried by them.
    `are_placed` says which have a pose in one convention at least, by default all.
    """

    metres: Array
    radians: Array
    are_frames: NDArray[np.bool_] | None = None
    are_placed: NDArray[np.bool_] | None = None

    @classmethod
    def between(cls, X_absolute: Array, X_relative: Array, are_frames: NDArray[np.bool_] | None) -> Differences:
        """Return the differences between the poses (..., n, 4, 4) of both conventions."""
        are_placed = np.asarray(np.isfinite(X_absolute[..., 0, 3]) | np.isfinite(X_relative[..., 0, 3]))
        return cls(*transforms.pose_error(X_absolute, X_relative), are_frames, are_placed)

    @property
    def different(self) -> NDArray[np.bool_]:
        """Which rows (n,) differ by more than rounding, or are defined in one convention only."""
        different = ~(np.maximum(self.metres, self.radians) <= TOLERANCE)
        return np.asarray(different if self.are_placed is None else different & self.are_placed)

    @property
    def largest(self) -> tuple[float, float]:
        """The largest distance in metres and the largest rotation in radians, of the frames if any of them differ.

        What a frame carries moves farther where the frame turns, by as much as it sticks out.
        """
        counted = self.different if self.are_frames is None else self.different & self.are_frames
        rows = counted if counted.any() else slice(None)
        metres, radians = (float(np.nanmax(each[rows], initial=0.0)) for each in (self.metres, self.radians))
        return metres, radians

    @property
    def shares(self) -> Array:
        """The difference of each row (n,) as a part of the largest, from 0 to 1; NaN where undefined.

        Distances are compared with the largest distance and rotations with the largest rotation. The larger counts.
        What a frame carries is at most 1, too.
        """
        parts = [
            each / largest if largest > TOLERANCE else each * 0.0
            for each, largest in zip((self.metres, self.radians), self.largest, strict=True)
        ]
        return np.asarray(np.minimum(np.maximum(*parts), 1.0))

    @property
    def rows(self) -> list[int]:
        """The rows that differ, those farthest apart first; rows that only one convention can place come before all."""
        shares, different = np.nan_to_num(self.shares, nan=np.inf), np.flatnonzero(self.different)
        return [int(row) for row in different[np.argsort(-shares[different], kind="stable")]]


class Comparison:
    """The poses of a model in both conventions, at the same joint positions.

    Attributes
    ----------
    model
        The file.
    absolute, relative
        The model-absolute and the element-relative convention.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.absolute = PoseConvention(model, MODEL_ABSOLUTE)
        self.relative = PoseConvention(model, ELEMENT_RELATIVE)

    def poses(self, q: ArrayLike, rows: ArrayLike | None = None) -> tuple[Array, Array]:
        """Return X_RootF(q) (..., n, 4, 4) of all rows in the model-absolute and the element-relative convention.

        Parameters
        ----------
        q
            Positions (..., m) in the order of the model-absolute convention's degrees of freedom; those that the other
            convention does not have, because it cannot place the joint, move nothing in it.
        rows
            Which rows, if not all: a sequence of k row numbers gives (..., k, 4, 4).
        """
        q = np.asarray(q, dtype=np.float64)
        X_absolute = self.absolute.kinematics.poses(q, rows)
        if self.relative.X_RootF is self.absolute.X_RootF:  # all poses are measured from the same rows
            return X_absolute, X_absolute.copy()
        return X_absolute, self.relative.kinematics.poses(self._positions_of_relative(q), rows)

    @cached_property
    def columns_of_relative(self) -> Rows:
        """For each degree of freedom (m,) of the element-relative convention its column in the other one's, or -1."""
        columns = {dof.name: column for column, dof in enumerate(self.absolute.kinematics.dofs)}
        return np.array([columns.get(dof.name, -1) for dof in self.relative.kinematics.dofs], dtype=np.int64)

    def _positions_of_relative(self, q: Array) -> Array:
        columns = self.columns_of_relative
        result = np.zeros((*q.shape[:-1], len(columns)))
        result[..., columns >= 0] = q[..., columns[columns >= 0]]
        return result

    def differences(self, q: ArrayLike, rows: ArrayLike | None = None) -> Differences:
        """Return the distance of each row between the conventions at positions q (m,) or (..., m)."""
        X_absolute, X_relative = self.poses(q, rows)
        are_frames = self.model.is_vertex if rows is None else self.model.is_vertex[np.asarray(rows, dtype=np.intp)]
        return Differences.between(X_absolute, X_relative, are_frames)

    @cached_property
    def initial_differences(self) -> Differences:
        """The differences at the initial configuration."""
        return Differences.between(self.absolute.X_RootF, self.relative.X_RootF, self.model.is_vertex)

    @property
    def equal(self) -> bool:
        """Whether both conventions agree for every row at every q.

        The motion depends on nothing but the initial poses and the axes, so agreement at the start is agreement
        everywhere. Rows that the file itself leaves undefined do not count.
        """
        X = self.absolute.X_RootF
        return not any(np.isfinite(X[row]).all() for row in self.initial_differences.rows)

    @cached_property
    def causes(self) -> Rows:
        """For each row (n,) the row whose default makes it differ, ROOT where nothing does.

        That is the nearest element on the way to the root that relies on a default that the conventions resolve
        differently; for a row that starts out equal, the cause of the nearest joint below it that does not.
        """
        differs = self.initial_differences.different
        if not differs.any():
            return np.full(len(differs), ROOT)
        causes: Rows = np.where(differs, self._partings(), ROOT)
        bodies = bodies_of(self.model)
        below = {body: self._cause_above(body, differs, causes) for body in np.unique(bodies[~differs]).tolist()}
        causes[~differs] = [below[body] for body in bodies[~differs].tolist()]
        return causes

    def _cause_above(self, body: int, differs: NDArray[np.bool_], causes: Rows) -> int:
        """Return the cause of the nearest joint that carries a body and starts out different, ROOT if there is none."""
        carriers = self.absolute.kinematics.forest.carriers
        while (carrier := carriers.get(body)) is not None:
            if differs[carrier.joint.row]:
                return int(causes[carrier.joint.row])
            body = carrier.body
        return ROOT

    def _partings(self) -> Rows:
        """Return for each row (n,) the nearest row on the way to the root whose targets differ, ROOT if there is none.

        The way ends in a cycle.
        """
        targets = self.relative.relative_to
        parts = self.absolute.relative_to != targets
        ends = parts | (targets < 0)
        ends[[row for cycle in self.relative.cycles for row in cycle]] = True
        ahead = np.where(ends, np.arange(len(ends)), targets)
        for _ in range(len(ends).bit_length()):  # each time twice as far
            ahead = ahead[ahead]
        return np.where(parts[ahead], ahead, ROOT)

    def reason(self, row: int) -> str:
        """Return why a row differs between the conventions, empty where nothing makes it differ."""
        cause = int(self.causes[row])
        if cause < 0:
            return ""
        names, kind = self.model.names, self.model.kinds[cause]
        absolute, relative = int(self.absolute.relative_to[cause]), int(self.relative.relative_to[cause])
        element = self.model.elements[cause]
        what = "has no <pose>" if element.find("pose") is None else "has a pose without relative_to"
        if kind is Kind.JOINT:
            return (
                f"joint '{names[cause]}' {what}: it is measured from its child '{self._name(absolute)}'; "
                f"URDF measures it from its parent '{self._name(relative)}'"
            )
        return (
            f"link '{names[cause]}' {what}: it is measured from the model '{self._name(absolute)}'; "
            f"URDF measures it from the joint '{self._name(relative)}' that drives it"
        )

    def _name(self, row: int) -> str:
        return self.model.names[row] if row >= 0 else "?"

    @cached_property
    def own_cycles(self) -> list[list[int]]:
        """The cycles that only the element-relative convention has."""
        return [cycle for cycle in self.relative.cycles if cycle not in self.absolute.cycles]

    @cached_property
    def faults(self) -> list[str]:
        """A message for each cycle that only the element-relative convention has."""
        return [
            f"the element-relative poses form a cycle: {self.relative.cycle_path(cycle)}" for cycle in self.own_cycles
        ]


@dataclass(frozen=True, slots=True, eq=False)
class JointFrames:
    """Where Jp and Jc of a joint are.

    Attributes
    ----------
    parent, child
        Rows of P and C, the frames that the joint names; :data:`~sdfviewer.model.graph.ROOT` for the world outside of
        a model file, which the root frame represents.
    X_PJp, X_CJc
        Poses (4, 4) of Jp in P and of Jc in C, which no motion changes.
    X_JpJc
        Pose (4, 4) of Jc in Jp at the requested configuration: the motion of the joint.
    """

    parent: int
    child: int
    X_PJp: Array
    X_CJc: Array
    X_JpJc: Array


def resolve_joint_frames(model: Model, joint: Joint, X_RootF: Array) -> JointFrames | None:
    """Return the frames of a joint, None where an end of it, or a pose that it needs, is undefined.

    Parameters
    ----------
    X_RootF
        Poses (n, 4, 4) of all rows at a configuration q.
    """
    X_PJp, X_CJc, X_JpJc = joint_frame_poses(model, (joint,), X_RootF)[0]
    if not (np.isfinite(X_PJp).all() and np.isfinite(X_CJc).all() and np.isfinite(X_JpJc).all()):
        return None
    return JointFrames(joint.parent, joint.child, X_PJp, X_CJc, X_JpJc)


def joint_frame_poses(model: Model, joints: Sequence[Joint], X_RootF: Array) -> Array:
    """Return X_PJp, X_CJc and X_JpJc of joints (k, 3, 4, 4), NaN where undefined; see `resolve_joint_frames`."""
    rows = np.array([(each.row, each.parent, each.child) for each in joints], np.int64).reshape(-1, 3).T
    joint, parent, child = rows
    X_RootJ = model.X_RootF[joint]
    X_PJp = invert(_in_root(model.X_RootF, parent)) @ X_RootJ
    X_CJc = invert(_in_root(model.X_RootF, child)) @ X_RootJ
    X_JpRoot = invert(_in_root(X_RootF, parent) @ X_PJp)
    poses = np.stack([X_PJp, X_CJc, X_JpRoot @ _in_root(X_RootF, child) @ X_CJc], axis=1)
    poses[(child < 0) | ((parent < 0) & (parent != ROOT))] = np.nan
    return poses


def _in_root(X_RootF: Array, rows: NDArray[np.int64]) -> Array:
    """Return the poses of rows (k, 4, 4); that of the root where there is no such row."""
    X: Array = X_RootF[np.maximum(rows, 0)]
    X[rows < 0] = np.eye(4)
    return X
