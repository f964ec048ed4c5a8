"""The files of a session on disk: those that it includes, whether they are still what was read, and reading again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document, parse_document
from sdfviewer.files import saving
from sdfviewer.files.opening import read_decoded
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.language.text_map import difference
from sdfviewer.model.model import Model

#: A model, or None where a file that has none may be loaded, too.
AnyModel = TypeVar("AnyModel", Model, Model | None)
#: Places of missing files that are looked at.
_MOST_MISSING = 1000


def missing_files(diagnostics: Sequence[Diagnostic]) -> tuple[Path, ...]:
    """Return where the files were looked for that problems call missing, the first :data:`_MOST_MISSING`."""
    tried = dict.fromkeys(place for each in diagnostics for place in each.tried)
    return tuple(Path(place) for place in islice(tried, _MOST_MISSING))


def existing(paths: Iterable[Path]) -> frozenset[Path]:
    """Return those of some paths at which there is something."""
    return frozenset(path for path in paths if os.path.exists(path))  # where pathlib raises


def included_documents(model: Model | None, document: Document, others: Sequence[Document] = ()) -> list[Document]:
    """Return the documents that the model of a document includes, each once; of a xacro file those that it reads.

    ``others`` are those that could not be read, and later than those of the model, which may be an earlier one.
    """
    read: list[Document] = []
    for source in model.included_documents if model is not None else ():
        if isinstance(source, ExpandedDocument):
            read += (each for each in (*source.sources, *source.data) if each is not document)
        else:
            read.append(source)
    return list({each.path or id(each): each for each in (*read, *others)}.values())


def included_files(model: Model | None, document: Document, others: Sequence[Document] = ()) -> tuple[Path, ...]:
    """Return the files that the model of a document includes, each once; see :func:`included_documents`."""
    paths = (source.path for source in included_documents(model, document, others))
    return tuple(dict.fromkeys(path for path in paths if path is not None))


def have_changed_on_disk(model: Model | None, document: Document, others: Sequence[Document] = ()) -> bool:
    """Return whether any included file differs on disk from what was read."""
    return any(
        source.fingerprint is not None and saving.has_changed(source.path, source.fingerprint)
        for source in included_documents(model, document, others)
        if source.path is not None and source.path != document.path
    )


#: Characters: a change of more of the text is read in the background.
_LARGE_CHANGE = 100_000


@dataclass(frozen=True, slots=True)
class RereadDocument:
    """The document of a file as it is on disk now, and whether so much is new that loading it takes long."""

    document: Document
    is_large_change: bool


def reread(document: Document) -> RereadDocument:
    """Read the file of a document again; what is the same is shared.

    Raises
    ------
    UnreadableFileError
        If there is no such file or it cannot be read.
    """
    assert document.path is not None
    decoded, on_disk = read_decoded(document.path)
    if decoded.undecodable or decoded.encoding != document.encoding:
        whole = parse_document(decoded.text, document.path, encoding=decoded.encoding, on_disk=on_disk)
        return RereadDocument(whole, is_large_change=len(whole.text) > _LARGE_CHANGE)
    change = difference(document.text, decoded.text)
    edited = document.edited(() if change is None else (change,)).moved_to(document.path, on_disk)
    is_large_change = change is not None and len(change.text) > _LARGE_CHANGE
    if is_large_change and edited.root is not None:
        edited.offset(edited.root)  # finds where all elements are, which the views need at once
    return RereadDocument(edited, is_large_change)


def load_as_committed(
    document: Document,
    load: Callable[[Mapping[Path, Document]], tuple[AnyModel, tuple[Diagnostic, ...]]],
    revision: str = "HEAD",
) -> tuple[AnyModel, tuple[Diagnostic, ...]]:
    """Return what a committed file meant with the files that it includes as the commit has them.

    Those that the commit does not hold are read from the disk.

    Parameters
    ----------
    document
        The committed text, with the path of the file.
    load
        Loads it with other documents instead of included files.
    revision
        The commit.
    """
    from sdfviewer.files.git import committed_files  # noqa: PLC0415  # few ask

    instead: dict[Path, Document] = {}
    asked: set[Path] = set()
    diagnostics: tuple[Diagnostic, ...]
    while True:
        model, diagnostics = load(instead)
        read: dict[Path, Document] = {
            each.path: each for each in included_documents(model, document) if each.path is not None
        }
        wanted: set[Path] = {*read, *missing_files(diagnostics)} - asked
        assert document.path is not None
        then = committed_files(document.path, wanted, revision) if wanted else {}
        changed = {file: each for file, each in then.items() if file not in read or read[file].text != each.text}
        if not changed:
            return model, diagnostics
        instead |= changed
        asked |= wanted
