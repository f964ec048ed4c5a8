"""A draft of a document: several edits combined into one, with notes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from sdfviewer.diagnostics import PlacedSentence, Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, as_one
from sdfviewer.document.element import Element
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.written_rows import IncludedDocument, in_included_file
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError

_Key = TypeVar("_Key", bound=Hashable)


def note(document: Document, element: Element, message: str) -> PlacedSentence:
    """Return a sentence about an element with its place before it."""
    return PlacedSentence(document.name, document.span(element).line, message)


class Draft:
    """A document on its way through several edits, each made in the text that the one before has left.

    Attributes
    ----------
    original, document
        As it was, and as it is now.
    """

    def __init__(self, document: Document) -> None:
        self.original = document
        self.document = document
        self._length = len(document.text)
        # The present text: the new text, and the range that it replaces in the first document.
        self._pieces: list[str | tuple[int, int]] = [(0, self._length)]

    def edit(self, replacements: Replacements) -> None:
        """Make an edit of the present document."""
        if not replacements:
            return
        self.document = self.document.edited(replacements)
        old, self._pieces = iter(self._pieces), []
        rest: str | tuple[int, int] = ""
        at = 0
        for change in sorted(replacements, key=lambda change: (change.start, change.end)):
            rest = _pass_on(rest, old, change.start - at, self._pieces)
            rest = _pass_on(rest, old, change.end - change.start, [])
            self._pieces.append(change.text)
            at = change.end
        self._pieces += [rest, *old]

    def note(self, element: Element, message: str) -> PlacedSentence:
        """Return a sentence about an element of the present document with its place in the original before it."""
        offset, at, found = self.document.offset(element), 0, 0
        for piece in self._pieces:
            if at > offset:
                break
            if isinstance(piece, str):
                at += len(piece)
            else:  # what is new is where the text before it ends
                found = min(piece[0] + offset - at, piece[1])
                at += piece[1] - piece[0]
        return PlacedSentence(self.original.name, self.original.position(found)[0], message)

    def replacements(self) -> Replacements:
        """Return all edits as one of the first document."""
        edits: list[Replacement] = []
        at, text = 0, ""
        for piece in (*self._pieces, (self._length, self._length)):
            if isinstance(piece, str):
                text += piece
                continue
            if text or piece[0] > at:
                edits.append(Replacement(at, piece[0], text))
            at, text = piece[1], ""
        return tuple(edits)


class ModelDraft:
    """Several edits of a model combined into one: each is made in what the edits before it have left.

    Parameters
    ----------
    model
        What the file means at first.

    Attributes
    ----------
    model
        What it means now.
    loader
        Reads what each edit leaves.
    labels
        What the edits are called.
    renamed
        New scoped names by the first ones.
    added
        Scoped names of what the edits add.
    notes
        What the edits could not carry over or mean otherwise, in sentences.
    """

    def __init__(self, model: Model, loader: Loader) -> None:
        self.model = model
        self.loader = loader
        self._draft = Draft(model.document)
        self.labels: list[str] = []
        self.renamed: dict[str, str] = {}
        self.added: list[str] = []
        self.notes: tuple[str, ...] = ()

    @property
    def document(self) -> Document:
        """The text as the edits so far leave it."""
        return self._draft.document

    def make(self, *edits: Edit) -> None:
        """Make edits of the present model, of different parts of its text.

        Raises
        ------
        RefactoringError
            If the text holds no model after them.
        """
        self._draft.edit(as_one("", edits).replacements)
        for edit in edits:
            self.labels.append(edit.label)
            self.notes += (*edit.losses, *edit.notes)
            if new := dict(edit.renamed):
                self.added = [new.pop(name, name) for name in self.added]
                self.renamed = {old: new.pop(name, name) for old, name in self.renamed.items()} | new
            self.added += edit.added
        original = self._draft.original
        if isinstance(original, IncludedDocument):
            self.model = self._read_in_context(original)
            return
        model, diagnostics = self.loader.load_with_diagnostics(self.document)
        if model is None:
            raise RefactoringError(why_not_loaded(diagnostics))
        self.model = model

    def make_together(self, series: Mapping[_Key, Iterator[Edit]]) -> list[_Key]:
        """Make several series of edits: the first ones of all at once, then the second ones, until all have ended.

        So the text is read once for each, not once for each edit of each series.

        Parameters
        ----------
        series
            Edits of different parts of the text, each of the present model when it is asked for.

        Returns
        -------
        list
            The keys of the series that change anything.
        """
        going, changed = dict(series), set[_Key]()
        while edits := {key: edit for key, each in going.items() if (edit := next(each, None)) is not None}:
            changed.update(key for key, edit in edits.items() if edit.replacements)
            self.make(*edits.values())
            going = {key: going[key] for key in edits}
        return [key for key in series if key in changed]

    def _read_in_context(self, original: IncludedDocument) -> Model:
        """Return what the file means that includes the text, as :func:`in_included_file` does."""
        assert original.path is not None
        instead = {**self.loader.instead, real_path(original.path): self.document}
        around = Loader(self.loader.finder, instead, self.loader.expander)
        model, diagnostics = around.load_with_diagnostics(original.including.document)
        if model is None:
            raise RefactoringError(why_not_loaded(diagnostics))
        seen = in_included_file(model, original.rows[:1])
        if seen is None or seen.document.text != self.document.text:
            raise RefactoringError("the include changes this itself; edit it in steps, or there")
        return seen

    def edit(self, label: str | None = None) -> Edit:
        """Return all edits so far as one; without a label it is called as the last of them."""
        renamed = tuple(self.renamed.items())
        label = (self.labels or [""])[-1] if label is None else label
        return Edit(label, self._draft.original, self._draft.replacements(), renamed, tuple(self.added), self.notes)


def _pass_on(
    rest: str | tuple[int, int],
    old: Iterator[str | tuple[int, int]],
    length: int,
    pieces: list[str | tuple[int, int]],
) -> str | tuple[int, int]:
    """Move ``length`` characters from ``rest`` and the pieces after it to ``pieces``; return the rest of the last."""
    while length > 0:
        size = len(rest) if isinstance(rest, str) else rest[1] - rest[0]
        if size > length:
            if isinstance(rest, str):
                pieces.append(rest[:length])
                return rest[length:]
            pieces.append((rest[0], rest[0] + length))
            return (rest[0] + length, rest[1])
        pieces.append(rest)
        length -= size
        rest = next(old, "")
    return rest


def moved_offsets(offsets: Sequence[int], replacements: Replacements) -> Iterator[int]:
    """Yield where characters stand after an edit that does not touch them; the offsets are in rising order."""
    changes = sorted(replacements, key=lambda change: (change.start, change.end))
    number = shift = 0
    for offset in offsets:
        while number < len(changes) and changes[number].end <= offset and changes[number].start <= offset:
            change = changes[number]
            shift += len(change.text) - (change.end - change.start)
            number += 1
        yield offset + shift
