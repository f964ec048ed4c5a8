"""An editor without a process: it types into a file, and asks the server's own functions after each key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.language.text_map import Positions, Unit
from sdfviewer.lsp.create import create_server
from sdfviewer.lsp.files import Edited, ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges
from tests.lsp.asked_file import AskedFile
from tests.lsp.editor import capabilities

_Answer = TypeVar("_Answer")


class TypingEditor(AskedFile):
    """An editor with one file.

    Parameters
    ----------
    path
        The file; nothing is written to it.
    finder
        Finds what it includes; only beside it by default.
    """

    def __init__(self, path: Path, finder: Finder | None = None) -> None:
        self._server = create_server()
        self._server.protocol.client_capabilities = capabilities(Unit.UTF16)
        super().__init__(path.as_uri())
        text = open_document(path).text  # decoded as an editor does it
        self._file = ServerFile(self.uri, path, text, 1, finder or Finder(), {}, Unit.UTF16, Expander())
        self._server.open_files[self.uri] = self._file
        self._server.compute = self._compute  # type: ignore[method-assign]  # no other thread

    async def _compute(self, uri: str, answer: Callable[[ServerFile, Snapshot, Ranges], _Answer]) -> _Answer:
        snapshot = self._file.snapshot
        return answer(self._file, snapshot, Ranges(Unit.UTF16, snapshot, self._server.rule_pages))

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._file.snapshot.text

    @property
    def positions(self) -> Positions:
        """The places of this text."""
        return self._file.snapshot.positions

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace a range of the text."""
        places = self._file.snapshot.positions
        change = Edited(places.position(start), places.position(end), text)
        self._file.change([change], self._file.snapshot.version + 1)

    def _ask(self, method: str, params: Any) -> Any:
        """Return the answer to a request, as JSON has it."""
        answer = self._server.protocol.fm.features[method](params)
        try:
            answer.send(None)
        except StopIteration as done:
            text = getattr(done.value, "text", None)
            return done.value if text is None else json.loads(text)
        raise AssertionError(f"{method} waits for something")
