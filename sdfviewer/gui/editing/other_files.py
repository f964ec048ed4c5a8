"""The files beside the one in which something is renamed: those in other tabs, and those on the disk around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.document.document import Document
from sdfviewer.document.including import Search, find_including, project_folder
from sdfviewer.gui.files import UNSAVED
from sdfviewer.gui.status import counted
from sdfviewer.semantics import Model
from sdfviewer.semantics.editing.editable import RefactoringError
from sdfviewer.semantics.editing.renaming.includers import Includers
from sdfviewer.session import Session

if TYPE_CHECKING:
    from sdfviewer.gui.window import MainWindow


@dataclass(frozen=True, slots=True)
class Including:
    """The files that include one.

    Attributes
    ----------
    includers
        Tells what a rename means for them.
    search
        How they were found.
    places
        Where they were looked for.
    """

    includers: Includers
    search: Search
    places: tuple[Path, ...]


class OtherFiles:
    """Finds the files that include one of a window's, and makes edits in them."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def search(self, session: Session, model: Model, stopped: Callable[[], bool]) -> Callable[[], Including]:
        """Return the search for the files that include the one of a session, which may run in another thread.

        Files in other tabs count as they are there, saved or not.
        """
        assert session.path is not None
        file, finder = session.path, session.finder.anew()
        opened = [each.session.document for each in self._window.files.workspaces if each.session is not session]
        places = (project_folder(file), *finder.model_folders)

        def run() -> Including:
            search = find_including(file, places, finder, opened, stopped)
            return Including(Includers(model, search.documents, finder, stopped), search, places)

        return run

    def session_of(self, document: Document) -> Session | None:
        """Return the session of the tab that a document is that of, None where it is not open."""
        sessions = (each.session for each in self._window.files.workspaces)
        return next((session for session in sessions if session.document is document), None)

    def open(self, documents: Sequence[Document]) -> list[Session]:
        """Return the sessions of documents; files that are not open are opened in tabs behind the present one.

        Raises
        ------
        RefactoringError
            If one of them has changed since it was looked at.
        """
        shown = self._window.current
        sessions = [self.session_of(document) or self._open(document) for document in documents]
        if shown is not None:
            self._window.show_workspace(shown)
        found = [session for session in sessions if session is not None]
        for document, session in zip(documents, sessions, strict=True):
            if session is None or session.document.text != document.text:
                raise RefactoringError(f"{document.name} has changed meanwhile; see what changes along in it now")
        return found

    def _open(self, document: Document) -> Session | None:
        if document.path is None:
            return None
        self._window.files.open([document.path])
        workspace = self._window.files.find(document.path)
        return None if workspace is None else workspace.session

    def tell_unsaved(self, what: str) -> None:
        """Say that several files hold changes that are not saved, and offer to save them."""
        window = self._window
        unsaved = sum(each.session.dirty for each in window.files.workspaces)
        text = f"{what}. {counted(unsaved, 'file')} are changed and not saved; undo takes each back in its own tab."
        window.notices.ask(UNSAVED, text, {"Save All": window.files.save_all})
