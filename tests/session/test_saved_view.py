"""A saved view that somebody has damaged is read as far as it can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.session.saved_state import SavedView
from sdfviewer.session.session import Session

TEXT = '<sdf version="1.11"><model name="m"><link name="a"/></model></sdf>'


class Store:
    def __init__(self, view: Mapping[str, Any]) -> None:
        self.view = view

    def saved(self, topic: str, path: Path) -> Any:
        return self.view

    def save(self, topic: str, path: Path, record: Mapping[str, Any] | Sequence[Any]) -> None:
        pass


@pytest.mark.parametrize(
    "view",
    [
        {"hidden": "m::a", "opacities": [1], "measurements": {"name": "x"}},
        {"opacities": {"m::a": "half", "m::b": 7}},
        {"measurements": [3, None, {"name": "x"}, {"name": "x", "anchors": []}]},
        {
            "measurements": [
                {"name": "x", "anchors": [{"kind": "frame", "frame": "m::a", "label": "a", "pose": [1, 2]}]}
            ]
        },
        {
            "measurements": [
                {
                    "name": "x",
                    "anchors": [{"kind": "frame", "frame": "m::a", "label": "a", "pose": [[10**400] * 4] * 4}],
                }
            ]
        },
        {"measurements": [{"name": "x", "anchors": [{"kind": "moon", "frame": "m::a", "label": "a", "pose": []}]}]},
    ],
)
def test_what_makes_no_sense_is_left_out(view: Mapping[str, Any], tmp_path: Path) -> None:
    session = Session(parse_document(TEXT, tmp_path / "m.sdf"))
    SavedView(session, Store(view))
    assert session.visibility.is_default
    assert not session.measurements
