"""What can be edited, and the error for what cannot."""

from __future__ import annotations

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.format import Format
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
    known = _format_here(model, row)
    if not known.capabilities.edits_structure:
        raise RefactoringError(why_edited_as_text(known))


def why_edited_as_text(known: Format) -> str:
    """Return why the files of a format that is edited as text cannot be edited otherwise, and what to do."""
    if known.capabilities.renames:
        return f"in {known.title} files only names can be edited here; edit the rest as text, or convert to SDFormat"
    return f"{known.title} files can only be edited as text; edit the text, or convert to SDFormat"


def is_editable(model: Model, row: int) -> bool:
    """Return whether a row is written in the file itself, in a format whose structure can be edited."""
    return model.sources[row] is None and can_edit_structure(model.document)


def is_renamable(model: Model, row: int) -> bool:
    """Return whether a row is written in the file itself, in a format whose names can be edited."""
    known = format_of(model.document) if model.sources[row] is None else None
    return known is not None and known.capabilities.renames


def require_renamable(model: Model, row: int) -> None:
    """Refuse to rename what is written in another file, or in a format whose names are edited as text.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    known = _format_here(model, row)
    if not known.capabilities.renames:
        raise RefactoringError(f"rename in {known.title} files as text")


def require_written_here(model: Model, row: int) -> None:
    """Refuse to edit what is written in another file, or in a text that cannot be read.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    _format_here(model, row)


def _format_here(model: Model, row: int) -> Format:
    """Return the format of the file that a row must be written in."""
    if model.sources[row] is not None:
        document = model.document_of(row)
        if isinstance(document, ExpandedDocument):
            span = document.span(model.elements[row])
            raise RefactoringError(f"'{model.names[row]}' comes from xacro: edit {span.path}, line {span.line}")
        file = document.name
        raise RefactoringError(f"'{model.names[row]}' is defined in {file}, which this file includes; edit it there")
    known = format_of(model.document)
    if known is None:
        raise RefactoringError("fix the XML errors first")
    return known
