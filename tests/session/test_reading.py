"""Reading beside the caller's thread: what is in sight meanwhile, and what becomes of answers that nobody needs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.session_reader import OtherModel, moved_diagnostics
from tests.large import world_of_models

pytest.importorskip("xacro")

ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="part.xacro"/>
  <xacro:part name="arm"/>
</robot>
"""
PART = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="part" params="name">
    <link name="${name}">
      <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    </link>
  </xacro:macro>
</robot>
"""


class Later:
    """Does jobs when it is told to."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Callable[[], Any], Callable[[Any], object]]] = []

    def run(self, job: Callable[[], Any], then: Callable[[Any], object]) -> None:
        self.jobs.append((job, then))

    def do_all(self) -> None:
        while self.jobs:
            job, then = self.jobs.pop(0)
            then(job())


def evaluating() -> Expander:
    """Return an expander of all files."""
    return Expander(permission=NamedFiles(None, ""))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "part.xacro").write_text(PART)
    path = tmp_path / "robot.urdf.xacro"
    path.write_text(ROBOT)
    return path


@pytest.fixture
def later() -> Later:
    return Later()


@pytest.fixture
def session(file: Path, later: Later) -> Session:
    session = Session.open(file, expander=evaluating())
    session.read_in_background(later.run)
    return session


def type_over(session: Session, old: str, new: str) -> None:
    start = session.document.text.index(old)
    session.apply(Edit("Type", session.document, (Replacement(start, start + len(old), new),)))


def names(session: Session) -> list[str]:
    assert session.model is not None
    return session.model.names


def test_a_session_opens_without_waiting(file: Path, later: Later) -> None:
    session = Session.open(file, expander=evaluating(), waits=False)
    assert session.is_reading
    assert session.model is None
    session.read_in_background(later.run)
    later.do_all()
    assert names(session) == ["r", "r::arm"]
    assert session.is_current


def test_the_last_model_stays_until_the_next_is_there(session: Session, later: Later) -> None:
    changes: list[SessionChange] = []
    session.subscribe(changes.append)
    type_over(session, "arm", "leg")
    assert names(session) == ["r", "r::arm"]
    assert session.is_reading
    assert not session.is_current
    later.do_all()
    assert names(session) == ["r", "r::leg"]
    assert session.is_current
    assert [change.document for change in changes] == [True, True]


@pytest.mark.parametrize(
    ("text", "is_read_beside"),
    [
        pytest.param(
            "<robot name='r'>" + "".join(f"<link name='l{n}'/>" for n in range(2100)) + "</robot>",
            True,
            id="a large URDF",
        ),
        pytest.param(
            "<robot name='r'>" + "".join(f"<link name='l{n}'/>" for n in range(200)) + "</robot>", False, id="a URDF"
        ),
        pytest.param(world_of_models(1100), False, id="an SDFormat world, of which only what has changed is read"),
    ],
)
def test_typing_in_a_text_that_takes_long_does_not_wait_for_it(text: str, is_read_beside: bool, later: Later) -> None:
    session = Session(parse_document(text))
    session.read_in_background(later.run)
    before = session.model
    for typed in ("a", "<"):  # also what is no XML
        edit = Edit("Type", session.document, (Replacement(at := text.index("name="), at, f"{typed}='' "),))
        session.apply(edit, is_typed=True)
        assert session.is_reading == is_read_beside
        assert (session.model is before) == is_read_beside
        later.do_all()
        assert not session.is_reading
        assert session.model is not before
        before = session.model
    session.undo()
    assert session.is_current


def test_an_answer_to_an_older_text_is_dropped(session: Session, later: Later) -> None:
    type_over(session, "arm", "leg")
    type_over(session, "leg", "wing")
    (first, give_first), (second, give_second) = later.jobs
    give_second(second())
    give_first(first())
    assert names(session) == ["r", "r::wing"]


def test_saving_and_undo_wait_for_nothing(session: Session, later: Later, file: Path) -> None:
    type_over(session, "arm", "leg")
    session.save()
    assert "leg" in file.read_text()
    session.undo()
    assert names(session) == ["r", "r::arm"]
    assert not session.is_reading  # this expansion is known
    session.recover(ROBOT.replace("arm", "wing"))
    assert session.is_reading
    assert session.dirty
    later.do_all()
    assert names(session) == ["r", "r::wing"]


def test_a_text_that_cannot_be_evaluated_keeps_the_model(session: Session, later: Later) -> None:
    type_over(session, 'name="arm"', 'name="${oops}"')
    later.do_all()
    assert [each.rule.name for each in session.diagnostics] == ["xacro-failed"]
    assert names(session) == ["r", "r::arm"]
    assert not session.is_current


def test_a_cancelled_reading_says_so_until_it_is_tried_again(session: Session, later: Later) -> None:
    type_over(session, "arm", "leg")
    session.cancel_reading()
    later.do_all()
    assert "was cancelled" in session.diagnostics[0].message
    session.refresh()
    assert not session.is_reading
    session.expander.retry()
    session.refresh()
    later.do_all()
    assert names(session) == ["r", "r::leg"]


def test_a_closed_session_takes_no_answer(session: Session, later: Later) -> None:
    type_over(session, "arm", "leg")
    session.close()
    later.do_all()
    assert names(session) == ["r", "r::arm"]


