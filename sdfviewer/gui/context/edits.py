"""Makes the edits of one open file, and reports what was done or why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_done
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.written_rows import IncludedDocument
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.gui.context.highlights import Highlights
from sdfviewer.gui.context.messages import FileMessages
from sdfviewer.gui.context.performing import edit_by, outcome_of
from sdfviewer.gui.context.written_back import WrittenBack
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.model.model import Model
from sdfviewer.operations import frames
from sdfviewer.operations.declaration import Operation
from sdfviewer.refactoring.editable import EditError
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session import Session, StaleEditError


class Edits(QObject):
    """Makes edits of one file as undo steps.

    Parameters
    ----------
    session
        The open file.
    messages
        Where it reports what was done, and what was refused.
    highlights
        Where it flashes what undo and redo change.
    background
        The thread in which edits are computed.
    reader
        The thread in which long texts are read.
    written_back
        Makes the edits of what a xacro file writes.
    """

    #: A `~sdfviewer.refactoring.renaming.Renaming` that was made in this file alone: others may include it.
    renamed = Signal(object)

    def __init__(
        self,
        session: Session,
        messages: FileMessages,
        highlights: Highlights,
        background: Background,
        reader: Background,
        written_back: WrittenBack,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._messages = messages
        self._highlights = highlights
        self._background = background
        self._reader = reader
        self._written_back = written_back
        #: How long the last edit held the window, with all views that followed it; None before the first one.
        self.seconds: float | None = None

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Note how long an edit takes."""
        begun = perf_counter()
        yield
        self.seconds = perf_counter() - begun

    def apply(
        self,
        edit: Edit,
        origin: object = None,
        select: Sequence[str] = (),
        *,
        edited: Document | None = None,
        others: OtherEdits | None = None,
    ) -> bool:
        """Make an edit as one undo step, select what it adds, or else `select`, and report what was done.

        ``edited`` is the document with it, where that has been read in the background. ``others`` is what becomes of
        other files, which are saved with this one.

        Where the text has changed since the edit was computed, report it and return False. An edit of what a xacro file
        writes, or an included one, is made once the user has chosen where that goes.
        """
        if isinstance(edit.document, (ExpandedDocument, IncludedDocument)):
            return self._written_back.make(edit, origin, edit.added or select)
        try:
            with self._timed():
                self._session.apply(edit, origin, select=edit.added or select, edited=edited, others=others)
        except (StaleEditError, EditError) as error:
            self._messages.refuse(str(error))
            return False
        self._messages.show_done(edit.label, others)
        return True

    def make(self, compute: Callable[[], Edit], origin: object = None, select: Sequence[str] = ()) -> bool:
        """Compute an edit and make it as one undo step; report why, and return False, where it is refused."""
        try:
            edit = compute()
        except SdfViewerError as error:
            self._messages.refuse(str(error))
            return False
        return self.apply(edit, origin, select)

    def perform(self, model: Model, operation: Operation, arguments: Mapping[str, object]) -> bool:
        """Make the edit of an operation, also in other files, and say what is lost; return whether it was made.

        The arguments are those of :func:`~.performing.edit_by`.
        """
        try:
            done = outcome_of(self._session, model, operation, arguments)
        except SdfViewerError as error:
            self._refuse(error)
            return False
        is_made = self.apply(done.edit, others=OtherEdits.of(done))
        if is_made and (said := (*done.edit.losses, *done.edit.notes)):
            more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
            self._messages.show(f"{done.edit.label}: {said[0]}{more}")
        return is_made

    def make_in_background(self, compute: Callable[[], Edit]) -> None:
        """Compute an edit of nearly the whole text and read it in the background, then make it as one undo step.

        Report why where it is refused, or the text has changed meanwhile.
        """

        def job() -> tuple[Edit, Document]:
            with paused_collection():
                edit = compute()
                edited = edit.document.edited(edit.replacements)
                if edited.root is not None:
                    edited.offset(edited.root)  # finds where all elements are, which the views need at once
                return edit, edited

        self._reader.run(job, lambda answer: self.apply(answer[0], edited=answer[1]), self._refuse)

    def apply_later(self, compute: Callable[[], Edit | None], nothing: str) -> None:
        """Compute an edit of the present text in the background and apply it; show `nothing` if there is none.

        Where the edit is refused, or the text has changed meanwhile, nothing is done, and the reason is shown.
        """

        def accept(edit: Edit | None) -> None:
            if edit is None:
                self._messages.refuse(nothing)
            else:
                self.apply(edit)

        self._background.run(compute, accept, self._refuse)

    def _refuse(self, error: SdfViewerError) -> None:
        self._messages.refuse(str(error))

    def undo(self) -> None:
        """Undo the last edit; report it, select what was selected before it, and flash what of that changed."""
        self._go_in_history("Undid", self._session.history.undo_label, self._session.undo)

    def redo(self) -> None:
        """Redo the edit undone last; report it, select what was selected after it, and flash what of that changed."""
        self._go_in_history("Redid", self._session.history.redo_label, self._session.redo)

    def _go_in_history(self, verb: str, label: str | None, go: Callable[..., None]) -> None:
        session = self._session
        if label is None:
            return
        before = session.document.text

        @cache
        def find_changed() -> Sequence[str]:
            model = session.model
            if model is None or not session.is_current:
                return ()
            from sdfviewer.language.names import rows_changed  # noqa: PLC0415  # not needed for the first picture

            return [model.names[row] for row in rows_changed(model, before)]

        go(choose=find_changed)
        self._messages.show(f"{verb} “{label}”")
        changed = [name for name in find_changed() if name in session.selection]
        if changed:
            self._highlights.flash(changed[-1])

    def rename(self, row: int, name: str, origin: object = None) -> None:
        """Rename a row of the frame table with every reference to it.

        Raises
        ------
        SdfViewerError
            If the name cannot be given, or the text has changed since the model was made; the message says why.
        """
        model = self._session.model
        assert model is not None
        edit = edit_by(self._session, model, frames.rename, old=row, new=name)
        if isinstance(edit.document, ExpandedDocument):
            self._written_back.make(edit, origin)
            return
        with self._timed():
            self._session.apply(edit, origin)
        self._messages.show(as_done(edit.label))
        if edit.renamed:
            from sdfviewer.refactoring.renaming import Renaming  # noqa: PLC0415  # with its first use

            self.renamed.emit(Renaming(model, row, name, edit.renamed[0][1]))
