"""The files that a model includes, and whether they are still what was read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.files import saving
from sdfviewer.formats.xacro.expansion import ExpandedDocument
from sdfviewer.model.model import Model

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

    ``others`` are those that were read in vain, and later than those of the model, which may be an earlier one.
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
