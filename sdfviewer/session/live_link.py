"""The link between a code editor and the window: where a window can be reached, and the messages that go both ways.

A window listens on a local socket that only its user can open, and writes the socket's address into a file of the
runtime folder. The language server connects to it. A message is a JSON object on a line:

=============  ========  ==========================================================================================
``type``       sent by   meaning
=============  ========  ==========================================================================================
``show``       editor    open ``path`` with ``text``, select ``frame``, raise the window
``text``       editor    the text of ``path`` as it is typed now
``select``     editor    select ``frame`` in ``path``
``find``       editor    is ``path`` open?
``found``      window    the answer: ``path`` is ``open`` or not
``propose``    editor    make ``text`` of ``path``, which must be ``base``, an unsaved undo step called ``label``
``proposed``   window    the answer: ``path`` was ``taken``, or the ``reason`` why not
``selected``   window    ``frame`` of ``path`` was selected
``edited``     window    ``path`` was edited: ``text`` was made from ``base``
``opened``     window    to the other windows: ``path`` was opened
``also_open``  window    the answer of a window in which ``path`` is open too
=============  ========  ==========================================================================================
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: A longer line is not read: no model file is that large.
MOST_BYTES = 64 * 2**20
#: How the file of a window's socket ends, where sockets are files.
SOCKET_SUFFIX = ".socket"
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A window that can be reached: its process, the address of its socket, and the file that announces it."""

    process: int
    address: str
    source: Path


def runtime_folder() -> Path:
    """Return the folder of the user's sockets and announcements; it need not exist."""
    given = Path(os.environ.get("XDG_RUNTIME_DIR") or ".")
    if given.is_absolute() and given.is_dir():
        return given / "sdfviewer"
    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"sdfviewer-{user}"


def prepare_folder(folder: Path) -> bool:
    """Make a folder that only the user can look into; return whether it is one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.platform == "win32":
        return True
    status = folder.lstat()
    return folder.is_dir() and not folder.is_symlink() and status.st_uid == os.getuid() and not status.st_mode & 0o077


def announce(address: str, folder: Path) -> Endpoint:
    """Write down where this process can be reached."""
    source = folder / f"window-{os.getpid()}{_SUFFIX}"
    source.write_text(json.dumps({"process": os.getpid(), "address": address}), encoding="utf-8")
    return Endpoint(os.getpid(), address, source)


def endpoints(folder: Path) -> Iterator[Endpoint]:
    """Yield the windows that have announced themselves, the newest first. Some may have ended since."""
    if not folder.is_dir() or not prepare_folder(folder):
        return
    found = []
    for source in folder.glob(f"window-*{_SUFFIX}"):
        try:
            content = json.loads(source.read_text(encoding="utf-8"))
            found.append((source.stat().st_mtime, Endpoint(int(content["process"]), str(content["address"]), source)))
        except (OSError, ValueError, KeyError, TypeError):
            continue  # half written, or gone meanwhile
    yield from (endpoint for _, endpoint in sorted(found, key=lambda each: each[0], reverse=True))


def remove_announcement(endpoint: Endpoint) -> None:
    """Remove what a window that has ended has left in the runtime folder: its announcement and its socket.

    Raises
    ------
    OSError
        If a file cannot be removed.
    """
    endpoint.source.with_suffix(SOCKET_SUFFIX).unlink(missing_ok=True)
    endpoint.source.unlink(missing_ok=True)


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line."""
    return json.dumps(message).encode("ascii") + b"\n"


def decode(line: bytes) -> dict[str, Any] | None:
    """Return the message of a line, None for what is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):  # no JSON, or nested deeper than Python reads
        return None
    return message if isinstance(message, dict) and isinstance(message.get("type"), str) else None
