"""What somebody at a prompt waits for: a whole process, from its start to its end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

#: Python keeps what it has compiled, as it does for every user, whatever the tests are told.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(*arguments: object) -> None:
    """Run sdfviewer as a process of its own; findings in the file are no failure here."""
    command = [sys.executable, "-m", "sdfviewer", *map(str, arguments)]
    quiet = subprocess.DEVNULL
    assert subprocess.run(command, stdout=quiet, stderr=quiet, env=ENVIRONMENT, check=False).returncode in {0, 1}


@pytest.mark.gui
@pytest.mark.target(1.5)
@pytest.mark.parametrize("example", ["arm", "world_frames"])
def test_start_to_first_picture_in_the_window(benchmark: BenchmarkFixture, examples: Path, example: str) -> None:
    command = [sys.executable, str(Path(__file__).with_name("first_picture.py")), str(examples / f"{example}.sdf")]
    benchmark.pedantic(subprocess.run, (command,), {"check": True, "env": ENVIRONMENT}, rounds=5, warmup_rounds=1)


@pytest.mark.target({"arm": 0.3})
def test_process_sdfviewer_check(benchmark: BenchmarkFixture, model_file: Path) -> None:
    benchmark.pedantic(run, ("check", model_file), rounds=5, warmup_rounds=1)


@pytest.mark.skipif(shutil.which("gz") is None, reason="gz sdf is not installed")
def test_process_gz_sdf_check(benchmark: BenchmarkFixture, model_file: Path) -> None:
    command = ["gz", "sdf", "--check", str(model_file)]
    benchmark.pedantic(subprocess.run, (command,), {"capture_output": True}, rounds=5, warmup_rounds=1)


def test_process_sdfviewer_frames(benchmark: BenchmarkFixture, examples: Path) -> None:
    benchmark.extra_info["on"] = "arm"
    benchmark.pedantic(run, ("frames", examples / "arm.sdf"), rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("example", ["arm", "world_frames"])
def test_process_picture_of_the_3d_view(
    benchmark: BenchmarkFixture, examples: Path, tmp_path: Path, example: str
) -> None:
    arguments = ("screenshot", "-o", tmp_path / "view.png", examples / f"{example}.sdf")
    benchmark.pedantic(run, arguments, rounds=5, warmup_rounds=1)


@pytest.mark.gui
@pytest.mark.parametrize("example", ["arm", "world_frames"])
def test_process_picture_of_the_window(
    benchmark: BenchmarkFixture, examples: Path, tmp_path: Path, example: str
) -> None:
    arguments = ("screenshot", "--window", "-o", tmp_path / "window.png", examples / f"{example}.sdf")
    benchmark.pedantic(run, arguments, rounds=5, warmup_rounds=1)
