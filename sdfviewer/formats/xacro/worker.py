"""The process that evaluates xacro files within limits of time and memory.

It reads requests as lines of JSON from standard input and answers on standard output; :mod:`.evaluation` is at the
other end. JSON rather than pickle: what comes out of this process can do nothing but be text.

It has no files, no environment and no network: it asks the other end for the text of a file, for the files that match
a pattern, and for a variable of the environment. :mod:`.confinement` keeps it to that where the system can.
"""

from __future__ import annotations

import builtins
import glob
import io
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sdfviewer.diagnostics import message_of
from sdfviewer.extras import MissingExtraError
from sdfviewer.formats.xacro import confinement, engine

#: Bytes of memory that this process may use.
MOST_MEMORY = 1 << 30
#: Its exit status where it has used more, and the platform did not keep it from that.
OUT_OF_MEMORY = 99
_LOOK_SECONDS = 0.05
#: Modules that it may import besides the standard library.
_MODULES = ("sdfviewer", "xacro", "yaml", "_yaml")


def main() -> None:
    """Answer requests until standard input ends."""
    _leave_folder()
    _limit_memory()
    confinement.confine(_MODULES)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what an expression prints is no answer

    def send(answer: dict[str, object]) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    def ask(question: dict[str, object]) -> Any:
        send(question)
        return json.loads(requests.readline())

    def read(path: str) -> str:
        answer = ask({"read": path})
        if "error" in answer:
            raise engine.UnreadableSourceError(answer["error"])
        return str(answer["text"])

    def open_data(path: str, *_modes: object, **_options: object) -> io.StringIO:
        answer = ask({"open": os.fspath(path)})
        if "error" in answer:
            raise OSError(answer["error"])
        return io.StringIO(answer["text"])

    def find_package(name: str) -> str | None:
        found = ask({"package": name})["path"]
        return None if found is None else str(found)

    builtins.open = open_data  # type: ignore[assignment]  # whoever opens a file here reads it from the other end
    glob.glob = lambda pattern, **_options: list(ask({"glob": os.fspath(pattern)})["paths"])
    os.environ = _Environment(lambda name: ask({"variable": name})["value"])  # type: ignore[assignment]  # noqa: B003
    while line := requests.readline():
        send(_answer(json.loads(line), read, find_package))


def _answer(request: dict[str, Any], read: Any, find_package: Any) -> dict[str, object]:
    try:
        _show_folder(request["folder"])
        output = engine.evaluate(
            request["text"], request["path"], request["arguments"], read, find_package, request["most_elements"]
        )
    except engine.EvaluationError as error:
        place = {"origin": error.origin, "calls": error.calls, "unbound_prefix": error.unbound_prefix}
        message = message_of(error)
        return {"error": message.what, "advice": message.advice} | place | _spent()
    except MissingExtraError:
        return {"missing": True}
    except MemoryError:
        return {
            "error": "the file needs too much memory",
            "origin": None,
            "calls": (),
            "unbound_prefix": False,
        } | _spent()
    answer = {"text": output.text, "origins": output.origins, "calls": output.calls, "warnings": output.warnings}
    return answer | {"definitions": output.definitions, "reads": output.reads} | _spent()


def _spent() -> dict[str, object]:
    """Return the seconds of the processor that this process has used for all its files."""
    return {"seconds": time.process_time()}


class _Environment(dict[str, str]):
    """Variables that are asked for by their names."""

    def __init__(self, ask: Callable[[str], str | None]) -> None:
        super().__init__()
        self._ask = ask

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._ask(name) is not None

    def __getitem__(self, name: str) -> str:
        value = self._ask(name)
        if value is None:
            raise KeyError(name)
        return value

    def get(self, name: str, default: Any = None) -> Any:
        value = self._ask(name)
        return default if value is None else value


def _leave_folder() -> None:
    """Remove the working folder, which was made for this process; where it cannot be removed, nothing is in it."""
    with suppress(OSError):  # Windows removes none that is used
        os.rmdir(os.getcwd())


def _show_folder(folder: str) -> None:
    """Let paths be relative to the working folder of the other end: ``$(cwd)`` and ``$(dirname)`` write it."""
    os.getcwd = lambda: folder
    os.path.abspath = lambda path: os.path.normpath(os.path.join(folder, path))  # type: ignore[assignment]


def _limit_memory() -> None:
    """Limit the memory of this process: by the system on Linux, elsewhere by looking at it again and again."""
    with suppress(ImportError, ValueError, OSError):  # not on Windows; refused by macOS
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        return
    watch_memory(MOST_MEMORY)


def watch_memory(most: int) -> None:
    """End this process as soon as it uses so many bytes of memory, which another thread checks regularly."""

    def watch() -> None:
        while used_memory() <= most:
            time.sleep(_LOOK_SECONDS)
        os._exit(OUT_OF_MEMORY)

    threading.Thread(target=watch, daemon=True, name="memory").start()


def used_memory() -> int:
    """Return the most bytes of memory that this process has had at a time."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415
        from ctypes import wintypes  # noqa: PLC0415

        class Counters(ctypes.Structure):
            _fields_ = (
                ("size", wintypes.DWORD),
                ("faults", wintypes.DWORD),
                *((name, ctypes.c_size_t) for name in ("peak", "now", *map(str, range(6)))),
            )

        counters = Counters()
        counters.size = ctypes.sizeof(counters)
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.K32GetProcessMemoryInfo.argtypes = (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD)
        kernel.K32GetProcessMemoryInfo(kernel.GetCurrentProcess(), ctypes.byref(counters), counters.size)
        return int(counters.peak)
    import resource  # noqa: PLC0415

    # In bytes on macOS, in KiB elsewhere.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
