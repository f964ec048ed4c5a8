"""Edits of poses by script: numbers, relative_to, attached_to, notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from numpy.typing import ArrayLike

from sdfviewer.library.edits.edit_block import EditBlock
from sdfviewer.library.names import AnyHandle
from sdfviewer.library.pose import Pose
from sdfviewer.operations import frames as frame_operations
from sdfviewer.operations import properties
from sdfviewer.transforms import Array

Keep = Literal["pose", "numbers"]


class PoseEdits(EditBlock):
    """The edits of poses."""

    def set_pose(
        self,
        frame: str | AnyHandle,
        pose: ArrayLike | Pose | None = None,
        *,
        xyz: Sequence[float] | Array | None = None,
        rpy: Sequence[float] | Array | None = None,
        quaternion: Sequence[float] | Array | None = None,
        relative_to: str | AnyHandle | None = None,
        degrees: bool = False,
        together: bool = False,
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
        together
            Whether what is one part with a visual or collision moves with it, see :meth:`set_geometry`.

        Raises
        ------
        InvalidValueError
            If a shape is wrong or a number is not finite.
        EditError
            If the frame is written in another file.
        """
        self._do(
            frame_operations.set_pose,
            frame=frame,
            pose=pose,
            xyz=xyz,
            rpy=rpy,
            quaternion=quaternion,
            relative_to=relative_to,
            degrees=degrees,
            together=together,
        )

    def move(
        self,
        frame: str | AnyHandle,
        to: ArrayLike | Pose,
        relative_to: str | AnyHandle | None = None,
        *,
        alone: bool = False,
        together: bool = False,
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
        together
            Whether what is one part with a visual or collision moves with it, see :meth:`set_geometry`.
        """
        where = {"to": to, "relative_to": relative_to, "alone": alone, "together": together}
        self._do(frame_operations.move, frame=frame, **where)

    def set_relative_to(self, frame: str | AnyHandle, target: str | AnyHandle | None, keep: Keep = "pose") -> None:
        """Measure the pose of a frame from another one, None for the default.

        ``keep="pose"`` keeps it in place and rewrites its numbers; ``keep="numbers"`` moves it.
        """
        self._do(frame_operations.set_relative_to, frame=frame, target=target, keep=keep)

    def set_attached_to(self, frame: str | AnyHandle, target: str | AnyHandle | None, keep: Keep = "pose") -> None:
        """Attach a ``<frame>`` to another one, None for the default; see :meth:`set_relative_to`."""
        self._do(frame_operations.set_attached_to, frame=frame, target=target, keep=keep)

    def set_coordinate(
        self,
        *frames: str | AnyHandle,
        coordinate: Literal["x", "y", "z", "roll", "pitch", "yaw"],
        value: float,
        together: bool = False,
    ) -> None:
        """Give the raw poses of frames the same x, y, z, roll, pitch or yaw, in metres or radians.

        The other five numbers of each pose stay as they are written, and so does its notation. With `together`, what is
        one part with a visual or collision moves with it, see :meth:`set_geometry`.
        """
        where = {"coordinate": coordinate, "value": value, "together": together}
        self._do(frame_operations.set_coordinate, frames=frames, **where)

    def set_notation(self, *frames: str | AnyHandle, notation: Literal["radians", "degrees", "quaternion"]) -> None:
        """Write poses in another notation; nothing moves."""
        self._do(frame_operations.set_notation, frames=frames, notation=notation)

    def override_pose(self, frame: str | AnyHandle, pose: ArrayLike | Pose) -> None:
        """Give something in an included model another pose, by ``<experimental:params>`` of the include.

        Parameters
        ----------
        frame
            What is in an included model.
        pose
            ``x y z roll pitch yaw`` or a matrix (4, 4), measured as the pose in the included file is.

        Raises
        ------
        EditError
            If it is in no included model, or has no pose.
        """
        self._do(properties.override_pose, frame=frame, pose=pose)

    def set_override(self, include: str | AnyHandle, path: str, value: str | float | Sequence[float] | None) -> None:
        """Give what an include changes in its model another value, or (None) take the change out.

        Parameters
        ----------
        include
            The included model.
        path
            What it changes: names of the element, tags in it, ``@name`` of an attribute: ``"left::tool/pose"``.
        value
            What counts in place of the value in the included file.

        Raises
        ------
        EditError
            If the include does not change that.
        """
        self._do(properties.set_override, include=include, path=path, value=value)
