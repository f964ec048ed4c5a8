"""Picks the pose of the selected frame in the 3D view."""

from __future__ import annotations

from collections.abc import Callable

from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.pose_pick import PosePick
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.poses import writing
from sdfviewer.refactoring.poses.move_set import MoveSet
from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.refactoring.poses.notation import Notation
from sdfviewer.scene.tools.placing import PickedPlace, rounded_pose
from sdfviewer.transforms import Array, invert


def pick_pose_of(
    context: DocumentContext, row: int, turned: Callable[[], bool], ended: Callable[[], None], origin: object
) -> None:
    """Let the next click in the 3D view move a row there, as one undo step; the views show it before.

    Parameters
    ----------
    turned
        Whether the row takes the orientation of the place.
    ended
        Called when picking ends.
    origin
        Who makes the edit.

    Raises
    ------
    RefactoringError
        If the row cannot be moved.
    """
    session = context.session
    model, kinematics = session.model, session.kinematics
    assert model is not None
    if kinematics is None:
        raise RefactoringError("the joints of this model cannot be placed; see its problems")
    move = Move(kinematics, kinematics.positions(session.positions), MoveSet(model, [row]))

    def pose(place: PickedPlace) -> Array:
        return place.pose(move.start[row, :3, :3], turned=turned())

    def edit(place: PickedPlace) -> Edit:
        X_RootP = pose(place)
        move.by(X_RootP @ invert(move.start[row]))
        numbers = rounded_pose(move.raw_poses([row])[0], place, X_RootP)
        return writing.set_pose_numbers(model, row, numbers, Notation.RADIANS)

    def consider(place: PickedPlace | None) -> None:
        context.preview_edit(None if place is None else edit(place))

    def take(place: PickedPlace) -> None:
        context.make(lambda: edit(place), origin)

    context.pick_pose(PosePick(model.names[row], pose, consider, take, ended))
