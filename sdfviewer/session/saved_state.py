"""What is saved for a file: what the 3D view hides and measures, its keyframes, and named joint positions."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sdfviewer.model.kinematics.motion import Easing, Keyframe, Timeline
from sdfviewer.scene.tools.measuring import Anchor, AnchorKind, Measurement
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.visibility import Visibility

#: More names or measurements than this are not saved.
MOST_SAVED = 1000


class FileMemory(Protocol):
    """Where what belongs to a file is saved between two starts, by topic. Users can edit it."""

    def saved(self, topic: str, path: Path) -> Any:
        """Return what was saved for a file, plain values of any type; None where there is nothing."""

    def save(self, topic: str, path: Path, record: Mapping[str, Any] | Sequence[Any]) -> None:
        """Save plain values for a file in place of those before; an empty record removes them."""


class SavedView:
    """Visibility and measurements of one file: restored at once, saved at each change.

    Without a file they last as long as the session.
    """

    def __init__(self, session: Session, store: FileMemory) -> None:
        self._session, self._store = session, store
        if session.path is None:
            return
        record = _dict(store.saved("views", session.path))
        visibility = _visibility(record)
        if not visibility.is_default:
            session.set_visibility(visibility)
        measurements = [each for each in map(_measurement, _list(record.get("measurements"))) if each is not None]
        if measurements:
            session.set_measurements(measurements)

    def follow(self, change: SessionChange) -> None:
        """Save what has changed."""
        if self._session.path is not None and (change.visibility or change.measurements or change.renamed):
            self._store.save("views", self._session.path, _record(self._session))


def _record(session: Session) -> dict[str, Any]:
    hidden, opacities = session.visibility.hidden, session.visibility.opacities
    parts: dict[str, Any] = {
        "hidden": sorted(hidden),
        "opacities": dict(opacities),
        "only": list(session.visibility.only if len(hidden) <= MOST_SAVED else ()),
        "measurements": [_measurement_record(each) for each in session.measurements],
    }
    return {name: part for name, part in parts.items() if 0 < len(part) <= MOST_SAVED}


def _measurement_record(measurement: Measurement) -> dict[str, Any]:
    anchors = [
        {"kind": each.kind.value, "frame": each.frame, "label": each.label, "pose": each.X_FA.tolist()}
        for each in measurement.anchors
    ]
    return {"name": measurement.name, "anchors": anchors}


def _visibility(record: Mapping[str, Any]) -> Visibility:
    """Return the visibility of a record, without what is invalid in it."""
    kept = {
        str(name): float(value)
        for name, value in _dict(record.get("opacities")).items()
        if isinstance(value, (int, float)) and 0 <= value < 1
    }
    hidden, only = (tuple(map(str, _list(record.get(part)))) for part in ("hidden", "only"))
    return Visibility(frozenset(hidden), kept, only if hidden else ())


def _measurement(record: object) -> Measurement | None:
    """Return the measurement of a record, None where it is invalid."""
    try:
        anchors = tuple(map(_anchor, record["anchors"]))  # type: ignore[index]
        return Measurement(str(record["name"]), anchors) if 1 <= len(anchors) <= 3 else None  # type: ignore[index]
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _anchor(record: Mapping[str, Any]) -> Anchor:
    X_FA = np.array(record["pose"], dtype=np.float64)
    if X_FA.shape != (4, 4) or not all(map(math.isfinite, X_FA.ravel().tolist())):
        raise ValueError("not a pose")
    return Anchor(AnchorKind(record["kind"]), str(record["frame"]), X_FA, str(record["label"]))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _are_numbers(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(each, (int, float)) and is_finite(each) for each in values)


#: Timelines of more keyframes are not kept between two starts.
MOST_KEPT = 200


class SavedTimeline:
    """The timeline of one file; without a file it lasts as long as the session.

    Renamed joints are followed.

    Attributes
    ----------
    timeline
        The keyframes.
    """

    def __init__(self, session: Session, store: FileMemory) -> None:
        self._session, self._store = session, store
        kept = () if session.path is None else _list(store.saved("timelines", session.path))
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
            self._store.save("timelines", self._session.path, [_keyframe_record(each) for each in kept])

    def follow(self, change: SessionChange) -> None:
        """Follow joints that were renamed."""
        if change.renamed and self.timeline.keyframes:
            self.set(self.timeline.renamed_joints(dict(change.renamed)))


def _keyframe_record(keyframe: Keyframe) -> dict[str, Any]:
    return {
        "time": keyframe.time,
        "name": keyframe.name,
        "easing": keyframe.easing.value,
        "positions": {name: list(values) for name, values in keyframe.positions.items()},
    }


def _keyframe(record: Mapping[str, Any]) -> Keyframe | None:
    """Return the keyframe of a record, None where it is invalid."""
    try:
        positions = {str(name): tuple(map(float, values)) for name, values in record["positions"].items()}
        keyframe = Keyframe(float(record["time"]), positions, str(record["name"]), Easing(record["easing"]))
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        return None
    numbers = [keyframe.time, *(value for values in positions.values() for value in values)]
    return keyframe if all(map(math.isfinite, numbers)) and keyframe.time >= 0 else None


#: Positions by scoped joint name, one number for each axis; radians and metres.
Positions = dict[str, tuple[float, ...]]


def is_finite(number: float) -> bool:
    """Return whether a number, or an integer of any length, can be computed with."""
    return abs(number) <= sys.float_info.max


class SavedPoses:
    """The saved poses of one file; without a file there are none."""

    def __init__(self, session: Session, store: FileMemory) -> None:
        self._session, self._store = session, store

    @property
    def can_save(self) -> bool:
        """Whether the text has a file for which poses can be saved."""
        return self._session.path is not None

    def all(self) -> dict[str, Positions]:
        """Return all positions saved for the file, by their name."""
        saved = {} if self._session.path is None else _dict(self._store.saved("poses", self._session.path))
        return {
            str(name): {str(joint): tuple(values) for joint, values in positions.items() if _are_numbers(values)}
            for name, positions in saved.items()
            if isinstance(positions, dict)
        }

    def save(self, name: str) -> None:
        """Save the present positions under a name; a name that exists gets the new ones."""
        if self._session.path is not None:
            self._store.save("poses", self._session.path, {**self.all(), name: dict(self._session.positions)})

    def follow(self, change: SessionChange) -> None:
        """Follow joints that were renamed."""
        if not change.renamed or self._session.path is None:
            return
        names, before = dict(change.renamed), self.all()
        after = {
            pose: {names.get(joint, joint): values for joint, values in positions.items()}
            for pose, positions in before.items()
        }
        if after != before:
            self._store.save("poses", self._session.path, after)

    def remove(self, name: str) -> None:
        """Remove the positions of a name."""
        if self._session.path is not None:
            others = {known: positions for known, positions in self.all().items() if known != name}
            self._store.save("poses", self._session.path, others)
