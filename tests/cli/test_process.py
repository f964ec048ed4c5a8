"""The process of a short command is its own; a program that calls the command line stays as it is."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

from sdfviewer.cli import main

_THREADS = "OPENBLAS_NUM_THREADS"


def test_a_program_that_runs_a_command_keeps_its_collector_and_its_environment(examples: Path) -> None:
    before = dict(os.environ)
    assert main(["check", str(examples / "arm.sdf")]) == 0
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    assert dict(os.environ) == before


def test_a_short_process_looks_for_no_garbage_and_starts_no_threads(examples: Path) -> None:
    program = (
        "import atexit, gc, os, sys; from sdfviewer.cli import main\n"
        f"atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 0, os.environ[{_THREADS!r}]))\n"
        "sys.exit(main())"
    )
    command = [sys.executable, "-c", program, "check", str(examples / "arm.sdf")]
    free = {name: value for name, value in os.environ.items() if name != _THREADS}
    for environment, threads in ((free, "1"), ({**free, _THREADS: "3"}, "3")):
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert result.stdout.splitlines()[-1] == f"False True {threads}"
