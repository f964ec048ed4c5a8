"""A pose that the user picks in the 3D view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
