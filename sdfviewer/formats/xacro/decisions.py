"""What the user has decided about xacro files: kept on disk, shared by the window, previews and the language server.

A decision is about content: one that changes on disk is asked about again, and so is one that begins to read another
file. What the user types into a file that she has allowed is hers.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from threading import Lock

from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.installed import enclosing_package
from sdfviewer.files.opening import read_decoded
from sdfviewer.files.paths import home_folder, real_path, state_folder
from sdfviewer.files.saving import SaveError, save


class Permission:
    """Says which xacro files may be evaluated; this one refuses all.

    Attributes
    ----------
    advice
        What lets a refused file be evaluated, as the end of a sentence.
    """

    advice = "open it by itself"

    def may_evaluate(self, document: Document) -> bool:
        """Return whether a file may be evaluated."""
        return False

    def may_evaluate_content(self, document: Document) -> bool:
        """Return whether a file may be evaluated that holds elements of xacro, but is not named as a xacro file."""
        return self.may_evaluate(document)

    def may_read(self, document: Document, path: Path, text: str) -> bool:
        """Return whether another file, with this text, may be a part of the evaluation of a file."""
        return True

    def for_found_texts(self) -> Permission:
        """Return the permission for texts that nobody has typed here, such as the version of a file in git."""
        return self

    def note_evaluated(self, document: Document, texts: Iterable[str]) -> None:
        """Note that a file was evaluated, and the texts of the other files that this has read."""


class NamedFiles(Permission):
    """Lets those files be evaluated that were named themselves, or all of them.

    Parameters
    ----------
    paths
        The files, or None for all.
    advice
        See :class:`Permission`.
    """

    def __init__(self, paths: Iterable[Path] | None, advice: str) -> None:
        self._named = None if paths is None else tuple(paths)
        self.advice = advice

    @cached_property
    def _paths(self) -> frozenset[Path]:
        """The files themselves, found out when a file is to be evaluated: nearly all that are loaded are no xacro."""
        return frozenset(map(real_path, self._named or ()))

    def may_evaluate(self, document: Document) -> bool:
        """Return whether a file was named."""
        return self._named is None or (document.path is not None and real_path(document.path) in self._paths)

    def may_evaluate_content(self, document: Document) -> bool:
        """Return whether all files may be evaluated: who names a URDF means the file as it is written."""
        return self._named is None


#: Contents, and folders, that are remembered; the oldest are forgotten.
_MOST = 20_000
_MOST_BYTES = 8 << 20


class Answer(Enum):
    """What the user can say about a xacro file."""

    FILE = "file"
    """Evaluate this content, with the files that it reads now."""
    FOLDER = "folder"
    """Evaluate every file in its package, or without one in its folder, whatever it reads."""
    NEVER = "never"
    """Do not evaluate this content, and do not ask."""


@dataclass(frozen=True)
class _Known:
    """What is on disk, the oldest first."""

    allowed: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


class DecisionStore:
    """The file in which decisions are kept; several programs may use it at once.

    Parameters
    ----------
    file
        By default ``xacro.json`` in the folder for the state of the program.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or state_folder() / "xacro.json"
        self._read: tuple[object, _Known] = (None, _Known())
        #: What could not be written, None where everything is on disk.
        self._unwritten: _Known | None = None

    @property
    def known(self) -> _Known:
        """The decisions; none where the file is missing, broken, or that of another user."""
        if self._unwritten is not None:
            return self._unwritten
        try:
            status = self._file.lstat()
        except OSError:
            return _Known()
        state = (status.st_mtime_ns, status.st_size, status.st_ino)
        if self._read[0] != state:
            is_own = os.name == "nt" or status.st_uid == os.geteuid()
            self._read = (state, self._parse() if is_own and status.st_size <= _MOST_BYTES else _Known())
        return self._read[1]

    def _parse(self) -> _Known:
        try:
            written = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return _Known()

        def words(name: str) -> tuple[str, ...]:
            found = written.get(name) if isinstance(written, dict) else None
            return tuple(each for each in found if isinstance(each, str)) if isinstance(found, list) else ()

        return _Known(words("allowed"), words("folders"), words("never"))

    def add(self, *, allowed: Iterable[str] = (), folders: Iterable[str] = (), never: Iterable[str] = ()) -> None:
        """Add decisions; what was decided otherwise before counts no more."""
        known, allowed, never = self.known, tuple(allowed), tuple(never)
        after = _Known(
            _joined((each for each in known.allowed if each not in never), allowed),
            _joined(known.folders, folders),
            _joined((each for each in known.never if each not in allowed), never),
        )
        if after != known:
            self._write(after)

    def _write(self, known: _Known) -> None:
        """Replace the file; where it cannot be written, decisions last as long as the program."""
        text = json.dumps({"allowed": known.allowed, "folders": known.folders, "never": known.never}, indent=0)
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            save(self._file, text.encode(), mode=0o600)
        except (OSError, SaveError):
            self._unwritten = known
        else:
            self._unwritten = None


def _joined(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))[-_MOST:]


