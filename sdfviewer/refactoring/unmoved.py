"""Make an edit that must move no frame, make sure that it moves none, and find what else it changes without a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.paths import real_path
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.load import Loader
from sdfviewer.formats.read_back import Announcement, ReadBack, read_back
from sdfviewer.model.comparison.frames import Change
from sdfviewer.model.model import Model


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


def edit_unmoved(model: Model, edit: Edit, loader: Loader, others: Sequence[Document] = ()) -> Rewritten:
    """Return the model of the file after an edit of its text, which is compared with the model before.

    Parameters
    ----------
    others
        Other files as they will be, which need not be written yet.

    Raises
    ------
    MovesFramesError
        If a frame would move, or the file could no longer be read.
    """
    after = with_files(loader, others).load(model.document.edited(edit.replacements))
    comparison = None if after is None else compare(model, after, edit.renamed)
    names = {new: old for old, new in edit.renamed}
    about = [(model.rows_by_name.get(names.get(each.name, each.name), -1), each) for each in edit.about]
    gone = {row for row, each in about if each.is_of_whole}
    differences = () if comparison is None else comparison.moved()
    moved = [each.name for each in differences if each.changes != (Change.VANISHED,) or each.row_before not in gone]
    if after is None or comparison is None or moved:
        raise MovesFramesError(f"this would change {', '.join(moved[:5]) or 'the whole file'}; nothing was written")
    announced = [Announcement(each.sentence, row, each.topics) for row, each in about if row >= 0]
    refused = _new_errors(model, after, edit, {row for row, each in about if each.sentence in edit.losses})
    return Rewritten(after, read_back(comparison, announced, refused=refused))


def with_files(loader: Loader, others: Sequence[Document]) -> Loader:
    """Return a loader to which some files are as they will be; itself for none."""
    files = {each.path: each for each in others if each.path is not None}
    if not files:
        return loader
    instead = {**loader.instead, **{real_path(path): each for path, each in files.items()}}
    return Loader(loader.finder.expecting(files), instead, loader.expander)


def unannounced(model: Model, edit: Edit, loader: Loader, others: Sequence[Document] = ()) -> tuple[str, ...]:
    """Return what an edit that should keep what a file means changes without a word: errors of this program.

    See :func:`edit_unmoved` for the parameters.
    """
    try:
        return edit_unmoved(model, edit, loader, others).faults
    except MovesFramesError as error:
        return (f"{model.document.name}:1: error of sdfviewer: {error}",)


def _new_errors(before: Model, after: Model, edit: Edit, lost: Set[int]) -> list[str]:
    """Return a sentence for each error that the file has after an edit, and had not before.

    One at a frame that has lost something, as the edit says, is no error of this program.
    """
    more = Counter(each.rule.name for each in after.diagnostics if each.is_error)
    more -= Counter(each.rule.name for each in before.diagnostics if each.is_error)
    names = {new: old for old, new in edit.renamed}
    found = []
    for each in after.diagnostics:
        if each.is_error and more[each.rule.name] > 0:
            more[each.rule.name] -= 1
            rows = [before.rows_by_name.get(names.get(name, name), -1) for name in each.frames[:1]]
            if not any(row >= 0 and not lost.isdisjoint(before.around(row)) for row in rows):
                why = f"what is written is refused: {each.message}"
                found.append(f"{before.document.name}:1: error of sdfviewer: {why}")
    return found
