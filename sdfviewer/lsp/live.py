"""The language server's end of the link to the window: see :mod:`sdfviewer.session.live_link`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sdfviewer.session.live_link import MOST_BYTES, Endpoint, decode, encode, endpoints, runtime_folder

#: How long a window may take to start.
_START_SECONDS = 30.0
_POLL_SECONDS = 0.2


class LiveClient:
    """A connection to a window, made when it is first needed.

    Parameters
    ----------
    receive
        Called with each message of the window.
    folder
        Where windows announce themselves; the runtime folder by default.
    """

    def __init__(self, receive: Callable[[dict[str, Any]], None], folder: Path | None = None) -> None:
        self._receive = receive
        self._folder = folder or runtime_folder()
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def is_connected(self) -> bool:
        """Whether a window is connected."""
        return self._writer is not None

    async def connect(self, *, start: list[str] | None = None) -> bool:
        """Connect to the newest window; start one with a command where there is none. Return whether that worked."""
        if self.is_connected:
            return True
        if await self._connect_to_any():
            return True
        if start is None:
            return False
        subprocess.Popen(start, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        waited = 0.0
        while waited < _START_SECONDS:
            await asyncio.sleep(_POLL_SECONDS)
            waited += _POLL_SECONDS
            if await self._connect_to_any():
                return True
        return False

    async def _connect_to_any(self) -> bool:
        for endpoint in endpoints(self._folder):
            try:
                reader, writer = await _open(endpoint)
            except OSError:
                continue  # that window has ended
            self._writer = writer
            self._reading = asyncio.get_running_loop().create_task(self._read(reader))
            return True
        return False

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                message = decode(line)
                if message is not None:
                    self._receive(message)
        except (OSError, ValueError):
            pass  # the window has ended, or sent a line that is too long: either way the link is over
        finally:
            self.close()

    def close(self) -> None:
        """End the link."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, where a window is connected."""
        if self._writer is not None:
            self._writer.write(encode(message))


async def _open(endpoint: Endpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if sys.platform != "win32":
        return await asyncio.open_unix_connection(endpoint.address, limit=MOST_BYTES)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MOST_BYTES, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.create_pipe_connection(lambda: protocol, endpoint.address)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


def window_command(path: Path) -> list[str]:
    """Return the command that opens a window on a file."""
    return [sys.executable, "-m", "sdfviewer", str(path)]
