"""Versions to compare an open file with: on disk, in git, or an earlier step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.files.git import open_git_head
from sdfviewer.files.opening import open_document
from sdfviewer.session.session import Session


@dataclass(frozen=True)
class FileState:
    """A state to compare with.

    Attributes
    ----------
    id
        Tells it from the others of a file.
    name
        A description, such as ``the version on disk``.
    read
        Returns its document; raises an `SdfViewerError` where there is none.
    renamed
        Old and new scoped names of frames that the user renamed from there to the present state.
    is_slow
        Whether it is read by another program, which may not answer.
    is_found
        Whether its text comes from elsewhere than the present history.
    revision
        The commit that included files are read from, too; empty where they are as they are now.
    """

    id: str
    name: str
    read: Callable[[], Document]
    renamed: tuple[tuple[str, str], ...] = ()
    is_slow: bool = False
    is_found: bool = True
    revision: str = ""


def head_version(session: Session, path: Path) -> FileState:
    """Return the last committed version of an open file."""
    renamed, read = _renamed_since(session, 0), partial(open_git_head, path)
    return FileState("head", "the version in git HEAD", read, renamed, True, revision="HEAD")


def disk_version(session: Session, path: Path) -> FileState:
    """Return the version of an open file on disk."""
    history = session.history
    saved = next((index for index in range(history.index, -1, -1) if history.is_saved(index)), 0)
    return FileState("disk", "the version on disk", partial(open_document, path), _renamed_since(session, saved))


def file_version(path: Path) -> FileState:
    """Return another file."""
    return FileState(f"file {path}", path.name, partial(open_document, path))


def step_version(session: Session, index: int) -> FileState:
    """Return a state of a session's history by its place there."""
    history = session.history
    step = history.steps[index]
    name = f"the file after “{step.label}”" if index else "the file as it was opened"
    if index > history.index:
        name += ", undone"

    def read() -> Document:
        document = session.document
        return document.edited((Replacement(0, len(document.text), step.text),))

    return FileState(f"step {index}", name, read, _renamed_since(session, index), is_found=False)


def _renamed_since(session: Session, index: int) -> tuple[tuple[str, str], ...]:
    """Return the names at a state of the history and those at the present one, where they differ."""
    history = session.history
    if index > history.index:
        renamed = [(new, old) for later in history.steps[index : history.index : -1] for old, new in later.renamed]
    else:
        renamed = [pair for later in history.steps[index + 1 : history.index + 1] for pair in later.renamed]
    names: dict[str, str] = {}
    for old, new in renamed:
        first = next((name for name, last in names.items() if last == old), old)
        names[first] = new
    return tuple(names.items())


def versions_of(session: Session) -> Iterator[FileState]:
    """Yield what an open file can be compared with, the states of its history from the latest on."""
    if session.path is not None:
        yield head_version(session, session.path)
        yield disk_version(session, session.path)
    for index in range(len(session.history.steps) - 1, -1, -1):
        if index != session.history.index:
            yield step_version(session, index)
