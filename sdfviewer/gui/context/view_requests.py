"""What features hand to the 3D view of their file: a pose to pick, a dropped mesh, the marks of a motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sdfviewer.scene.tools.dropping import DropTarget
from sdfviewer.scene.tools.placing import PickedPlace
from sdfviewer.transforms import Array


@dataclass(frozen=True, eq=False)
class PosePick:
    """A request to the 3D view: the next click picks a pose.

    Attributes
    ----------
    what
        What gets the pose, for the user.
    pose
        Returns X_RootF (4, 4) of what would be put at a place.
    consider
        Called with the place under the mouse, and with None if there is none.
    take
        Called with the place that was clicked.
    ended
        Called after a click, and where the user gives it up.
    """

    what: str
    pose: Callable[[PickedPlace], Array]
    consider: Callable[[PickedPlace | None], None]
    take: Callable[[PickedPlace], None]
    ended: Callable[[], None]


@dataclass(frozen=True, eq=False)
class MeshDrop:
    """A mesh file, and where it was dropped."""

    path: Path
    target: DropTarget


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
