"""The open files of an editor: text and model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from sdfviewer.collection import paused_collection
from sdfviewer.diagnostics import Diagnostic, Replacement
from sdfviewer.document.document import Document, parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.language.completion import Open
from sdfviewer.language.outline import Outline, open_elements
from sdfviewer.language.positions import Positions, Unit
from sdfviewer.language.text_map import TextMap, plain
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes


@dataclass(frozen=True)
class Meaning:
    """What a version of a text means: the model, None where it has none, and all diagnostics."""

    model: Model | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Snapshot:
    """One version of an open file. Immutable, so that an answer may be computed while the next key is typed.

    Attributes
    ----------
    uri, version
        As the editor calls them.
    document, positions
        The text, and positions in it.
    last_model
        The last model of the file whose text could be read: for names while the present text is half typed.
    """

    uri: str
    version: int
    document: Document
    positions: Positions
    last_model: Model | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The text."""
        return self.document.text

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position."""
        return self.positions.offset(line, character)

    def open_elements_at(self, text: str, offset: int) -> list[Open]:
        """Return the elements that are open at an offset of a text with plain line ends, half typed or not."""
        if self.last_model is None:
            return open_elements(text[:offset])
        document = self.last_model.document
        return Outline(document, TextMap(document.text)).open_at(text, offset)

    def text_before(self, offset: int) -> str:
        """Return the text before an offset with plain line ends."""
        return plain(self.text[:offset])


@dataclass(frozen=True, slots=True)
class Edited:
    """A change of a text: the range that is replaced as (line, character) pairs, None for all, and the new text."""

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    text: str


class OpenFile:
    """An open file: its present snapshot, and the cache that makes an edit cost what it touches.

    Parameters
    ----------
    uri, path
        Its address, and its path where it is on the disk.
    text, version
        As the editor sends them.
    finder
        Where included files are looked for.
    unsaved
        Open documents by path; they are included in place of what is on the disk.
    unit
        How the editor counts characters.
    """

    def __init__(
        self,
        uri: str,
        path: Path | None,
        text: str,
        version: int,
        finder: Finder,
        unsaved: dict[Path, Document],
        unit: Unit,
    ) -> None:
        self.path = path
        self._unit = unit
        self._unsaved = unsaved
        self._loader = Loader(finder, unsaved, offer_fixes=offer_fixes, pausing=paused_collection)
        self._meaning: tuple[Document, Meaning] | None = None
        document = parse_document(text, path)
        self.snapshot = Snapshot(uri, version, document, Positions(text, unit))
        self._publish()

    def _publish(self) -> None:
        if self.path is not None:
            self._unsaved[self.path.resolve()] = self.snapshot.document

    def change(self, changes: Iterable[Edited], version: int) -> None:
        """Apply changes one after the other. Only what they touch is read again."""
        document, positions = self.snapshot.document, self.snapshot.positions
        for change in changes:
            if change.start is None or change.end is None:
                document = parse_document(change.text, self.path)
            else:
                start, end = positions.offset(*change.start), positions.offset(*change.end)
                document = document.edited([Replacement(start, max(start, end), change.text)])
            positions = Positions(document.text, self._unit)
        self.snapshot = replace(self.snapshot, version=version, document=document, positions=positions)
        self._publish()

    def close(self) -> None:
        """Let other files include what is on the disk again."""
        if self.path is not None:
            self._unsaved.pop(self.path.resolve(), None)

    @property
    def loader(self) -> Loader:
        """The loader of this file, for refactorings."""
        return self._loader

    def forget(self) -> None:
        """Forget what the text means: an included file has changed."""
        self._meaning = None

    def meaning(self, snapshot: Snapshot) -> Meaning:
        """Return what a snapshot means. Answers are kept for the last document; run on one thread only."""
        if self._meaning is not None and self._meaning[0] is snapshot.document:
            return self._meaning[1]
        meaning = Meaning(*self._loader.load_with_diagnostics(snapshot.document))
        self._meaning = (snapshot.document, meaning)
        if meaning.model is not None:
            self.snapshot = replace(self.snapshot, last_model=meaning.model)
        return meaning

    def model(self, snapshot: Snapshot) -> Model | None:
        """Return the model of a snapshot, None where its text means nothing at present."""
        return self.meaning(snapshot).model
