"""How the frames of one file are moved at the moment: by a drag, by joints, by a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.session.session import Session
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


class FileMotion(QObject):
    """The drags and motions of one file; the text is not changed until a drag ends.

    Parameters
    ----------
    session
        The open file.

    Attributes
    ----------
    move
        The frames that are being dragged, or None.
    marks
        What the 3D view shows of a motion.
    limits_lifted
        Whether joints may go beyond their limits.
    held_joints
        Scoped names of the joints that a drag of a link leaves where they are.
    """

    #: The mouse begins to drag a frame or a joint: messages about the action before are out of date.
    drag_began = Signal()
    #: The present `Move` has changed; None when it ended.
    moved = Signal(Move)
    #: Other `marks` are shown.
    marks_changed = Signal(MotionMarks)
    #: Other joints are held while a link is dragged: `held_joints`.
    held_joints_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.move: Move | None = None
        self.marks = NO_MARKS
        self.limits_lifted = False
        self.held_joints: frozenset[str] = frozenset()

    @property
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows as they are shown: at the current joint positions, during a drag."""
        return self._session.X_RootF if self.move is None else self.move.X_RootF

    def set_move(self, move: Move | None) -> None:
        """Show in all views how far frames have been dragged; None ends it."""
        self.move = move
        self.moved.emit(move)

    def mark(self, marks: MotionMarks) -> None:
        """Show in 3D what a motion does."""
        if marks != self.marks:
            self.marks = marks
            self.marks_changed.emit(marks)

    def hold_joint(self, name: str, held: bool) -> None:
        """Leave a joint, by its scoped name, where it is while a link is dragged, or let it move again."""
        others = self.held_joints - {name}
        self.held_joints = others | {name} if held else others
        self.held_joints_changed.emit()

    def rename(self, names: Mapping[str, str]) -> None:
        """Keep holding joints whose scoped names have changed."""
        self.held_joints = frozenset(names.get(name, name) for name in self.held_joints)
