"""xacro: the robot that comes out, its arguments, and every problem at the line where it was written."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.document.document import parse_document
from sdfviewer.extras import install_command
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.registry import describe_format
from sdfviewer.formats.xacro import engine, evaluation
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander, declared_arguments
from sdfviewer.model.explanation import explain_pose
from sdfviewer.model.kinds import Kind
from tests.frames import frame_in

pytest.importorskip("xacro")

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
HEAD = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
ROBOT = f"""<robot name="r" {HEAD}>
  <xacro:arg name="legs" default="1"/>
  <xacro:arg name="length" default="0.5"/>
  <xacro:property name="l" value="$(arg length)"/>
  <xacro:include filename="leg.xacro"/>
  <link name="base">{INERTIAL}</link>
  <xacro:leg side="left" y="1"/>
  <xacro:if value="${{$(arg legs) > 1}}">
    <xacro:leg side="right" y="-1"/>
  </xacro:if>
</robot>
"""
LEG = f"""<robot {HEAD}>
  <xacro:macro name="leg" params="side y">
    <link name="${{side}}_leg">
      {INERTIAL}
    </link>
    <joint name="${{side}}_hip" type="revolute">
      <parent link="base"/>
      <child link="${{side}}_leg"/>
      <origin xyz="0 ${{y * l}} 0"/>
      <limit lower="-1" upper="1" effort="1" velocity="1"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    (tmp_path / "leg.xacro").write_text(LEG)
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(ROBOT)
    return file


def test_the_robot_that_is_written_is_loaded(robot: Path) -> None:
    model = load_model(robot)
    assert model.diagnostics == ()
    assert frame_in(model, "r::left_leg").pose[1, 3] == 0.5
    assert "r::right_leg" not in model.names
    assert describe_format(model) == "xacro (URDF)"


def test_arguments_are_given_by_name(robot: Path) -> None:
    model = load_model(robot, arguments={"legs": "2", "length": "0.75"})
    assert frame_in(model, "r::right_leg").pose[1, 3] == -0.75
    document = parse_document(ROBOT, robot)
    assert [(each.name, each.default) for each in declared_arguments(document)] == [("legs", "1"), ("length", "0.5")]
    assert not any(each.is_read_before for each in declared_arguments(document))
    late = (
        '<robot xmlns:xacro="x" name="$(arg name)"><xacro:arg name="name" default="ur"/><xacro:arg name="b"/></robot>'
    )
    assert [each.is_read_before for each in declared_arguments(parse_document(late))] == [True, False]


def test_values_that_a_file_names_for_an_argument_are_its_choices() -> None:
    text = """<robot xmlns:xacro="x" name="r">
      <!-- possible 'kind' values: ur3, "ur5e" or ur10 -->
      <!-- kind: see http://x/y, z -->
      <!-- side: left, right -->
      <xacro:arg name="kind" default="ur5x"/>
      <xacro:arg name="safe" default="False"/>
      <xacro:arg name="gripper" default=""/>
      <xacro:arg name="side" default="left"/>
      <xacro:if value="${'$(arg gripper)' == 'wide' or '$(arg gripper)' != 'wide' or '$(arg other)' == 'x'}"/>
    </robot>"""
    choices = {each.name: each.choices for each in declared_arguments(parse_document(text))}
    assert choices == {
        "kind": ("ur3", "ur5e", "ur10"),
        "safe": ("true", "false"),
        "gripper": ("wide",),
        "side": ("left", "right"),
    }


