"""Commands and options that people guess: the error names the right one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sdfviewer.cli import main


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["validate", "arm.sdf"], "no command and no file 'validate'; use 'sdfviewer check'"),
        (["validate", "--json", "arm.sdf"], "use 'sdfviewer check'"),
        (["info", "arm.sdf"], "use 'sdfviewer frames'"),
        (["version"], "use 'sdfviewer --version'"),
        (["convrt", "arm.sdf"], "did you mean 'convert'?"),
        (["robot"], "no command and no file 'robot'"),
        (["--path", ".", "check", "arm.sdf"], "before its options: sdfviewer check ..."),
    ],
)
def test_a_command_that_does_not_exist_is_no_file_to_open(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "--format", "json"], "unrecognized arguments: --format; did you mean '--output-format'"),
        (["check", "--model-path=."], "did you mean '--path'"),
        (["convert", "--to", "urdf", "-o", "out.urdf", "more.sdf"], "unrecognized arguments: "),
    ],
)
def test_an_unknown_option_shows_the_usage_of_its_command(
    words: list[str], message: str, examples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, str(examples / "arm.sdf")])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith(f"usage: sdfviewer {words[0]} ")


def test_files_may_be_before_and_behind_options(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(examples / name) for name in ("arm.sdf", "joint_frames.sdf", "shapes.sdf")]
    main(["check", names[0], "--json", names[1], "--ignore", "unknown-element", names[2]])
    assert [json.loads(line)["file"] for line in capsys.readouterr().out.splitlines()] == names
    with pytest.raises(SystemExit):
        main(["check", names[0], "--jsn", names[1]])
    assert "did you mean '--json'" in capsys.readouterr().err


def test_a_file_behind_two_dashes_is_no_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["check", "a.sdf", "--json", "b.sdf", "--", "--write-baseline=x"])
    assert not (tmp_path / "x").exists()
