"""``sdfviewer why`` says where a whole model is placed: by its own file, or by what includes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sdfviewer.cli import main

OWN_POSE = """<sdf version="1.9">
  <model name="puck">
    <pose>0.5 0 0 0 0 0</pose>
    <link name="base"/>
  </model>
</sdf>
"""
TOP = """<sdf version="1.9">
  <model name="top">
    <link name="l"/>
    <include><uri>puck.sdf</uri></include>
    <include>
      <uri>puck.sdf</uri>
      <name>moved</name>
      <pose>0 0 1 0 0 0</pose>
    </include>
  </model>
</sdf>
"""
WORLD = """<sdf version="1.9">
  <world name="w">
    <include><uri>top.sdf</uri></include>
    <include><uri>top.sdf</uri><name>second</name></include>
  </world>
</sdf>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("puck.sdf", OWN_POSE), ("top.sdf", TOP), ("world.sdf", WORLD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_pose_of_a_top_model_is_a_step(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "base", str(folder / "puck.sdf")]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = lines.index(f"  model puck: the root, placed in the world that it is put into   {folder / 'puck.sdf'}:3")
    assert lines[at + 1 : at + 3] == ["      raw   0.5 0 0 0 0 0", "      root  0 0 0 0 0 0"]
    assert lines[-1] == "0 0 0 0 0 0"  # in the frame of the model itself


def test_a_top_model_without_a_pose_is_the_root_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "l", str(folder / "top.sdf")]) == 0
    assert "  model top: the root\n  link top::l" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "prefix"), [("top.sdf", "top"), ("world.sdf", "top"), ("world.sdf", "second")], ids=" ".join
)
def test_the_pose_of_an_included_model_is_where_it_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, prefix: str
) -> None:
    assert main(["why", "--json", f"{prefix}::puck", str(folder / file)]) == 0
    step = json.loads(capsys.readouterr().out)["chain"][-1]
    assert (Path(step["file"]).name, step["line"], step.get("overrides")) == ("puck.sdf", 3, None)
    assert main(["why", "--json", f"{prefix}::moved", str(folder / file)]) == 0
    step = json.loads(capsys.readouterr().out)["chain"][-1]
    assert (Path(step["file"]).name, step["line"]) == ("top.sdf", 8)
    assert (Path(step["overrides"]["file"]).name, step["overrides"]["line"]) == ("puck.sdf", 3)


def test_an_include_that_overrides_the_own_pose_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "top::moved", str(folder / "top.sdf")]) == 0
    assert f"overrides the model's own pose   {(folder / 'puck.sdf').resolve()}:3" in capsys.readouterr().out
