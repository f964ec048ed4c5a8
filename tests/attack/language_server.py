"""The language server and an editor that sends anything: edits, requests, cancellations, nonsense, then nothing.

One server serves many inputs, as it does an editor for days; some end it by closing its pipes within a message.
"""

from __future__ import annotations

import json
import os
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sdfviewer.language.text_map import Positions, Unit

#: How long an answer may take on a busy machine, in seconds, and how much memory the server may take, in bytes.
PATIENCE, MOST_BYTES = 120.0, 1 << 30
#: Our code. Its name is no sign of it: that of a checkout, and so of the libraries in its environment, may have it too.
_PACKAGE = Path(__file__).parents[2] / "sdfviewer"
_START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from sdfviewer.cli import main; sys.exit(main())"
_TYPED = (
    "",
    "<",
    ">",
    "/",
    '"',
    "a",
    " ",
    "&",
    "\r\n",
    "\u2028",
    "😀",
    '<frame name="f"/>',
    "</model>",
    ' relative_to="',
)
_AT_POSITION = (
    "hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename", "signatureHelp",
    "selectionRange", "linkedEditingRange", "typeDefinition", "implementation", "onTypeFormatting",
)  # fmt: skip
_OF_FILE = (
    "documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint", "codeAction", "codeLens", "documentLink",
    "documentColor", "formatting", "diagnostic", "rangeFormatting",
)  # fmt: skip
#: What is no message: the body is sent with its right length.
_NONSENSE = (
    b"", b"{", b"null", b"[]", b"[1,2]", b'"a"', b"{}", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":1}', b"\xff\xfe",
    b'{"jsonrpc":"2.0","method":7}', b'{"jsonrpc":"1.0","id":{},"method":"x"}', b"[" * 50_000, b"1" * 6000,
    b'{"jsonrpc":"2.0","id":"x","method":"textDocument/hover","params":[]}',
    b'{"jsonrpc":"2.0","id":2,"result":null}', b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{}}',
    b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}}', b'{"jsonrpc":"2.0","id":3,"method":"\\ud800"}',
)  # fmt: skip


class Server:
    """A server process and what it says.

    Parameters
    ----------
    folder
        Its working folder.
    environment
        What is added to the variables of this process.
    """

    def __init__(self, folder: Path | None = None, environment: Mapping[str, str] = MappingProxyType({})) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        self.process = subprocess.Popen(
            # What the command "sdfviewer" does; "-c" would let Python import from the working folder.
            [sys.executable, "-I", "-X", "utf8", "-c", _START, str(_PACKAGE.parent), "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=folder or tempfile.gettempdir(),
            env={**os.environ, **environment},
        )
        self.number = 0
        self.asked: dict[int, str] = {}
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._kept: dict[object, dict[str, Any]] = {}
        threading.Thread(target=self._listen, daemon=True).start()
        self.answer(self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}))
        self.tell("initialized", {})

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                line = stream.readline()
            self._answers.put(json.loads(stream.read(length)))
        self._answers.put(None)

    def send(self, body: bytes) -> None:
        """Send the body of a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method: str, params: object) -> None:
        """Send a notification."""
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def ask(self, method: str, params: object) -> int:
        """Send a request and return its number."""
        self.number += 1
        self.asked[self.number] = method
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode())
        return self.number

    def answer(self, number: int) -> dict[str, Any]:
        """Return the answer to a request; what else comes meanwhile is kept or passed over."""
        while number not in self._kept:
            try:
                message = self._answers.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"no answer to {self.asked[number]} after {PATIENCE:.0f} s") from None
            assert message is not None, f"the server has ended: {self.said()[-3000:]}"
            if "method" not in message and isinstance(message.get("id"), int):  # what is no request is refused too
                self._kept[message["id"]] = message
        return self._kept.pop(number)

    def said(self) -> str:
        """Return what the server has written to its standard error."""
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def check(self) -> None:
        """Assert that nothing of ours has raised, and that the server takes no more memory than it may."""
        assert not (raised := raised_by_us(self.said())), raised
        statm = Path(f"/proc/{self.process.pid}/statm")
        if statm.exists():
            assert int(statm.read_text().split()[1]) * 4096 < MOST_BYTES, "more than 1 GB"

    def end(self, last: bytes = b"") -> None:
        """Close the pipe behind some bytes; the process ends by itself."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(last)
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended already
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the server lives on without an editor") from None
        finally:
            said = self.said()
            self.errors.close()
        assert not (raised := raised_by_us(said)), raised


