"""The command line run in a process of its own, with no more time and memory than any file may cost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: What no file may exceed. The time is generous: it ends what has no end, it measures nothing.
SECONDS, BYTES = 120, 2 << 30


@dataclass(frozen=True)
class Outcome:
    """Exit code, and standard output and error as one text."""

    code: int
    output: str


def run_cli(words: Sequence[str], folder: Path) -> Outcome:
    """Run ``sdfviewer`` in a folder.

    Raises
    ------
    subprocess.TimeoutExpired
        If it takes longer than :data:`SECONDS`.
    """
    command = [sys.executable, "-c", _START, str(BYTES), *words]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**_environment(), "PYTHONPATH": str(root)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode("utf-8", "replace"))


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)


# The limit is set in the process itself: preexec_fn is not safe with threads, and Windows has neither.
_START = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[1]), resource.RLIM_INFINITY))
except (ImportError, ValueError, OSError):
    pass
from sdfviewer.cli import main
sys.exit(main(sys.argv[2:]))
"""
