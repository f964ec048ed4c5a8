"""What the merge of two texts means: what moves by it, and which problems neither of the two had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdfviewer.diagnostics import Diagnostic, new_problems
from sdfviewer.document.document import Document
from sdfviewer.document.merging import Merge, Side
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.load import Loader
from sdfviewer.model.comparison.models import ModelComparison


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
