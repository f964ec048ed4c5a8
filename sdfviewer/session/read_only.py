"""Why an open file, or a row of it, cannot be edited now."""

from __future__ import annotations

from sdfviewer.refactoring import editable
from sdfviewer.refactoring.editable import NO_MODEL, NOT_XML, ReadOnlyKind, ReadOnlyReason
from sdfviewer.session.session import Session
from sdfviewer.validation.xacro_rules import xacro_not_evaluated

_PENDING = ReadOnlyReason(ReadOnlyKind.PENDING, "the file is being read", "wait until it is shown")
_NOT_EVALUATED = ReadOnlyReason(
    ReadOnlyKind.UNREADABLE, "the xacro file is not evaluated", "allow it to see the robot that it writes"
)
_NOT_UNDERSTOOD = ReadOnlyReason(ReadOnlyKind.UNREADABLE, "the file cannot be evaluated", "see its problems")


def why_not_current(session: Session) -> ReadOnlyReason | None:
    """Return why the model of a session is not that of the present text; None where it is."""
    if session.is_current:
        return None
    if session.is_reading:
        return _PENDING
    if session.document.root is None:
        return NOT_XML
    if any(each.rule is xacro_not_evaluated for each in session.diagnostics):
        return _NOT_EVALUATED
    return NO_MODEL if session.model is None else _NOT_UNDERSTOOD


def why_read_only(session: Session, row: int) -> ReadOnlyReason | None:
    """Return why a row of the frame table cannot be edited now, or only renamed; None where all of it can be."""
    model = session.model
    assert model is not None
    reason = editable.why_read_only(model, row)
    is_of_the_text = reason is None or reason.kind in (ReadOnlyKind.FORMAT, ReadOnlyKind.UNREADABLE)
    return why_not_current(session) or reason if is_of_the_text else reason
