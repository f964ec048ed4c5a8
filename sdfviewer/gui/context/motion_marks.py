"""The marks of a motion in the 3D view."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.transforms import Array


@dataclass(frozen=True, eq=False)
class MotionMarks:
    """The marks of a motion in the 3D view.

    Attributes
    ----------
    path
        Points (k, 3) in the root that a frame passes, None where none is traced.
    lit
        Rows of the links that collide now.
    """

    path: Array | None = None
    lit: frozenset[int] = frozenset()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MotionMarks) and self.path is other.path and self.lit == other.lit

    def __hash__(self) -> int:
        return hash((id(self.path), self.lit))


NO_MARKS = MotionMarks()
