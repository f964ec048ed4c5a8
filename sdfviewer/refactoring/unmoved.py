"""Make an edit that must move no frame, and make sure that it moves none."""

from __future__ import annotations

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.model.comparison.frames import FrameComparison
from sdfviewer.model.model import Model


def edit_unmoved(model: Model, edit: Edit, loader: Loader) -> Model:
    """Return the model of the file after an edit of its text.

    Raises
    ------
    SdfViewerError
        If a frame would move, or the file could no longer be read.
    """
    after = loader.load(model.document.edited(edit.replacements))
    moved = [] if after is None else [each.name for each in FrameComparison(model, after, edit.renamed).moved()]
    if after is None or moved:
        raise SdfViewerError(f"this would change {', '.join(moved[:5]) or 'the whole file'}; nothing was written")
    return after
