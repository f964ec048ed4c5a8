"""What is kept between two starts, and tables of joint states: what is written wrong counts as not there."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.joint_states import format_joint_states, parse_joint_states, suggest_columns
from sdfviewer.scene.tools.measuring import format_csv, format_text, read
from sdfviewer.session.saved_state import SavedPoses, SavedTimeline, SavedView
from sdfviewer.session.session import Session
from tests.attack.mutation import mutate

_TEXT = """<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="k" type="universal"><parent>a</parent><child>c</child></joint></model></sdf>"""
_PATH = Path("stored.sdf")
_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        0,
        1,
        -1,
        0.5,
        1e308,
        -1e308,
        5e-324,
        10**400,
        -(10**400),
        float("nan"),
        float("inf"),
        "1",
        "nan",
        "",
    ),
    *("m::j", "m::a", "\ud800", "a\0b", "x" * 10_000, [], {}, "frame", "face", "linear", "smooth"),
)
_NUMBERS: tuple[Any, ...] = (0, 1, 0.5, -3, 1e308, -1e308, 10**400, True, "1", None, [], float("nan"), float("inf"))
_TABLES = (
    b"time,m::j,k\n0,0.1,0\n1,0.2,0.3\n",
    b"j [deg];time [ms]\n0,5;0\n1,5;10\n",
    b"0\t1\t2\t3\n1\t1\t2\t3\n",
    b'# joints\n"time","m::j"\n0,"1"\n\n2,3\n',
)


class _Store:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def _value(self, depth: int = 0) -> Any:
        rng = self._rng
        kind = rng.random()
        if kind < 0.5 or depth > 4:
            return rng.choice(_VALUES)
        if kind < 0.75:
            return [self._value(depth + 1) for _ in range(rng.randrange(4))]
        return {rng.choice(("m::j", "m::k", "", "pose")): self._value(depth + 1) for _ in range(rng.randrange(3))}

    def _often(self, sensible: object) -> Any:
        return sensible if self._rng.random() < 0.8 else self._value()

    def _record(self, **values: object) -> dict[str, Any]:
        return {name: self._often(value) for name, value in values.items() if self._rng.random() < 0.95}

    def _positions(self) -> dict[str, Any]:
        return {self._rng.choice(("m::j", "m::k", "x")): [self._rng.choice(_NUMBERS) for _ in range(2)]}

    def saved(self, topic: str, path: Path) -> Any:
        return self._often({"poses": self._poses, "timelines": self._timeline, "views": self._view}[topic]())

    def save(self, topic: str, path: Path, record: Mapping[str, Any] | Sequence[Any]) -> None:
        pass

    def _poses(self) -> dict[str, Any]:
        return {str(each): self._often(self._positions()) for each in range(3)}

    def _timeline(self) -> list[Any]:
        times, easings = (0, 1, 2.5, 10**400, -1, "1"), ("smooth", "linear", "hold", 3)
        return [
            self._record(
                time=self._rng.choice(times), name="n", easing=self._rng.choice(easings), positions=self._positions()
            )
            for _ in range(4)
        ]

    def _view(self) -> dict[str, Any]:
        pose: list[list[Any]] = np.eye(4).tolist()
        pose[self._rng.randrange(4)][self._rng.randrange(4)] = self._rng.choice(_NUMBERS)
        anchors = [
            self._record(kind=kind, frame=frame, label="l", pose=pose)
            for kind, frame in (("frame", "m::a"), ("face", "m::b"), ("edge", "none"))
        ][: self._rng.randrange(4)]
        opacities = {"m::a": self._rng.choice(_NUMBERS)}
        measured = [self._record(name="d", anchors=anchors)]
        return self._record(hidden=["m::a", self._value()], opacities=opacities, measurements=measured)


def attack(seed: int) -> None:
    """Restore what somebody wrote wrong, use it, and read a table that is one no more."""
    rng = random.Random(seed)
    store = _Store(rng)
    session = Session(parse_document(_TEXT, _PATH), Finder(environ={}, cwd=Path()))
    SavedView(session, store)
    poses, timeline = SavedPoses(session, store), SavedTimeline(session, store)
    for positions in poses.all().values():
        session.move_joints(positions)
    poses.save("again")
    model, kinematics = session.model, session.kinematics
    assert model is not None
    assert kinematics is not None
    trajectory = timeline.timeline.trajectory(kinematics)
    if trajectory is not None:
        trajectory.sample(10)
    timeline.set(timeline.timeline.renamed_joints({"m::j": "m::z"}))
    places = dict(zip(model.names, model.X_RootF, strict=True))
    with np.errstate(all="ignore"):
        rows = [(each, read(each, places.get)) for each in session.measurements]
        format_csv(rows, np.eye(4), "m")
        format_text(rows, np.eye(4), "m")
        _table(mutate(rng.choice(_TABLES), _TABLES, rng).decode("utf-8", "replace"))


def _table(text: str) -> None:
    """What can be read of a table is what is read of it when it is written again."""
    kinematics = Kinematics(load_model(_TEXT))
    try:
        suggest_columns(text, kinematics)
        states = parse_joint_states(text, kinematics).trajectory
    except SdfViewerError:
        return
    again = parse_joint_states(format_joint_states(kinematics, states.times, states.q), kinematics).trajectory
    assert np.array_equal(again.times, states.times)
    assert np.array_equal(again.q, states.q)