def test_the_command_line_takes_arguments(robot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frames", "--arg", "legs=2", str(robot)]) == 0
    assert "r::right_leg" in capsys.readouterr().out
    assert main(["frames", "--arg", "legs", str(robot)]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err


def test_conversion_writes_what_the_program_writes(robot: Path, tmp_path: Path) -> None:
    for target, name in (("1.12", "robot.sdf"), ("urdf", "robot.urdf")):
        out = tmp_path / name
        assert main(["convert", "--to", target, "-o", str(out), str(robot)]) == 0
        assert frame_in(load_model(out), "r::left_leg").pose[1, 3] == 0.5


def test_the_place_of_a_frame_is_in_the_file_that_wrote_it(robot: Path) -> None:
    model = load_model(robot)
    steps = explain_pose(model, model.row("r::left_leg"))
    places = [(Path(step.span.path).name, step.span.line) for step in steps[-2:]]
    assert places == [("leg.xacro", 6), ("leg.xacro", 3)]
    base = model.elements[model.row("r::base")]
    assert model.document_of(model.row("r::base")).span(base).line == 6


def test_a_problem_is_at_its_line_with_the_calls_that_lead_there(robot: Path, tmp_path: Path) -> None:
    (tmp_path / "leg.xacro").write_text(LEG.replace('upper="1"', 'upper="much"'))
    problem = next(each for each in sdfviewer.check(robot) if each.is_error)
    assert problem.span is not None
    assert (problem.rule.name, Path(problem.span.path).name, problem.span.line) == ("urdf-bad-value", "leg.xacro", 10)
    assert [(related.message, related.span.line) for related in problem.related] == [
        ("in the macro 'leg' called here", 7)
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "file", "words"),
    [
        ('side="left" y="1"', 'side="left"', 7, "robot.urdf.xacro", "Undefined parameters [y]"),
        ("xacro:leg side", "xacro:arm side", 7, "robot.urdf.xacro", "unknown macro name"),
        ("leg.xacro", "nowhere.xacro", 5, "robot.urdf.xacro", "nowhere.xacro"),
        ("leg.xacro", "$(find nowhere)/leg.xacro", 5, "robot.urdf.xacro", "package 'nowhere'"),
        ("$(arg length)", "$(arg height)", 9, "leg.xacro", "--arg height=VALUE"),
        (' default="0.5"', "", 3, "robot.urdf.xacro", "missing attribute 'default'"),
        ("$(arg length)", "${no_such}", 9, "leg.xacro", "no_such"),
        ('value="$(arg length)"', 'value="${[x.__class__ for x in [1]]}"', 9, "leg.xacro", "__class__"),
        ('value="$(arg length)"', 'value="${10**10**10}"', 9, "leg.xacro", "exponent"),
    ],
)
def test_what_stops_the_evaluation_is_at_its_line(
    robot: Path, old: str, new: str, line: int, file: str, words: str
) -> None:
    robot.write_text(ROBOT.replace(old, new, 1))
    model, found = Loader(expander=evaluating()).load_with_diagnostics(open_document(robot))
    assert model is None
    assert [each.rule.name for each in found] == ["xacro-failed"]
    assert found[0].span is not None
    assert words in found[0].message
    assert (Path(found[0].span.path).name, found[0].span.line) == (file, line)


def test_macros_that_never_end_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_ELEMENTS", 5_000)
    file = tmp_path / "r.xacro"
    twice = '<xacro:macro name="m{}"><xacro:m{}/><xacro:m{}/></xacro:macro>'
    macros = "".join(twice.format(n, n + 1, n + 1) for n in range(30))
    file.write_text(f'<robot name="r" {HEAD}>{macros}<xacro:macro name="m30"><a/></xacro:macro><xacro:m0/></robot>')
    assert [each.rule.name for each in sdfviewer.check(file)] == ["xacro-failed"]
    file.write_text(f'<robot name="r" {HEAD}><xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/></robot>')
    assert [each.rule.name for each in sdfviewer.check(file)] == ["xacro-failed"]
    file.write_text(f'<robot name="r" {HEAD}><xacro:include filename="r.xacro"/></robot>')
    assert [each.rule.name for each in sdfviewer.check(file)] == ["xacro-failed"]


def test_packages_are_found_by_model_paths_and_beside(robot: Path, tmp_path: Path) -> None:
    package = tmp_path / "elsewhere" / "legs_folder"
    package.mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>legs</name></package>")
    (package / "leg.xacro").write_text(LEG)
    robot.write_text(ROBOT.replace("leg.xacro", "$(find legs)/leg.xacro"))
    assert "r::left_leg" in load_model(robot, paths=[tmp_path / "elsewhere"]).names
    mine = tmp_path / "elsewhere" / "mine"
    mine.mkdir()
    (mine / "package.xml").write_text("<package><name>mine</name></package>")
    beside = mine / "robot.urdf.xacro"
    beside.write_text(robot.read_text())
    assert "r::left_leg" in load_model(beside).names


def test_an_include_of_a_xacro_file_brings_its_robot(robot: Path, tmp_path: Path) -> None:
    world = tmp_path / "world.sdf"
    world.write_text(
        '<sdf version="1.9"><world name="w"><include><uri>robot.urdf.xacro</uri><pose>0 0 1 0 0 0</pose></include>'
        "</world></sdf>"
    )
    model = Loader(Finder(), expander=evaluating()).load(open_document(world))
    assert model is not None
    np.testing.assert_allclose(frame_in(model, "r::left_leg").pose[:3, 3], [0, 0.5, 1])


def test_a_library_of_macros_is_no_robot(robot: Path, tmp_path: Path) -> None:
    assert [each.rule.name for each in sdfviewer.check(tmp_path / "leg.xacro")] == ["xacro-macros-only"]


def test_sdformat_can_be_written_as_xacro_too(tmp_path: Path) -> None:
    file = tmp_path / "model.sdf.xacro"
    file.write_text(
        f'<sdf version="1.9" {HEAD}><xacro:property name="z" value="${{1 + 1}}"/>\n'
        '<model name="m"><link name="a"><pose>0 0 ${z} 0 0 0</pose></link><link name="a"/></model></sdf>'
    )
    model = load_model(file)
    assert frame_in(model, "m::a").pose[2, 3] == 2.0
    assert [(each.rule.name, each.span.line) for each in model.diagnostics if each.span] == [("duplicate-name", 2)]


def test_a_change_in_an_included_file_is_seen(robot: Path, tmp_path: Path) -> None:
    loader = Loader(expander=evaluating())
    document = open_document(robot)
    assert frame_in(loader.load(document), "r::left_leg").pose[1, 3] == 0.5  # type: ignore[union-attr]
    (tmp_path / "leg.xacro").write_text(LEG.replace("y * l", "y * l * 2.0"))
    assert frame_in(loader.load(document), "r::left_leg").pose[1, 3] == 1.0  # type: ignore[union-attr]


def test_nothing_is_evaluated_before_it_is_allowed(robot: Path) -> None:
    document = open_document(robot)
    model, found = Loader(Finder(), {}, Expander()).load_with_diagnostics(document)
    assert model is None
    assert [each.rule.name for each in found] == ["xacro-not-evaluated"]


def test_the_module_of_the_host_stays_as_it_is(robot: Path) -> None:
    import xacro

    before = (xacro.parse, xacro.eval_all, xacro.safe_eval)
    load_model(robot)
    assert (xacro.parse, xacro.eval_all, xacro.safe_eval) == before
    assert xacro.filestack is None


def test_without_the_package_the_extra_is_named(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    found = sdfviewer.check(robot)
    assert [each.rule.name for each in found] == ["xacro-not-installed"]
    assert install_command("xacro") in found[0].message


@pytest.mark.parametrize(
    ("file", "links"),
    [
        ("strider_description/xacro/strider.urdf.xacro", 47),
        ("reach_description/urdf/reach.urdf.xacro", 12),
    ],
)
def test_robots_of_the_collection(collection: Path, file: str, links: int) -> None:
    model = load_model(collection / file)
    assert not [each for each in model.diagnostics if each.is_error]
    assert sum(str(kind) == "link" for kind in model.kinds) >= links
    expanded = model.document_of(0)
    assert isinstance(expanded, ExpandedDocument)
    for row in range(len(model)):
        span = model.document_of(row).span(model.elements[row])
        line = open_document(span.path).line(span.line)
        assert f"<{model.elements[row].tag}" in line


def evaluating() -> Expander:
    """Return an expander of all files."""
    return Expander(permission=NamedFiles(None, ""))


def expression_file(folder: Path, expression: str) -> Path:
    file = folder / "expression.xacro"
    file.write_text(f'<robot name="r" {HEAD}>\n<link name="a"/>\n<link name="${{{expression}}}"/></robot>')
    return file


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("list(range(10**9))", "too many steps"),
        ("[[y for y in range(9999)] for x in range(9999)]", "too many steps"),
        ("(lambda f: f(f))(lambda f: f(f))", "never end"),
        ("len('a'.ljust(3 * 10**9))", "too large"),
    ],
)
def test_an_expression_that_takes_too_much_is_a_problem_at_its_line(
    tmp_path: Path, expression: str, words: str
) -> None:
    file = expression_file(tmp_path, expression)
    (found,) = sdfviewer.check(file)
    assert found.rule.name == "xacro-failed"
    assert words in found.message
    assert found.span is not None
    assert found.span.line == 3
    file.write_text(f'<robot name="r" {HEAD}><link name="${{1 + 1}}">{INERTIAL}</link></robot>')
    assert "r::2" in load_model(file).names  # the next file is evaluated all the same


