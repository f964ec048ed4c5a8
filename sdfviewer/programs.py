"""The programs that this one starts: where they are found, and what they may import, inherit and see.

A file from a stranger lies in a folder of that stranger, which is often the working folder: an ``sdfviewer.py``, a
``numpy.py`` or a ``git`` there must never run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import subprocess

_RUN = "import sys; sys.path[:] = {paths!r}; {statement}"
#: Seconds after which a program that runs is asked for again.
_ASKED_AFTER = 0.2
_COMMAND_LINE = "from sdfviewer.cli import main; sys.exit(main())"
#: The folder that holds this package: a checkout, or ``site-packages``.
_ROOT = Path(__file__).absolute().parents[1]


class ProcessStart(NamedTuple):
    """How to start a process.

    Attributes
    ----------
    command
        The program and its arguments.
    environment
        All its variables.
    folder
        Its working folder.
    """

    command: list[str]
    environment: dict[str, str]
    folder: str


def python_process(statement: str, *words: str) -> ProcessStart:
    """Return how to start a Python process of this installation; every such process is started this way.

    It imports from where this process does, without the working folder and without what the environment names: ``-I``
    alone would leave out the packages that are installed for one user. Its working folder is the user's home.

    Parameters
    ----------
    statement
        What it runs; ``sys`` is imported.
    words
        Its arguments.
    """
    run = _RUN.format(paths=import_paths(), statement=statement)
    return ProcessStart([sys.executable, "-I", "-X", "utf8", "-c", run, *words], _environment(), _home())


def own_process(*words: str) -> ProcessStart:
    """Return how to start ``sdfviewer`` with arguments, whose paths must be absolute."""
    if getattr(sys, "frozen", False):  # one program with everything in it
        return ProcessStart([sys.executable, *words], _environment(), _home())
    return python_process(_COMMAND_LINE, *words)


def import_paths() -> list[str]:
    """Return the places that this process imports from, without its working folder and others that are relative.

    The working folder is among them where ``python -m`` starts a module, and where ``PYTHONPATH`` has an empty part.
    """
    working_folder = _working_folder()
    kept = [path for path in sys.path if Path(path).is_absolute() and not _is_same(path, working_folder)]
    return [*dict.fromkeys([*kept, str(_ROOT)])]


def leave_working_folder() -> None:
    """Let this process import nothing from its working folder any more."""
    sys.path[:] = import_paths()


def find_program(name: str) -> str | None:
    """Return the path of a program in the folders of the ``PATH``, None where there is none.

    Parts of the ``PATH`` that are empty or relative stand for the working folder, in which Windows looks first.
    """
    for folder in os.get_exec_path():
        program = Path(folder, f"{name}.exe" if sys.platform == "win32" else name)
        # Unlike Path.is_file, it passes by a folder that this user may not search, such as one of root in a kept PATH.
        if program.is_absolute() and os.path.isfile(program) and os.access(program, os.X_OK):
            return str(program)
    return None


class _Running:
    """The programs that are waited for, which end with this one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._are_ended = False

    def start(
        self, command: Sequence[str], environment: Mapping[str, str], *, takes_input: bool
    ) -> subprocess.Popen[bytes]:
        import subprocess  # noqa: PLC0415  # most commands start no program

        with self._lock:
            if self._are_ended:
                raise ProcessLookupError("the program ends")
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE if takes_input else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                # A group of its own, to end with all that it has started: that holds the pipes, too.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            self._processes.add(process)
            return process

    def forget(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._processes.discard(process)

    def end(self) -> None:
        with self._lock:
            self._are_ended = True
            for process in self._processes:
                _kill(process)


_running = _Running()


class ProgramCancelled(Exception):  # no error: somebody wanted it
    """A program was ended early because nobody needs its answer."""


def run_program(
    command: Sequence[str],
    environment: Mapping[str, str],
    seconds: float,
    written: bytes | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program and return what it has written; `end_programs` ends it early.

    Parameters
    ----------
    command, environment
        The program with its arguments, and all its variables.
    seconds
        It is killed after that time.
    written
        What it reads from its standard input; None for one that reads nothing.
    is_cancelled
        Is asked several times a second whether the answer is no longer needed.

    Raises
    ------
    ProgramCancelled
        If it is no longer needed; it is killed with all that it has started.
    subprocess.TimeoutExpired
        If it has not ended after some seconds; it is killed with all that it has started.
    OSError
        If it cannot be started.
    """
    import subprocess  # noqa: PLC0415

    process = _running.start(command, environment, takes_input=written is not None)
    try:
        output, errors = _answer(process, seconds, written, is_cancelled)
    except BaseException:
        _kill(process)
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            with suppress(OSError):  # what could not be written is lost
                pipe.close()
        raise
    finally:
        _running.forget(process)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _answer(
    process: subprocess.Popen[bytes], seconds: float, written: bytes | None, is_cancelled: Callable[[], bool] | None
) -> tuple[bytes, bytes]:
    """Return what a program has written to its output and its errors, see `run_program`."""
    import subprocess  # noqa: PLC0415

    until = monotonic() + seconds
    while True:
        rest = max(until - monotonic(), 0.0)
        try:
            return process.communicate(written, timeout=rest if is_cancelled is None else min(rest, _ASKED_AFTER))
        except subprocess.TimeoutExpired:
            if monotonic() >= until or is_cancelled is None:
                raise
            if is_cancelled():
                raise ProgramCancelled from None
            written = None  # it is on its way


def end_programs() -> None:
    """End the programs that are waited for, and start no others: this one ends, and must not wait for them."""
    _running.end()


def _kill(process: subprocess.Popen[bytes]) -> None:
    import signal  # noqa: PLC0415  # its lists of signals take long to make

    if process.returncode is not None:
        return  # its number may be that of another one by now
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses to end what has ended
            os.killpg(process.pid, signal.SIGKILL)


def _working_folder() -> Path | None:
    """Return the working folder, None where it was removed, or is where this package is."""
    try:
        folder = Path.cwd()
    except OSError:
        return None
    return None if _is_same(str(_ROOT), folder) else folder


def _is_same(path: str, folder: Path | None) -> bool:
    try:
        return folder is not None and folder.samefile(path)
    except OSError:  # there is nothing at the path
        return False


def _environment() -> dict[str, str]:
    """Return the variables of this process without those of Python, which ``-I`` ignores and other programs may not."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def _home() -> str:
    try:
        home = Path.home()
        return str(home if home.is_dir() else Path(sys.prefix))
    except (OSError, RuntimeError):  # unknown
        return sys.prefix
