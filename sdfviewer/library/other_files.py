"""The other files that the edits of a document write: new ones, and dependent files that follow a rename."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sdfviewer.document.document import Document, Fingerprint
from sdfviewer.document.history import History
from sdfviewer.files import saving


@dataclass(slots=True)
class OtherEdits:
    """What the edits of a block do to other files.

    Attributes
    ----------
    documents
        Unsaved documents by the resolved path of their file, those of earlier edits too; the block's loader reads them.
    touched
        The files that the block changes: what they were before it, None for new ones.
    """

    documents: dict[Path, Document]
    touched: dict[Path, Document | None] = field(default_factory=dict)

    def write(self, path: Path, before: Document | None, after: Document) -> None:
        """Take note that an edit writes a file."""
        self.touched.setdefault(path, before)
        self.documents[path] = after


class OtherFiles(Mapping[Path, Document]):
    """The unsaved documents of other files in the present state of a history, by their resolved paths.

    Undo and redo change them with the document itself, and saving the document writes them.

    Attributes
    ----------
    history
        That of the document.
    """

    def __init__(self) -> None:
        self.history: History | None = None
        self._states: list[Mapping[Path, Document]] = [{}]
        #: The bytes on disk when they were last read or written; None for a new file.
        self._on_disk: dict[Path, Document | None] = {}
        #: The state before the first edit.
        self._before: dict[Path, Document | None] = {}

    # --- the present state -------------------------------------------------------------------------------------

    def _document(self, path: Path) -> Document | None:
        """Return the document of a file if it differs from the file on disk."""
        state = self._states[0 if self.history is None else self.history.index]
        document, on_disk = state.get(path, self._before.get(path)), self._on_disk.get(path)
        is_saved = on_disk is not None and document is not None and document.text == on_disk.text
        return None if is_saved else document

    def __getitem__(self, path: Path) -> Document:
        document = self._document(path)
        if document is None:
            raise KeyError(path)
        return document

    def __iter__(self) -> Iterator[Path]:
        return (path for path in self._before if self._document(path) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    # --- edits -------------------------------------------------------------------------------------------------

    @contextmanager
    def following(self, history: History, edits: OtherEdits | None = None) -> Iterator[None]:
        """Keep up with the edit that is made in a block; where none is made, nothing changes."""
        states, index, document = self._states, history.index, history.document
        edits = OtherEdits({}) if edits is None else edits
        written = {path: edits.documents[path] for path in edits.touched}
        for path, before in edits.touched.items():
            self._before.setdefault(path, before)
            self._on_disk.setdefault(path, before)
        self._states = [*states[: index + 1], {**states[index], **written}]
        try:
            yield
        finally:
            is_made = history.document is not document
            self._states = self._states[-len(history.steps) :] if is_made else states

    # --- saving ------------------------------------------------------------------------------------------------

    def require_unchanged(self) -> None:
        """Refuse to save where another program has written one of the files.

        Raises
        ------
        ChangedOnDiskError
            With the file.
        """
        for path in self:
            saving.require_unchanged(path, self._known(path))

    def _known(self, path: Path) -> Fingerprint | None:
        on_disk = self._on_disk[path]
        return None if on_disk is None else on_disk.fingerprint

    def save(self) -> None:
        """Write the files.

        Raises
        ------
        SaveError
            If one cannot be written.
        """
        for path, document in dict(self).items():
            tell = partial(warnings.warn, stacklevel=4)
            written = saving.save(path, document.to_bytes(), self._known(path), overwrite=True, tell=tell)
            self._on_disk[path] = document.moved_to(path, written)
