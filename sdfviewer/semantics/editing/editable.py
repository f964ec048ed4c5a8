"""What can be edited here, and the error that says why something cannot."""

from __future__ import annotations

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.semantics.model import Model


class RefactoringError(SdfViewerError):
    """An edit cannot be made; the message says why in plain words."""


def require_editable(model: Model, row: int) -> None:
    """Refuse to edit what is written in another file, or in a URDF.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if model.sources[row] is not None:
        file = model.document_of(row).name
        raise RefactoringError(f"'{model.names[row]}' is written in {file}, which this file includes; edit it there")
    if model.document.root is None or model.document.root.tag == "robot":
        raise RefactoringError("a URDF file is edited as text")
