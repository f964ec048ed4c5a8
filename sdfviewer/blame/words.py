"""What a history says of a frame, in words."""

from __future__ import annotations

from sdfviewer.blame.walk import FrameMove
from sdfviewer.files.git_history import Commit
from sdfviewer.number_text import in_degrees, in_millimetres


def describe_move(move: FrameMove) -> str:
    """Return how far a commit moved a frame, in millimetres and degrees."""
    if move.is_cut:
        return "in the first version that can be read"
    if move.is_new:
        return "made here"
    if move.before:
        where = f"measured from {move.before} before"
        return where if move.metres is None else f"{where}; {_distance(move)}"
    return _distance(move)


def _distance(move: FrameMove) -> str:
    if move.metres is None or move.radians is None:
        return "its pose was or is undefined"
    return f"{in_millimetres(move.metres)}, {in_degrees(move.radians)}"


def describe_commit(commit: Commit) -> str:
    """Return a commit in a line: its hash, date, author and subject."""
    return "  ".join(filter(None, (commit.name, commit.date[:10], commit.author, commit.subject)))
