"""A text that is written to a file in another folder: its URIs, and whether it means what it meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import is_same_file, real_path
from sdfviewer.files.uris import AssetKind, Keep, UriForm
from sdfviewer.formats.comparison import Announcement, compare, read_back
from sdfviewer.formats.registry import format_of
from sdfviewer.formats.srdf import SRDF
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.moved_uris import FileCopy, moved_uris, names_moved
from sdfviewer.refactoring.draft import note
from sdfviewer.refactoring.unmoved import FilesInFolders


class MovedDifferences(NamedTuple):
    """What differs of a text that was written in another folder, in sentences with file and line.

    Attributes
    ----------
    missing
        What is not found from there.
    faults
        What differs besides and was not announced: errors of this program.
    """

    missing: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class MovedText:
    """A text as it is written to a file in another folder.

    Attributes
    ----------
    before, document
        The text as it was, and as it is there, with both files.
    copies
        What is copied beside it.
    notes
        What is named otherwise, with its line.
    """

    before: Document
    document: Document
    copies: tuple[FileCopy, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the text is another one there."""
        return self.document.text != self.before.text

    @property
    def is_in_place(self) -> bool:
        """Whether it is the same text in the same folder."""
        return not self.changes and _folder(self.before) == _folder(self.document)

    def differences(self, model: Model | None, after: Model | None, finder: Finder) -> MovedDifferences:
        """Return what the file there does not find, and how else it differs.

        Parameters
        ----------
        model, after
            What the text meant, and what the file there means once it is written and all is copied.
        finder
            Finds files by URI.
        """
        if self.is_in_place:
            return MovedDifferences()
        lost = _not_found(self.before, self.document, finder)
        sentences = tuple(sentence for _, sentence in lost)
        robot = None if model is None else _robot_beside(model)
        if robot is not None and (after is None or _robot_beside(after) != robot):
            return MovedDifferences((*sentences, f"{self.before.name}:1: its robot is {robot}, which is not there"))
        if model is None or after is None:
            return MovedDifferences(sentences)
        if included := _lost_below(model, after):
            return MovedDifferences((*sentences, *included))
        announced = []
        for element, sentence in lost:
            around, rows = self.before.outwards(element), model.rows_by_element
            row = next((rows[id(each)] for each in around if id(each) in rows), 0)
            announced += [Announcement(sentence, each) for each in model.inside(row)]
        comparison = compare(model, after, contents=FilesInFolders(finder))
        return MovedDifferences(sentences, read_back(comparison, announced).faults)


def moved_text(document: Document, target: Path, finder: Finder, form: UriForm | Keep | None = None) -> MovedText:
    """Return a text as it is written to a file.

    Parameters
    ----------
    document
        The text, with the file that it is read from.
    target
        Where it is written.
    finder
        Finds files by URI.
    form
        A word of `URI_FORMS`, or ``keep``, by which all stay. By default URIs that would lead elsewhere from there
        become relative paths.
    """
    there = document.moved_to(target, None)
    if form == "keep" or (form is None and _folder(document) == _folder(there)):
        return MovedText(document, there)
    moved = moved_uris(document, target, finder, form)
    edits = tuple(edit for each in moved for edit in each.replacements)
    copies = tuple(each.copy for each in moved if each.copy is not None)
    return MovedText(
        document,
        there.edited(edits) if edits else there,
        tuple(each for each in copies if not is_same_file(each.source, each.target)),
        tuple(each.note for each in moved if each.note),
    )


def _folder(document: Document) -> Path | None:
    return None if document.path is None else real_path(document.path.absolute().parent)


def _lost_below(model: Model, after: Model) -> list[str]:
    """Return in sentences what included files do not find any more: it was beside the text that includes them."""
    sentences: list[str] = []
    for row in after.failed_includes:
        before = model.rows_by_name.get(after.names[row])
        if after.sources[row] is not None and before is not None and before not in model.failed_includes:
            element = after.elements[row]
            what = f"'{element.text_of('uri')}' is not found any more: it was beside {model.document.name}"
            sentences.append(note(after.document_of(row), element, what))
    return sentences


def _robot_beside(model: Model) -> Path | None:
    """Return the file of a robot that a text is about without naming its file, as an SRDF is."""
    if format_of(model.document) is not SRDF:
        return None
    return next((source.path for source in model.sources if source is not None), None)


def _not_found(before: Document, after: Document, finder: Finder) -> list[tuple[Element, str]]:
    """Return the elements of a text whose files are not found from another file, with a sentence about each."""
    lost: list[tuple[Element, str]] = []
    for old, new in zip(names_moved(before), names_moved(after), strict=True):
        nearby = old.kind is not AssetKind.INCLUDE
        found = finder.find(old.uri, before.path, nearby=nearby).path
        if found is None or after.path is None or finder.find(new.uri, after.path, nearby=nearby).path is not None:
            continue
        where = after.path.absolute().parent
        lost.append((old.element, note(before, old.element, f"'{new.uri}' is not found from {where}")))
    return lost
