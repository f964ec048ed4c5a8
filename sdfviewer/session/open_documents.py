"""All open files, their unsaved texts for files that include them, and the file of a model folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from weakref import WeakKeyDictionary

from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import is_same_file, real_path
from sdfviewer.session.session import Session


class OpenDocuments:
    """The sessions of all open files, shared by everyone who opens, includes, renames or saves.

    Attributes
    ----------
    sessions
        The open files, in the order in which they were opened.
    unsaved
        The documents of files with unsaved changes, by the resolved path of their file. It follows every edit: a loader
        that holds it reads an included file as its tab shows it.
    """

    def __init__(self) -> None:
        self.sessions: tuple[Session, ...] = ()
        self.unsaved: Mapping[Path, Document] = _Unsaved(self)

    def add(self, session: Session) -> None:
        """Add a file that was opened."""
        self.sessions = (*self.sessions, session)

    def remove(self, session: Session) -> None:
        """Remove a file that is closed."""
        self.sessions = tuple(each for each in self.sessions if each is not session)

    def find(self, path: Path) -> Session | None:
        """Return the session of a file, None where it is not open."""
        for session in self.sessions:
            if session.path is not None and is_same_file(session.path, path):
                return session
        return None

    def session_of(self, document: Document) -> Session | None:
        """Return the session that shows a document at present, None if there is none."""
        return next((session for session in self.sessions if session.document is document), None)


class _Unsaved(Mapping[Path, Document]):
    """The unsaved documents of the open files."""

    def __init__(self, documents: OpenDocuments) -> None:
        self._documents = documents
        self._resolved: WeakKeyDictionary[Session, tuple[Path, Path]] = WeakKeyDictionary()

    def _resolve(self, session: Session, path: Path) -> Path:
        # Asked for each include of each file: links are followed once for each path that an open file has.
        known = self._resolved.get(session)
        if known is None or known[0] != path:
            known = self._resolved[session] = path, real_path(path)
        return known[1]

    def __iter__(self) -> Iterator[Path]:
        for session in self._documents.sessions:
            if session.dirty and session.path is not None:
                yield self._resolve(session, session.path)

    def __getitem__(self, path: Path) -> Document:
        for session in self._documents.sessions:
            if session.dirty and session.path is not None and self._resolve(session, session.path) == path:
                return session.document
        raise KeyError(path)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def model_file_of(folder: Path) -> Path:
    """Return the file of a model's folder.

    Raises
    ------
    UnreadableFileError
        If it is not the folder of a model.
    """
    found = Finder().model_file(folder)
    if found.path is None:
        raise UnreadableFileError(
            found.problem or f"{folder} is a folder without a model.config; open a file inside it"
        )
    return found.path
