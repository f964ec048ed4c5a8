"""The committed version of a file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import MAX_FILE_BYTES, Document, parse_document
from sdfviewer.document.xml.encoding import decode

#: A repository on a network drive may be slow; do not wait longer.
TIMEOUT_SECONDS = 10
#: A partial clone must not fetch what it lacks: its own configuration says which program does that. Versions of git
#: before 2.45 know only the second one: only a transport of that name is allowed.
_WITHOUT_NETWORK = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_OPTIONAL_LOCKS": "0"}
_NO_GIT = "git is not installed, or not found on the PATH"


class NotInGitError(SdfViewerError):
    """There is no committed state of a file; the message says why."""


def open_git_head(path: Path, revision: str = "HEAD") -> Document:
    """Return the file as a commit of its git work tree holds it, by default the last one.

    Includes of the document are resolved beside the present file on disk.

    Raises
    ------
    NotInGitError
        If git is not installed, the file is in no work tree, it is not in that commit, or it is too large.
    """
    if revision.startswith("-"):  # git would take it for an option
        raise NotInGitError(f"'{revision}' is no revision")
    if int(_ask(path, revision, "-s") or 0) > MAX_FILE_BYTES:
        raise NotInGitError(f"the committed version of {path.name} is too large")
    read = decode(_ask(path, revision, "blob"))
    return parse_document(read.text, path, encoding=read.encoding)


def _ask(path: Path, revision: str, wanted: str) -> bytes:
    """Return the answer of ``git cat-file`` about a committed file: its contents, or with ``-s`` its size."""
    try:
        answer = subprocess.run(
            [_program(), "-C", str(path.parent), "cat-file", wanted, f"{revision}:./{path.name}"],
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **_WITHOUT_NETWORK},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except FileNotFoundError:
        raise NotInGitError(_NO_GIT) from None
    except subprocess.TimeoutExpired:
        raise NotInGitError(f"git did not respond within {TIMEOUT_SECONDS} seconds") from None
    except OSError as error:
        raise NotInGitError(f"git cannot be started: {error.strerror or error}") from error
    if answer.returncode != 0:
        words = answer.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = words[-1].removeprefix("fatal: ") if words else f"git exited with code {answer.returncode}"
        where = "" if revision == "HEAD" else f" in {revision}"
        raise NotInGitError(f"git has no committed version of {path.name}{where}: {reason}")
    return answer.stdout


def _program() -> str:
    """Return the git of the PATH: Windows would prefer any ``git.exe`` in the current folder."""
    if sys.platform != "win32":
        return "git"
    for folder in os.get_exec_path():
        program = Path(folder, "git.exe")
        if program.is_absolute() and program.is_file():
            return str(program)
    raise NotInGitError(_NO_GIT)
