"""What the views of one open file share, with Qt signals for its changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.display_text import as_done
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.gui.context.edit_preview import EditPreview, Previewer
from sdfviewer.gui.context.other_version import AddedVersion, OtherVersion
from sdfviewer.gui.context.view_requests import NO_MARKS, MeshDrop, MotionMarks, PosePick
from sdfviewer.gui.kit.jobs import Background, Later, Latest, delayed
from sdfviewer.language.names import rows_changed
from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.refactoring.renaming.rename import Renaming, rename
from sdfviewer.session.session import Session, StaleEditError
from sdfviewer.session.session_change import SessionChange
from sdfviewer.transforms import Array

_Answer = TypeVar("_Answer")


class DocumentContext(QObject):
    """The context that the views of one file share: the session, its changes as a signal, hover and previews.

    A view connects to `changed`, reads the flags of the `SessionChange`, and skips changes whose `origin` is itself.

    Attributes
    ----------
    session
        The open file.
    hovered
        Scoped name of the frame under the mouse in any view, or None.
    caret_line
        The line of the file that the caret of the source is in, None where there is no source.
    limits_lifted
        Whether joints may go beyond their limits.
    held_joints
        Scoped names of the joints that a drag of a link leaves where they are.
    motion_marks
        What the 3D view shows of a motion.
    pick
        What the next click in the 3D view picks a pose for, or None.
    edit_preview
        The edit that is previewed, or None.
    other_version
        The version of the file that it is compared with, or None.
    chain_steps
        Scoped names of the steps of a chain that are shown, from the root on.
    later
        What views do in later turns of the event loop.
    move
        The frames that are being dragged, or None. The text is not changed until the drag ends.
    """

    #: A `SessionChange`.
    changed = Signal(SessionChange)
    #: Scoped name of the frame under the mouse, empty if there is none.
    hover_changed = Signal(str)
    #: Another frame is shown without its highlight for a moment, or none: `highlighted`.
    flash_changed = Signal()
    #: A `Span` that the source view should show.
    place_requested = Signal(Span)
    #: A `Span` of another file, which should be opened there.
    other_file_requested = Signal(Span)
    #: A folder in which models should be looked for from now on.
    folder_wanted = Signal(str)
    #: Scoped names that the 3D view should centre and come near to.
    focus_requested = Signal(tuple)
    #: Scoped names that the 3D view and the graphs should bring into sight if they are not.
    sight_requested = Signal(tuple)
    #: The scoped name of a frame from which the 3D view should measure.
    measure_requested = Signal(str)
    #: Whether the next click in the 3D view picks a pose has changed: `pick`.
    pick_changed = Signal()
    #: The `MeshDrop` of a mesh file.
    mesh_dropped = Signal(MeshDrop)
    #: The `EditPreview` that the views should show beside the file as it is, or None.
    edit_previewed = Signal(EditPreview)
    #: The `OtherVersion` that the 3D view should show behind the file, or None.
    version_compared = Signal(OtherVersion)
    #: Other steps of a chain are shown, or none: `chain_steps`.
    chain_steps_changed = Signal(tuple)
    #: The mouse begins to drag a frame or a joint: what was said of the action before is out of date.
    drag_began = Signal()
    #: The present `Move` has changed; None when it ended.
    moved = Signal(Move)
    #: The `MotionMarks` that the 3D view should show.
    motion_marked = Signal(MotionMarks)
    #: Other joints are held while a link is dragged: `held_joints`.
    holding_changed = Signal()
    #: A `Renaming` that was made in this file alone: others may include it.
    renamed = Signal(Renaming)
    #: A sentence for the status bar.
    status_message = Signal(str)
    #: Why something that the user asked for was not done.
    refused = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.hovered: str | None = None
        self.caret_line: int | None = None
        self.limits_lifted = False
        self.held_joints: frozenset[str] = frozenset()
        self.motion_marks = NO_MARKS
        self.pick: PosePick | None = None
        self.edit_preview: EditPreview | None = None
        self.other_version: OtherVersion | None = None
        self.chain_steps: tuple[str, ...] = ()
        self.move: Move | None = None
        self._wanted: Edit | None = None
        self._background, self._reader = Background(), Background()
        self._previews = Latest(self._background)
        self._previewer = Previewer(session)
        self._unlit: str | None = None
        self._flash = Flash(self._put_out, self)
        self.later = Later(self)
        self._unsubscribe = session.subscribe(self._forward)
        session.read_beside(self.run_beside)

    def run_beside(self, job: Callable[[], _Answer], then: Callable[[_Answer], object]) -> None:
        """Do a job in the background, and hand what it returns to ``then`` in the window's thread."""
        self._reader.run(job, then)

    def _forward(self, change: SessionChange) -> None:
        if change.document or change.joints:
            self.preview_edit(None)
        if change.renamed:
            names = dict(change.renamed)
            self.held_joints = frozenset(names.get(name, name) for name in self.held_joints)
        self.changed.emit(change)
        model = self.session.model
        if change.document and self.hovered and model is not None and self.hovered not in model.rows_by_name:
            self.hover(None)

    def close(self) -> None:
        """Stop listening to the session."""
        self._unsubscribe()
        self.later.stop()
        self.session.close()
        self._wanted = None
        self._background.stop()
        self._reader.stop()

    def hover(self, name: str | None) -> None:
        """Say which frame is under the mouse."""
        if name != self.hovered:
            self.hovered = name
            self.hover_changed.emit(name or "")

    @property
    def highlighted(self) -> tuple[str, ...]:
        """Scoped names of the selected frames, without one that flashes and is not highlighted at the moment."""
        return tuple(name for name in self.session.selection if name != self._unlit)

    def _put_out(self, name: str | None) -> None:
        if name != self._unlit:
            self._unlit = name
            self.flash_changed.emit()

    def preview_edit(self, edit: Edit | None) -> None:
        """Show in all views what an edit would do, without making it; None shows only the file as it is.

        The effect is computed in the background: `edit_previewed` follows. A new call replaces the one before.
        """
        if edit is not None and not edit.fits(self.session.document):
            edit = None  # it would be made in a text that is no longer there, as while the text cannot be read
        if self._wanted == edit:
            return
        self._wanted = edit
        if edit is None:
            self._previews.cancel()
            self._show_preview(None)
        else:  # when the user scrolls through a list fast, only the last entry is previewed
            self._previews.run(self._previewer.prepare(edit), self._show_preview)

    def apply_later(self, compute: Callable[[], Edit | None], nothing: str) -> None:
        """Compute an edit of the present text in the background and apply it; show `nothing` if there is none.

        Where the edit is refused, or the text has changed meanwhile, nothing is done, and the reason is shown.
        """

        def accept(edit: Edit | None) -> None:
            if edit is None:
                self.refused.emit(nothing)
            else:
                self.apply(edit)

        self._background.run(compute, accept, self._refuse)

    def _refuse(self, error: SdfViewerError) -> None:
        self.refused.emit(str(error))

    def pick_pose(self, pick: PosePick | None) -> None:
        """Let the next click in the 3D view pick a pose; None ends that. Another pick that waits is given up."""
        before, self.pick = self.pick, pick
        if before is not None:
            before.ended()
        if before is not pick:
            self.pick_changed.emit()

    def cancel_pick(self) -> bool:
        """Give up picking a pose; return whether one was to be picked."""
        if self.pick is None:
            return False
        self.pick.consider(None)
        self.pick_pose(None)
        return True

    def _show_preview(self, preview: EditPreview | None) -> None:
        if preview is self.edit_preview:
            return
        self.edit_preview = preview
        self.edit_previewed.emit(preview)
        # The preview is drawn as another version of the file, unless a comparison is open.
        if isinstance(self.other_version, AddedVersion | None):
            added = preview.added if preview else None
            if added is not self.other_version:
                self.compare_with(added)

    def compare_with(self, version: OtherVersion | None) -> None:
        """Show in 3D how the file differs from another version of it; None shows only the file."""
        self.other_version = version
        self.version_compared.emit(version)

    def show_chain_steps(self, names: tuple[str, ...]) -> None:
        """Highlight the chain from the root to a frame in all views; no names end that."""
        if names != self.chain_steps:
            if not names and self.hovered == self.chain_steps[-1]:
                self.hover(None)
            self.chain_steps = names
            self.chain_steps_changed.emit(names)

    def set_move(self, move: Move | None) -> None:
        """Show in all views how far frames have been dragged; None ends it."""
        self.move = move
        self.moved.emit(move)

    def mark_motion(self, marks: MotionMarks) -> None:
        """Show in 3D what a motion does."""
        if marks != self.motion_marks:
            self.motion_marks = marks
            self.motion_marked.emit(marks)

    def hold_joint(self, name: str, held: bool) -> None:
        """Leave a joint, by its scoped name, where it is while a link is dragged, or let it move again."""
        others = self.held_joints - {name}
        self.held_joints = others | {name} if held else others
        self.holding_changed.emit()

    @property
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows as they are shown: at the current joint positions, during a drag."""
        return self.session.X_RootF if self.move is None else self.move.X_RootF

    def show_place(self, span: Span | None) -> None:
        """Show a place of the file in the source view."""
        if span is not None:
            self.place_requested.emit(span)

    def make(self, compute: Callable[[], Edit], origin: object = None, select: Sequence[str] = ()) -> bool:
        """Compute an edit and make it as one undo step; say why, and return False, where it is refused."""
        try:
            edit = compute()
        except SdfViewerError as error:
            self.refused.emit(str(error))
            return False
        return self.apply(edit, origin, select)

    def make_beside(self, compute: Callable[[], Edit]) -> None:
        """Compute an edit of nearly the whole text and read it beside the window, then make it as one undo step.

        Say why where it is refused, or the text has changed meanwhile.
        """

        def job() -> tuple[Edit, Document]:
            with paused_collection():
                edit = compute()
                edited = edit.document.edited(edit.replacements)
                if edited.root is not None:
                    edited.offset(edited.root)  # finds where all elements are, which somebody asks at once
                return edit, edited

        self._reader.run(job, lambda answer: self.apply(answer[0], edited=answer[1]), self._refuse)

    def apply(
        self, edit: Edit, origin: object = None, select: Sequence[str] = (), *, edited: Document | None = None
    ) -> bool:
        """Make an edit as one undo step, select what it adds, or else `select`, and say what was done.

        ``edited`` is the document with it, where that has been read beside the window.

        Where the text has changed since the edit was computed, say so and return False.
        """
        try:
            self.session.apply(edit, origin, select=edit.added or select, edited=edited)
        except StaleEditError as error:
            self.refused.emit(str(error))
            return False
        self.status_message.emit(as_done(edit.label))
        return True

    def undo(self) -> None:
        """Undo the last edit; report it, select what was selected before it, and flash what of that changed."""
        self._go_in_history("Undid", self.session.history.undo_label, self.session.undo)

    def redo(self) -> None:
        """Redo the edit undone last; report it, select what was selected after it, and flash what of that changed."""
        self._go_in_history("Redid", self.session.history.redo_label, self.session.redo)

    def _go_in_history(self, verb: str, label: str | None, go: Callable[..., None]) -> None:
        if label is None:
            return
        before = self.session.document.text

        @cache
        def find_changed() -> Sequence[str]:
            model = self.session.model
            if model is None or not self.session.is_current:
                return ()
            return [model.names[row] for row in rows_changed(model, before)]

        go(choose=find_changed)
        self.status_message.emit(f"{verb} “{label}”")
        changed = [name for name in find_changed() if name in self.session.selection]
        if changed:
            self._flash.start(changed[-1])

    def rename(self, row: int, name: str, origin: object = None) -> None:
        """Rename a row of the frame table with every reference to it.

        Raises
        ------
        SdfViewerError
            If the name cannot be given, or the text has changed since the model was made; the message says why.
        """
        assert self.session.model is not None
        model = self.session.model
        edit = rename(model, row, name)
        self.session.apply(edit, origin)
        self.status_message.emit(as_done(edit.label))
        if edit.renamed:
            self.renamed.emit(Renaming(model, row, name, edit.renamed[0][1]))


INTERVAL_MILLISECONDS = 180
TIMES = 3


class Flash(QObject):
    """Takes the highlight from a selected frame and gives it back, a few times.

    Parameters
    ----------
    show
        Shows a frame, by its scoped name, without its highlight in all views; all highlights again for None.
    """

    def __init__(self, show: Callable[[str | None], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._name = ""
        self._left = 0
        # Started again by each step: while the window is busy no step is left out.
        self._timer = delayed(self, self._step, INTERVAL_MILLISECONDS)

    def start(self, name: str) -> None:
        """Flash a frame, from when the views have followed its change."""
        self._show(None)
        self._name, self._left = name, 2 * TIMES
        self._timer.start()

    def _step(self) -> None:
        self._left -= 1
        self._show(self._name if self._left % 2 else None)
        if self._left > 0:
            self._timer.start()
