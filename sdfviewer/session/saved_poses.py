"""Named joint positions saved for a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange

#: Positions by scoped joint name, one number for each axis; radians and metres.
Positions = dict[str, tuple[float, ...]]


def is_finite(number: float) -> bool:
    """Return whether a number, or an integer of any length that somebody else wrote, can be computed with."""
    return abs(number) <= sys.float_info.max


class PoseStore(Protocol):
    """Where saved poses are kept between two starts."""

    def saved_poses(self, path: Path) -> Mapping[str, Mapping[str, Sequence[float]]]:
        """Return the joint positions kept for a file, by their name."""

    def save_poses(self, path: Path, poses: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
        """Keep joint positions for a file in place of those before."""


class SavedPoses:
    """The saved poses of one file; without a file there are none."""

    def __init__(self, session: Session, store: PoseStore) -> None:
        self._session, self._store = session, store

    @property
    def can_save(self) -> bool:
        """Whether the text has a file for which poses can be saved."""
        return self._session.path is not None

    def all(self) -> dict[str, Positions]:
        """Return all positions saved for the file, by their name."""
        saved = {} if self._session.path is None else self._store.saved_poses(self._session.path)
        return {
            name: {joint: tuple(values) for joint, values in positions.items() if all(map(is_finite, values))}
            for name, positions in saved.items()
        }

    def save(self, name: str) -> None:
        """Save the present positions under a name; a name that exists gets the new ones."""
        if self._session.path is not None:
            self._store.save_poses(self._session.path, {**self.all(), name: dict(self._session.positions)})

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
            self._store.save_poses(self._session.path, after)

    def remove(self, name: str) -> None:
        """Remove the positions of a name."""
        if self._session.path is not None:
            others = {known: positions for known, positions in self.all().items() if known != name}
            self._store.save_poses(self._session.path, others)
