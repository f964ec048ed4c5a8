"""A real editor that a test drives: its buffers, its client of the protocol, its way to make edits."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsprotocol import converters

from sdfviewer.language.text_map import Positions, Unit
from tests.lsp.asked_file import AskedFile

_REPOSITORY = Path(__file__).parents[2]


class Answer:
    """An object of JSON; a member is read as ``answer.text_edit`` as well as ``answer["textEdit"]``."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members

    def __getattr__(self, name: str) -> Any:
        return self.get(re.sub(r"_(.)", lambda found: found[1].upper(), name))

    def __getitem__(self, name: str) -> Any:
        return self.members[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Return a member, or what stands for one that is missing."""
        return self.members.get(name, default)


class DrivenEditor:
    """An editor in a process.

    Parameters
    ----------
    command
        What starts the editor with its driver, which reads requests and writes answers, a line of JSON each.
    folder
        The folder of the files.
    """

    def __init__(self, command: list[str], folder: Path) -> None:
        self._log = (folder.parent / "editor.log").open("w+b")
        self._process = subprocess.Popen(
            command,
            env={
                **os.environ,
                "SERVER": "\n".join([sys.executable, "-m", "sdfviewer", "lsp"]),
                "ROOT": str(folder),
                "PYTHONPATH": str(_REPOSITORY),
                "XDG_STATE_HOME": str(folder.parent / "state"),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        self._converter = converters.get_converter()
        self.files: dict[str, DrivenFile] = {}
        self.requests = 0
        #: How positions are counted, known with the first file.
        self.unit = Unit.UTF16

    def close(self) -> None:
        """End the editor."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.close()

    def request(self, do: str, **said: Any) -> Any:
        """Return what the editor answers.

        Raises
        ------
        AssertionError
            If it cannot do that, or has ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **said}).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            self._log.seek(0)
            raise AssertionError(f"the editor has ended: {self._log.read().decode(errors='replace')[-2000:]}")
        answer = json.loads(line)
        assert "wrong" not in answer, f"{do} {said}: {answer['wrong']}"
        return answer.get("result")

    def open(self, path: Path) -> DrivenFile:
        """Open a file."""
        uri = path.as_uri()
        text = self.request("open", path=str(path), uri=uri)
        self.unit = Unit(self.request("unit"))
        file = self.files[uri] = DrivenFile(self, uri, text)
        return file

    def ask(self, uri: str, method: str, params: Any) -> Any:
        """Return the answer of the server to a request about a file; ``params`` are JSON, or those of the protocol."""
        self.requests += 1
        given = params if isinstance(params, dict) else self._converter.unstructure(params)
        return _readable(self.request("ask", uri=uri, method=method, params=given))

    def apply(self, edit: Answer) -> None:
        """Make an edit of several files as the editor does it."""
        for uri, text in self.request("apply", edit=plain(edit)).items():
            self.files[uri].take(text)

    def texts(self) -> Mapping[str, str]:
        """Return the texts of all files, by URI."""
        return {uri: file.text for uri, file in self.files.items()}


class DrivenFile(AskedFile):
    """A file that is open in a driven editor."""

    def __init__(self, editor: DrivenEditor, uri: str, text: str) -> None:
        super().__init__(uri)
        self._editor = editor
        self.take(text)

    def take(self, text: str) -> None:
        """Take the text that the editor has now."""
        self._positions = Positions(text, self._editor.unit)

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._positions.text

    @property
    def positions(self) -> Positions:
        """The places of this text."""
        return self._positions

    def _ask(self, method: str, params: Any) -> Any:
        return self._editor.ask(self.uri, method, params)

    def ask(self, method: str, **params: Any) -> Any:
        """Return the answer to a request about this file."""
        return self._editor.ask(self.uri, method, {"textDocument": {"uri": self.uri}, **params})

    def place(self, offset: int) -> dict[str, int]:
        """Return the position of an offset as the protocol has it."""
        line, character = self._positions.position(offset)
        return {"line": line, "character": character}

    def replace(self, start: int, end: int, keys: str) -> None:
        """Delete a range and press the keys where it began."""
        expected = self.text[:start] + keys + self.text[end:]
        counted = Positions(self.text, Unit.UTF8)
        ends = [{**self.place(each), "byte": counted.position(each)[1]} for each in (start, end)]
        self.take(self._editor.request("type", uri=self.uri, start=ends[0], end=ends[1], keys=keys))
        assert self.text == expected


def _readable(value: Any) -> Any:
    if isinstance(value, dict):
        # Lua has one kind of table, so that an empty list may arrive as an empty object.
        return Answer({key: _readable(each) for key, each in value.items()}) if value else []
    return [_readable(each) for each in value] if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """Return an answer as JSON has it."""
    if isinstance(value, Answer):
        return {key: plain(each) for key, each in value.members.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value
