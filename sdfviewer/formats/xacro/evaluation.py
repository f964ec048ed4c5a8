"""Evaluate xacro files in a separate process that can be stopped at any time.

One is kept for the next file, because its start takes longer than the evaluation of most files.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.extras import MissingExtraError
from sdfviewer.formats.xacro import confinement, engine
from sdfviewer.formats.xacro.engine import Output, SourceOrigin
from sdfviewer.formats.xacro.surroundings import Surroundings
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


#: Seconds that all evaluations for one file and what it includes may take together before they are stopped.
MOST_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The output of xacro, and the files that it read, the evaluated one first."""

    output: Output
    sources: tuple[Document, ...]


class ExpansionError(engine.EvaluationError):
    """A file cannot be evaluated, was cancelled or exceeds a limit; ``sources`` are the files that were read.

    ``was_stopped`` says that it would take as long a second time.
    """

    def __init__(
        self,
        message: str,
        sources: tuple[Document, ...],
        origin: SourceOrigin | None,
        calls: tuple[SourceOrigin, ...],
        *,
        was_stopped: bool = False,
        unbound_prefix: bool = False,
    ) -> None:
        super().__init__(message, origin, calls, unbound_prefix=unbound_prefix)
        self.sources = sources
        self.was_stopped = was_stopped


def has_evaluator() -> bool:
    """Return whether the package ``xacro`` is installed."""
    return importlib.util.find_spec("xacro") is not None


class Evaluation:
    """One evaluation, which another thread may cancel."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._reason = ""

    def cancel(self) -> None:
        """Stop the evaluation; it ends with a ExpansionError."""
        self._stop("the evaluation was cancelled")

    def _stop(self, reason: str) -> None:
        with self._lock:
            self._reason = self._reason or reason
            if self._worker is not None:
                self._worker.process.kill()

    def run(
        self,
        document: Document,
        arguments: Mapping[str, str],
        surroundings: Surroundings,
        seconds: float,
    ) -> Evaluated:
        """Return the output of xacro for a document.

        Parameters
        ----------
        document
            The file, with a path.
        arguments
            Values of ``<xacro:arg>`` by name.
        surroundings
            What the files may see of the computer.
        seconds
            How long it may take: what is left of :data:`MOST_SECONDS`.

        Raises
        ------
        ExpansionError
            If it cannot be evaluated, is cancelled, or exceeds a limit.
        MissingExtraError
            If the package ``xacro`` is not installed.
        """
        if not has_evaluator():
            raise MissingExtraError("xacro", "xacro")
        sources = [document]
        too_long = f"the evaluation of all xacro files together takes longer than {MOST_SECONDS:g} s"
        if seconds <= 0:
            raise ExpansionError(too_long, (document,), None, (), was_stopped=True)
        try:
            worker = take()
        except OSError as error:
            raise ExpansionError(f"Python cannot be started: {error}", (document,), None, ()) from error
        with self._lock:
            self._worker = worker
            if self._reason:  # cancelled before it began
                worker.process.kill()
        clock = threading.Timer(seconds, self._stop, [too_long])
        clock.daemon = True
        clock.start()
        try:
            answer = self._answer(worker, document, arguments, surroundings, sources)
        finally:
            clock.cancel()
            with self._lock:
                self._worker = None
                if self._reason:
                    worker.process.kill()
        if self._reason:
            worker.end()
            raise ExpansionError(self._reason, tuple(sources), None, (), was_stopped=True)
        if answer is None:
            code = worker.end()
            message = f"the evaluation needs too much memory or ends unexpectedly (exit status {code})"
            raise ExpansionError(message, tuple(sources), None, ())
        give_back(worker, answer.get("seconds", 0.0))
        if answer.get("missing"):
            raise MissingExtraError("xacro", "xacro")
        if "error" in answer:
            raise ExpansionError(
                Message(answer["error"], answer["advice"]),
                tuple(sources),
                _origin(answer["origin"]),
                tuple(SourceOrigin(*each) for each in answer["calls"]),
                unbound_prefix=answer["unbound_prefix"],
            )
        output = Output(
            answer["text"],
            tuple(map(_origin, answer["origins"])),
            tuple(tuple(SourceOrigin(*each) for each in calls) for calls in answer["calls"]),
            tuple((message, _origin(origin)) for message, origin in answer["warnings"]),
            answer["definitions"],
            answer["reads"],
        )
        return Evaluated(output, tuple(sources))

    def _answer(
        self,
        worker: WorkerProcess,
        document: Document,
        arguments: Mapping[str, str],
        surroundings: Surroundings,
        sources: list[Document],
    ) -> dict[str, Any] | None:
        """Return the final answer of the process, None where it ends early; its questions are answered first."""
        message: dict[str, object] = {
            "text": document.text,
            "path": str(document.path),
            "arguments": dict(arguments),
            "most_elements": engine.MOST_ELEMENTS,
            "folder": _present_folder(),
        }
        while worker.send(message):
            line = worker.receive()
            if line is None:
                self._stop(f"the evaluation writes more than {MOST_BYTES >> 20} MiB")
                return None
            if not line.endswith(b"\n"):
                return None
            answer: dict[str, Any] = json.loads(line)
            if "read" in answer:
                try:
                    sources.append(surroundings.read(Path(answer["read"])))
                    message = {"text": sources[-1].text}
                except UnreadableFileError as error:
                    message = {"error": str(error)}
            elif (told := surroundings.answer(answer)) is not None:
                message = told
            else:
                return answer
        return None


def _present_folder() -> str:
    """Return the working directory, empty where it has been removed."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def _origin(written: list[int] | None) -> SourceOrigin | None:
    return None if written is None else SourceOrigin(*written)
