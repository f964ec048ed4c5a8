"""What goes to pipes, files and terminals is the same on every system, whatever its code page."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sdfviewer.cli import main


class Terminal(io.TextIOWrapper):
    """A terminal that knows few signs."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="cp437", newline="\r\n")

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("words", [["check", "--json"], ["check"], ["edit", "--fix", "relative-to-cycle", "--diff"]])
def test_a_pipe_gets_utf_8_with_plain_line_ends(examples: Path, words: list[str]) -> None:
    # What Python gives a pipe on a Windows of western Europe.
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-m", "sdfviewer", *words, str(examples / "relative_to_cycle.sdf")]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert b"Traceback" not in done.stderr
    assert done.stdout.decode("utf-8")
    assert "→" in done.stdout.decode("utf-8") or "--diff" in words
    assert b"\r" not in done.stdout


def test_line_ends_of_a_pipe_are_not_translated(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="cp1252", newline="\r\n"))
    assert main(["check", "--json", str(examples / "relative_to_cycle.sdf")]) == 1
    sys.stdout.flush()
    assert out.getvalue().endswith(b"}\n")
    assert not out.getvalue().endswith(b"\r\n")


def test_a_terminal_shows_an_escape_for_what_it_lacks(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["check", str(examples / "relative_to_cycle.sdf")]) == 1
    terminal.flush()
    assert b"carriage_mount \\u2192 carriage" in terminal.buffer.getvalue()  # type: ignore[attr-defined]


def test_a_program_without_a_console_runs(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert main(["frames", str(examples / "arm.sdf")]) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
@pytest.mark.parametrize("form", ["--json", "--sarif"])
def test_a_name_that_is_no_text_is_reported(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.sdf")
    shutil.copy(examples / "relative_to_cycle.sdf", path)
    assert main(["check", form, str(path)]) == 1
    out = capsys.readouterr().out
    assert json.loads(out)
    assert ("caf%E9.sdf" if form == "--sarif" else r"caf\udce9.sdf") in out
