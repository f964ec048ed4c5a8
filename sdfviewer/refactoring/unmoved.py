"""Make an edit that must move no frame, find what else it changes without a word, and say what a merge means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path

from sdfviewer.diagnostics import Diagnostic, SdfViewerError, new_problems
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.document.merging import Merge, Side
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import is_absolute, is_file, is_same_file, real_path
from sdfviewer.formats.comparison import CONFIGURATIONS, Announcement, ReadBack, RowContents, compare, read_back
from sdfviewer.formats.load import Loader
from sdfviewer.model.comparison.frames import Change
from sdfviewer.model.comparison.models import ModelComparison
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.moved_uris import FileCopy


class MovesFramesError(SdfViewerError):
    """An edit of the whole file would move a frame, or leave nothing that can be read."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file after an edit that must move no frame.

    Attributes
    ----------
    model
        What the file means after the edit.
    read_back
        What differs, also where neither losses nor notes of the edit name it.
    """

    model: Model
    read_back: ReadBack

    @property
    def faults(self) -> tuple[str, ...]:
        """What differs and was not announced, in sentences with file and line: errors of this program."""
        return self.read_back.faults


def edit_unmoved(
    model: Model,
    edit: Edit,
    loader: Loader,
    others: Sequence[Document] = (),
    copies: Sequence[FileCopy] = (),
    configurations: int = CONFIGURATIONS,
) -> Rewritten:
    """Return the model of the file after an edit of its text, which is compared with the model before.

    Parameters
    ----------
    others
        Other files as they will be, which need not be written yet.
    copies
        What will be copied for them.
    configurations
        How many random positions of the joints are compared.

    Raises
    ------
    MovesFramesError
        If a frame would move, or the file could no longer be read.
    """
    after = with_files(loader, others).load(model.document.edited(edit.replacements))
    contents = FilesInFolders(loader.finder, {each.target: each.source for each in copies})
    comparison = None if after is None else compare(model, after, edit.renamed, contents=contents)
    names = {new: old for old, new in edit.renamed}
    about = [(model.rows_by_name.get(names.get(each.name, each.name), -1), each) for each in edit.about]
    gone = {row for row, each in about if each.is_of_whole}
    differences = () if comparison is None else comparison.moved()
    moved = [
        each.name
        for each in differences
        if not (each.changes == (Change.VANISHED,) and each.row_before in gone)
        and not (each.changes == (Change.APPEARED,) and each.name in edit.added)
    ]
    if after is None or comparison is None or moved:
        raise MovesFramesError(f"this would change {', '.join(moved[:5]) or 'the whole file'}; nothing was written")
    announced = [Announcement(each.sentence, row, each.topics) for row, each in about if row >= 0]
    refused = _new_errors(model, after, edit, {row for row, each in about if each.sentence in edit.losses})
    added = [after.rows_by_name[name] for name in edit.added if name in after.rows_by_name]
    return Rewritten(after, read_back(comparison, announced, added, refused, configurations))


class FilesInFolders(RowContents):
    """Compares URIs by where they lead from the folders of two files.

    Parameters
    ----------
    finder
        Finds files by URI.
    copies
        Files that will be copied, by where they go.
    """

    def __init__(self, finder: Finder, copies: Mapping[Path, Path] | None = None) -> None:
        self._copies = copies or {}
        self._finder = finder.expecting(self._copies) if self._copies else finder

    def same_file(self, a: str, b: str, folder_a: Path | None, folder_b: Path | None) -> bool:
        """Return whether two URIs lead to one file, or to a file and its copy; if both lead nowhere, as written."""
        is_same = super().same_file(a, b, folder_a, folder_b)
        if is_same and (a != b or folder_a == folder_b or "://" in a or is_absolute(a)):
            return True
        nearby = a != b  # what is as it was must be found as it was
        found = (
            self._finder.find(uri, folder / "file" if folder is not None else None, nearby=nearby).path
            for uri, folder in ((a, folder_a), (b, folder_b))
        )
        one, other = (path if path is None else self._copies.get(path, path) for path in found)
        if one is None or other is None:
            return is_same and one is other
        return is_same_file(one, other) or (is_file(one) and is_file(other) and cmp(one, other, shallow=False))


def with_files(loader: Loader, others: Sequence[Document]) -> Loader:
    """Return a loader to which some files are as they will be; itself for none."""
    files = {each.path: each for each in others if each.path is not None}
    if not files:
        return loader
    instead = {**loader.instead, **{real_path(path): each for path, each in files.items()}}
    return Loader(loader.finder.expecting(files), instead, loader.expander)


def unannounced(
    model: Model,
    edit: Edit,
    loader: Loader,
    others: Sequence[Document] = (),
    copies: Sequence[FileCopy] = (),
    configurations: int = CONFIGURATIONS,
) -> tuple[str, ...]:
    """Return what an edit that should keep what a file means changes without a word: errors of this program.

    See :func:`edit_unmoved` for the parameters.
    """
    try:
        return edit_unmoved(model, edit, loader, others, copies, configurations).faults
    except MovesFramesError as error:
        return (f"{model.document.name}:1: error of sdfviewer: {error}",)


def _new_errors(before: Model, after: Model, edit: Edit, lost: Set[int]) -> list[str]:
    """Return a sentence for each error that the file has after an edit, and had not before.

    One at a frame that has lost something, as the edit says, is no error of this program.
    """
    names = {new: old for old, new in edit.renamed}
    found = []
    errors = ([each for each in model.diagnostics if each.is_error] for model in (after, before))
    for each in new_problems(*errors, renames=True):
        rows = [before.rows_by_name.get(names.get(name, name), -1) for name in each.frames[:1]]
        if not any(row >= 0 and not lost.isdisjoint(before.around(row)) for row in rows):
            why = f"what is written is refused: {each.message}"
            found.append(f"{before.document.name}:1: error of sdfviewer: {why}")
    return found


@dataclass(frozen=True)
class MergedModel:
    """A merged text and what it means.

    Attributes
    ----------
    document
        The merged text.
    comparison
        My model and the merged one; None where one of them has no model.
    problems
        Problems of the merged text that neither my text nor theirs has, such as a name that both have given.
    """

    document: Document
    comparison: ModelComparison | None
    problems: tuple[Diagnostic, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the merged text can be read, as a text that is merged should be."""
        return self.document.root is not None


def merged_model(
    merge: Merge, mine: Document, theirs: Document, loader: Loader, chosen: Sequence[Side | None] = ()
) -> MergedModel:
    """Return what two texts mean when they are merged.

    Parameters
    ----------
    merge, mine, theirs
        The texts and their merge.
    loader
        Reads them.
    chosen
        The side of each conflict, see `Merge.text`.

    Raises
    ------
    EvaluationPendingError
        If a xacro file must be evaluated first and the loader's expander does not wait.
    """
    document = mine.edited(merge.replacements(chosen))
    (my_model, of_mine), (_, of_theirs), (model, found) = map(loader.load_recovered, (mine, theirs, document))
    is_readable = None not in (mine.root, document.root)
    comparison = None if my_model is None or model is None or not is_readable else compare(my_model, model)
    return MergedModel(document, comparison, tuple(new_problems(found, of_mine, of_theirs)))
