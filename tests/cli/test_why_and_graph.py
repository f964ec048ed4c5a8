"""``sdfviewer why`` and ``sdfviewer graph``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from sdfviewer.cli import main

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a">
      <pose>1 0 0 0 0 1.5707963267948966</pose>
    </link>
    <frame name="f" attached_to="a">
      <pose>1 0 0 0 0 0</pose>
    </frame>
    <frame name="A"><pose relative_to="B"/></frame>
    <frame name="B"><pose relative_to="A"/></frame>
  </model>
</sdf>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_why_tells_every_step_with_its_place(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "m::f", str(file)]) == 0
    out = capsys.readouterr().out
    assert "link m::a: relative_to m (by default)" in out
    assert f"frame m::f: relative_to m::a (by default)   {file}:6" in out
    assert out.splitlines()[-2:] == ["pose in __model__:", "1 1 0 0 0 1.57079633"]


def test_why_as_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["why", "--json", "--relative-to", "m::a", "f", str(file)])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["frame"], answer["relative_to"]) == ("m::f", "m::a")
    np.testing.assert_allclose(answer["pose"], [1, 0, 0, 1, 0, 0, 0], atol=1e-12)
    assert [step["frame"] for step in answer["chain"]] == ["m", "m::a", "m::f"]
    assert [step["line"] for step in answer["chain"]] == [2, 4, 6]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("rpy", "1 1 0 0 0 1.57079633"),
        ("degrees", "1 1 0 0 0 90"),
        ("quaternion", "1 1 0 0 0 0.707106781 0.707106781"),
    ],
)
def test_forms_of_a_pose(file: Path, capsys: pytest.CaptureFixture[str], form: str, expected: str) -> None:
    main(["why", "--as", form, "f", str(file)])
    assert capsys.readouterr().out.splitlines()[-1] == expected


def test_a_pose_can_be_pasted_into_numpy(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["why", "--as", "numpy", "f", str(file)])
    X = eval(capsys.readouterr().out.splitlines()[-1], {"np": np})
    assert X.shape == (4, 4)
    np.testing.assert_allclose(X[:3, 3], [1, 1, 0], atol=1e-12)


def test_a_chain_that_runs_in_a_cycle_says_so(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "A", str(file)]) == 1
    out = capsys.readouterr().out
    assert "the chain leads back to 'm::A'" in out
    assert out.endswith("pose in __model__:\nundefined\n")


def test_a_frame_that_does_not_exist_is_guessed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "m::g", str(file)]) == 2
    assert "did you mean" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["attached_to", "relative_to", "kinematic"])
def test_graphs_in_every_form(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    assert main(["graph", "--kind", kind, "--format", "json", str(file)]) == 1  # the file holds a cycle
    nodes = {node["id"] for node in json.loads(capsys.readouterr().out)["nodes"]}
    assert "m::a" in nodes
    main(["graph", "--kind", kind, str(file)])
    dot = capsys.readouterr().out
    assert dot.startswith("digraph")
    assert all(f'"{name}"' in dot for name in nodes)
    out = tmp_path / "graph.svg"
    main(["graph", "--kind", kind, "--format", "svg", "-o", str(out), str(file)])
    assert ElementTree.parse(out).getroot().tag.endswith("svg")
    again = tmp_path / "again.SVG"
    main(["graph", "--kind", kind, "-o", str(again), str(file)])  # the suffix names the format
    assert again.read_bytes() == out.read_bytes()
    main(["graph", "--kind", kind, "--format", "dot", "-o", str(again), str(file)])
    assert again.read_text(encoding="utf-8") == dot


def test_no_graph_is_written_where_names_would_be_markup(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.html", "a.xhtml", "a.png"):
        assert main(["graph", "-o", str(tmp_path / name), str(file)]) == 2
        assert "use .dot, .svg or .json" in capsys.readouterr().err
        assert not (tmp_path / name).exists()
    for name in ("a.gv", "a.txt", "a"):
        main(["graph", "-o", str(tmp_path / name), str(file)])
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("digraph")


JOINTED = (
    '<sdf version="1.9"><model name="m"><link name="P"/><link name="C"><pose>0.1 0 0.1 0 0 0</pose></link>'
    '<joint name="J" type="revolute"><pose>0 0 -0.1 0 0 0</pose><parent>P</parent><child>C</child>'
    "<axis><xyz>0 1 0</xyz><limit><lower>-2</lower><upper>2</upper></limit></axis></joint></model></sdf>"
)


def test_the_frames_of_a_joint_in_the_notation_of_the_kinematics_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.sdf"
    file.write_text(JOINTED, encoding="utf-8")
    assert main(["frames", "--json", "--joint", "m::J=0.78", str(file)]) == 0
    frames = {each["name"]: each for each in json.loads(capsys.readouterr().out)["frames"]}
    joint = frames["m::J"]
    assert joint["X_PJp"][:3] == pytest.approx([0.1, 0, 0])
    assert joint["X_CJc"][:3] == pytest.approx([0, 0, -0.1])
    assert joint["X_JpJc"] == pytest.approx([0, 0, 0, math.cos(0.39), 0, math.sin(0.39), 0])
    assert main(["why", "--json", "--joint", "m::J=0.78", "m::J", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["joint_frames"]["X_JpJc"] == pytest.approx(joint["X_JpJc"])
    assert main(["why", "m::J", str(file)]) == 0
    said = capsys.readouterr().out
    assert "parent P = m::P, child C = m::C:" in said
    assert "X_PJp   0.1 0 0 0 0 0" in said


def test_a_placement_frame_is_shown_with_the_pose_as_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.sdf"
    file.write_text(
        '<sdf version="1.9"><model name="m"><link name="l"/><model name="n" placement_frame="f">'
        '<pose>1 2 3 0 0 0</pose><link name="k"/><frame name="f"><pose>0 0 1 0 0 0</pose></frame>'
        "</model></model></sdf>",
        encoding="utf-8",
    )
    assert main(["frames", "--json", str(file)]) == 0
    nested = next(each for each in json.loads(capsys.readouterr().out)["frames"] if each["name"] == "m::n")
    assert nested["placement_frame"] == "m::n::f"
    assert nested["written_pose"][:3] == pytest.approx([1, 2, 3])
    assert nested["pose"][:3] == pytest.approx([1, 2, 2])
    assert main(["why", "m::n::k", str(file)]) == 0
    said = capsys.readouterr().out
    assert "placed by its frame m::n::f, whose pose is written:" in said
    assert "written 1 2 3 0 0 0" in said
    assert main(["why", "--json", "m::n", str(file)]) == 0
    chain = json.loads(capsys.readouterr().out)["chain"]
    assert chain[-1]["placement_frame"] == "m::n::f"


def test_why_says_that_the_frame_comes_first(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", str(file), "m::f"]) == 2
    error = capsys.readouterr().err
    assert f"there is no file 'm::f'; the frame comes before the file: sdfviewer why m::f {file}" in error