def slow_file(folder: Path) -> Path:
    """Return a file that is evaluated for ten seconds."""
    file = folder / "slow.xacro"
    texts = "<xacro:property name='a' value='${900000 * \"a\"}'/><xacro:property name='b' value='${a[:400000]}b'/>"
    file.write_text(f'<robot name="r" {HEAD}>{texts}' + '<a b="${a.find(b)}"/>' * 20_000 + "</robot>")
    return file


def test_the_process_is_stopped_when_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "MOST_SECONDS", 0.2)
    (found,) = sdfviewer.check(slow_file(tmp_path))
    assert "longer than 0.2 s" in found.message


def test_all_files_of_a_load_share_one_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each include of a world that does not end would otherwise take as long again."""
    given: list[float] = []
    run = evaluation.Evaluation.run

    def remember(self: evaluation.Evaluation, *arguments: Any) -> evaluation.Evaluated:
        given.append(arguments[-1])
        return run(self, *arguments)

    monkeypatch.setattr(evaluation.Evaluation, "run", remember)
    monkeypatch.setattr(evaluation, "MOST_SECONDS", 0.3)
    for name in "abcd":
        slow_file(tmp_path).rename(tmp_path / f"{name}.xacro")
    includes = "".join(f"<include><uri>{name}.xacro</uri><name>{name}</name></include>" for name in "abcd")
    world = tmp_path / "world.sdf"
    world.write_text(f'<sdf version="1.9"><world name="w">{includes}</world></sdf>')
    loader = Loader(Finder(), expander=evaluating())
    for _ in range(2):
        found = loader.load_with_diagnostics(open_document(world))[1]
        assert [each.rule.name for each in found].count("xacro-failed") == 4
        assert all("takes longer than 0.3 s" in each.message for each in found if each.rule.name == "xacro-failed")
        loader.expander.retry()
    assert given[0] == given[4] == 0.3
    assert all(seconds <= 0 for seconds in (*given[1:4], *given[5:]))


def test_what_was_stopped_is_evaluated_again_only_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[object] = []
    take = evaluation.take
    monkeypatch.setattr(evaluation, "take", lambda: (runs.append(1), take())[1])
    monkeypatch.setattr(evaluation, "MOST_SECONDS", 0.2)
    loader = Loader(expander=evaluating())
    document = open_document(slow_file(tmp_path))
    assert loader.load(document) is None
    assert loader.load(document) is None
    assert len(runs) == 1
    loader.expander.retry()
    assert loader.load(document) is None
    assert len(runs) == 2


def test_what_the_process_writes_is_bounded(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "MOST_BYTES", 300)
    (found,) = sdfviewer.check(robot)
    assert "writes more than" in found.message


def test_an_evaluation_is_cancelled_by_another_thread(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expander = evaluating()

    def find_package(_finder: Finder, _name: str, _beside: Path) -> None:
        thread = threading.Thread(target=expander.cancel)  # while the evaluation waits for an answer
        thread.start()
        thread.join()

    monkeypatch.setattr(Finder, "find_package", find_package)
    robot.write_text(ROBOT.replace("leg.xacro", "$(find legs)/leg.xacro"))
    _, found = Loader(Finder(), {}, expander).load_with_diagnostics(open_document(robot))
    assert "was cancelled" in found[0].message


def test_a_process_that_ends_by_itself_is_a_problem(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "PROGRAM", "sys.exit(3)")
    evaluation.end_idle()
    (found,) = sdfviewer.check(robot)
    assert "exit status 3" in found.message


def test_modules_beside_the_file_are_not_imported(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (robot.parent / "yaml.py").write_text("raise SystemExit(9)")
    (robot.parent / "xacro.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(robot.parent)
    evaluation.end_idle()
    assert "r::left_leg" in load_model(robot).names


def test_fixes_name_the_line_of_the_source_where_xacro_writes_what_is_wrong(
    robot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leg = robot.parent / "leg.xacro"
    leg.write_text(LEG.replace('lower="-1" upper="1"', 'lower="1" upper="-1"'))
    before = robot.read_text(), leg.read_text()
    main(["check", "--fix", str(robot)])
    assert f"not fixed: xacro writes what is wrong: edit {leg}:10" in capsys.readouterr().err
    assert main(["edit", "--fix", "limits-reversed", "--in-place", str(robot)]) == 2
    assert f"xacro writes what is wrong: edit {leg}:10" in capsys.readouterr().err
    assert (robot.read_text(), leg.read_text()) == before


EXTENDED = f"""<robot name="r" {HEAD}>
  <xacro:macro name="foot" params="name">
    <link name="${{name}}"/>
    <joint name="${{name}}_hip" type="revolute">
      <parent link="base"/>
      <child link="${{name}}"/>
      <origin xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="1" velocity="1"/>
    </joint>
    <gazebo reference="base">
      <sensor name="${{name}}_imu" type="imu"/>
    </gazebo>
  </xacro:macro>
  <link name="base">{INERTIAL}</link>
  <xacro:foot name="left"/>
