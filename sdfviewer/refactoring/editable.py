"""What can be edited, and the error for what cannot."""

from __future__ import annotations

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.registry import can_edit_structure, format_of
from sdfviewer.formats.xacro.expansion import ExpandedDocument
from sdfviewer.model.model import Model


class EditError(SdfViewerError):
    """An edit cannot be made, or would be wrong: nothing changes, and the message says why."""


class RefactoringError(EditError):
    """A refactoring cannot be made."""


def require_editable(model: Model, row: int) -> None:
    """Refuse to edit what is written in another file, or in a format that is edited as text.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if model.sources[row] is not None:
        document = model.document_of(row)
        if isinstance(document, ExpandedDocument):
            span = document.span(model.elements[row])
            raise RefactoringError(f"'{model.names[row]}' comes from xacro: edit {span.path}, line {span.line}")
        file = document.name
        raise RefactoringError(f"'{model.names[row]}' is defined in {file}, which this file includes; edit it there")
    if not can_edit_structure(model.document):
        known = format_of(model.document)
        if known is None:
            raise RefactoringError("fix the XML errors first")
        raise RefactoringError(f"edit {known.title} files as text")
