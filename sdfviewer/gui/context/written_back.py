"""Writes edits of what a xacro file writes, or an included one, to where that comes from; asks which place is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.written_rows import IncludedDocument
from sdfviewer.gui.context.previews import Previews
from sdfviewer.gui.context.topics import FileMessages, Requests
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session import Session, StaleEditError

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.write_back import WriteChoice
    from sdfviewer.refactoring.composition.in_context import FileEffect, Way
    from sdfviewer.refactoring.xacro_edits import WaysBack


@dataclass(frozen=True, eq=False)
class PlaceRequest:
    """An edit that can be written in several places, or that changes more than it means to: the user chooses.

    Attributes
    ----------
    ways
        The edit, and the places.
    preview
        Shows in all views what a choice does; None shows the file as it is.
    take
        Makes a choice.
    give_up
        Makes none.
    """

    ways: WaysBack
    preview: Callable[[WriteChoice | None], None]
    take: Callable[[WriteChoice], None]
    give_up: Callable[[], None]


@dataclass(frozen=True, eq=False)
class ContextRequest:
    """An edit of what an included file writes: the user chooses where it goes.

    Attributes
    ----------
    edit
        The edit, of an :class:`~sdfviewer.formats.written_rows.IncludedDocument`.
    ways
        The ways to make it, and what each does to the file itself; nothing where it cannot be made so.
    preview
        Shows in all views what a way does.
    take
        Makes the edit in one way.
    give_up
        Makes it in none.
    """

    edit: Edit
    ways: Sequence[tuple[Way, FileEffect | None]]
    preview: Callable[[Way], None]
    take: Callable[[Way], None]
    give_up: Callable[[], None]


class WrittenBack(QObject):
    """Makes edits of what a xacro file or an included file writes, as undo steps of the file.

    Parameters
    ----------
    session
        The open file.
    messages
        Where it reports what was done, and what cannot be written back.
    requests
        Where it shows the line of what cannot be written back.
    previews
        Where it shows what a choice does.
    background
        The thread in which the files are evaluated.
    """

    #: A `PlaceRequest`.
    places_wanted = Signal(PlaceRequest)
    #: A `ContextRequest`.
    ways_wanted = Signal(ContextRequest)
    #: An edit is not made after all: whoever shows its result shows again what is written.
    given_up = Signal()

    def __init__(
        self,
        session: Session,
        messages: FileMessages,
        requests: Requests,
        previews: Previews,
        background: Background,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._messages, self._requests = session, messages, requests
        self._previews, self._background = previews, background

    def make(self, edit: Edit, origin: object = None, select: Sequence[str] = ()) -> bool:
        """Write an edit back, or ask where; report why, and return False, where that is refused at once."""
        if isinstance(edit.document, IncludedDocument):
            return self._ask_in_context(edit, origin, select)
        from sdfviewer.refactoring.xacro_edits import ways_back  # noqa: PLC0415  # few files are xacro

        try:
            model = self._session.model
            if model is None or not self._session.fits(edit):
                raise StaleEditError
            ways = ways_back(model, edit)
            smallest = ways.smallest
        except SdfViewerError as error:
            self._refuse(error)
            return False
        choice = ways.merged(smallest)
        if choice is not None and ways.is_clear:
            self._write(ways, choice, origin, select)
        else:
            self.places_wanted.emit(
                PlaceRequest(
                    ways,
                    lambda chosen: self._preview(ways, chosen),
                    lambda chosen: self._write(ways, chosen, origin, select),
                    self._give_up,
                )
            )
        return True

    # --- included files --------------------------------------------------------------------------------------------

    def _ask_in_context(self, edit: Edit, origin: object, select: Sequence[str]) -> bool:
        """Find the ways to make an edit of an included file, and ask which is meant."""
        from sdfviewer.refactoring.composition.in_context import effect_of, ways_of  # noqa: PLC0415  # many include none

        session = self._session
        if not session.fits(edit):
            self._refuse(StaleEditError())
            return False
        loader, document = session.make_loader(), session.document

        def job() -> list[tuple[Way, FileEffect | None]]:
            ways = [self._unless_busy(way) for way in ways_of(edit, loader)]
            return [(way, None if way.why else effect_of(way, loader)) for way in ways]

        def ask(ways: list[tuple[Way, FileEffect | None]]) -> None:
            if session.document is not document:
                self._refuse(StaleEditError())
                return
            self.ways_wanted.emit(
                ContextRequest(
                    edit,
                    ways,
                    lambda way: self._previews.show(way.edit, way.files),
                    lambda way: self._make(way.edit, way.files, origin, select),
                    self._give_up,
                )
            )

        self._background.run(job, ask, self._refuse)
        return True

    def _unless_busy(self, way: Way) -> Way:
        """Return a way, refused where it changes a file that has unsaved changes of its own."""
        paths = [before.path for before, _ in way.files if before.path is not None]
        if busy := next((path for path in paths if self._session.is_edited_elsewhere(path)), None):
            return replace(way, why=f"{busy.name} has unsaved changes of its own; save it first")
        return way

    def _make(
        self, edit: Edit, files: Sequence[tuple[Document, Document]], origin: object, select: Sequence[str]
    ) -> None:
        others = OtherEdits.of_files(files) if files else None
        try:
            self._session.apply(edit, origin, select=edit.added or select, others=others)
        except SdfViewerError as error:
            self._refuse(error)
            return
        self._messages.show_done(edit.label, others)

    # --- xacro files -----------------------------------------------------------------------------------------------

    def _preview(self, ways: WaysBack, choice: WriteChoice | None) -> None:
        document = self._session.document
        if choice is None:
            self._previews.show(None)
        else:
            self._previews.show(ways.written(document, choice), choice.other_files(document))

    def _write(self, ways: WaysBack, choice: WriteChoice, origin: object, select: Sequence[str]) -> None:
        """Evaluate the files with a choice, and make it where the result is what was wanted."""
        from sdfviewer.refactoring.xacro_edits import write_edit_back  # noqa: PLC0415  # few files are xacro

        model, loader = self._session.model, self._session.make_loader()
        assert model is not None

        def job() -> tuple[Edit, tuple[tuple[Document, Document], ...]]:
            return write_edit_back(model, loader, ways.edit, choice=choice)

        def take(written: tuple[Edit, tuple[tuple[Document, Document], ...]]) -> None:
            self._make(*written, origin, select)

        self._messages.show("Evaluating…")
        self._background.run(job, take, self._refuse)

    def _refuse(self, error: SdfViewerError) -> None:
        span = getattr(error, "span", None)
        if isinstance(span, Span):
            self._requests.open_place(span, self._session.document)
        self._messages.refuse(str(error))
        self._give_up()

    def _give_up(self) -> None:
        self._previews.show(None)
        self.given_up.emit()
