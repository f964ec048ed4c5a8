"""Which frames a problem is in."""

from __future__ import annotations

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.language.names import row_written_at
from sdfviewer.session.session import Session


def frames_of(problem: Diagnostic, session: Session) -> tuple[str, ...]:
    """Return the scoped names of the frames that a problem is about, or else of the innermost one it is written in."""
    model, span = session.model, problem.span
    if problem.frames or model is None or span is None or not session.is_current:
        return tuple(problem.frames)
    row = row_written_at(model, span.start) if span.path == session.document.name else None
    return () if row is None else (model.names[row],)
