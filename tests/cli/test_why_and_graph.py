"""``sdfviewer why`` and ``sdfviewer graph``."""

from __future__ import annotations

import json
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


def test_a_chain_that_runs_in_a_circle_says_so(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "A", str(file)]) == 1
    out = capsys.readouterr().out
    assert "the chain comes back to 'm::A'" in out
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