</robot>
"""


def test_what_xacro_writes_is_converted_by_the_library(tmp_path: Path) -> None:
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(EXTENDED)
    model = sdfviewer.load(file)
    links = {each.scoped_name for each in model.links}
    urdf = model.to_urdf()
    assert urdf.count("<inertial>") == 1  # the foot has none, as in the file
    assert '<sensor name="left_imu"' in urdf
    for text in (urdf, model.to_sdformat(), model.convert("standalone")):
        assert "xacro" not in text
        copy = sdfviewer.load(text)
        assert {each.scoped_name for each in copy.links} == links
        assert copy.links["left"].pose[1, 3] == 1.0
    for target in ("urdf", "1.12"):
        model.save_bundle(tmp_path / target, target)
        written = [each for each in (tmp_path / target).rglob("*") if each.suffix in (".urdf", ".sdf")]
        assert ["left_imu" in each.read_text() for each in written] == [True]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<link name="${nope}"/>', "name 'nope' is not defined in the expression 'nope'"),
        ('<link name="${1 +}"/>', "invalid syntax in the expression '1 +'"),
        ('<link name="${1/0}"/>', "division by zero in the expression '1/0'"),
        ('<link name="$(env NO_SUCH_VARIABLE)"/>', "environment variable 'NO_SUCH_VARIABLE' is not set"),
        ('<link name="$(eval 1 + )"/>', "invalid syntax"),
        ('<link name="${load_yaml(&quot;no.yaml&quot;)}"/>', "in the expression 'load_yaml"),
        ('<xacro:include filename="$(find unknown)/x.xacro"/>', "package 'unknown' is not found"),
        ('<xacro:include filename="circle.xacro"/>', "the macros, includes or functions never end"),
        ('<xacro:if value="maybe"/>', "which is not a boolean expression"),
        ('<xacro:arg name="width"/>', "xacro: xacro:arg: missing attribute 'default'"),
        ('<xacro:leg side="left"/>', "unknown macro name: xacro:leg"),
    ],
)
def test_messages_say_what_is_wrong_without_the_words_of_python(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "circle.xacro"
    file.write_text(f'<robot name="r" {HEAD}>\n{content}\n<link name="a"/></robot>')
    (found,) = sdfviewer.check(file)
    assert found.is_error
    assert found.span is not None
    assert found.span.line == 2
    assert message in found.message
    assert "<class" not in found.message
    assert "Errno" not in found.message


def test_a_package_that_is_not_found_is_offered_where_it_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "arm_description").mkdir()
    (tmp_path / "arm_description/arm.xacro").write_text(f'<robot {HEAD}><link name="arm">{INERTIAL}</link></robot>')
    file = tmp_path / "robots/lab/robot.urdf.xacro"
    file.parent.mkdir(parents=True)
    monkeypatch.chdir(file.parent)
    include = '<xacro:include filename="$(find {})/arm.xacro"/>'
    file.write_text(f'<robot name="r" {HEAD}>\n{include.format("arm_description")}</robot>')
    (found,) = sdfviewer.check(file)
    assert found.missing_uri == "package://arm_description"
    assert found.found_in == str(tmp_path)
    where = os.path.join("..", "..", "..", tmp_path.name)
    advice = f"package 'arm_description' is not found; it is in {where}: add that folder to the model folders"
    assert found.message == f"xacro: {advice}"
    assert main(["check", str(file)]) == 1
    assert f"add `--path {where}`" in capsys.readouterr().out
    assert main(["check", "--path", str(tmp_path), str(file)]) == 0
    file.write_text(f'<robot name="r" {HEAD}>\n{include.format("leg_description")}</robot>')
    (found,) = sdfviewer.check(file)
    assert (found.missing_uri, found.found_in) == ("package://leg_description", "")


#: xacro files beside which is what the command ``xacro`` made of them.
_GENERATED = {
    "strider_description/xacro/strider.urdf.xacro": "../urdf/strider.urdf",
    "reach_description/urdf/reach.urdf.xacro": "reach.urdf",
    "reach_description/urdf/dual_reach.urdf.xacro": "dual_reach.urdf",
}


@pytest.mark.parametrize("file", _GENERATED)
def test_a_robot_has_the_frames_of_the_urdf_that_xacro_made(collection: Path, file: str) -> None:
    program, made = load_model(collection / file), load_model((collection / file).parent / _GENERATED[file])
    links = [name.partition("::")[2] for name, kind in zip(made.names, made.kinds, strict=True) if kind is Kind.LINK]
    assert len(links) > 10
    for link in links:
        found, expected = frame_in(program, f"{program.names[0]}::{link}"), frame_in(made, f"{made.names[0]}::{link}")
        np.testing.assert_allclose(found.pose, expected.pose, atol=1e-11)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<xacro:element xacro:name="a/&gt;&lt;b"/>', "no proper name"),
        ('<xacro:element xacro:name="${1 + 1}"/>', "the name of an element is given 2, which is no text"),
        ('<a><xacro:attribute name="v/&gt;&lt;b c" value="1"/></a>', "is not XML: not well-formed"),
        ('<a><xacro:attribute name="v" value="${1 + 1}"/></a>', "the attribute 'v' of an element is given 2"),
        ("<a>${'\\x01'}</a>", "is not XML: not well-formed"),
        ("<a>${'\\ud800'}</a>", "surrogates not allowed"),
        ("<!-- xacro:eval-comments --><!-- ${2 * '-'} -->", "'--' is not allowed in a comment node"),
    ],
)
def test_what_xml_cannot_hold_is_a_problem(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.xacro"
    file.write_text(f'<robot name="r" {HEAD}>\n{content}\n<link name="a"/></robot>')
    (found,) = sdfviewer.check(file)
    assert found.rule.name == "xacro-failed"
    assert message in found.message


def test_a_macro_calls_itself_for_each_element_of_a_long_list(tmp_path: Path) -> None:
    """xacro comes to 250 elements; there is more between two calls here."""
    file = tmp_path / "a.xacro"
    file.write_text(
        f'<robot name="r" {HEAD}><xacro:macro name="loop" params="items"><xacro:if value="${{items}}">'
        '<link name="l${items.pop(0)}"/><xacro:loop items="${items}"/></xacro:if></xacro:macro>'
        '<xacro:loop items="${list(range(300))}"/></robot>'
    )
    assert "r::l299" in load_model(file).names


def test_a_warning_of_xacro_names_a_deprecated_function_and_a_redefined_symbol(tmp_path: Path) -> None:
    file = tmp_path / "a.xacro"
    file.write_text(
        f'<robot name="r" {HEAD}><xacro:property name="radians" value="1"/>'
        '<link name="l${sorted([2, 1])[0]}"/></robot>'
    )
    found = [each.message for each in sdfviewer.check(file) if each.rule.name == "xacro-warning"]
    assert found == [
        "xacro: redefining global symbol: radians",
        "xacro: Using sorted() directly is deprecated. Use python.sorted() instead.",
    ]
