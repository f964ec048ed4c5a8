"""Saved keyframes that somebody has damaged are read as far as they can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.session.saved_state import SavedTimeline
from sdfviewer.session.session import Session

TEXT = '<sdf version="1.11"><model name="m"><link name="a"/></model></sdf>'
GOOD = {"time": 1, "name": "up", "easing": "linear", "positions": {"m::j": [0.5]}}


class Store:
    def __init__(self, keyframes: Sequence[Mapping[str, Any]]) -> None:
        self.keyframes = keyframes

    def saved(self, topic: str, path: Path) -> Any:
        return self.keyframes

    def save(self, topic: str, path: Path, record: Mapping[str, Any] | Sequence[Any]) -> None:
        pass


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"time": 10**400},
        {"time": float("nan")},
        {"time": -1},
        {"time": []},
        {"positions": {"m::j": [10**400]}},
        {"positions": {"m::j": [float("inf")]}},
        {"positions": {"m::j": 5}},
        {"positions": [1]},
        {"easing": "slow"},
        {"easing": []},
    ],
)
def test_a_keyframe_that_makes_no_sense_is_left_out(wrong: Mapping[str, Any], tmp_path: Path) -> None:
    session = Session(parse_document(TEXT, tmp_path / "m.sdf"))
    saved = SavedTimeline(session, Store([{**GOOD, "time": 2, **wrong} if wrong else {}, GOOD]))
    assert [each.name for each in saved.timeline.keyframes] == ["up"]
    assert saved.timeline.keyframes[0].time == 1.0
