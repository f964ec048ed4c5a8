"""``sdfviewer collisions``, and motions on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sdfviewer.cli import main

MODEL = """<sdf version="1.11"><model name="m">
  <link name="base"><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
  <link name="arm"/>
  <link name="tool"><pose>1 0 0 0 0 0</pose>
    <collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
  <joint name="turn" type="revolute"><parent>base</parent><child>arm</child>
    <axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
  <joint name="slide" type="prismatic"><parent>arm</parent><child>tool</child>
    <axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>0</upper></limit></axis></joint>
  <link name="post"><pose>0 0.5 0 0 0 0</pose>
    <collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
  <joint name="fixed" type="fixed"><parent>base</parent><child>post</child></joint>
</model></sdf>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_text(MODEL, encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict]:
    code = main(["collisions", "--json", *words])
    return code, json.loads(capsys.readouterr().out)


def test_nothing_collides_at_zero(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = answer(capsys, str(file))
    assert (code, found["pairs"], found["collisions_tested"]) == (0, [], 3)


def test_a_sweep_names_the_position_at_which_links_begin_to_collide(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # base and tool are neighbours through the arm, which has no shape.
    code, found = answer(capsys, str(file), "--sweep", "slide=0:-1")
    assert (code, found["pairs"]) == (0, [])
    code, found = answer(capsys, str(file), "--sweep", "slide=0:-1", "--neighbours")
    assert code == 1
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["from_start"]) == ("m::base", "m::tool", False)
    assert pair["intervals"] == [[pytest.approx(-0.8, abs=1e-5), -1.0]]
    assert found["along"] == {"name": "m::slide", "unit": "m"}


def test_joint_states_of_a_csv_file_are_a_motion(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    states = tmp_path / "states.csv"
    states.write_text("slide,turn,time\n0,0,0\n-0.5,1.5707963267948966,2\n", encoding="utf-8")
    words = [str(file), "--motion", str(states), "--samples", "61"]
    code, found = answer(capsys, *words)
    assert (code, [(pair["first"], pair["second"]) for pair in found["pairs"]]) == (1, [("m::tool", "m::post")])
    assert found["along"] == {"name": "time", "unit": "s"}
    assert found["pairs"][0]["intervals"][0][1] == 2.0
    states.write_text("0,0,0\n1.5707963267948966,-0.5,2\n", encoding="utf-8")
    assert answer(capsys, *words, "--columns", "turn,slide,time") == (code, found)


def test_the_text_says_where(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collisions", str(file), "--joint", "m::turn=1.57", "--joint", "m::slide=-0.5"]) == 1
    written = capsys.readouterr()
    assert written.out == "m::tool and m::post collide\n"
    assert "1 pair of links collide" in written.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sweep", "turn=1"], "expected JOINT or JOINT=FROM:TO"),
        (["--sweep", "turn=a:b"], "--sweep turn=a:b: “a” is not a number."),
        (["--sweep", "turn=0:12mm"], "this field expects an angle"),
        (["--sweep", "tourn"], "did you mean"),
        (["--samples", "5"], "--samples needs"),
        (["--sweep", "turn", "--samples", "1"], "from 2"),
        (["--columns", "time"], "needs --motion"),
        (["--motion", "nowhere.csv"], "cannot read"),
    ],
)
def test_wrong_words_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["collisions", str(file), *words]) == 2
    assert message in capsys.readouterr().err


def table(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    assert main(["frames", "--csv", *words]) == 0
    return list(csv.DictReader(capsys.readouterr().out.splitlines()))


def test_frames_are_a_table(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {each["name"]: each for each in table(capsys, str(file), "--joint", "slide=-0.25")}
    assert rows["m::tool"]["x"] == "0.75"
    assert (rows["m::tool"]["kind"], rows["m::tool"]["body"], rows["m::tool"]["file"]) == ("link", "m::tool", str(file))
    assert rows["m::turn"]["body"] == "m::arm"


def test_frames_along_a_motion_are_a_table(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = table(capsys, str(file), "--sweep", "slide=0:-1", "--samples", "3")
    of_tool = [(float(each["position"]), float(each["x"])) for each in rows if each["name"] == "m::tool"]
    assert of_tool == [(0.0, 1.0), (-0.5, 0.5), (-1.0, 0.0)]
    rows = table(capsys, str(file), "--sweep", "slide=0:-1", "--samples", "2", "--relative-to", "m::tool")
    assert [float(each["x"]) for each in rows if each["name"] == "m::base"] == [-1.0, 0.0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sweep", "slide"], "add --csv"),
        (["--csv", "--mass"], "leave out --mass"),
        (["--csv", "--samples", "3"], "--samples is for"),
    ],
)
def test_wrong_words_of_tables_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["frames", str(file), *words]) == 2
    assert message in capsys.readouterr().err
