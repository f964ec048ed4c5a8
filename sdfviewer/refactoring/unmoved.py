"""Make an edit that must move no frame, make sure that it moves none, and find what else it changes without a word."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.load import Loader
from sdfviewer.formats.read_back import Announcement, ReadBack, read_back, says_something_of
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


def edit_unmoved(model: Model, edit: Edit, loader: Loader) -> Rewritten:
    """Return the model of the file after an edit of its text, which is compared with the model before.

    Raises
    ------
    MovesFramesError
        If a frame would move, or the file could no longer be read.
    """
    after = loader.load(model.document.edited(edit.replacements))
    comparison = None if after is None else compare(model, after, edit.renamed)
    moved = [] if comparison is None else [each.name for each in comparison.moved()]
    if after is None or comparison is None or moved:
        raise MovesFramesError(f"this would change {', '.join(moved[:5]) or 'the whole file'}; nothing was written")
    announced = [Announcement(each) for each in (*edit.losses, *edit.notes)]
    return Rewritten(after, read_back(comparison, announced, refused=_new_errors(model, after, edit)))


def _new_errors(before: Model, after: Model, edit: Edit) -> list[str]:
    """Return a sentence for each error that the file has after an edit, and had not before.

    One at a frame that losses of the edit name is no error of this program.
    """
    more = Counter(each.rule.name for each in after.diagnostics if each.is_error)
    more -= Counter(each.rule.name for each in before.diagnostics if each.is_error)
    names = {new: old for old, new in edit.renamed}
    found = []
    for each in after.diagnostics:
        if each.is_error and more[each.rule.name] > 0:
            more[each.rule.name] -= 1
            rows = [before.rows_by_name.get(names.get(name, name), -1) for name in each.frames[:1]]
            if not any(row >= 0 and says_something_of(before, row, edit.losses) for row in rows):
                why = f"what is written is refused: {each.message}"
                found.append(f"{before.document.name}:1: error of sdfviewer: {why}")
    return found
