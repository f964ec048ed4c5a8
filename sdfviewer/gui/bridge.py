"""The one place where a session's Changes become Qt signals."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.document.edits import Edit
from sdfviewer.gui.other_version import OtherVersion
from sdfviewer.gui.trial import Trial, try_edit
from sdfviewer.semantics.editing.poses.moving import Move
from sdfviewer.semantics.editing.renaming.rename import Renaming, rename
from sdfviewer.session import Change, Session
from sdfviewer.transforms import Array


class Bridge(QObject):
    """What the views of one file share: the session, its changes as a signal, and what no session needs to know.

    A view connects to `changed`, reads the Change's flags, and passes over the changes whose `origin` is itself.

    Attributes
    ----------
    session
        The open file.
    hovered
        Scoped name of the frame under the mouse in any view, or None.
    limits_lifted
        Whether joints may go beyond their limits.
    trial
        The edit that the user looks at before it is made, or None.
    other_version
        The version of the file that it is compared with, or None.
    walk
        Scoped names of the frames that a walk along a chain has come through, from the root on.
    move
        The frames that are being moved by hand, None where none are: the text does not know of it yet.
    """

    #: A `Change` of the session.
    changed = Signal(object)
    #: Scoped name of the frame under the mouse, or None.
    hover_changed = Signal(object)
    #: A `Span` that the source view should show.
    place_requested = Signal(object)
    #: Scoped names that the 3D view should bring into sight.
    focus_requested = Signal(object)
    #: Poses (n, 4, 4) that the 3D view should show as a ghost, or None.
    preview_changed = Signal(object)
    #: The `Trial` that the views should show beside the file as it is, or None.
    tried = Signal(object)
    #: The `OtherVersion` that the 3D view should show behind the file, or None.
    version_compared = Signal(object)
    #: A walk along a chain has come to another frame, or has ended: `walk`.
    walked = Signal(object)
    #: The `Move` in hand has gone on, or None: it has ended.
    moved = Signal(object)
    #: A `Renaming` that was made in this file alone: others may include it.
    renamed = Signal(object)
    #: A sentence for the status bar.
    said = Signal(str)
    #: Why something that the user asked for was not done.
    refused = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.hovered: str | None = None
        self.limits_lifted = False
        self.trial: Trial | None = None
        self.other_version: OtherVersion | None = None
        self.walk: tuple[str, ...] = ()
        self.move: Move | None = None
        self._unsubscribe = session.subscribe(self._forward)

    def _forward(self, change: Change) -> None:
        if change.document or change.joints:
            self.try_out(None)
        self.changed.emit(change)

    def close(self) -> None:
        """Stop listening to the session."""
        self._unsubscribe()

    def hover(self, name: str | None) -> None:
        """Say which frame is under the mouse."""
        if name != self.hovered:
            self.hovered = name
            self.hover_changed.emit(name)

    def try_out(self, edit: Edit | None) -> None:
        """Show in all views what an edit would do, without making it; None shows only the file as it is."""
        if (self.trial.edit if self.trial else None) == edit:
            return
        self.trial = None if edit is None else try_edit(self.session, edit)
        self.tried.emit(self.trial)
        self.preview_changed.emit(self.trial.X_ghost if self.trial else None)

    def compare_with(self, version: OtherVersion | None) -> None:
        """Show in 3D how the file differs from another version of it; None shows only the file."""
        self.other_version = version
        self.version_compared.emit(version)

    def walk_to(self, names: tuple[str, ...]) -> None:
        """Point out the way from the root to a frame in all views; no names end the walk."""
        if names != self.walk:
            self.walk = names
            self.walked.emit(names)

    def hold(self, move: Move | None) -> None:
        """Show in all views how a move by hand goes on; None ends it."""
        self.move = move
        self.moved.emit(move)

    @property
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows as they are shown: at the present joint positions, with the move in hand."""
        return self.session.X_RootF if self.move is None else self.move.X_RootF

    def show_place(self, span: Span | None) -> None:
        """Show a place of the file in the source view."""
        if span is not None:
            self.place_requested.emit(span)

    def make(self, compute: Callable[[], Edit], origin: object = None) -> bool:
        """Compute an edit and make it as one undo step; say why, and return False, where it is refused."""
        try:
            edit = compute()
        except SdfViewerError as error:
            self.refused.emit(str(error))
            return False
        self.apply(edit, origin)
        return True

    def apply(self, edit: Edit, origin: object = None) -> None:
        """Make an edit as one undo step, select what it adds, and say what was done."""
        self.session.apply(edit, origin)
        if edit.added:
            self.session.select(edit.added, origin)
        self.said.emit(edit.label)

    def rename(self, row: int, name: str, origin: object = None) -> None:
        """Rename a row of the frame table with every reference to it.

        Raises
        ------
        SdfViewerError
            If the name cannot be given; the message says why.
        """
        assert self.session.model is not None
        model = self.session.model
        edit = rename(model, row, name)
        self.apply(edit, origin)
        if edit.renamed:
            self.renamed.emit(Renaming(model, row, name, edit.renamed[0][1]))
