"""``check --urdf-ready``, ``--kinematics`` and ``--portable-names``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sdfviewer.cli import main

LINKS = '<link name="a"/><link name="b"><pose relative_to="j">0 0 0 0 0 0</pose></link>'
JOINT = (
    '<joint name="j" type="{}"><pose relative_to="a">0 0 1 0 0 0</pose><parent>a</parent><child>b</child>'
    "<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>"
)


def written(folder: Path, body: str) -> Path:
    path = folder / "m.sdf"
    path.write_text(f'<sdf version="1.11"><model name="m">\n{body}\n</model></sdf>', encoding="utf-8")
    return path


def readiness(path: Path, capsys: pytest.CaptureFixture[str], code: int) -> dict[str, Any]:
    assert main(["check", "--urdf-ready", "--json", str(path)]) == code
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)["urdf_ready"]
    return answer


def unmet(answer: dict[str, Any]) -> list[str]:
    return [each["requirement"] for each in answer["requirements"] if not each["met"]]


def test_a_model_in_the_form_of_urdf_is_ready(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = readiness(written(tmp_path, LINKS + JOINT.format("revolute")), capsys, 0)
    assert answer["ready"]
    assert unmet(answer) == []


LOOSE = LINKS.replace(' relative_to="j"', "")


@pytest.mark.parametrize(
    ("body", "requirement"),
    [
        (LINKS.replace('"a"/>', '"a"><pose>1 0 0 0 0 0</pose></link>') + JOINT.format("revolute"), "one root link"),
        (LOOSE, "links and joints form one tree"),
        (LINKS + JOINT.format("fixed") + JOINT.format("fixed").replace('"j"', '"k"'), "links and joints form one tree"),
        (LINKS + JOINT.format("ball"), "joint types of URDF"),
        (LINKS + JOINT.format("fixed") + '<model name="n"><link name="c"/></model>', "names that URDF allows"),
        (LOOSE + JOINT.format("revolute").replace(' relative_to="a"', ""), "poses are relative to"),
    ],
)
def test_each_requirement_is_judged_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, requirement: str
) -> None:
    answer = readiness(written(tmp_path, body), capsys, 1)
    assert not answer["ready"]
    assert any(each.startswith(requirement) for each in unmet(answer))


def test_obstacles_have_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, LINKS + "\n" + JOINT.format("ball"))
    assert main(["check", "--urdf-ready", str(path)]) == 1
    said = capsys.readouterr().out
    assert f"{path}: not ready for URDF" in said
    assert f"{path}:3: 'm::j': URDF has no ball joints" in said


def test_a_world_cannot_become_urdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "w.sdf"
    path.write_text('<sdf version="1.11"><world name="w"/></sdf>', encoding="utf-8")
    assert "a world is not a robot" in readiness(path, capsys, 1)["refusal"]
    assert main(["check", "--urdf-ready", str(path)]) == 1
    assert f"{path}: cannot be converted to URDF: a world is not a robot" in capsys.readouterr().out


def test_kinematics_and_names_are_checked_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.sdf"
    joint = JOINT.format("revolute").replace("<xyz>0 0 1</xyz>", "<xyz>0 0 3</xyz>")
    path.write_text(
        f'<sdf version="1.7"><model name="m">{LINKS}<frame name="x::y"/>{joint}</model></sdf>', encoding="utf-8"
    )
    assert main(["check", str(path)]) == 0
    plain = capsys.readouterr().out
    assert main(["check", "--kinematics", "--portable-names", str(path)]) == 0
    more = capsys.readouterr().out
    assert "axis-not-unit" not in plain
    assert "name-not-portable" not in plain
    assert "axis has length 3" in more
    assert "'x::y' may not be the name of a <frame> since SDFormat 1.8" in more
