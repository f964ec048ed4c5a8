"""Connections to running windows, for programs that have none: the servers for code editors and for assistants."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sdfviewer.programs import ProcessStart
from sdfviewer.session.live_link import MOST_BYTES, Endpoint, decode, encode, endpoints, runtime_folder

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
