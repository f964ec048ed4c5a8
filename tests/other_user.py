"""Runs code as a user who may not read and write everything: permissions mean nothing to root."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS

REPOSITORY = Path(__file__).parents[1]
_USER = "nobody"
# Everything is imported once, while this is root yet: the interpreter may be in a folder that is root's alone.
_START = """
import importlib, json, os, pkgutil, sys, tempfile, traceback
import sdfviewer
for each in pkgutil.walk_packages(sdfviewer.__path__, "sdfviewer."):
    if not each.name.startswith(("sdfviewer.gui", "sdfviewer.lsp", "sdfviewer.__main__", "sdfviewer.render")):
        importlib.import_module(each.name)
for line in sys.stdin:
    user, modules, code, folder, environment = json.loads(line)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            status = 0
            try:
                os.environ.clear()
                os.environ.update(environment)
                os.chdir(folder)
                for name in modules:
                    importlib.import_module(name)
                if user is not None:
                    os.setgroups([])
                    os.setgid(user[1])
                    os.setuid(user[0])
                exec(code, {"os": os, "sys": sys})
            except SystemExit as end:
                status = end.code or 0
            except BaseException:
                traceback.print_exc()
                status = 1
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        answer = status, out.read().decode(), err.read().decode()
    print(json.dumps(answer), flush=True)
"""


@dataclass(frozen=True)
class Outcome:
    """Exit code, standard output and standard error."""

    code: int
    out: str
    err: str


def run_python(
    code: str, folder: Path, *, modules: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> Outcome:
    """Run code as another user where this is root, else as this one; skip the test where there is no other.

    Parameters
    ----------
    code
        What to run; ``sys`` and ``os`` are imported.
    folder
        The working folder, see :func:`readable_folder`.
    modules
        What it imports besides the modules of this program that need no window.
    environment
        What is added to the variables of this process.
    """
    if sys.platform == "win32":
        pytest.skip("permissions are lists of users there")
    user = None
    if os.geteuid() == 0:
        import pwd

        try:
            found = pwd.getpwnam(_USER)
        except KeyError:
            pytest.skip(f"this is root, who may do everything, and there is no user {_USER}")
        user = (found.pw_uid, found.pw_gid)
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    request = [user, list(modules), code, str(folder), {**os.environ, **(environment or {})}]
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    return Outcome(*json.loads(process.stdout.readline()))


@cache
def _process() -> subprocess.Popen[str]:
    """Return the process that has imported the program, and makes a copy of itself for each piece of code."""
    process = subprocess.Popen(
        [sys.executable, "-c", _START],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    atexit.register(process.wait, PATIENCE_SECONDS)
    atexit.register(process.stdin.close)  # which ends it; what was registered last is called first
    return process


def run_command(words: Sequence[str], folder: Path, *, environment: Mapping[str, str] | None = None) -> Outcome:
    """Run the command ``sdfviewer`` as another user, see :func:`run_python`."""
    code = f"from sdfviewer.cli import main; sys.exit(main({[*words]!r}))"
    return run_python(code, folder, environment=environment)


@contextmanager
def readable_folder() -> Iterator[Path]:
    """Make a folder that everybody may look into, as the folders of pytest are not; its content may be locked."""
    with tempfile.TemporaryDirectory(prefix="sdfviewer-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            for place, folders, _ in os.walk(folder):  # from above: a folder is looked into when it may be
                for each in folders:
                    Path(place, each).chmod(0o755)
