"""The command line run in a process of its own, with no more time and memory than any file may cost."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from sdfviewer.cli import main
from tests.forked import CONTEXT

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
    TimeoutError
        If it takes longer than :data:`SECONDS`.
    """
    with tempfile.TemporaryDirectory(prefix="sdfviewer-budget-") as name:
        output = Path(name) / "output"
        process = CONTEXT.Process(target=_run, args=(words, folder, output))
        process.start()
        process.join(SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutError(f"{' '.join(words)} takes longer than {SECONDS} s")
        return Outcome(process.exitcode, output.read_bytes().decode("utf-8", "replace"))


def _run(words: Sequence[str], folder: Path, output: Path) -> NoReturn:
    try:
        import resource  # POSIX's

        resource.setrlimit(resource.RLIMIT_DATA, (BYTES, resource.RLIM_INFINITY))
    except (ImportError, ValueError, OSError):
        pass
    os.chdir(folder)
    written = os.open(output, os.O_WRONLY | os.O_CREAT)
    for stream, file in enumerate((os.open(os.devnull, os.O_RDONLY), written, written)):
        os.dup2(file, stream)
    sys.exit(main(words))
