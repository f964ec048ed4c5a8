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

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdfviewer.programs import ProcessStart

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


# --- programs without a window ------------------------------------------------------------------------------------


#: How long a window may take to start, and to answer.
_START_SECONDS = 30.0
_ANSWER_SECONDS = 2.0
_POLL_SECONDS = 0.2


class LiveWindow:
    """A connection to a window."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer: asyncio.StreamWriter | None = writer
        self._asked: dict[tuple[str, str], asyncio.Future[dict[str, Any]]] = {}

    @property
    def is_connected(self) -> bool:
        """Whether the window is still there."""
        return self._writer is not None

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, where the window is still there."""
        if self._writer is not None:
            self._writer.write(encode(message))

    async def has(self, path: Path) -> bool:
        """Return whether the window has a file open."""
        answer = await self.ask({"type": "find", "path": str(path)}, "found")
        return answer.get("open") is True

    async def ask(self, message: dict[str, Any], answered_by: str) -> dict[str, Any]:
        """Return the answer to a message about a path, empty where the window is too busy to give one."""
        key = answered_by, str(message["path"])
        future = self._asked.setdefault(key, asyncio.get_running_loop().create_future())
        self.send(message)
        try:
            return await asyncio.wait_for(asyncio.shield(future), _ANSWER_SECONDS)
        except asyncio.TimeoutError:
            return {}
        finally:
            self._asked.pop(key, None)

    async def read(self, receive: Callable[[LiveWindow, dict[str, Any]], None]) -> None:
        """Hand messages on until the window ends."""
        try:
            while line := await self._reader.readline():
                message = decode(line)
                if message is None:
                    continue
                future = self._asked.get((message["type"], str(message.get("path"))))
                if future is None:
                    receive(self, message)
                elif not future.done():
                    future.set_result(message)
        except (OSError, ValueError):
            pass  # the window has ended, or sent a line that is too long: either way the link is over
        finally:
            self.close()

    def close(self) -> None:
        """End the link."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()


class LiveWindows:
    """The windows of the user, connected to when they are first needed.

    Parameters
    ----------
    receive
        Called with each message of a window.
    folder
        Where windows announce themselves; the runtime folder by default.
    """

    def __init__(self, receive: Callable[[LiveWindow, dict[str, Any]], None], folder: Path | None = None) -> None:
        self._receive = receive
        self._folder = folder or runtime_folder()
        self._windows: dict[str, LiveWindow] = {}
        self._reading: set[asyncio.Task[None]] = set()

    async def window_for(self, path: Path, *, start: ProcessStart | None = None) -> LiveWindow | None:
        """Return the window that has a file open, else the newest one, else one that is started."""
        windows = await self._connect()
        if not windows and start is not None:
            silent = subprocess.DEVNULL
            subprocess.Popen(
                start.command, env=start.environment, cwd=start.folder, stdin=silent, stdout=silent, stderr=silent
            )
            for _ in range(int(_START_SECONDS / _POLL_SECONDS)):
                await asyncio.sleep(_POLL_SECONDS)
                if windows := await self._connect():
                    return windows[0]
        if len(windows) < 2:
            return windows[0] if windows else None
        answers = await asyncio.gather(*(window.has(path) for window in windows))
        return next((window for window, has in zip(windows, answers, strict=True) if has), windows[0])

    async def _connect(self) -> list[LiveWindow]:
        """Return all windows, the newest first."""
        found = {}
        for endpoint in endpoints(self._folder):
            window = self._windows.get(endpoint.address)
            if window is None or not window.is_connected:
                try:
                    window = LiveWindow(*await _open(endpoint))
                except OSError:
                    continue  # that window has ended
                task = asyncio.get_running_loop().create_task(window.read(self._receive))
                self._reading.add(task)
                task.add_done_callback(self._reading.discard)
            found[endpoint.address] = window
        self._windows = found
        return list(found.values())

    def close(self) -> None:
        """End all links."""
        for window in self._windows.values():
            window.close()


async def _open(endpoint: Endpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if sys.platform != "win32":
        return await asyncio.open_unix_connection(endpoint.address, limit=MOST_BYTES)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MOST_BYTES, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.create_pipe_connection(lambda: protocol, endpoint.address)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)
