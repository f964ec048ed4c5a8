"""``sdfviewer frames``: what it refuses, and numbers at their limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ("joint_1=nan", "--joint joint_1=nan: a position must be a finite number"),
        ("joint_1=0,-inf", "a position must be a finite number"),
        ("joint_1=1e999", "a position must be a finite number"),
        ("joint1=0", "there is no joint 'joint1'; did you mean 'joint_1'"),
        ("arm=0", "'arm' has no degree of freedom"),
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
