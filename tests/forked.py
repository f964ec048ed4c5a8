"""The program in processes of its own, forked from a server that has imported it: that takes a second of processor.

Where there are no forks each process imports it. What a process does at its start is for tests that start one.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from multiprocessing.connection import Connection
from typing import IO, Any, Protocol

from sdfviewer.cli import COMMANDS, main

if sys.platform == "linux":
    CONTEXT = multiprocessing.get_context("forkserver")
    CONTEXT.set_forkserver_preload([*(f"sdfviewer.cli.{name}" for name in COMMANDS), "sdfviewer.lsp.create"])
else:
    CONTEXT = multiprocessing.get_context("spawn")


class Started(Protocol):
    """What a test needs of a process, as of `subprocess.Popen`."""

    @property
    def pid(self) -> int: ...
    @property
    def stdin(self) -> IO[bytes] | None: ...
    @property
    def stdout(self) -> IO[bytes] | None: ...
    @property
    def stderr(self) -> IO[bytes] | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...
    def __enter__(self) -> Started: ...
    def __exit__(self, *_: Any) -> None: ...


def start(*words: str) -> Started:
    """Start ``sdfviewer`` with unbuffered pipes to its three streams."""
    return _Forked(words) if sys.platform == "linux" else start_alone(*words)


def start_alone(*words: str) -> Started:
    """Start ``sdfviewer`` as a user does: it has imported only what it needs, which what is timed depends on."""
    command = [sys.executable, "-m", "sdfviewer", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)


class _Forked:
    """A process of the server."""

    def __init__(self, words: tuple[str, ...]) -> None:
        pipes = [CONTEXT.Pipe(duplex=False) for _ in range(3)]  # each reads first and writes second
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
        self._process = CONTEXT.Process(target=_run, args=(words, theirs))
        self._process.start()
        for each in theirs:
            each.close()
        files = [os.fdopen(os.dup(each.fileno()), mode, 0) for each, mode in zip(ours, ("wb", "rb", "rb"), strict=True)]
        for each in ours:
            each.close()
        self.stdin, self.stdout, self.stderr = files

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"it has not ended in {timeout} s"
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def __enter__(self) -> _Forked:
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self.stdin, self.stdout, self.stderr):
            each.close()
        self._process.join()


def _run(words: tuple[str, ...], streams: list[Connection]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, 1, "utf-8", closefd=False)  # noqa: SIM115  # they last as long as the process
        for number, mode in enumerate("rww")
    )
    sys.exit(main(words))
