"""A fault in placing the parts is a problem of the file; views get the poses that are known, and the next ones."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange

ARM = """<sdf version="1.9"><model name="m">
<link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>
<joint name="j" type="prismatic"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


def fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError("injected")


@pytest.fixture
def session() -> Session:
    return Session(parse_document(ARM, Path("a.sdf")))


def faults(session: Session) -> list[str]:
    return [each.message for each in session.diagnostics if each.rule.name == "internal-error"]


def height(session: Session) -> float:
    assert session.model is not None
    return float(session.X_RootF[session.model.rows_by_name["m::b"], 2, 3])


@pytest.mark.parametrize(
    "broken", ["sdfviewer.session.session_reader.Kinematics", "sdfviewer.session.session_reader.Kinematics.poses"]
)
def test_positions_that_cannot_be_shown_leave_the_poses_at_zero(
    session: Session, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    changes: list[SessionChange] = []

    def look(_: SessionChange) -> None:
        height(session)

    session.subscribe(changes.append)
    session.subscribe(look)
    with monkeypatch.context() as patch:
        patch.setattr(broken, fail)
        session.move_joints({"m::j": (0.5,)})
        assert height(session) == 1.0
        (message,) = faults(session)
        assert "placed because of an internal error (ZeroDivisionError: injected" in message
        assert "report" in message
        assert [each.problems for each in changes] == [False, True]
    session.move_joints({"m::j": (0.25,)})
    assert height(session) == 1.25
    assert faults(session) == []


def test_a_comparison_that_fails_shows_no_difference(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("sdfviewer.session.session_reader.Comparison", fail)
        assert session.comparison is None
        assert not session.differences.different.any()
        assert np.array_equal(session.element_relative_poses, session.X_RootF)
        assert len(faults(session)) == 1
    session.apply(Edit("Type", session.document, (Replacement(len(ARM), len(ARM), " "),)))
    assert session.comparison is not None
    assert faults(session) == []


def test_an_edit_is_made_although_the_last_poses_cannot_be_kept(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ARM.index('<link name="b"')
    with monkeypatch.context() as patch:
        patch.setattr("sdfviewer.session.session_reader.SessionPoses._keep_last_poses", fail)
        session.apply(Edit("Type", session.document, (Replacement(at, at, " "),)))
        assert session.is_current
        assert session.dirty
        assert len(faults(session)) == 1
    session.undo()
    assert session.document.text == ARM
    assert faults(session) == []


def test_what_the_views_find_stays_beside_a_fault(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Session(parse_document("<sdf version='1.9'/>", Path("b.sdf"))).diagnostics
    session.report(found)
    monkeypatch.setattr("sdfviewer.session.session_reader.Kinematics", fail)
    assert session.kinematics is None
    assert [each.rule.name for each in session.diagnostics] == ["internal-error", *(each.rule.name for each in found)]


@pytest.mark.usefixtures("others_set_aside")
def test_a_fault_leaves_nothing_to_the_garbage_collector(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdfviewer.session.session_reader.Kinematics", fail)
    gc.collect()
    session.move_joints({"m::j": (0.5,)})
    assert height(session) == 1.0
    assert gc.collect() == 0
