"""What the 3D view hides and measures, saved for a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sdfviewer.scene.tools.measuring import Anchor, AnchorKind, Measurement
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.visibility import Visibility

#: More names or measurements than this are not saved.
MOST_SAVED = 1000


class ViewStore(Protocol):
    """Where views are saved between two starts."""

    def saved_view(self, path: Path) -> Mapping[str, Any]:
        """Return what was saved for a file, as a record of plain values."""

    def save_view(self, path: Path, view: Mapping[str, Any]) -> None:
        """Save a record for a file in place of the one before; an empty one removes it."""


class SavedView:
    """Visibility and measurements of one file: restored at once, saved at each change.

    Without a file they last as long as the session.
    """

    def __init__(self, session: Session, store: ViewStore) -> None:
        self._session, self._store = session, store
        if session.path is None:
            return
        record = store.saved_view(session.path)
        visibility = _visibility(record)
        if not visibility.is_default:
            session.set_visibility(visibility)
        measurements = [each for each in map(_measurement, _list(record.get("measurements"))) if each is not None]
        if measurements:
            session.set_measurements(measurements)

    def follow(self, change: SessionChange) -> None:
        """Save what has changed."""
        if self._session.path is not None and (change.visibility or change.measurements or change.renamed):
            self._store.save_view(self._session.path, _record(self._session))


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
    """Return the visibility of a record, without what somebody else wrote wrong."""
    opacities = record.get("opacities")
    kept = {
        str(name): float(value)
        for name, value in (opacities.items() if isinstance(opacities, dict) else ())
        if isinstance(value, (int, float)) and 0 <= value < 1
    }
    hidden, only = (tuple(map(str, _list(record.get(part)))) for part in ("hidden", "only"))
    return Visibility(frozenset(hidden), kept, only if hidden else ())


def _measurement(record: object) -> Measurement | None:
    """Return the measurement of a record, None where somebody else wrote it wrong."""
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
