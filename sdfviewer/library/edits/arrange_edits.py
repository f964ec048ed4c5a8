"""Edits that place several frames by script: mate, align, distribute, mirror."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sdfviewer.library.edits.edit_block import EditBlock
from sdfviewer.library.handle import Thing
from sdfviewer.library.names import short_name
from sdfviewer.operations import arranging

AxisName = Literal["x", "y", "z"]


class ArrangeEdits(EditBlock):
    """The edits that place frames by other frames."""

    def mate(
        self,
        a: str | Thing,
        b: str | Thing,
        *,
        align: Literal["all", "origin", "axis"] = "all",
        offset: Sequence[float] = (0.0, 0.0, 0.0),
        angle: float = 0.0,
        written_as: Literal["relative_to", "placement_frame", "joint"] | None = None,
    ) -> None:
        """Move the part that carries frame B so that B coincides with frame A.

        Parameters
        ----------
        a, b
            The frames.
        align
            What coincides: the origin and all axes, the origin, or the origin and the z axis.
        offset, angle
            Position (3,) of B in A in metres, and rotation about the z axis of A in radians, then.
        written_as
            By default whichever the scopes allow.
        """
        self._do(arranging.mate, a=a, b=b, align=align, offset=offset, angle=angle, written_as=written_as)

    def align(self, *frames: str | Thing, axes: str = "xyz", of: str | Thing | None = None) -> None:
        """Give frames the coordinates of the last one, along some axes of the frame `of` (the root by default)."""
        self._do(arranging.align, frames=frames, axes=axes, of=of)

    def distribute(self, *frames: str | Thing, axes: str = "xyz", of: str | Thing | None = None) -> None:
        """Give frames equal distances between the outermost two, along some axes of the frame `of`."""
        self._do(arranging.distribute, frames=frames, axes=axes, of=of)

    def mirror(
        self,
        link: str | Thing,
        names: tuple[str, str] | None = None,
        *,
        axis: AxisName = "y",
        frame: str | Thing | None = None,
    ) -> list[str]:
        """Write a link, and what joints carry below it, again on the other side; return the names of the copies.

        The same joint positions give the mirrored configuration.

        Parameters
        ----------
        link
            The link that the limb begins with.
        names
            What is replaced in the names, and with what: ``("left", "right")``. By default guessed from the link's.
        axis, frame
            The axis that is reversed, of `frame`: the model that the link is in by default.
        """
        done = self._do(arranging.mirror, link=link, names=names, axis=axis, frame=frame)
        return [short_name(self._table, self._table.row(name)) for name in done.edit.added]
