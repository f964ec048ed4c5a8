"""``sdfviewer edit`` makes the editor's refactorings in the order written, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a"/> <!-- base -->
    <link name="b"><pose>1 0 0 0 0 0</pose></link>
    <frame name="f" attached_to="b"/>
    <frame name="A"><pose relative_to="B"/></frame>
    <frame name="B"><pose relative_to="A"/></frame>
  </model>
</sdf>
"""
MENDED = TEXT.replace('<pose relative_to="B"/>', '<pose relative_to="__model__"/>')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_bytes(TEXT.replace("\n", "\r\n").encode())
    return path


def test_edits_are_made_in_order_and_in_place(file: Path) -> None:
    words = ["--fix", "relative-to-cycle", "--rename", "m::b=arm", "--set-relative-to", "m::f=a", "--keep", "numbers"]
    assert main(["edit", *words, "--in-place", str(file)]) == 0
    expected = MENDED.replace('"b"', '"arm"').replace(
        '<frame name="f" attached_to="arm"/>',
        '<frame name="f" attached_to="arm">\n      <pose relative_to="a">0 0 0 0 0 0</pose>\n    </frame>',
    )
    assert file.read_bytes().decode() == expected.replace("\n", "\r\n")


def test_standard_output_by_default(file: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["edit", "--set-relative-to", "m::b=a", str(file)]) == 1  # the cycle is still there
    out, err = capfdbinary.readouterr()
    assert out.decode() == file.read_bytes().decode().replace("<pose>1", '<pose relative_to="a">1')
    assert b"relative-to-cycle" in err
    assert file.read_bytes().decode() == TEXT.replace("\n", "\r\n")


def test_diff_and_output(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", "--fix", "relative-to-cycle", "--diff", str(file)]) == 0
    changed = [line for line in capsys.readouterr().out.splitlines() if line[:1] in "+-" and line[1:2] == " "]
    assert len(changed) == 2
    assert main(["edit", "--fix", "relative-to-cycle", "-o", str(tmp_path / "new.sdf"), str(file)]) == 0
    assert (tmp_path / "new.sdf").read_bytes().decode() == MENDED.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to edit"),
        (["--rename", "m::b"], "FRAME=TARGET"),
        (["--rename", "m::x=y"], "no frame is called 'm::x'"),
        (["--set-relative-to", "m::b=f"], "would close a circle"),
        (["--fix", "no-root"], "no problem of rule"),
    ],
)
def test_what_cannot_be_done_is_said(
    file: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", *words, "--in-place", str(file)]) == 2
    assert message in capsys.readouterr().err
    assert file.read_bytes().decode() == TEXT.replace("\n", "\r\n")
