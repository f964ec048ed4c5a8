"""Edits that place several frames by script: mate, align, distribute, mirror."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.library.edit_block import EditBlock
from sdfviewer.library.handle import Thing
from sdfviewer.library.names import short_name
from sdfviewer.operations.parameters import finite
from sdfviewer.refactoring.arranging import Arrangement, arrange
from sdfviewer.refactoring.limb import Mirror, guess_sides
from sdfviewer.refactoring.mating import Align, Mate, MateForm, write_mate
from sdfviewer.refactoring.mirroring import mirror_limb

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
        if align not in ("all", "origin", "axis"):
            raise InvalidValueError(f"align must be 'all', 'origin' or 'axis', not {align!r}")
        x, y, z = finite(offset, 3, "offset").tolist()
        mate = Mate(self._row(a), self._row(b), Align(align), (x, y, z), float(angle))
        self._make(write_mate(self._table, mate, MateForm(written_as) if written_as is not None else None))

    def align(self, *frames: str | Thing, axes: str = "xyz", of: str | Thing | None = None) -> None:
        """Give frames the coordinates of the last one, along some axes of the frame `of` (the root by default)."""
        self._arrange(Arrangement.ALIGN, frames, axes, of)

    def distribute(self, *frames: str | Thing, axes: str = "xyz", of: str | Thing | None = None) -> None:
        """Give frames equal distances between the outermost two, along some axes of the frame `of`."""
        self._arrange(Arrangement.DISTRIBUTE, frames, axes, of)

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
        row = self._row(link)
        find, replace = names if names is not None else guess_sides(self._table.local_names[row])
        about = -1 if frame is None else self._row(frame)
        edit = mirror_limb(self._table, Mirror(row, about, _axes(axis)[0], find, replace))
        self._make(edit)
        return [short_name(self._table, self._table.row(name)) for name in edit.added]

    def _arrange(self, how: Arrangement, frames: Sequence[str | Thing], axes: str, of: str | Thing | None) -> None:
        rows = [self._row(frame) for frame in frames]
        self._make(arrange(self._table, rows, how, _axes(axes), frame=0 if of is None else self._row(of)))


def _axes(names: str) -> list[int]:
    """Return the numbers of axes that are named like ``"xz"``.

    Raises
    ------
    InvalidValueError
        If there is none, or another letter.
    """
    if not names or any(name not in "xyz" for name in names):
        raise InvalidValueError(f"axes are letters of 'xyz', not {names!r}")
    return ["xyz".index(name) for name in names]
