"""Saved joint positions of a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sdfviewer.document.document import parse_document
from sdfviewer.refactoring.renaming import rename
from sdfviewer.session.saved_state import SavedPoses
from sdfviewer.session.session import Session

TEXT = """<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


class Store:
    """Keeps poses in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, Path], Any] = {}

    def saved(self, topic: str, path: Path) -> Any:
        return self.kept.get((topic, path))

    def save(self, topic: str, path: Path, record: Mapping[str, Any] | Sequence[Any]) -> None:
        self.kept[topic, path] = json.loads(json.dumps(record))


def test_saved_poses_follow_a_joint_that_is_renamed_and_back() -> None:
    session = Session(parse_document(TEXT, Path("/m.sdf")))
    poses = SavedPoses(session, Store())
    session.subscribe(poses.follow)
    session.move_joints({"m::j": (0.5,)})
    poses.save("up")
    assert session.model is not None
    session.apply(rename(session.model, session.model.row("m::j"), "elbow"))
    assert poses.all() == {"up": {"m::elbow": (0.5,)}}
    session.undo()
    assert poses.all() == {"up": {"m::j": (0.5,)}}


def test_numbers_that_nobody_can_compute_with_are_left_out() -> None:
    store = Store()
    numbers: list[float] = [10**400, -(10**400), float("nan"), float("inf")]
    store.kept["poses", Path("/m.sdf")] = {f"pose {number}": {"m::j": [each]} for number, each in enumerate(numbers)}
    poses = SavedPoses(Session(parse_document(TEXT, Path("/m.sdf"))), store)
    assert poses.all() == {f"pose {number}": {} for number in range(len(numbers))}