class Decisions(Permission):
    """Lets xacro files be evaluated as the user has decided. Several threads may ask at once.

    Parameters
    ----------
    advice
        See :class:`.Permission`.
    store
        Keeps the decisions.
    """

    def __init__(self, advice: str, store: DecisionStore | None = None) -> None:
        self.advice = advice
        self._store = store or DecisionStore()
        self._lock = Lock()
        #: Files whose content was allowed: what is typed into them is, too. With the last text that was typed.
        self._open: dict[Path, str] = {}
        #: Files that were allowed just now: whatever they read in their next evaluation belongs to the decision.
        self._learning: set[Path] = set()
        #: Contents that were found somewhere and not allowed: they do not become typed ones by being shown again.
        self._foreign: set[str] = set()

    # --- decide ----------------------------------------------------------------------------------------------------

    def decide(self, documents: Iterable[Document], answer: Answer) -> None:
        """Take the user's answer about some files."""
        with self._lock:
            for document in documents:
                if document.path is None:
                    continue
                path, mark = real_path(document.path), mark_of(document.text)
                if answer is Answer.NEVER:
                    self._open.pop(path, None)
                    self._store.add(never=[mark])
                elif answer is Answer.FOLDER and (folder := folder_of(path)) is not None:
                    self._store.add(folders=[str(folder)])
                else:
                    self._store.add(allowed=[mark])
                    self._learning.add(path)

    def note_saved(self, document: Document) -> None:
        """Note that the text of a file was saved here: it is what the user has made of it."""
        with self._lock:
            if document.path is not None and real_path(document.path) in self._open:
                self._store.add(allowed=[mark_of(document.text)])

    def is_never(self, document: Document) -> bool:
        """Return whether the user does not want to be asked about the content of a file."""
        return mark_of(document.text) in self._store.known.never

    def for_found_texts(self) -> Permission:
        """Return the permission for texts that were found, not typed: only their content counts."""
        return _FoundTexts(self)

    # --- ask -------------------------------------------------------------------------------------------------------

    def may_evaluate(self, document: Document) -> bool:
        """Return whether the user has allowed the content of a file, its folder, or what she has typed into it."""
        assert document.path is not None
        with self._lock:
            return self._is_allowed(real_path(document.path), document.text)

    def may_read(self, document: Document, path: Path, text: str) -> bool:
        """Return whether another file belongs to what was decided about a file."""
        assert document.path is not None
        root, path = real_path(document.path), real_path(path)
        with self._lock:
            is_never = mark_of(text) in self._store.known.never
            if root in self._learning or (self._is_in_folder(root) and not is_never):
                self._open.setdefault(path, "")
                return True
            return self._is_allowed(path, text)

    def note_evaluated(self, document: Document, texts: Iterable[str]) -> None:
        """Remember what a file that was allowed just now has read."""
        assert document.path is not None
        with self._lock:
            if (path := real_path(document.path)) in self._learning:
                self._learning.discard(path)
                self._store.add(allowed=map(mark_of, (document.text, *texts)))

    def _is_allowed(self, path: Path, text: str) -> bool:
        known, mark = self._store.known, mark_of(text)
        if mark in known.never:
            return False
        if mark in known.allowed or self._is_in_folder(path):
            self._open.setdefault(path, "")
            return True
        if self._open.get(path) == mark:
            return True
        if mark in self._foreign or not _is_typed(path, text):
            self._foreign.add(mark)
            return False
        if path in self._open:
            self._open[path] = mark
            return True
        return False

    def may_evaluate_found(self, document: Document) -> bool:
        """Return whether a text that was found may be evaluated: its content or folder is allowed, or it is open."""
        assert document.path is not None
        path, mark = real_path(document.path), mark_of(document.text)
        with self._lock:
            known = self._store.known
            is_known = mark in known.allowed or self._is_in_folder(path) or self._open.get(path) == mark
            if is_known and mark not in known.never:
                return True
            self._foreign.add(mark)
            return False

    def _is_in_folder(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self._store.known.folders)


class _FoundTexts(Permission):
    """Lets texts that were found be evaluated as the user has decided about their content."""

    def __init__(self, decisions: Decisions) -> None:
        self.advice = decisions.advice
        self._decisions = decisions

    def may_evaluate(self, document: Document) -> bool:
        """Return whether the user has allowed the content of a text, or its folder."""
        return self._decisions.may_evaluate_found(document)

    def may_read(self, document: Document, path: Path, text: str) -> bool:
        """Return whether another file belongs to what was decided about a file."""
        return self._decisions.may_read(document, path, text)

    def note_evaluated(self, document: Document, texts: Iterable[str]) -> None:
        """Remember what a file that was allowed just now has read."""
        self._decisions.note_evaluated(document, texts)


def mark_of(text: str) -> str:
    """Return the mark of a content, whatever its line ends."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def folder_of(path: Path) -> Path | None:
    """Return the folder that :attr:`Answer.FOLDER` means for a file: its package, or without one its own.

    None for the user's home and what is above it: nobody decides about all of that.
    """
    path = real_path(path)
    folder = enclosing_package(path.parent) or path.parent
    return None if real_path(home_folder()).is_relative_to(folder) else folder


def _is_typed(path: Path, text: str) -> bool:
    """Return whether a text is not what is on disk, so that it was typed here."""
    try:
        return mark_of(read_decoded(path)[0].text) != mark_of(text)
    except UnreadableFileError:
        return True
