"""Edits of poses by script: numbers, relative_to, attached_to, notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.library.edit_block import EditBlock
from sdfviewer.library.handle import Thing
from sdfviewer.library.pose import Pose, to_matrix
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.operations import frames as frame_operations
from sdfviewer.operations.parameters import finite
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.poses.move_set import MoveSet, require_movable
from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.refactoring.poses.notation import Notation, written_numbers
from sdfviewer.refactoring.poses.writing import set_notation, set_pose_numbers
from sdfviewer.refactoring.retargeting import set_relative_to
from sdfviewer.transforms import Array, invert, matrix_to_pose

Keep = Literal["pose", "numbers"]
_NOTATIONS = {"radians": Notation.RADIANS, "degrees": Notation.DEGREES, "quaternion": Notation.QUATERNION}


class PoseEdits(EditBlock):
    """The edits of poses."""

    def set_pose(
        self,
        frame: str | Thing,
        pose: ArrayLike | Pose | None = None,
        *,
        xyz: Sequence[float] | Array | None = None,
        rpy: Sequence[float] | Array | None = None,
        quaternion: Sequence[float] | Array | None = None,
        relative_to: str | Thing | None = None,
        degrees: bool = False,
    ) -> None:
        """Set the raw pose of a frame: its pose in the frame that its ``relative_to`` names.

        What is measured from it moves with it. The file's notation stays.

        Parameters
        ----------
        frame
            The frame, link, joint, visual ... to move.
        pose
            A matrix (4, 4), a :class:`Pose`, or ``x y z roll pitch yaw``; the present one by default.
        xyz, rpy, quaternion
            In place of the translation or the rotation of `pose`; metres and radians, ``w x y z``.
        relative_to
            Another frame to measure the pose from, which is written too.
        degrees
            Whether `rpy`, and the angles of a pose of six numbers, are in degrees.

        Raises
        ------
        InvalidValueError
            If a shape is wrong or a number is not finite.
        EditError
            If the frame is written in another file.
        """
        if quaternion is None and rpy is None and pose is None and xyz is None:
            raise InvalidValueError("give a target: a pose, xyz, rpy or quaternion")
        if rpy is not None and quaternion is not None:
            raise InvalidValueError("give the rotation as rpy or as a quaternion, not as both")
        given = None if pose is None else numbers_of(pose, degrees=degrees)
        translation = None if xyz is None else finite(xyz, 3, "xyz").tolist()
        rotation = None if quaternion is None else Pose(quaternion=quaternion).rpy.tolist()
        if rpy is not None:
            angles = finite(rpy, 3, "rpy")
            rotation = (np.radians(angles) if degrees else angles).tolist()
        row = self._row(frame)
        with self._named():
            if relative_to is not None:
                self._make(set_relative_to(self._table, row, self._named_by(row, "relative_to", relative_to), "pose"))
            written = written_numbers(self._table, row) if given is None else given
            numbers = [*(translation or written[:3]), *(rotation or written[3:])]
            self._make(set_pose_numbers(self._table, row, [float(value) for value in numbers], Notation.RADIANS))

    def move(
        self,
        frame: str | Thing,
        to: ArrayLike | Pose,
        relative_to: str | Thing | None = None,
        *,
        alone: bool = False,
    ) -> None:
        """Move a frame F to a pose X_GF in another frame G, written in the frame that F is authored in.

        Parameters
        ----------
        frame
            F.
        to
            X_GF.
        relative_to
            G; the frame of the top model or the world by default.
        alone
            Whether what is measured from F stays where it is.
        """
        table, row = self._table, self._row(frame)
        require_movable(table, row)
        X_RootG = np.eye(4) if relative_to is None else table.X_RootF[self._row(relative_to)]
        if not np.isfinite(X_RootG).all():
            raise EditError("the pose of the new relative_to frame is undefined")
        motion = X_RootG @ to_matrix(to) @ invert(table.X_RootF[row])
        kinematics = Kinematics(table)
        moving = Move(kinematics, kinematics.q0, MoveSet(table, [row], alone=alone))
        moving.by(motion)
        self._make(moving.edit())

    def set_relative_to(self, frame: str | Thing, target: str | Thing | None, keep: Keep = "pose") -> None:
        """Measure the pose of a frame from another one, None for the default.

        ``keep="pose"`` keeps it in place and rewrites its numbers; ``keep="numbers"`` moves it.
        """
        self._do(frame_operations.set_relative_to, frame=frame, target=target, keep=keep)

    def set_attached_to(self, frame: str | Thing, target: str | Thing | None, keep: Keep = "pose") -> None:
        """Attach a ``<frame>`` to another one, None for the default; see :meth:`set_relative_to`."""
        self._do(frame_operations.set_attached_to, frame=frame, target=target, keep=keep)

    def set_notation(self, *frames: str | Thing, notation: Literal["radians", "degrees", "quaternion"]) -> None:
        """Write poses in another notation; nothing moves."""
        if notation not in _NOTATIONS:
            raise InvalidValueError(f"there is no notation '{notation}': use {', '.join(_NOTATIONS)}")
        self._make(set_notation(self._table, [self._row(frame) for frame in frames], _NOTATIONS[notation]))


def numbers_of(pose: ArrayLike | Pose, *, degrees: bool = False) -> list[float]:
    """Return ``x y z roll pitch yaw`` of a pose in any form, in radians."""
    if isinstance(pose, Pose) or np.shape(pose) != (6,):
        numbers: list[float] = matrix_to_pose(to_matrix(pose)).tolist()
        return numbers
    values = finite(pose, 6, "a pose")
    return [*values[:3].tolist(), *(np.radians(values[3:]) if degrees else values[3:]).tolist()]


def checked(keep: Keep) -> Keep:
    """Return the checked value of ``keep``.

    Raises
    ------
    InvalidValueError
        If it is neither ``pose`` nor ``numbers``.
    """
    if keep not in ("pose", "numbers"):
        raise InvalidValueError(f"keep must be 'pose' or 'numbers', not {keep!r}")
    return keep
