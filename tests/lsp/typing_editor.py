"""An editor without a process: it types into a file, and asks the server's own functions after each key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types

from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.language.positions import Unit
from sdfviewer.lsp.convert import Ranges
from sdfviewer.lsp.create import create_server
from sdfviewer.lsp.files import Edited, ServerFile, Snapshot
from tests.lsp.editor import capabilities

_Answer = TypeVar("_Answer")
#: An answer about a place: which request, what it says, and start and end of what it is about, as offsets.
Fact = tuple[str, str, int, int]
#: At so many places of a file that are in names or values an editor points with the mouse, and asks for completion.
_POINTED = 12


class TypingEditor:
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
        self.uri = path.as_uri()
        text = open_document(path).text  # decoded as an editor does it
        self._file = ServerFile(self.uri, path, text, 1, finder or Finder(), {}, Unit.UTF16, Expander())
        self._server.open_files[self.uri] = self._file
        self._server.compute = self._compute  # type: ignore[method-assign]  # no other thread
        self._identifier = types.TextDocumentIdentifier(self.uri)

    async def _compute(self, uri: str, answer: Callable[[ServerFile, Snapshot, Ranges], _Answer]) -> _Answer:
        snapshot = self._file.snapshot
        return answer(self._file, snapshot, Ranges(Unit.UTF16, snapshot, self._server.rule_pages))

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._file.snapshot.text

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

    def _offset(self, place: Any) -> int:
        line, character = (
            (place["line"], place["character"]) if isinstance(place, dict) else (place.line, place.character)
        )
        return self._file.snapshot.offset(line, character)

    def _offsets(self, where: Any) -> tuple[int, int]:
        if isinstance(where, dict):
            return self._offset(where["start"]), self._offset(where["end"])
        return self._offset(where.start), self._offset(where.end)

    def pointed(self) -> list[int]:
        """Return places of the text at which there is something to say: in the middle of names."""
        found = [start for request, _, start, _ in self._tokens()]
        links = [start for _, _, start, _ in self._links()]
        tags = [at + 1 for at in range(len(self.text)) if self.text.startswith("<pose", at)]
        chosen = sorted({*found, *links, *tags})
        return chosen[:: max(len(chosen) // _POINTED, 1)]

    def facts(self, pointed: list[int]) -> Iterator[Fact]:
        """Yield all answers about the text.

        Parameters
        ----------
        pointed
            Where the mouse and the caret are put one after the other.
        """
        yield from self._symbols(
            self._ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self._params(types.DocumentSymbolParams))
        )
        for each in self._ask(types.TEXT_DOCUMENT_FOLDING_RANGE, self._params(types.FoldingRangeParams)):
            places = self._file.snapshot.positions
            lines = [places.offset(each[name], 0) for name in ("startLine", "endLine")]
            yield "fold", each["kind"], lines[0], lines[1]
        whole = types.Range(
            types.Position(0, 0), types.Position(*self._file.snapshot.positions.position(len(self.text)))
        )
        for each in self._ask(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(self._identifier, whole)):
            at = self._offset(each.position)
            yield "hint", f"{each.label}: {each.tooltip}", at, at
        for each in self._ask(types.TEXT_DOCUMENT_CODE_LENS, self._params(types.CodeLensParams)):
            yield "lens", each.command.title, *self._offsets(each.range)
        for each in self._ask(types.TEXT_DOCUMENT_DOCUMENT_COLOR, self._params(types.DocumentColorParams)):
            yield "colour", str(each.color), *self._offsets(each.range)
        yield from self._tokens()
        yield from self._links()
        for at in pointed:
            yield from self._at(at)

    def _params(self, kind: Callable[[types.TextDocumentIdentifier], _Answer]) -> _Answer:
        return kind(self._identifier)

    def _symbols(self, symbols: list[dict[str, Any]], around: str = "") -> Iterator[Fact]:
        for each in symbols:
            name = f"{around}::{each['name']}"
            yield "symbol", f"{name} {each['kind']} {each.get('detail')}", *self._offsets(each["range"])
            yield "name", name, *self._offsets(each["selectionRange"])
            yield from self._symbols(each.get("children", []), name)

    def _tokens(self) -> Iterator[Fact]:
        data = list(self._ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, self._params(types.SemanticTokensParams)).data)
        line = character = 0
        for number in range(0, len(data), 5):
            lines, characters, length, kind, modifier = data[number : number + 5]
            line, character = line + lines, characters + (character if not lines else 0)
            start = self._file.snapshot.offset(line, character)
            yield "token", f"{kind} {modifier}", start, self._file.snapshot.offset(line, character + length)

    def _links(self) -> Iterator[Fact]:
        for each in self._ask(types.TEXT_DOCUMENT_DOCUMENT_LINK, self._params(types.DocumentLinkParams)):
            yield "link", str(each.target), *self._offsets(each.range)

    def completed(self, at: int) -> list[str]:
        """Return what completion offers at a place."""
        place = types.Position(*self._file.snapshot.positions.position(at))
        found = self._ask(types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(self._identifier, place))
        return [each.label for each in found.items]

    def _at(self, at: int) -> Iterator[Fact]:
        """Yield what is said at one place."""
        place = types.Position(*self._file.snapshot.positions.position(at))
        hover = self._ask(types.TEXT_DOCUMENT_HOVER, types.HoverParams(self._identifier, place))
        if hover is not None:
            yield "hover", hover.contents.value, at, at
        yield "completion", " ".join(self.completed(at)), at, at
        for each in self._ask(types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(self._identifier, place)) or ():
            if each.uri == self.uri:
                yield "definition", str(at), *self._offsets(each.range)
        marks = self._ask(
            types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, types.DocumentHighlightParams(self._identifier, place)
        )
        for each in marks or ():
            yield "highlight", str(at), *self._offsets(each.range)
