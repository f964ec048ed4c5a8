"""Runs code as a user who may not read and write everything: permissions mean nothing to root."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS

REPOSITORY = Path(__file__).parents[1]
_USER = "nobody"
# Everything is imported while this is root yet: the interpreter may be in a folder that is root's alone.
_START = """
import importlib, json, os, pkgutil, sys
user, modules, code = json.loads(sys.argv[1])
for name in modules:
    importlib.import_module(name)
import sdfviewer
for each in pkgutil.walk_packages(sdfviewer.__path__, "sdfviewer."):
    if not each.name.startswith(("sdfviewer.gui", "sdfviewer.lsp", "sdfviewer.__main__", "sdfviewer.render")):
        importlib.import_module(each.name)
if user is not None:
    os.setgroups([])
    os.setgid(user[1])
    os.setuid(user[0])
exec(code)
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
    done = subprocess.run(
        [sys.executable, "-c", _START, json.dumps([user, list(modules), code])],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


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
