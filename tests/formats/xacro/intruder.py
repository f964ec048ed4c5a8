"""Code of a stranger in the process that evaluates xacro files: tries what it must not be able to do.

It stands for whatever an expression manages to run, so that the second wall is tested without a hole in the first.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from sdfviewer.formats.xacro import confinement, engine, worker


def _connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


def _send(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", port))


def _start(program: str) -> None:
    if os.spawnv(os.P_WAIT, program, [program]) != 0:
        raise OSError("it did not run")


def _variables() -> None:
    platform = sys.modules["nt" if sys.platform == "win32" else "posix"]
    left = {os.fsdecode(name) for name in platform.environ} - {"LC_CTYPE"}
    if left <= {"SYSTEMROOT", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"}:
        raise OSError("there are none")


def _attempt(text: str, path: str, arguments: Mapping[str, str], *_: object) -> engine.Output:
    secret, port, parent = Path(arguments["secret"]), int(arguments["port"]), int(arguments["parent"])
    attempts: dict[str, Callable[[], object]] = {
        "read": lambda: os.close(os.open(secret, os.O_RDONLY)),
        "list": lambda: os.listdir(secret.parent),
        "write": lambda: os.close(os.open(secret.with_name("written"), os.O_WRONLY | os.O_CREAT)),
        "write_here": lambda: os.close(os.open("written", os.O_WRONLY | os.O_CREAT)),
        "start": lambda: _start(sys.executable),
        "tcp": lambda: _connect(port),
        "udp": lambda: _send(port),
        "signal": lambda: os.kill(parent, getattr(signal, "SIGCONT", 0)),
        "variables": _variables,
    }
    done = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except OSError:
            continue
        done.append(name)
    walls = ",".join(_walls)
    raise engine.EvaluationError(f"walls={walls} done={','.join(done)}")


_walls: tuple[str, ...] = ()
_confine = confinement.confine


def _remember(modules: Iterable[str]) -> tuple[str, ...]:
    global _walls  # noqa: PLW0603
    _walls = _confine(modules)
    return _walls


def main() -> None:
    """Answer requests as the process does, but do what a stranger would instead of evaluating."""
    confinement.confine = _remember
    engine.evaluate = _attempt  # type: ignore[assignment]
    worker.main()
