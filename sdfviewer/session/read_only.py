"""Why an open file, or a row of it, cannot be edited now."""

from __future__ import annotations

from collections.abc import Iterable

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.refactoring import editable
from sdfviewer.refactoring.editable import NO_MODEL, ReadOnlyKind, ReadOnlyReason, why_not_xml
from sdfviewer.session.session import Session
from sdfviewer.validation.format_rules import xacro_failed, xacro_not_evaluated

_PENDING = ReadOnlyReason(ReadOnlyKind.PENDING, "the file is being read", "wait until it is shown")
_NOT_EVALUATED = ReadOnlyReason(
    ReadOnlyKind.UNREADABLE, "the xacro file is not evaluated", "allow it to see the robot that it writes"
)
_NOT_READ = "The file is being read…"
_NOT_UNDERSTOOD = ReadOnlyReason(ReadOnlyKind.UNREADABLE, "the file cannot be evaluated", "see its problems")


def why_not_current(session: Session) -> ReadOnlyReason | None:
    """Return why the model of a session is not that of the present text; None where it is."""
    if session.is_current:
        return None
    if session.is_reading:
        return _PENDING
    if session.document.root is None:
        return why_not_xml(session.document)
    if any(each.rule is xacro_not_evaluated for each in session.diagnostics):
        return _NOT_EVALUATED
    return _why_no_model(session) if session.model is None else _NOT_UNDERSTOOD


def _why_no_model(session: Session) -> ReadOnlyReason:
    cause = why_not_evaluated(session.diagnostics)
    if not cause:
        return NO_MODEL
    cause = f"the xacro file cannot be evaluated: {cause}"
    return ReadOnlyReason(ReadOnlyKind.UNREADABLE, cause, "see its problems")


def why_not_evaluated(problems: Iterable[Diagnostic]) -> str:
    """Return what keeps a xacro file from being evaluated, empty where nothing does."""
    return next((each.reason for each in problems if each.rule is xacro_failed), "")


def describe_absence(session: Session) -> str:
    """Return why a file without a model has none, as a sentence."""
    if session.is_reading:
        return _NOT_READ
    reason = why_not_current(session)
    return "" if reason is None else reason.sentence


def why_nothing_moves(session: Session) -> str:
    """Return why a file has no joint that can be moved, as a sentence."""
    return describe_absence(session) or "No joint of this file can move."


def why_read_only(session: Session, row: int) -> ReadOnlyReason | None:
    """Return why a row of the frame table cannot be edited now, or only renamed; None where all of it can be."""
    model = session.model
    assert model is not None
    reason = editable.why_read_only(model, row)
    is_of_the_text = reason is None or reason.kind in (ReadOnlyKind.FORMAT, ReadOnlyKind.UNREADABLE)
    return why_not_current(session) or reason if is_of_the_text else reason
