"""Degrees of freedom, and the poses of all frames by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sdfviewer.library.elements import Joint
from sdfviewer.library.names import AnyHandle, short_name
from sdfviewer.library.pose import Pose, as_pose
from sdfviewer.library.state import State
from sdfviewer.model.hints import Hinted
from sdfviewer.transforms import Array


@dataclass(frozen=True, slots=True)
class DegreeOfFreedom(Hinted):
    """One degree of freedom, a column of the joint positions q.

    Attributes
    ----------
    name
        That of its joint; of further axes with their number, ``wrist[1]``.
    joint
        Its joint.
    axis
        Which of the joint's degrees of freedom it is.
    unit
        ``rad`` or ``m``.
    lower, upper
        Limits in that unit; infinite if there is none.
    leader
        Name of the degree of freedom that this one follows, None where it is free.
    """

    name: str
    joint: Joint
    axis: int
    unit: str
    lower: float
    upper: float
    leader: str | None = None


class Poses(Mapping[str, Pose], Hinted):
    """Poses of all frames by name or handle, short names too where they are unambiguous.

    Attributes
    ----------
    array
        All of them (..., n, 4, 4), in the order of :attr:`names`.
    """

    def __init__(self, state: State, array: Array) -> None:
        self._state = state
        self.array = array

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order of the file."""
        table = self._state.table
        return tuple(short_name(table, row) for row in range(len(table)))

    def __getitem__(self, name: str | AnyHandle) -> Pose:
        return as_pose(self.array[..., self._state.index.row(name), :, :])

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self.names))

    def __len__(self) -> int:
        return len(set(self.names))

    def _hint(self, name: str) -> str:
        return f"; use poses['{name}']" if name in self else super()._hint(name)

    def __repr__(self) -> str:
        return f"<poses of {len(self)} frames, shape {self.array.shape}>"
