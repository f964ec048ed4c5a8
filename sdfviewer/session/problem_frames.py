"""Which frames the problems of a session are in."""

from __future__ import annotations

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.language.names import row_written_at, rows_written_at
from sdfviewer.session.session import Session


def frames_of(problem: Diagnostic, session: Session) -> tuple[str, ...]:
    """Return the scoped names of the frames that a problem is about, or else of the innermost one it is written in."""
    model, span = session.model, problem.span
    if problem.frames or model is None or span is None or not session.is_current:
        return tuple(problem.frames)
    row = row_written_at(model, span.start) if span.path == session.document.name else None
    return () if row is None else (model.names[row],)


def problems_by_frame(session: Session) -> dict[str, list[Diagnostic]]:
    """Return the problems of each frame by its scoped name: those it is in, as :func:`frames_of` says.

    Where the text cannot be read, these are the problems of the last one that could be.
    """
    found: dict[str, list[Diagnostic]] = {}
    model = session.model
    if model is None:
        return found
    unplaced: list[tuple[int, Diagnostic]] = []
    for problem in session.diagnostics if session.is_current else model.diagnostics:
        for name in problem.frames:
            found.setdefault(name, []).append(problem)
        span = problem.span
        if not problem.frames and span is not None and span.path == model.document.name:
            unplaced.append((span.start, problem))
    rows = rows_written_at(model, (start for start, _ in unplaced))
    for start, problem in unplaced:
        if start in rows:
            found.setdefault(model.names[rows[start]], []).append(problem)
    return found
