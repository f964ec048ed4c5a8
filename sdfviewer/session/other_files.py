"""The other files that the edits of a document write: new ones, dependent files that follow a rename, xacro sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.document.document import Document, Fingerprint
from sdfviewer.document.history import History
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import real_path
from sdfviewer.files.uris import Keep, UriForm, named_files
from sdfviewer.formats.load import Loader

if TYPE_CHECKING:
    from sdfviewer.operations.declaration import Outcome
    from sdfviewer.refactoring.composition.moved_uris import FileCopy


@dataclass(slots=True)
class OtherEdits:
    """What edits that become one undo step do to other files.

    Attributes
    ----------
    documents
        Unsaved documents by the resolved path of their file, those of earlier edits too; the loader of the edits reads
        them.
    touched
        The files that the edits change: what they were before, None for new ones.
    copies
        What is copied beside the files that are written, by where it goes.
    """

    documents: dict[Path, Document] = field(default_factory=dict)
    touched: dict[Path, Document | None] = field(default_factory=dict)
    copies: dict[Path, FileCopy] = field(default_factory=dict)

    @classmethod
    def of(cls, done: Outcome) -> OtherEdits:
        """Return what one operation does to other files."""
        others = cls()
        others.add(done)
        return others

    @classmethod
    def of_files(cls, files: Iterable[tuple[Document, Document]]) -> OtherEdits:
        """Return what is done to files, each before and after."""
        others = cls()
        for before, after in files:
            others.write(before, after)
        return others

    def add(self, done: Outcome) -> None:
        """Take note of what an operation does to other files."""
        for each in done.files:
            self.write(each.before, each.after)
        self.copies |= {each.target: each for each in done.copies}

    def write(self, before: Document | None, after: Document) -> None:
        """Take note that an edit writes a file, which was ``before``; None for a new one."""
        assert after.path is not None
        path = real_path(after.path)
        self.touched.setdefault(path, before)
        self.documents[path] = after


class OtherFiles(Mapping[Path, Document]):
    """The unsaved documents of other files in the present state of a history, by their resolved paths.

    Undo and redo change them with the document itself, and saving the document writes them.

    Parameters
    ----------
    history
        That of the document.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        #: The bytes on disk when they were last read or written; None for a new file.
        self._on_disk: dict[Path, Document | None] = {}
        #: The state before the first edit.
        self._before: dict[Path, Document | None] = {}
        #: What saving copies, as long as a text names it, by where it goes.
        self.copies: dict[Path, FileCopy] = {}

    # --- the present state -------------------------------------------------------------------------------------

    def _document(self, path: Path) -> Document | None:
        """Return the document of a file if it differs from the file on disk."""
        document, on_disk = self._history.others.get(path, self._before.get(path)), self._on_disk.get(path)
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

    def after(self, edits: OtherEdits) -> Mapping[Path, Document]:
        """Return the documents of the state that edits lead to, for its step of the history."""
        self.copies |= edits.copies
        for path, before in edits.touched.items():
            self._before.setdefault(path, before)
            self._on_disk.setdefault(path, before)
        return {**self._history.others, **{path: edits.documents[path] for path in edits.touched}}

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

    def save(
        self, tell: Callable[[str], object], document: Document, finder: Finder, copies: Sequence[FileCopy] = ()
    ) -> None:
        """Write the files, and copy what they and a document name.

        Parameters
        ----------
        tell
            See :func:`.saving.save`.
        document, finder
            The document that is written after them, and what finds the files of copies.
        copies
            What is copied for it, besides those of the edits.

        Raises
        ------
        SaveError
            If one cannot be written.
        """
        named = {path for each in (document, *self._history.others.values()) for path in _paths_named(each, finder)}
        wanted = [each for each in self.copies.values() if not named.isdisjoint((each.target, each.source))]
        if wanted or copies:  # first, so that no text names a copy that could not be made
            from sdfviewer.scene.copied_files import write_copies  # noqa: PLC0415  # few edits copy files

            write_copies((*wanted, *copies), finder)
            for each in wanted:
                del self.copies[each.target]
            expect_copies(finder, self.copies)
        for path, other in dict(self).items():
            written = saving.save(path, other.to_bytes(), self._known(path), overwrite=True, tell=tell)
            self._on_disk[path] = other.moved_to(path, written)


def expect_copies(finder: Finder, copies: Mapping[Path, FileCopy]) -> None:
    """Let a finder find what is copied when a document is saved."""
    finder.expect_copies({target: copy.source for target, copy in copies.items()})


def _paths_named(document: Document, finder: Finder) -> Iterator[Path]:
    """Yield the paths that a document names: in its folder, and what a finder has for them."""
    for each in named_files(document) if document.path is not None else ():
        assert document.path is not None
        yield document.path.absolute().parent / each.uri
        found = finder.find(each.uri, document.path, nearby=True).path
        if found is not None:
            yield found


# --- the same text in another folder ------------------------------------------------------------------------------


def write_elsewhere(
    document: Document,
    target: Path,
    loader: Loader,
    form: UriForm | Keep | None,
    tell: Callable[[str], object],
) -> tuple[bytes, tuple[str, ...]]:
    """Write a text to a file; return what was written, and what differs there and was not announced.

    Parameters
    ----------
    document
        The text, with the file that it was made from.
    target, loader
        The file, and what reads both.
    form
        How it names its files there, see :func:`.moved_text.moved_text`.
    tell
        Called with each sentence about what is named otherwise, is not found from there, or differs; see also
        :func:`.saving.save`.

    Raises
    ------
    SdfViewerError
        If it cannot be written, or something cannot be copied.
    """
    from sdfviewer.refactoring.composition.moved_text import moved_text  # noqa: PLC0415  # few sessions save elsewhere

    moved = moved_text(document, target, loader.finder, form)
    content = moved.document.to_bytes()
    if moved.copies:  # first, so that no text names a copy that could not be made
        from sdfviewer.scene.copied_files import write_copies  # noqa: PLC0415  # few outputs need copies

        write_copies(moved.copies, loader.finder)
    saving.save(target, content, tell=tell)
    if moved.is_in_place:
        return content, ()
    loader.finder.forget()
    model = None if document.path is None else loader.load(document)
    after = None if model is None else loader.load(moved.document)
    differences = moved.differences(model, after, loader.finder)
    for each in (*moved.notes, *differences.missing, *differences.faults):
        tell(each)
    return content, differences.faults
