"""The language server after hundreds of keys, and after files that were opened and closed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from sdfviewer.lsp.create import create_server
from tests.leaks import Left, what_is_left
from tests.lsp.wire import place

pytestmark = pytest.mark.usefixtures("others_set_aside")

KEYS, FILES = 500, 50
TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a"><pose relative_to="aa">1 0 0 0 0 0</pose></link>
    <frame name="F" attached_to="G"/>
    <frame name="G" attached_to="F"/>
  </model>
</sdf>
"""
URI = "untitled:1"
ASKED: dict[str, dict[str, Any]] = {
    "documentSymbol": {},
    "foldingRange": {},
    "semanticTokens/full": {},
    "codeLens": {},
    "inlayHint": {"range": {"start": place(0, 0), "end": place(6, 0)}},
    "codeAction": {"range": {"start": place(2, 0), "end": place(4, 0)}, "context": {"diagnostics": []}},
    "hover": {"position": place(2, 42)},
    "completion": {"position": place(2, 42)},
    "diagnostic": {},
}


class Connection:
    """A server in this process, and what it answers."""

    def __init__(self) -> None:
        self._server = create_server()
        self._server.protocol.set_writer(self)
        self._number = 0
        self._answers: asyncio.Queue[int] = asyncio.Queue()

    def write(self, data: bytes) -> None:
        """Take what the server sends."""
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message:
            assert "error" not in message, message
            self._answers.put_nowait(message["id"])

    def close(self) -> None:
        """Take note of the end."""

    def _send(self, message: dict[str, Any]) -> None:
        protocol = self._server.protocol
        protocol.handle_message(json.loads(json.dumps(message), object_hook=protocol.structure_message))

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    async def ask(self, methods: dict[str, dict[str, Any]]) -> None:
        """Send requests and wait for all their answers."""
        for method, params in methods.items():
            self._number += 1
            self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        for _ in methods:
            await self._answers.get()

    async def start(self) -> None:
        """Do the handshake, as an editor that asks for diagnostics by itself."""
        capabilities: dict[str, Any] = {"textDocument": {"diagnostic": {}}}
        await self.ask({"initialize": {"processId": None, "rootUri": None, "capabilities": capabilities}})
        self.tell("initialized", {})

    def open(self, uri: str) -> None:
        """Open a file."""
        document = {"uri": uri, "languageId": "sdf", "version": 1, "text": TEXT}
        self.tell("textDocument/didOpen", {"textDocument": document})

    async def type(self, versions: Sequence[int]) -> None:
        """Type a key for each version, delete it with the next one, and ask what editors ask."""
        for version in versions:
            end = place(2, 54 + version % 2)
            change = {"range": {"start": place(2, 54), "end": end}, "text": "" if version % 2 else " "}
            params = {"textDocument": {"uri": URI, "version": version}, "contentChanges": [change]}
            self.tell("textDocument/didChange", params)
            if version % 10 == 0:  # else the next key comes first
                await self.ask({f"textDocument/{each}": {"textDocument": {"uri": URI}} | ASKED[each] for each in ASKED})


def test_hundreds_of_keys_leave_nothing_behind() -> None:
    async def scenario() -> Left:
        connection = Connection()
        await connection.start()
        connection.open(URI)
        await connection.type(range(2, 102))
        with what_is_left() as left:
            await connection.type(range(102, 102 + KEYS))
        return left

    left = asyncio.run(scenario())
    assert left.unreachable < KEYS // 5
    assert left.grown < KEYS // 5, "something stays for each key"


def test_files_that_are_closed_leave_nothing_behind() -> None:
    async def use(connection: Connection, uri: str) -> None:
        connection.open(uri)
        await connection.ask({f"textDocument/{each}": {"textDocument": {"uri": uri}} | ASKED[each] for each in ASKED})
        connection.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    async def scenario() -> Left:
        connection = Connection()
        await connection.start()
        for number in range(3):
            await use(connection, f"untitled:{number}")
        with what_is_left() as left:
            for number in range(FILES):
                await use(connection, f"untitled:closed{number}")
        return left

    left = asyncio.run(scenario())
    assert left.unreachable < 2 * FILES
    assert left.grown < 2 * FILES, "something stays for each file"
