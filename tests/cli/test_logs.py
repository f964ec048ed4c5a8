"""``--debug`` and ``SDFVIEWER_LOG`` write what rooms do to standard error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sdfviewer.logs import VARIABLE, parse_levels


def run(*words: str, log: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if log is not None:
        environment[VARIABLE] = log
    command = [sys.executable, "-m", "sdfviewer", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def rooms(text: str) -> set[str]:
    return {line.split(" ms ")[1].split()[1].rstrip(":") for line in text.splitlines() if " ms " in line}


@pytest.mark.parametrize("before", [True, False])
def test_debug_is_written_to_standard_error_alone(examples: Path, before: bool) -> None:
    words = ["check", str(examples / "arm.sdf")]
    plain, debug = run(*words), run(*(["--debug", *words] if before else [*words, "--debug"]))
    assert (debug.returncode, debug.stdout) == (plain.returncode, plain.stdout)
    assert rooms(debug.stderr) >= {"sdfviewer.files", "sdfviewer.formats"}
    assert rooms(plain.stderr) == set()


def test_the_variable_chooses_rooms(examples: Path) -> None:
    assert rooms(run("check", str(examples / "arm.sdf"), log="formats=debug").stderr) == {"sdfviewer.formats"}


def test_a_word_that_is_no_level_is_refused_with_those_that_are(examples: Path) -> None:
    done = run("check", str(examples / "arm.sdf"), log="loud")
    assert done.returncode == 2
    assert "'loud' is not a level; write debug, info, warning, error" in done.stderr


def test_levels_of_rooms() -> None:
    assert parse_levels(" DEBUG, scene = info ,") == {"": "debug", "scene": "info"}
    with pytest.raises(ValueError, match="'=debug' is not a level"):
        parse_levels("=debug")


def test_a_command_imports_no_logging_unless_it_logs(examples: Path) -> None:
    code = (
        "import sys; from sdfviewer.cli import main\n"
        f"main(['check', {str(examples / 'arm.sdf')!r}]); sys.exit('logging' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
