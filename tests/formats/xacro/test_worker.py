"""The process that evaluates xacro files: its memory is watched where the platform does not limit it."""

from __future__ import annotations

import subprocess
import sys

from sdfviewer.formats.xacro.worker import OUT_OF_MEMORY, used_memory
from tests.patience import PATIENCE_SECONDS

RUN = "import threading; from sdfviewer.formats.xacro.worker import watch_memory; watch_memory({}); {}"


def exit_status(most: int, then: str) -> int:
    """Return how a process ends that may use so many bytes."""
    return subprocess.run(
        [sys.executable, "-c", RUN.format(most, then)], timeout=PATIENCE_SECONDS, check=False
    ).returncode


def test_the_memory_of_a_process_is_known() -> None:
    before = used_memory()
    kept = bytearray(64 << 20)
    assert used_memory() > 1 << 20
    assert used_memory() >= before
    del kept


def test_a_process_that_uses_too_much_memory_ends() -> None:
    assert exit_status(1, "threading.Event().wait()") == OUT_OF_MEMORY


def test_a_process_within_its_memory_goes_on() -> None:
    assert exit_status(1 << 40, "print()") == 0
