"""What the views of one file tell each other without an edit: messages, highlights, requests, motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import Span
from sdfviewer.display_text import as_done
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.model.model import Model
from sdfviewer.refactoring.pose_moving import Move
from sdfviewer.scene.tools.placing import DropTarget, PickedPlace
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session import Session
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
    """A file of a mesh or a robot, and where it was dropped."""

    path: Path
    target: DropTarget


@dataclass(frozen=True, eq=False)
class WrittenValueRequest:
    """A value that a xacro file writes, and that the user wants to change.

    Attributes
    ----------
    row
        The row of the frame table that has it.
    element, part
        The element of the expansion, and ``"@name"`` for an attribute, ``"text"`` for the text.
    path
        The way to it from the row's element, ``origin/xyz``.
    """

    row: int
    element: Element
    part: str
    path: str


def written_text(element: Element, part: str) -> str:
    """Return the value of a part of an element, in one line."""
    return " ".join((element.text if part == "text" else element.attributes[part[1:]]).split())


class Requests(QObject):
    """What the parts of one file request of each other: places to show, poses to pick.

    Attributes
    ----------
    pick
        What the next click in the 3D view picks a pose for, or None.
    """

    #: A `Span` that the source view should show.
    place = Signal(Span)
    #: The same, where the panel that asks is to stay in front of the source view.
    place_behind = Signal(Span)
    #: A `Span` of another file, which should be opened there.
    other_file = Signal(Span)
    #: Folders in which models should be looked for from now on.
    model_folders = Signal(tuple)
    #: The user wants to show the folder that holds what is missing.
    locate = Signal()
    #: The user wants the xacro files to be evaluated that have not been.
    evaluate = Signal()
    #: The user wants to give the arguments of this xacro file.
    arguments = Signal()
    #: The user wants to download the models that are missing.
    download = Signal()
    #: Scoped names that the 3D view should centre and come near to.
    focus = Signal(tuple)
    #: Scoped names that the 3D view and the graphs should scroll to if they do not show them.
    reveal = Signal(tuple)
    #: The scoped name of a frame from which the 3D view should measure.
    measure = Signal(str)
    #: The `MeshDrop` of a mesh file for which a form should be opened.
    mesh = Signal(MeshDrop)
    #: The `MeshDrop` of a robot that is to be joined to the link that it was dropped on.
    robot = Signal(MeshDrop)
    #: The `WrittenValueRequest` of a value for which a form should be opened.
    written_value = Signal(WrittenValueRequest)
    #: Whether the next click in the 3D view picks a pose has changed: `pick`.
    pick_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pick: PosePick | None = None

    def show_place(self, span: Span | None, *, behind: bool = False) -> None:
        """Show a place of the file in the source view, in front or behind the panel that asks; do nothing for None."""
        if span is not None:
            (self.place_behind if behind else self.place).emit(span)

    def open_place(self, span: Span | None, document: Document, *, behind: bool = False) -> None:
        """Show a place of a document in the source view, or open the other file where it is."""
        if span is not None and span.path != document.name and Path(span.path).is_file():
            self.other_file.emit(span)
        else:
            self.show_place(span, behind=behind)

    def show_frame(self, model: Model | None, name: str) -> None:
        """Show where a frame of a model is written, by its scoped name; of an included one the include."""
        from sdfviewer.language.names import place_in_file  # noqa: PLC0415  # not needed for the first picture

        row = None if model is None else model.rows_by_name.get(name)
        if model is not None and row is not None:
            self.show_place(place_in_file(model, row) or model.document_of(row).span(model.elements[row]))

    def pick_pose(self, pick: PosePick | None) -> None:
        """Let the next click in the 3D view pick a pose; None ends that. A pick requested before is cancelled."""
        before, self.pick = self.pick, pick
        if before is not None:
            before.ended()
        if before is not pick:
            self.pick_changed.emit()

    def cancel_pick(self) -> bool:
        """Cancel picking a pose; return whether one was to be picked."""
        if self.pick is None:
            return False
        self.pick.consider(None)
        self.pick_pose(None)
        return True


class FileMessages(QObject):
    """Messages of the parts of one file to whoever shows them, such as the status bar."""

    #: A sentence about what was done.
    shown = Signal(str)
    #: What was written, in a sentence, and the file or folder.
    written = Signal(str, Path)
    #: The reason why something that the user requested was not done.
    refused = Signal(str)

    def show(self, text: str) -> None:
        """Show what was done."""
        self.shown.emit(text)

    def show_written(self, text: str, path: Path) -> None:
        """Show that a file or folder was written, and let the user open it."""
        self.written.emit(text, path)

    def show_done(self, label: str, others: OtherEdits | None) -> None:
        """Show which edit was made, and in which other files."""
        names = ", ".join(path.name for path in others.touched) if others is not None else ""
        self.show(as_done(label) + (f" (in {names}, saved with this file)" if names else ""))

    def refuse(self, reason: str) -> None:
        """Show why something that the user requested was not done."""
        self.refused.emit(reason)


INTERVAL_MILLISECONDS = 180
"""Time between two steps of a flash."""
TIMES = 3
"""Number of times that a flash takes the highlight away."""


class Highlights(QObject):
    """What all views of one file highlight: the frame under the mouse, the selection, a chain.

    Parameters
    ----------
    session
        The open file.

    Attributes
    ----------
    hovered
        Scoped name of the frame under the mouse in any view, or None.
    caret_line
        The line of the file with the caret of the source view, None without a source view.
    chain_steps
        Scoped names of the steps of a chain that are shown, from the root on.
    """

    #: Scoped name of the frame under the mouse, empty if there is none.
    hover_changed = Signal(str)
    #: Another of the selected frames is shown without its highlight for a moment, or none: `selected`.
    flash_changed = Signal()
    #: Other steps of a chain are shown, or none: `chain_steps`.
    chain_steps_changed = Signal(tuple)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.hovered: str | None = None
        self.caret_line: int | None = None
        self.chain_steps: tuple[str, ...] = ()
        self._unlit: str | None = None
        self._flashing, self._steps_left = "", 0
        # Started again by each step: while the window is busy no step is left out.
        self._flash_timer = delayed(self, self._step_flash, INTERVAL_MILLISECONDS)

    def hover(self, name: str | None) -> None:
        """Highlight the frame under the mouse; None highlights no frame."""
        if name != self.hovered:
            self.hovered = name
            self.hover_changed.emit(name or "")

    def forget_missing(self) -> None:
        """Highlight no frame that the file does not have any more."""
        model = self._session.model
        if self.hovered and model is not None and self.hovered not in model.rows_by_name:
            self.hover(None)

    @property
    def selected(self) -> tuple[str, ...]:
        """Scoped names of the selected frames, without one that flashes and is not highlighted at the moment."""
        return tuple(name for name in self._session.selection if name != self._unlit)

    def flash(self, name: str) -> None:
        """Take the highlight from a selected frame and give it back a few times, once the views show its change."""
        self._put_out(None)
        self._flashing, self._steps_left = name, 2 * TIMES
        self._flash_timer.start()

    def _step_flash(self) -> None:
        self._steps_left -= 1
        self._put_out(self._flashing if self._steps_left % 2 else None)
        if self._steps_left > 0:
            self._flash_timer.start()

    def _put_out(self, name: str | None) -> None:
        if name != self._unlit:
            self._unlit = name
            self.flash_changed.emit()

    def show_chain(self, names: tuple[str, ...]) -> None:
        """Highlight the chain from the root to a frame in all views; no names end that."""
        if names != self.chain_steps:
            if not names and self.hovered == self.chain_steps[-1]:
                self.hover(None)
            self.chain_steps = names
            self.chain_steps_changed.emit(names)


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
