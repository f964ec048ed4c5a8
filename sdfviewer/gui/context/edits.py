"""The edits of one open file: operations performed, parts kept together, each as one undo step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_done
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.contents import read_shape
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.load import Loader
from sdfviewer.formats.written_rows import IncludedDocument
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.gui.context.topics import FileMessages, Highlights
from sdfviewer.gui.context.written_back import WrittenBack
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.solids import Body
from sdfviewer.operations import frames
from sdfviewer.operations.declaration import EditContext, Operation, Outcome
from sdfviewer.operations.parameters import kept_together
from sdfviewer.refactoring.editable import EditError
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session import Session, StaleEditError
from sdfviewer.session.session_change import SessionChange
from sdfviewer.transforms import Array


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


def edit_context(session: Session, rows: Sequence[int] = ()) -> EditContext:
    """Return what operations on the open file are applied to: of a xacro file what that writes.

    ``rows`` are what they edit: of an included file what that writes.
    """
    model = session.edited_at(rows)
    assert model is not None
    from sdfviewer.scene.mesh_body import mirrored_meshes  # noqa: PLC0415  # nothing at the start needs it

    return EditContext(
        model,
        session.make_loader(),
        mesh_body=partial(_body, session),
        mesh_triangles=partial(_triangles, session),
        mirrored_mesh=mirrored_meshes(session.finder),
        convert=_convert,
    )


def _body(session: Session, model: Model, row: int, geometry: Geometry, density: float) -> Body | None:
    from sdfviewer.scene.mesh_body import mesh_bodies  # noqa: PLC0415  # few operations read meshes

    return mesh_bodies(session.finder)(model, row, geometry, density)


def _convert(model: Model, loader: Loader, like: Model) -> tuple[Document, tuple[str, ...]]:
    from sdfviewer.export.conversion import convert_copied  # noqa: PLC0415  # few operations convert

    return convert_copied(model, loader, like)


def _triangles(session: Session, geometry: Geometry) -> Array | None:
    from sdfviewer.scene.mesh_body import mesh_triangles  # noqa: PLC0415  # few operations read meshes

    return mesh_triangles(session.finder)(geometry)


def edit_by(session: Session, model: Model, operation: Operation, /, **arguments: object) -> Edit:
    """Return the edit that an operation makes of a model of the open file; nothing is changed yet.

    Of a xacro file it is an edit of what that writes, see :attr:`.Session.edited_model`.

    Parameters
    ----------
    arguments
        As the operation declares them; what is in the model is given by its row or its name.

    Raises
    ------
    SdfViewerError
        If it cannot be done; the message says why.
    """
    return outcome_of(session, model, operation, arguments).only_edit


def outcome_of(session: Session, model: Model, operation: Operation, arguments: Mapping[str, object]) -> Outcome:
    """Return what an operation does to a model of the open file, see :func:`edit_by`."""
    on = edit_context(session)
    return operation.perform(on if model is session.model else replace(on, model=model), arguments)


def keep_parts(session: Session, edit: Edit, rows: Sequence[int]) -> Edit:
    """Return an edit of the open file, made by hand, with what is one part with the shapes that it changes."""
    return kept_together(edit_context(session, rows), edit, rows, together=True)


class Parts(QObject):
    """The choice between editing all that is one part, and one shape alone.

    Another selection and each edit end that choice: after an edit of one shape alone there is no part any more.

    The bodies of the meshes of a link are read in the background once it is selected: whether its inertial follows, and
    with which numbers, is known when it is edited.
    """

    #: The user has chosen otherwise.
    changed = Signal()
    #: The bodies of more meshes are known.
    weighed = Signal()

    def __init__(self, session: Session, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._latest = Latest(background)
        self._separate = False

    @property
    def together(self) -> bool:
        """Whether the others of a part change too."""
        return not self._separate

    def separate(self, on: bool) -> None:
        """Let the next edit change only the selected shape, or its whole part."""
        if on != self._separate:
            self._separate = on
            self.changed.emit()

    def follow(self, change: SessionChange) -> None:
        """Keep parts together again after another selection and after an edit."""
        if change.document or change.selection:
            self.separate(False)
            self._weigh()

    def mesh_body(self, model: Model, row: int, geometry: Geometry, density: float) -> Body | None:
        """Return the body of a mesh, None where it is not known, or not known yet: see `refactoring.inertia`."""
        from sdfviewer.scene.mesh_body import mesh_bodies  # noqa: PLC0415  # with the first shape that is selected

        return mesh_bodies(self._session.finder, reads=False)(model, row, geometry, density)

    def _weigh(self) -> None:
        """Read the meshes of the selected links in the background where that was not done before."""
        model, finder = self._session.model, self._session.finder
        rows = [] if model is None else self._session.selected_rows
        if model is None or not rows:
            return
        from sdfviewer.scene.mesh_body import is_mesh_read, mesh_bodies  # noqa: PLC0415

        around = {row if model.kinds[row] is Kind.LINK else int(model.owners[row]) for row in rows}
        links = [each for each in around if each >= 0 and model.kinds[each] is Kind.LINK]
        # After each edit: no table of what is in each row is made for one link.
        shaped = [each for link in links for each in model.inside(link) if model.kinds[each] in SHAPED]
        unread = [shape for shape in (read_shape(model, each) for each in shaped) if not is_mesh_read(finder, shape)]
        if not unread:
            return
        body = mesh_bodies(finder)

        def read() -> None:
            for shape in unread:
                if not self._latest.is_cancelled:
                    body(model, rows[0], shape, 1.0)

        self._latest.run(read, lambda _none: self.weighed.emit())
