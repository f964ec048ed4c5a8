"""The keyframes saved for a file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from sdfviewer.model.kinematics.motion import Easing, Keyframe, Timeline
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange

#: Timelines of more keyframes are not kept between two starts.
MOST_KEPT = 200


class TimelineStore(Protocol):
    """Where timelines are kept between two starts."""

    def saved_timeline(self, path: Path) -> Sequence[Mapping[str, Any]]:
        """Return the keyframes kept for a file, as records of plain values."""

    def save_timeline(self, path: Path, keyframes: Sequence[Mapping[str, Any]]) -> None:
        """Keep keyframes for a file in place of those before."""


class SavedTimeline:
    """The timeline of one file; without a file it lasts as long as the session.

    Renamed joints are followed.

    Attributes
    ----------
    timeline
        The keyframes.
    """

    def __init__(self, session: Session, store: TimelineStore) -> None:
        self._session, self._store = session, store
        kept = () if session.path is None else store.saved_timeline(session.path)
        self.timeline = Timeline()
        for record in kept:
            keyframe = _keyframe(record)
            if keyframe is not None:
                self.timeline = self.timeline.with_keyframe(keyframe)

    def set(self, timeline: Timeline) -> None:
        """Take other keyframes in place of those before."""
        self.timeline = timeline
        if self._session.path is not None:
            # Recordings of thousands of states are in their own files.
            kept = timeline.keyframes if len(timeline.keyframes) <= MOST_KEPT else ()
            self._store.save_timeline(self._session.path, [_record(each) for each in kept])

    def follow(self, change: SessionChange) -> None:
        """Follow joints that were renamed."""
        if change.renamed and self.timeline.keyframes:
            self.set(self.timeline.renamed_joints(dict(change.renamed)))


def _record(keyframe: Keyframe) -> dict[str, Any]:
    return {
        "time": keyframe.time,
        "name": keyframe.name,
        "easing": keyframe.easing.value,
        "positions": {name: list(values) for name, values in keyframe.positions.items()},
    }


def _keyframe(record: Mapping[str, Any]) -> Keyframe | None:
    """Return the keyframe of a record, None where somebody else wrote it wrong."""
    try:
        positions = {str(name): tuple(map(float, values)) for name, values in record["positions"].items()}
        keyframe = Keyframe(float(record["time"]), positions, str(record["name"]), Easing(record["easing"]))
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        return None
    numbers = [keyframe.time, *(value for values in positions.values() for value in values)]
    return keyframe if all(map(math.isfinite, numbers)) and keyframe.time >= 0 else None
