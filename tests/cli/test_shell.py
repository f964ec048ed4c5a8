"""``sdfviewer shell``: the shells themselves say what they would complete."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sdfviewer.cli import COMMANDS, main


def written(kind: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["shell", kind]) == 0
    return capsys.readouterr().out


def completed_by_bash(script: str, *words: str) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _sdfviewer; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_their_values(capsys: pytest.CaptureFixture[str]) -> None:
    script = written("bash", capsys)
    assert completed_by_bash(script, "sdfviewer", "con") == ["convert"]
    assert set(completed_by_bash(script, "sdfviewer", "")) == {*COMMANDS, "--help", "--version"}
    assert "--relative-to" in completed_by_bash(script, "sdfviewer", "why", "--rel")
    assert completed_by_bash(script, "sdfviewer", "why", "--as", "mat") == ["matrix"]
    assert completed_by_bash(script, "sdfviewer", "explain", "relative-to-c") == ["relative-to-cycle"]
    # The shell completes these itself, as files.
    assert completed_by_bash(script, "sdfviewer", "check", "ar") == []
    assert completed_by_bash(script, "sdfviewer", "page", "-o", "ar") == []


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "sdfviewer.fish"
    script.write_text(written("fish", capsys), encoding="utf-8")

    def completed(line: str) -> list[str]:
        command = ["fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        return [each.split("\t")[0] for each in done.stdout.splitlines()]

    assert completed("sdfviewer con") == ["convert"]
    assert "--relative-to" in completed("sdfviewer why --rel")
    assert completed("sdfviewer why --as mat") == ["matrix"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_reads_it(capsys: pytest.CaptureFixture[str]) -> None:
    script = written("zsh", capsys)
    loaded = f"autoload -Uz compinit; compinit -u -D; {script}\nwhich _sdfviewer >/dev/null && print $_comps[sdfviewer]"
    done = subprocess.run(["zsh", "-f", "-c", loaded], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("_sdfviewer\n", "")


def test_the_manual_page_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    page = written("man", capsys)
    for name in COMMANDS:
        assert f".SS {name}\n" in page
    assert ".B \\-\\-relative\\-to FRAME\n" in page
    assert "SUPPRESS" not in page
    if shutil.which("mandoc"):
        done = subprocess.run(
            ["mandoc", "-T", "lint", "-W", "error"], input=page, capture_output=True, text=True, check=False
        )
        assert done.stdout == ""
