"""The files that depend on one, open in tabs or on disk: what an edit does to them, and renaming in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sdfviewer.document.document import Document
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.session.session import Session
from sdfviewer.session.unsaved_work import OpenDocuments

if TYPE_CHECKING:
    from sdfviewer.files.search import Search
    from sdfviewer.refactoring.composition.in_context import FileEffect
    from sdfviewer.refactoring.renaming import DependentFiles


@dataclass(frozen=True, slots=True)
class DependentSearch:
    """The files that include one.

    Attributes
    ----------
    dependents
        Computes how a rename affects them.
    search
        How they were found.
    places
        Where they were looked for.
    """

    dependents: DependentFiles
    search: Search
    places: tuple[Path, ...]


class OpenFiles(Protocol):
    """The open files of the window."""

    @property
    def documents(self) -> OpenDocuments:
        """The sessions of all open files."""

    def open_behind(self, paths: Sequence[Path]) -> None:
        """Open files in tabs behind the present one."""


class ProjectFiles:
    """Finds the files that include one of a window's, and makes edits in them.

    Parameters
    ----------
    files
        The open files.

    Attributes
    ----------
    report_unsaved
        Says, after what was done, that several files hold changes that are not saved, and offers to save them.
    """

    def __init__(self, files: OpenFiles, report_unsaved: Callable[[str], None]) -> None:
        self._files = files
        self.report_unsaved = report_unsaved

    def search(self, session: Session, model: Model, stopped: Callable[[], bool]) -> Callable[[], DependentSearch]:
        """Return the search for the files that include the one of a session, which may run in another thread.

        Files in other tabs count as they are there, saved or not.
        """
        from sdfviewer.files.search import find_including, search_places  # noqa: PLC0415  # needed with the first search
        from sdfviewer.refactoring.renaming import DependentFiles  # noqa: PLC0415

        assert session.path is not None
        file, finder, expander = session.path, session.finder.fresh(), session.expander.fork()
        opened = [each.document for each in self._files.documents.sessions if each is not session]

        def run() -> DependentSearch:
            places = (*search_places(file), *finder.model_folders)
            search = find_including(file, places, finder, opened, stopped)
            dependents = DependentFiles(model, search.documents, finder, stopped, expander=expander)
            return DependentSearch(dependents, search, places)

        return run

    def users_of(
        self, session: Session, change: tuple[Document, Document], stopped: Callable[[], bool]
    ) -> Callable[[], list[FileEffect]]:
        """Return the search for the other files that include a file, with what its change does; for another thread.

        They are those open in tabs, as they are there, and those in the projects of the file and of a session, and in
        the model folders.
        """
        from sdfviewer.files.search import find_including, search_places  # noqa: PLC0415  # needed with the first search
        from sdfviewer.refactoring.composition.in_context import users_of  # noqa: PLC0415

        file, own = change[0].path, session.document
        assert file is not None
        finder, loader = session.finder.fresh(), session.make_loader()
        opened = [each.document for each in self._files.documents.sessions]

        def run() -> list[FileEffect]:
            near = () if own.path is None else search_places(own.path)
            places = dict.fromkeys((*search_places(file), *near, *finder.model_folders))
            found = find_including(file, places, finder, opened, stopped).documents
            return users_of(change, [each for each in found if each.path != own.path], loader, stopped)

        return run

    def session_of(self, document: Document) -> Session | None:
        """Return the session of the tab that a document is that of, None where it is not open."""
        return self._files.documents.session_of(document)

    def open(self, documents: Sequence[Document]) -> list[Session]:
        """Return the sessions of documents; files that are not open are opened in tabs behind the present one.

        Raises
        ------
        RefactoringError
            If one of them has changed since it was read.
        """
        sessions = [self.session_of(document) or self._open(document) for document in documents]
        found = [session for session in sessions if session is not None]
        for document, session in zip(documents, sessions, strict=True):
            if session is None or session.document.text != document.text:
                raise RefactoringError(f"{document.name} has changed in the meantime; review its updates")
        return found

    def _open(self, document: Document) -> Session | None:
        if document.path is None:
            return None
        self._files.open_behind([document.path])
        return self._files.documents.find(document.path)
