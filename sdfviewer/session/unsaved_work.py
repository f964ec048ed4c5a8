"""All open files and their unsaved texts: for files that include them, and stored so that they survive a crash.

Writing waits for the disk, so it happens in a thread of its own; whoever needs it done waits for it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

from sdfviewer.document.document import Document, Fingerprint, UnreadableFileError
from sdfviewer.document.xml.encoding import Encoding, EncodingError, encode, storable
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import is_same_file, real_path
from sdfviewer.files.recovery import KeptFile, discard_recovery, write_recovery
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


#: Halves of surrogate pairs, which no encoding can write; saving says so.
_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class UnsavedText:
    """Text that differs from the file on disk.

    Attributes
    ----------
    path
        The file, None where it has no name yet.
    text, encoding
        The text, and how its file is written.
    base
        The file on disk when it was last read or saved.
    others
        The unsaved documents of other files that its edits have changed, by their paths.
    """

    path: Path | None
    text: str
    encoding: Encoding
    base: Fingerprint | None
    others: Mapping[Path, Document] = field(default_factory=dict)


class UnsavedWork:
    """The recovery file of one open file: one job at a time, in the order in which they were requested."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="recovery")
        self._kept: Path | None = None
        self._waiting: UnsavedText | None = None
        self._nameless = secrets.token_hex(8)

    def keep(self, unsaved: UnsavedText | None) -> Future[None]:
        """Write a text down, or forget what was written where there is none; return the job.

        Only the newest waiting text is written. The job raises `SaveError`.
        """
        self._waiting = unsaved
        return self._executor.submit(self._write, unsaved)

    def close(self) -> None:
        """Forget what was written, and end the thread.

        Raises
        ------
        SaveError
            If it cannot be removed.
        """
        job = self.keep(None)
        self._executor.shutdown(wait=True)
        job.result()

    def _write(self, unsaved: UnsavedText | None) -> None:
        if unsaved is not self._waiting:
            return  # a later one is on its way
        former = self._kept
        self._kept = None if unsaved is None else write_unsaved(unsaved, self._nameless)
        if former is not None and former != self._kept:
            discard_recovery(former)


def write_unsaved(unsaved: UnsavedText, nameless: str) -> Path:
    """Write a text where it survives a crash, and return the recovery file.

    ``nameless`` tells a text without a file from others of this run; see :func:`.write_recovery`.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    others = [
        KeptFile(path, _stored(each.text, each.encoding), each.fingerprint) for path, each in unsaved.others.items()
    ]
    data = _stored(unsaved.text, unsaved.encoding)
    return write_recovery(unsaved.path, data, unsaved.base, nameless=nameless, others=others)


def _stored(text: str, encoding: Encoding) -> bytes:
    """Return a text as saving would write it; what no encoding can write is replaced."""
    try:
        return encode(*storable(text, encoding))
    except EncodingError:
        return encode(*storable(_HALVES.sub("\ufffd", text), encoding))
