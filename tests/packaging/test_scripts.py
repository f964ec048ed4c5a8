"""The scripts that bring the program to a bare machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"
# The test environment brings its own, beside its Python.
SHELLCHECK = shutil.which("shellcheck", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
SCRIPTS = [
    *sorted(script for script in PACKAGING.rglob("*.sh") if "node_modules" not in script.parts),
    PACKAGING.parent / ".ci" / "run",
]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for bash; Windows has run.ps1")


def in_environment(command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run bash with packaging/environment.sh sourced; the variables replace those of this process."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"source packaging/environment.sh; {command}"],
        cwd=PACKAGING.parent,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_bash(script: Path) -> None:
    subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.mark.skipif(SHELLCHECK is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_has_nothing_to_say(script: Path) -> None:
    assert SHELLCHECK is not None
    command = [SHELLCHECK, "--external-sources", str(script)]
    done = subprocess.run(command, cwd=PACKAGING.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_python_that_is_too_old_is_not_taken(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    assert in_environment(f'is_supported "{old}" && echo taken || echo refused').stdout == "refused\n"


def test_a_folder_that_is_no_virtual_environment_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine", encoding="utf-8")
    done = in_environment(f'venv="{tmp_path}" python="{tmp_path}/bin/python"; prepare_venv')
    assert done.returncode == 1
    assert "exists but is not a virtual environment" in done.stderr
    assert precious.read_text(encoding="utf-8") == "mine"


def test_a_second_install_asks_nothing_of_the_network(tmp_path: Path) -> None:
    commands = f"""
        venv="{tmp_path}"
        prepare_venv() {{ :; }}
        pip_install() {{ echo installing; }}
        install_program all; install_program all; install_program test; install_program test; install_program all
    """
    done = in_environment(commands)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("installing") == 2


def test_the_oldest_version_of_every_requirement_is_tested() -> None:
    pyproject = (PACKAGING.parent / "pyproject.toml").read_text(encoding="utf-8")
    requirements = pyproject.split("\ndependencies = [")[1].split("[project.scripts]")[0]
    named = set(re.findall(r'^\s*"([A-Za-z0-9._-]+)', requirements, re.MULTILINE))
    pinned = dict(line.split("==") for line in in_environment("lowest_versions").stdout.split())
    assert set(pinned) == named - {"sdfviewer"}  # extras that bring other extras
    assert pinned["numpy"] == "1.24"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a screen is taken for granted")
def test_a_screen_that_is_gone_is_no_display() -> None:
    done = in_environment("has_display && echo display || echo none", DISPLAY=":98765", WAYLAND_DISPLAY="")
    assert done.stdout == "none\n"


def test_what_cannot_be_installed_is_named_as_a_command() -> None:
    commands = """
        package_manager() { printf apt-get; }
        may_install() { false; }
        install_packages "System libraries" libegl1 libgl1
    """
    done = in_environment(commands)
    assert done.returncode == 1
    assert "sudo apt-get install -y --no-install-recommends libegl1 libgl1" in done.stderr


def test_the_action_annotates_problems_and_writes_sarif(tmp_path: Path) -> None:
    (tmp_path / "bad.sdf").write_text('<sdf version="1.9"><model name="m"/></sdf>', encoding="utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", str(PACKAGING / "action" / "check.sh")],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(PACKAGING.parent), "FILES": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=bad.sdf")
    assert '"version": "2.1.0"' in (tmp_path / "sdfviewer.sarif").read_text(encoding="utf-8")
