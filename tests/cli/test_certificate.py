"""``convert --certificate`` and ``--verify``: what is kept, changed and lost, and what other programs make of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sdfviewer.cli import main
from sdfviewer.export import urdf, verification
from sdfviewer.files.toml_places import first_violation
from sdfviewer.formats.load import load_model
from sdfviewer.resources import resource
from tests.writers.targets import MODELS

SCHEMA = json.loads(resource("schemas", "certificate-1.json").read_text(encoding="utf-8"))


def certify(tmp_path: Path, source: Path, *options: str) -> tuple[int, dict[str, Any]]:
    out = tmp_path / "certificate.json"
    code = main(["convert", "--certificate", str(out), *options, str(source)])
    record = json.loads(out.read_text(encoding="utf-8"))
    assert first_violation(record, SCHEMA) is None
    return code, record


@pytest.mark.parametrize("target", ["urdf", "1.7", "flat", "1.12"])
def test_a_certificate_fits_its_schema(target: str, tmp_path: Path) -> None:
    code, record = certify(
        tmp_path, MODELS / "everything.sdf", "--to", target, "--allow-loss", "-o", str(tmp_path / "out")
    )
    assert code == record["exit_code"] == 0
    assert record["errors"] == []
    assert record["kept"]["link"] >= 4
    assert record["compared"]["configurations"] == 20


def test_what_is_lost_has_its_line_and_the_sentence_that_says_so(tmp_path: Path) -> None:
    code, record = certify(tmp_path, MODELS / "everything.sdf", "--to", "urdf", "-o", str(tmp_path / "out.urdf"))
    assert code == record["exit_code"] == 1
    lost = [each for each in record["differences"] if each["quantity"] == "transparency"]
    (line,) = [
        number
        for number, text in enumerate((MODELS / "everything.sdf").read_text(encoding="utf-8").splitlines(), 1)
        if '<visual name="lid">' in text
    ]
    assert [(each["name"], each["place"], each["before"], each["is_error"]) for each in lost] == [
        ("everything::base::lid", f"{MODELS / 'everything.sdf'}:{line}", "0.25", False)
    ]
    assert "<transparency>" in lost[0]["announced"]
    added = {each["name"] for each in record["differences"] if each["verdict"] == "added by the format"}
    assert "everything::shoulder_child" in added


def test_what_nothing_announces_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urdf, "_limit", lambda value: "7")
    code, record = certify(
        tmp_path, MODELS / "everything.sdf", "--to", "urdf", "--allow-loss", "-o", str(tmp_path / "o")
    )
    assert code == record["exit_code"] == 1
    assert any("axis.limits.upper is 1.3 here, 7" in each for each in record["errors"])
    assert any(each["is_error"] and each["quantity"] == "axis.limits.upper" for each in record["differences"])


def test_a_bundle_is_certified(tmp_path: Path) -> None:
    code, record = certify(
        tmp_path, MODELS / "everything.urdf", "--to", "1.12", "--allow-loss", "--bundle", str(tmp_path / "bundle")
    )
    assert code == 0
    assert Path(record["target"]["file"]).is_file()


def test_a_program_that_is_not_installed_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verification, "PROGRAMS", {**verification.PROGRAMS, "mujoco": ("no-such-package", "no_such")})
    out = str(tmp_path / "out.urdf")
    code, record = certify(
        tmp_path, MODELS / "everything.urdf", "--to", "urdf", "--allow-loss", "-o", out, "--verify", "mujoco"
    )
    assert code == 1
    assert "mujoco: it is not installed; install it with: pip install no-such-package" in capsys.readouterr().err
    assert [each["agrees"] for each in record["verified"]] == [False]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--verify", "mujoco"], "--verify loads a file: name it with -o OUT"),
        (["--verify", "gazebo", "-o", "x"], "'gazebo' is no program to verify with: use mujoco, drake"),
    ],
)
def test_wrong_usage_is_refused(options: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--to", "urdf", *options, str(MODELS / "everything.urdf")]) == 2
    assert why in capsys.readouterr().err


def test_a_program_that_fails_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in a process of its own, whose last words are the reason."""
    monkeypatch.setattr(verification, "PROGRAMS", {"nothing": ("numpy", "numpy")})
    source = load_model(MODELS / "everything.urdf")
    found = verification.verify("nothing", MODELS / "everything.urdf", source, {})
    assert not found.agrees
    assert found.message == "it refuses the file: 'nothing'"


def test_a_mesh_that_is_lost_has_the_line_of_the_macro_that_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("xacro", reason="the extra xacro is not installed")
    (tmp_path / "hand.xacro").write_text(
        '<robot xmlns:xacro="http://wiki.ros.org/xacro"><xacro:macro name="hand" params="side">\n'
        '<link name="${side}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>\n'
        '</inertial>\n<visual><geometry><mesh filename="none.stl"/></geometry></visual></link></xacro:macro></robot>\n',
        encoding="utf-8",
    )
    robot = tmp_path / "robot.urdf.xacro"
    robot.write_text(
        '<robot name="r" xmlns:xacro="http://wiki.ros.org/xacro"><xacro:include filename="hand.xacro"/>'
        '<xacro:hand side="left"/></robot>',
        encoding="utf-8",
    )
    code, record = certify(tmp_path, robot, "--to", "1.11", "--bundle", str(tmp_path / "bundle"))
    assert code == record["exit_code"] == 1
    place, what = f"{tmp_path / 'hand.xacro'}:4: ", "the mesh none.stl is not found"
    assert record["losses"] == [place + what]
    assert f"{place}lost: {what}\n" in capsys.readouterr().err
