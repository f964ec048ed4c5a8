"""Names of merged models, which get no prefix: where they clash, and where somebody writes one all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.diagnostics import Diagnostic

EYE = """<sdf version="1.9"><model name="eye">
<link name="body"/>
<frame name="top"/>
</model></sdf>"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    """Return a file beside a model called ``eye``."""
    (tmp_path / "eye.sdf").write_text(EYE, encoding="utf-8")
    return tmp_path / "robot.sdf"


def problems(robot: Path, *body: str) -> list[Diagnostic]:
    """Return what is wrong with a model with these elements, a line each."""
    lines = "\n".join(body)
    robot.write_text(f'<sdf version="1.9"><model name="m">\n{lines}\n</model></sdf>', encoding="utf-8")
    return list(sdfviewer.check(robot))


def places(problem: Diagnostic) -> list[tuple[str, int]]:
    """Return file and line of a problem, and of what it points at."""
    spans = [problem.span, *(each.span for each in problem.related)]
    return [(Path(span.path).name, span.line) for span in spans if span is not None]


MERGED = '<include merge="true"><name>{}</name><uri>eye.sdf</uri></include>'


def test_a_clash_with_a_merged_model_names_both_places(robot: Path) -> None:
    ends = "<parent>world</parent><child>a</child>"
    joint = f'<joint name="top" type="fixed">{ends}</joint>'
    (problem,) = problems(robot, '<link name="a"/>', joint, MERGED.format("e"))
    assert problem.rule.name == "duplicate-name"
    assert problem.message.startswith("a <joint> and a <frame> are both called 'top', one of them in the model that is")
    assert places(problem) == [("robot.sdf", 4), ("robot.sdf", 3), ("eye.sdf", 3)]
    (after,) = problems(robot, MERGED.format("e"), joint, '<link name="a"/>')
    assert places(after) == [("robot.sdf", 3), ("robot.sdf", 2), ("eye.sdf", 3)]


def test_a_clash_of_two_merged_models_says_that_nothing_gets_a_prefix(robot: Path) -> None:
    link, frame = problems(robot, MERGED.format("a"), MERGED.format("b"))
    assert link.message.startswith("two models that are merged here both have a <link> called 'body'")
    assert frame.message.startswith("two models that are merged here both have a <frame> called 'top'")
    assert places(link) == [("robot.sdf", 3), ("robot.sdf", 2), ("eye.sdf", 2), ("eye.sdf", 2)]
    assert "_merged__" not in link.message + frame.message


def test_two_merged_models_of_one_name_are_named_by_it(robot: Path) -> None:
    messages = [each.message for each in problems(robot, *[MERGED.replace("<name>{}</name>", "")] * 2)]
    assert messages[0] == "two includes are called 'eye'; give one a <name>"
    assert "_merged__" not in "".join(messages)


def test_a_prefix_that_merging_does_not_give_is_explained(robot: Path) -> None:
    frame = '<frame name="f" attached_to="e::{}"/>'
    known, unknown = problems(robot, MERGED.format("e"), frame.format("top"), frame.format("no").replace('"f"', '"g"'))
    reason = "'e' is merged into 'm', so what is in it has no prefix"
    assert known.message == f"attached_to 'e::top': {reason}; write 'top'"
    assert "Attach 'f' to 'top'" in [fix.label for fix in known.fixes]
    assert unknown.message == f"attached_to 'e::no': {reason}"


def test_a_placement_frame_that_is_the_model_itself_belongs_to_its_include(robot: Path) -> None:
    include = "<include><name>e</name><uri>eye.sdf</uri><placement_frame>e</placement_frame><pose/></include>"
    (problem,) = problems(robot, '<link name="a"/>', include)
    assert problem.message == "placement_frame 'e': 'e' is this model itself; omit it, or use '__model__'"
    assert problem.frames == ("m::e",)
    assert [fix.label for fix in problem.fixes] == ["Remove placement_frame of 'e'"]
