"""Which problem is where the user works."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.session.session import Session

Stop = tuple[int, int]
"""A problem of a list: its row, and its index among the problems of that row."""


def problem_at_hand(
    groups: Sequence[Sequence[Diagnostic]], current: Stop | None, line: int | None, session: Session
) -> Stop | None:
    """Return the problem in a line of the file, else that of the frame selected last; None where neither has one.

    Parameters
    ----------
    groups
        The problems of each row of the list.
    current
        The one that the user is at; it is preferred to others in the same place.
    line
        The line of the caret, None where there is no caret.
    session
        The file.
    """
    stops = [(row, place) for row, group in enumerate(groups) for place in range(len(group))]
    file = session.document.name

    def starts(stop: Stop) -> int:
        span = groups[stop[0]][stop[1]].span
        return -1 if span is None or span.path != file else span.start

    def is_in_line(stop: Stop) -> bool:
        span = groups[stop[0]][stop[1]].span
        return line is not None and span is not None and span.path == file and span.line <= line <= span.end_line

    found = [stop for stop in stops if is_in_line(stop)]
    innermost = max(map(starts, found), default=-1)
    found = [stop for stop in found if starts(stop) == innermost or stop == current]
    if not found and session.selection:
        name = session.selection[-1]
        first, end = _extent_of_selected(session)
        found = [stop for stop in stops if name in groups[stop[0]][stop[1]].frames]
        found = found or [stop for stop in stops if first <= starts(stop) < end]
    return current if current in found else next(iter(found), None)


def _extent_of_selected(session: Session) -> tuple[int, int]:
    """Return where the frame selected last is written in the file, nowhere if it is not."""
    model, row = session.model, session.selected_row
    if model is None or row is None or not session.is_current or model.sources[row] is not None:
        return 0, 0
    start = model.document.offset(model.elements[row])
    return start, start + model.elements[row].length
