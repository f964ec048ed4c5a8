"""What one part of the window requests of another, about one open file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.scene.tools.placing import DropTarget, PickedPlace
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
