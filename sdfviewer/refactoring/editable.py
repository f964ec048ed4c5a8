"""What can be edited, and the reason why something cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.document import Document
from sdfviewer.files.paths import short_name
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.registry import can_edit_structure, format_of
from sdfviewer.formats.written_rows import is_written_here
from sdfviewer.model.model import Model


class EditError(SdfViewerError):
    """An edit cannot be made, or would be wrong: nothing changes, and the message says why."""


class RefactoringError(EditError):
    """A refactoring cannot be made, for one reason or several."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def reasons_of(error: SdfViewerError) -> tuple[str, ...]:
    """Return why something cannot be done, in sentences."""
    return error.sentences if isinstance(error, RefactoringError) else (str(error),)


class ReadOnlyKind(Enum):
    """A kind of reason why something cannot be edited."""

    INCLUDED = auto()
    """It is written in a file that this file includes."""
    XACRO = auto()
    """A xacro file writes it."""
    FORMAT = auto()
    """The format is edited as text, perhaps but for its names."""
    UNREADABLE = auto()
    """The text cannot be read."""
    PENDING = auto()
    """The text has not been read yet."""


@dataclass(frozen=True, slots=True)
class ReadOnlyReason:
    """Why something cannot be edited.

    Attributes
    ----------
    kind
        Of which kind the reason is.
    cause
        What is the case, as the first half of a sentence.
    help
        What to do instead, as the second half.
    renames
        Whether names can be edited nevertheless.
    converts
        Whether it can be edited once the file is converted to SDFormat.
    """

    kind: ReadOnlyKind
    cause: str
    help: str
    renames: bool = False
    converts: bool = False

    def __str__(self) -> str:
        return f"{self.cause}; {self.help}"

    @property
    def sentence(self) -> str:
        """Cause and help, with a capital and a full stop."""
        return as_sentence(str(self))


_NOT_XML = ReadOnlyReason(ReadOnlyKind.UNREADABLE, "the XML cannot be read", "fix its errors first")
_DATA = ReadOnlyReason(ReadOnlyKind.UNREADABLE, "the file holds settings or values, no model", "edit its text")
NO_MODEL = ReadOnlyReason(ReadOnlyKind.UNREADABLE, "the file contains no readable model or world", "see its problems")


def why_read_only(model: Model, row: int) -> ReadOnlyReason | None:
    """Return why a row cannot be edited, or only renamed; None where all of it can be."""
    if is_written_here(model, row):
        return why_edited_as_text(model.document)
    document, name = model.document_of(row), model.names[row]
    if isinstance(document, ExpandedDocument):
        span = document.span(model.elements[row])
        place = f"edit {short_name(Path(span.path))}, line {span.line}"
        converts = not can_edit_structure(model.document)  # else another file would have to be converted
        return ReadOnlyReason(ReadOnlyKind.XACRO, f"'{name}' comes from {document.language}", place, converts=converts)
    file = document.name if document.path is None else short_name(document.path)
    cause = f"'{name}' is defined in {file}, which this file includes"
    return ReadOnlyReason(ReadOnlyKind.INCLUDED, cause, "edit it there")


def outermost(model: Model, rows: Sequence[int]) -> list[int]:
    """Return the rows that are not inside of another of them."""
    inside: set[int] = set()
    found = []
    for row in sorted(rows):
        if row not in inside:
            found.append(row)
            inside.update(model.inside(row))
    return found


def why_read_only_together(model: Model, rows: Sequence[int]) -> ReadOnlyReason | None:
    """Return why rows cannot be edited that are removed or copied together: what is in one of them goes with it."""
    return next(filter(None, (why_read_only(model, row) for row in outermost(model, rows))), None)


def why_not_xml(document: Document) -> ReadOnlyReason:
    """Return why a text that is not XML can only be edited as text."""
    return _DATA if document.is_data else _NOT_XML


def why_edited_as_text(document: Document) -> ReadOnlyReason | None:
    """Return why a file can only be edited as text, perhaps but for its names; None where all of it can be edited."""
    known = None if document.is_recovered else format_of(document)
    if known is None:
        return why_not_xml(document) if document.root is None or document.is_recovered else NO_MODEL
    if known.capabilities.edits_structure:
        return None
    if known.capabilities.renames:
        cause, what = f"in {known.title} files only names can be edited", "edit the rest as text"
    else:
        cause, what = f"{known.title} files can only be edited as text", "edit the text"
    renames = known.capabilities.renames
    return ReadOnlyReason(ReadOnlyKind.FORMAT, cause, f"{what}, or convert to SDFormat", renames=renames, converts=True)


def is_editable(model: Model, row: int) -> bool:
    """Return whether a row is written in the file itself, in a format whose structure can be edited."""
    return is_written_here(model, row) and can_edit_structure(model.document)


def is_renamable(model: Model, row: int) -> bool:
    """Return whether a row is written in the file itself, in a format whose names can be edited."""
    reason = why_read_only(model, row)
    return reason is None or reason.renames


def require_editable(model: Model, row: int) -> None:
    """Refuse to edit what :func:`why_read_only` has a reason for.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    reason = why_read_only(model, row)
    if reason is not None:
        raise RefactoringError(str(reason))


def require_renamable(model: Model, row: int) -> None:
    """Refuse to rename what is written in another file, or in a format whose names are edited as text.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    reason = why_read_only(model, row)
    if reason is not None and not reason.renames:
        raise RefactoringError(str(reason))


def why_not_sdformat(model: Model) -> str | None:
    """Return why a file cannot be rewritten in a way that only SDFormat knows, such as its forms and versions."""
    reason, known = why_read_only(model, 0), format_of(model.document)
    if reason is not None:
        return str(reason)
    if known is None or known.capabilities.names_frames:
        return None
    return f"{known.title} has neither forms nor versions of SDFormat; convert the file to SDFormat first"


def require_not_flattened(model: Model, row: int) -> None:
    """Raise a `RefactoringError` where a model holds, or is in, one whose members stand beside it under long names."""
    if any(row in model.around(each) or each in model.around(row) for each in model.written_prefixes):
        raise RefactoringError(
            f"'{model.names[row]}' holds, or is in, a model that an older tool has flattened, as only worlds of before "
            "SDFormat 1.8 can: write the file in a newer version first"
        )


def require_sdformat(model: Model) -> None:
    """Refuse what :func:`why_not_sdformat` has a reason for.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if (why := why_not_sdformat(model)) is not None:
        raise RefactoringError(why)
