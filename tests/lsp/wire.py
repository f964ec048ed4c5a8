"""The language server over its pipes, message by message: what a client library would hide is in sight."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Condition, Thread
from typing import Any

from tests.forked import Started, start
from tests.patience import PATIENCE_SECONDS


class Wire:
    """A server process. Every message that it sends is kept; requests of its own are answered with null.

    Parameters
    ----------
    arguments
        Options of ``sdfviewer lsp``.
    start
        Starts it: a process that is timed is started alone.
    """

    def __init__(self, *arguments: str, start: Callable[..., Started] = start) -> None:
        self.process = start("lsp", *arguments)
        self.notifications: list[dict[str, Any]] = []
        self.errors: list[str] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._ids = 0
        self._has_ended = False
        self._arrived = Condition()
        self._threads = [Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params or {}})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and return its number."""
        self._ids += 1
        self.send({"id": self._ids, "method": method, **({} if params is None else {"params": params})})
        return self._ids

    def answer(self, number: int) -> dict[str, Any]:
        """Wait for the answer to a request: a message with a ``result`` or an ``error``."""
        self.until(lambda: number in self._answers)
        return self._answers.pop(number)

    def cancel(self, number: int, seconds: float = 0.0) -> dict[str, Any]:
        """Cancel a request, unless it is answered within some time; return the answer."""
        with self._arrived:
            self._arrived.wait_for(lambda: number in self._answers, seconds)
        self.notify("$/cancelRequest", {"id": number})
        return self.answer(number)

    def request(self, method: str, params: Any = None) -> Any:
        """Return the result of a request."""
        answer = self.answer(self.ask(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the server has sent what fulfils a condition."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: condition() or self._has_ended, PATIENCE_SECONDS), "nothing arrives"
            assert condition(), "the server has ended: " + "".join(self.errors)

    def start(self, capabilities: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Do the handshake; return what the server says of itself."""
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **more}
        result: dict[str, Any] = self.request("initialize", params)
        self.notify("initialized")
        return result

    def open(self, uri: str, text: str, language: str = "sdf") -> None:
        """Open a file at version 1."""
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, text: str, where: dict[str, Any] | None = None) -> None:
        """Replace a range of a file, or all of it."""
        change = {"text": text} if where is None else {"range": where, "text": text}
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})

    def until_checked(self, uri: str, version: int) -> None:
        """Wait for the diagnostics of a version."""
        self.until(lambda: self._is_checked(uri, version))

    def _is_checked(self, uri: str, version: int) -> bool:
        published = (each["params"] for each in self.notifications if each["method"].endswith("/publishDiagnostics"))
        return any(each["uri"] == uri and each.get("version") == version for each in published)

    def end(self) -> int:
        """Shut the server down and return its exit status."""
        self.request("shutdown")
        self.notify("exit")
        status = self.process.wait(PATIENCE_SECONDS)
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)
        return status

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def _read(self) -> None:
        while (message := self._read_message()) is not None:
            with self._arrived:
                if "method" not in message:
                    self._answers[message["id"]] = message
                elif "id" in message:
                    self.send({"id": message["id"], "result": None})
                else:
                    self.notifications.append(message)
                self._arrived.notify_all()
        with self._arrived:
            self._has_ended = True
            self._arrived.notify_all()

    def _read_message(self) -> dict[str, Any] | None:
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = b""
        while len(body) < length and (piece := stream.read(length - len(body))):
            body += piece
        return json.loads(body) if body else None

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace"))


def place(line: int, character: int) -> dict[str, int]:
    """Return a position of the protocol."""
    return {"line": line, "character": character}


def between(start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    """Return a range of the protocol."""
    return {"start": place(*start), "end": place(*end)}
