"""What differs between two models as a table in Markdown, for comments of pull requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from sdfviewer.display_text import visible
from sdfviewer.model.comparison.difference import PropertyDifference
from sdfviewer.model.comparison.frames import FrameDifference, farthest_first
from sdfviewer.model.comparison.models import ModelComparison
from sdfviewer.number_text import counted, in_degrees, in_millimetres

#: Rows of a table: a comment has room for few characters.
_MOST: Final = 60
_DIGITS: Final = 4


def change_table(
    comparison: ModelComparison, frames: Sequence[FrameDifference], properties: Sequence[PropertyDifference]
) -> Iterator[str]:
    """Yield the lines of a table: frames that moved farthest first, each with its distance, then properties.

    Names and values are those of whoever wrote the files: they are code, and end neither it nor their cell.
    """
    own = farthest_first(frames)
    rows: list[FrameDifference | PropertyDifference] = [*own, *properties]
    if not rows:
        return
    yield "| What has changed | By | Before | After |"
    yield "|---|---|---|---|"
    for each in rows[:_MOST]:
        if isinstance(each, FrameDifference):
            what = ", ".join(change.value for change in each.changes)
            amount = _distance(each)
        else:
            what = each.change.value
            amount = f"{_code(each.quantity)}: {_code(each.value_before)} → {_code(each.value_after)}"
        places = " | ".join(_code(place) for place in comparison.places(each))
        yield f"| {what}: {each.kind} {_code(each.name)} | {amount} | {places} |"
    notes = []
    if len(rows) > _MOST:
        notes.append(f"{len(rows) - _MOST} more differences are not listed.")
    if taken := len(frames) - len(own):
        notes.append(f"{counted(taken, 'frame')}, visuals and collisions included, moved along with these.")
    if notes:
        yield ""
        yield " ".join(notes)


def _distance(difference: FrameDifference) -> str:
    if not np.isfinite(difference.metres) or max(difference.metres, difference.radians) == 0:
        return ""
    return f"{in_millimetres(difference.metres, _DIGITS)}, {in_degrees(difference.radians, _DIGITS)}"


def _code(text: str | None) -> str:
    """Return a text as code of one cell; empty where there is none."""
    shown = visible(text or "").replace("`", "?").replace("|", "?").strip()
    return f"`{shown}`" if shown else ""