def raised_by_us(said: str) -> str:
    """Return the traces of exceptions that went through code of ours and are no answers to the editor."""
    found = []
    for trace in said.split("Traceback (most recent call last):")[1:]:
        end = next((line for line in trace.splitlines() if line and not line.startswith(" ")), "")
        files = (Path(name) for name in re.findall(r'^ +File "(.*?)", line', trace, re.MULTILINE))
        if any(_PACKAGE in file.parents for file in files) and not end.startswith("pygls.exceptions."):
            found.append(trace)
    return "\n".join(found)[-3000:]


_servers: list[Server] = []


def _server() -> Server:
    if not _servers or _servers[0].process.poll() is not None:
        _servers[:] = [Server()]
    return _servers[0]


def attack(seed: int, texts: Sequence[bytes]) -> None:
    """Open a file, do anything with it, and compare its problems with those of the same text opened freshly."""
    server = _server()
    try:
        _attack(server, seed, texts)
    except BaseException:
        # What it has said stays in its log: the next input needs another server.
        server.process.kill()
        server.process.wait()
        _servers.clear()
        raise


def _attack(server: Server, seed: int, texts: Sequence[bytes]) -> None:
    rng = random.Random(seed)
    text = rng.choice(texts).decode("utf-8", "surrogateescape")
    if rng.random() < 0.02:
        text *= 50  # not XML any more, but long
    uri = f"file:///nowhere/attack{seed}.sdf"
    server.tell("textDocument/didOpen", {"textDocument": _document(uri, text)})
    asked: list[int] = []
    for version in range(2, rng.randrange(3, 40)):
        step = rng.random()
        if step < 0.35:
            text = _type(server, uri, text, version, rng)
        elif step < 0.85:
            asked.append(_ask(server, uri, text, rng))
        elif step < 0.93 and asked:
            server.tell("$/cancelRequest", {"id": rng.choice(asked)})
        else:
            server.send(rng.choice(_NONSENSE))
    other = f"file:///nowhere/fresh{seed}.sdf"
    server.tell("textDocument/didOpen", {"textDocument": _document(other, text)})
    shown, fresh = (_problems(server, each) for each in (uri, other))
    assert shown == fresh, f"problems are not those of a fresh load:\n{shown}\n{fresh}"
    for number in asked:
        answer = server.answer(number)
        code = answer.get("error", {}).get("code", 0)
        assert code != -32603, answer  # an internal error
    for each in (uri, other):
        server.tell("textDocument/didClose", {"textDocument": {"uri": each}})
    server.check()
    if rng.random() < 0.05:
        server.end(rng.choice((b"", b"Content-Length: 100\r\n\r\n{", b"Content-Le", b"\0" * 100)))
        _servers.clear()


def _document(uri: str, text: str) -> dict[str, object]:
    return {"uri": uri, "languageId": "sdf", "version": 1, "text": text}


def _problems(server: Server, uri: str) -> list[object]:
    answer = server.answer(server.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}))
    assert "result" in answer, answer
    return [(each["message"], each["range"], each.get("code")) for each in answer["result"]["items"]]


def _type(server: Server, uri: str, text: str, version: int, rng: random.Random) -> str:
    """Replace a range, and return the text then."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((0, 0, 1, 5, 60)))
    typed = rng.choice(_TYPED)
    positions = Positions(text, Unit.UTF16)
    if "\r" in text[max(start - 1, 0) : end + 1]:
        return text  # a position between CR and LF is none
    (line, character), (last, after) = positions.position(start), positions.position(end)
    where = {"start": {"line": line, "character": character}, "end": {"line": last, "character": after}}
    change = {"range": where, "text": typed}
    identifier = {"uri": uri, "version": version}
    server.tell("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
    return text[:start] + typed + text[end:]


def _ask(server: Server, uri: str, text: str, rng: random.Random) -> int:
    """Ask anything that concerns the file, now and then beyond its end."""
    lines = text.count("\n") + 1
    line = rng.choice((rng.randrange(lines), rng.randrange(lines), lines, 2**31 - 1))
    position = {"line": line, "character": rng.choice((0, 3, 12, 40, 2**31 - 1))}
    where = {"start": position, "end": {"line": line + rng.choice((0, 0, 3)) if line < 2**30 else line, "character": 0}}
    params: dict[str, object] = {"textDocument": {"uri": uri}}
    if rng.random() < 0.6:
        method = rng.choice(_AT_POSITION)
        params |= {"position": position, "newName": rng.choice(("b", "", "a::b", "<", "__model__")), "ch": ">"}
        params |= {"positions": [position]}
        contexts: dict[str, object] = {"references": {"includeDeclaration": True}, "completion": {"triggerKind": 1}}
        params |= {"context": contexts[method]} if method in contexts else {}
    else:
        method = rng.choice(_OF_FILE)
        params |= {"range": where, "context": {"diagnostics": []}}
    params |= {"options": {"tabSize": 2, "insertSpaces": True}}
    return server.ask(f"textDocument/{method}", params)
