"""Why what is selected cannot be edited, in a sentence."""

from __future__ import annotations

from sdfviewer.files.paths import short_name
from sdfviewer.formats.registry import format_of
from sdfviewer.formats.xacro.expansion import ExpandedDocument
from sdfviewer.refactoring.editable import is_editable, is_renamable
from sdfviewer.session.session import Session


def why_read_only(session: Session, row: int) -> str:
    """Return why a row of the frame table cannot be edited, or only renamed; empty where all of it can be."""
    model = session.model
    assert model is not None
    document = model.document_of(row)
    if isinstance(document, ExpandedDocument):
        span = document.span(model.elements[row])
        return f"Comes from xacro in {span.path}, line {span.line}; edit it there."
    if model.sources[row] is not None:
        file = document.name if document.path is None else short_name(document.path)
        return f"Defined in {file}, which this file includes; F4 opens it there."
    if not session.is_current:
        return "The source has XML errors. This is the last valid state; fix the errors to edit."
    known = format_of(document)
    if known is None or is_editable(model, row):
        return ""
    if is_renamable(model, row):
        return f"In a {known.title} only names are edited here; the rest is edited as text (F4)."
    return f"A {known.title} is edited as text (F4)."


def can_be_converted(session: Session, row: int) -> bool:
    """Return whether a row could be edited if its file were converted to SDFormat."""
    model = session.model
    assert model is not None
    if not session.is_current:
        return False
    is_own = model.sources[row] is None or isinstance(model.document_of(row), ExpandedDocument)
    known = format_of(model.document)
    return is_own and known is not None and not known.capabilities.edits_structure