def test_another_version_is_evaluated_beside_too(session: Session, later: Later) -> None:
    given: list[OtherModel] = []
    other = parse_document(ROBOT.replace("arm", "leg"), session.path)
    session.load_other(other, given.append)
    assert given == []
    later.do_all()
    session.load_other(other, given.append)  # its expansion is known now
    assert later.jobs == []
    assert [each.model.names for each in given if each.model is not None] == [["r", "r::leg"]] * 2


def test_a_file_that_could_not_be_evaluated_is_watched(file: Path, later: Later, tmp_path: Path) -> None:
    part = tmp_path / "part.xacro"
    part.write_text(PART.replace('name="${name}"', 'name="${oops}"'))
    session = Session.open(file, expander=evaluating(), waits=False)
    session.read_in_background(later.run)
    later.do_all()
    assert session.model is None
    assert session.included_files == (part,)
    assert session.includes_are_current
    part.write_text(PART)
    assert not session.includes_are_current


WITH_DATA = ROBOT.replace('"arm"', """"${xacro.load_yaml('names.yaml')['name']}\"""")


def test_a_yaml_file_that_changes_is_read_again(file: Path, later: Later, tmp_path: Path) -> None:
    data = tmp_path / "names.yaml"
    data.write_text("name: arm")
    file.write_text(WITH_DATA)
    session = Session.open(file, expander=evaluating(), waits=False)
    session.read_in_background(later.run)
    later.do_all()
    assert names(session) == ["r", "r::arm"]
    assert set(session.included_files) == {tmp_path / "part.xacro", data}
    assert session.includes_are_current
    session.refresh()
    assert later.jobs == []  # its expansion is known
    data.write_text("name: other")
    assert not session.includes_are_current
    session.refresh()
    later.do_all()
    assert names(session) == ["r", "r::other"]
    assert session.includes_are_current


def test_a_yaml_file_of_an_included_xacro_file_is_read_again(file: Path, tmp_path: Path) -> None:
    data, world = tmp_path / "names.yaml", tmp_path / "world.sdf"
    data.write_text("name: arm")
    file.write_text(WITH_DATA)
    world.write_text(
        f'<sdf version="1.9"><world name="w"><include><uri>{file.name}</uri></include></world></sdf>', encoding="utf-8"
    )
    session = Session.open(world, expander=evaluating())
    assert "r::arm" in names(session)
    assert data in session.included_files
    data.write_text("name: other")
    assert not session.includes_are_current
    session.refresh()
    assert "r::other" in names(session)
    assert session.includes_are_current


def test_a_yaml_file_that_made_an_evaluation_fail_is_watched(file: Path, later: Later, tmp_path: Path) -> None:
    data = tmp_path / "names.yaml"
    data.write_text("nothing: 1")
    file.write_text(WITH_DATA)
    session = Session.open(file, expander=evaluating(), waits=False)
    session.read_in_background(later.run)
    later.do_all()
    assert session.model is None
    assert data in session.included_files
    assert session.includes_are_current
    data.write_text("name: arm")
    assert not session.includes_are_current
    session.refresh()
    later.do_all()
    assert names(session) == ["r", "r::arm"]


def test_a_file_that_is_written_meanwhile_is_read_again(session: Session, later: Later, tmp_path: Path) -> None:
    type_over(session, "arm", "leg")
    job, then = later.jobs.pop()
    answer = job()
    (tmp_path / "part.xacro").write_text(PART.replace('"${name}"', '"${name}_link"'))
    then(answer)
    assert session.is_reading
    later.do_all()
    assert names(session) == ["r", "r::leg_link"]


def test_problems_stay_at_their_places_while_the_text_changes(session: Session, later: Later) -> None:
    type_over(session, "</robot>", '<joint name="j"/>\n</robot>')
    later.do_all()
    assert {each.span.line for each in session.diagnostics if each.span} == {4}
    type_over(session, "  <xacro:part", "\n\n  <xacro:part")
    assert session.is_reading
    assert {each.span.line for each in session.diagnostics if each.span} == {6}


@pytest.mark.parametrize(
    ("after", "expected"),
    [("ab\ncd", ["b", "c"]), ("ab\nXcd", ["b", "c"]), ("aX\ncd", ["c"]), ("Xab\ncd", ["b", "c"]), ("ab", ["b"])],
)
def test_problems_move_with_the_text(after: str, expected: list[str]) -> None:
    before, other = parse_document("ab\ncd"), parse_document(after)
    [problem, *_] = before.diagnostics
    problems = tuple(
        type(problem)(problem.rule, problem.severity, "", before.span_between(start, start + 1)) for start in (1, 3)
    )
    spans = [each.span for each in moved_diagnostics(problems, before, other)]
    assert [other.text[span.start : span.end] for span in spans if span is not None] == expected


@pytest.mark.parametrize("uri", ["file://%00", "model://a%00b", "loop"])
def test_an_include_of_no_possible_file_is_a_problem_beside_unsaved_documents(tmp_path: Path, uri: str) -> None:
    """While something is unsaved, each file that an include may lead to is looked for among the open documents."""
    if os.name == "posix":
        (tmp_path / "loop").symlink_to("loop")
    text = f'<sdf version="1.9"><model name="m"><include><uri>{uri}</uri></include><link name="l"/></model></sdf>'
    document = parse_document(text, path=tmp_path / "a.sdf")
    model, diagnostics = Loader(instead={tmp_path / "b.sdf": document}).load_with_diagnostics(document)
    assert model is not None
    assert "m::l" in model.rows_by_name
    assert any(diagnostic.is_error for diagnostic in diagnostics)
