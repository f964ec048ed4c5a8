"""All that a language server answers about a file, as facts that can be compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from lsprotocol import types

from sdfviewer.language.text_map import Positions

_Answer = TypeVar("_Answer")
#: An answer about a place: which request, what it says, and start and end of what it is about, as offsets.
Fact = tuple[str, str, int, int]
#: At so many places of a file that are in names or values an editor points with the mouse, and asks for completion.
_POINTED = 12


class AskedFile(ABC):
    """A file that is open in an editor, of which everything is asked."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._identifier = types.TextDocumentIdentifier(uri)

    @property
    @abstractmethod
    def text(self) -> str:
        """The text as it is now."""

    @property
    @abstractmethod
    def positions(self) -> Positions:
        """The places of this text."""

    @abstractmethod
    def _ask(self, method: str, params: Any) -> Any:
        """Return the answer to a request."""

    def _offset(self, place: Any) -> int:
        line, character = (
            (place["line"], place["character"]) if isinstance(place, dict) else (place.line, place.character)
        )
        return self.positions.offset(line, character)

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
            places = self.positions
            lines = [places.offset(each[name], 0) for name in ("startLine", "endLine")]
            yield "fold", each["kind"], lines[0], lines[1]
        whole = types.Range(types.Position(0, 0), types.Position(*self.positions.position(len(self.text))))
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
            start = self.positions.offset(line, character)
            yield "token", f"{kind} {modifier}", start, self.positions.offset(line, character + length)

    def _links(self) -> Iterator[Fact]:
        for each in self._ask(types.TEXT_DOCUMENT_DOCUMENT_LINK, self._params(types.DocumentLinkParams)):
            yield "link", str(each.target), *self._offsets(each.range)

    def completed(self, at: int) -> list[str]:
        """Return what completion offers at a place."""
        place = types.Position(*self.positions.position(at))
        found = self._ask(types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(self._identifier, place))
        return [each.label for each in found.items]

    def _at(self, at: int) -> Iterator[Fact]:
        """Yield what is said at one place."""
        place = types.Position(*self.positions.position(at))
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
