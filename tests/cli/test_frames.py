"""``sdfviewer frames``: what it refuses, and numbers at their limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ("joint_1=nan", "--joint joint_1=nan: “nan” is not a number."),
        ("joint_2=0,-inf", "'arm::joint_2' takes 1 number, not 2"),
        ("joint_1=-inf", "--joint joint_1=-inf: “-inf” is not a number."),
        ("joint_1=1e999", "The number must be finite."),
        ("joint1=0", "there is no joint 'joint1'; did you mean 'joint_1'"),
        ("arm=0", "'arm' is a model, not a joint"),
    ],
)
def test_positions_that_cannot_be_set_are_refused(
    joint: str, message: str, examples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["frames", "--joint", joint, str(examples / "arm.sdf")]) == 2
    out, error = capsys.readouterr()
    assert message in error
    assert not out


def test_the_largest_numbers_are_listed_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "far.sdf"
    link = '<link name="l"><pose>1e308 -1e308 1e-12 0 0 0</pose></link>'
    file.write_text(f'<sdf version="1.9"><model name="m">{link}</model></sdf>', encoding="utf-8")
    assert main(["frames", str(file)]) == 0
    assert "1e+308 -1e+308 0 " in capsys.readouterr().out


def test_a_position_may_have_a_unit(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(examples / "arm.sdf")
    listings = []
    for value in ("90deg", "pi/2 rad", "1.5707963267948966"):
        assert main(["frames", "--joint", f"joint_1={value}", file]) == 0
        listings.append(capsys.readouterr().out)
    assert listings[0] == listings[1] == listings[2]
    assert main(["frames", "--joint", "joint_1=12mm", file]) == 2
    assert "--joint joint_1=12mm: This is a length; this field expects an angle." in capsys.readouterr().err


def test_a_folder_of_the_model_path_that_does_not_exist_is_named(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, nowhere = str(examples / "arm.sdf"), tmp_path / "nowhere"
    for command in (["check"], ["frames"], ["why", "palm"], ["assets"]):
        assert main([*command, "--path", str(tmp_path), file]) == 0
        assert "no such folder" not in capsys.readouterr().err
        assert main([*command, "--path", str(nowhere), file]) == 0
        assert f"sdfviewer: warning: --path {nowhere}: there is no such folder" in capsys.readouterr().err
