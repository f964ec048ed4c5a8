"""The processes in which xacro files are evaluated.

One is kept for the next file, because its start takes longer than the evaluation of most files.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import weakref
from contextlib import suppress

from sdfviewer.formats.xacro import confinement
from sdfviewer.programs import python_process

#: Bytes that a process may answer.
MOST_BYTES = 64 << 20
#: What a process runs.
PROGRAM = "from sdfviewer.formats.xacro.worker import main; main()"
#: What the system needs to start a process; nothing else of the environment reaches it.
_VARIABLES = ("SYSTEMROOT", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
#: Processes that wait for the next file.
_idle: list[WorkerProcess] = []


class WorkerProcess:
    """A process of :mod:`.worker`."""

    def __init__(self) -> None:
        start = python_process(PROGRAM)
        self.folder = tempfile.mkdtemp(prefix="sdfviewer-xacro-")
        self.process = subprocess.Popen(
            start.command,
            env={name: start.environment[name] for name in _VARIABLES if name in start.environment},
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self.owner = os.getpid()
        self._finalizer = weakref.finalize(self, _end, self.process, self.folder)

    def send(self, message: dict[str, object]) -> bool:
        """Return whether the process takes a message."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:  # it has ended
            return False
        return True

    def receive(self) -> bytes | None:
        """Return the next line, without its end where the process has ended, None where it is too long."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline(MOST_BYTES)
        return None if len(line) >= MOST_BYTES else line

    def end(self) -> int:
        """End the process and return its exit status."""
        self._finalizer()
        return self.process.wait()


def _end(process: subprocess.Popen[bytes], folder: str) -> None:
    """End a process: closing its input ends it, unless it is busy."""
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        try:
            pipe.close()
        except OSError:  # what was not sent yet to a process that has ended
            continue
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    with suppress(OSError):  # the process has removed it, where the system lets it
        os.rmdir(folder)


def take() -> WorkerProcess:
    """Return a process that waits, or a new one."""
    while _idle:
        try:
            worker = _idle.pop()
        except IndexError:  # another thread was faster
            break
        if worker.owner == os.getpid() and worker.process.poll() is None:
            return worker
    return WorkerProcess()


def give_back(worker: WorkerProcess, seconds: float) -> None:
    """Keep a process for the next file; one is enough, and none that has used many seconds of the processor."""
    if _idle or seconds > confinement.MOST_SECONDS / 2:
        worker.end()
    else:
        _idle.append(worker)


def end_idle() -> None:
    """End the processes that wait, so that the next file is evaluated in a new one."""
    while _idle:
        _idle.pop().end()
