"""The outline of a file: its symbols and folding ranges, written as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lsprotocol import types

from sdfviewer.document.element import Element
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.folding import comment_folds, element_folds
from sdfviewer.language.symbols import Symbol, flat_symbols, is_listed_root, listed_name, symbol_of
from sdfviewer.lsp.convert import Ranges, symbol_kind
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.pieces import PIECE_LENGTH
from sdfviewer.lsp.protocol import Json
from sdfviewer.lsp.server import SdfServer

_ELEMENT = '{"startLine":%d,"endLine":%d,"kind":"region"}'
_COMMENT = '{"startLine":%d,"endLine":%d,"kind":"comment"}'
#: An answer has this many symbols as a list, and about as many as a tree, where characters are counted. An editor takes
#: longer to show more of them than it helps to look for one; the largest of 480 real files has 12,000.
_MOST_SYMBOLS, _MOST_CHARACTERS = 100_000, 20_000_000
_MORE = "… more are not listed"


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> Json:
        is_tree = server.supports("text_document.document_symbol.hierarchical_document_symbol_support")

        def find_symbols(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> Json:
            with paused_collection():
                return Json((symbol_tree if is_tree else symbol_list)(file, snapshot, ranges))

        return await server.compute(params.text_document.uri, find_symbols)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: types.FoldingRangeParams) -> Json:
        def find_folds(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> Json:
            with paused_collection():
                return Json(folds(file, snapshot, ranges))

        return await server.compute(params.text_document.uri, find_folds)


def symbol_list(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> str:
    """Return the symbols of a file as a list, for editors that show no tree."""
    result = []
    for number, (each, around) in enumerate(ranges.interruptible(flat_symbols(snapshot.symbols))):
        if number > _MOST_SYMBOLS:
            break
        places = map(snapshot.positions.position, (each.start, each.end))
        start, end = ({"line": line, "character": character} for line, character in places)
        result.append(
            {
                "name": each.name if number < _MOST_SYMBOLS else _MORE,
                "kind": symbol_kind(each.tag).value,
                "location": {"uri": snapshot.uri, "range": {"start": start, "end": end}},
                **({"containerName": around} if around else {}),
            }
        )
    return json.dumps(result)


def symbol_tree(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> str:
    """Return the symbols of a file, each with those inside it."""
    file.symbol_pieces.begin()
    root = snapshot.shown.root
    if root is None:
        return "[]"
    offset = snapshot.shown.offset(root)
    writer = _SymbolWriter(file, snapshot, ranges)
    if is_listed_root(root):
        return f"[{writer.symbol(root, offset, root.attributes.get('name', ''))}]"
    return f"[{','.join(writer.inside(root, offset))}]"


class _SymbolWriter:
    """Writes the symbols of a snapshot."""

    def __init__(self, file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> None:
        self._document = snapshot.shown
        self._positions = snapshot.positions
        self._ranges = ranges
        self._pieces = file.symbol_pieces
        self._characters = 0
        self._is_cut = False

    def inside(self, element: Element, offset: int) -> Iterator[str]:
        """Yield the symbols of the children of an element that begins at an offset."""
        for child, at in self._ranges.interruptible(zip(element.children, element.offsets, strict=True)):
            name = listed_name(child)
            if name is None:
                continue
            if self._characters > _MOST_CHARACTERS:
                if not self._is_cut:
                    self._is_cut = True
                    yield self._alone(symbol_of(self._document, child, offset + at, _MORE, with_children=False))
                return
            yield self.symbol(child, offset + at, name)

    def symbol(self, element: Element, offset: int, name: str) -> str:
        """Return a symbol with those inside it."""
        if element.length > PIECE_LENGTH:
            own = symbol_of(self._document, element, offset, name, with_children=False)
            children = ",".join(self.inside(element, offset))
            text = self._alone(own)
            return f'{text[:-1]},"children":[{children}]}}' if children else text

        def write(lines: list[int]) -> str:
            return self._template(symbol_of(self._document, element, offset, name), lines)

        text = self._pieces.text(element, self._positions.position(offset), write)
        self._characters += len(text)
        return text

    def _alone(self, symbol: Symbol) -> str:
        lines: list[int] = []
        template = self._template(symbol, lines)
        return template % tuple(lines)

    def _template(self, symbol: Symbol, lines: list[int]) -> str:
        places = []
        for at in (symbol.start, symbol.end, symbol.name_start, symbol.name_end):
            line, character = self._positions.position(at)
            lines.append(line)
            places.append(f'{{"line":%d,"character":{character}}}')
        start, end, name_start, name_end = places
        detail = f',"detail":{_text(symbol.detail)}' if symbol.detail else ""
        inside = ",".join([self._template(each, lines) for each in symbol.children])
        children = f',"children":[{inside}]' if inside else ""
        return (
            f'{{"name":{_text(symbol.name)},"kind":{symbol_kind(symbol.tag).value}{detail}'
            f',"range":{{"start":{start},"end":{end}}}'
            f',"selectionRange":{{"start":{name_start},"end":{name_end}}}'
            f"{children}}}"
        )


def _text(text: str) -> str:
    return json.dumps(text).replace("%", "%%")


def folds(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> str:
    """Return the folding ranges of a file: of its elements first, then of its comments."""
    document = snapshot.shown
    file.fold_pieces.begin()
    root = document.root
    texts = [] if root is None else list(_FoldWriter(file, snapshot, ranges).folds(root, document.offset(root)))
    texts += [_COMMENT % fold for fold in comment_folds(document.text, snapshot.positions)]
    return f"[{','.join(filter(None, texts))}]"


class _FoldWriter:
    """Writes the folding ranges of the elements of a snapshot."""

    def __init__(self, file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> None:
        self._positions = snapshot.positions
        self._ranges = ranges
        self._pieces = file.fold_pieces

    def folds(self, element: Element, offset: int) -> Iterator[str]:
        """Yield the folding ranges of an element that begins at an offset, and of all elements in it."""
        positions = self._positions

        def write(lines: list[int]) -> str:
            for fold in element_folds(element, offset, positions):
                lines += fold
            return ",".join([_ELEMENT] * (len(lines) // 2))

        if element.length <= PIECE_LENGTH:
            yield self._pieces.text(element, (positions.line(offset), 0), write)
            return
        yield from (_ELEMENT % fold for fold in element_folds(element, offset, positions, deep=False))
        for child, at in self._ranges.interruptible(zip(element.children, element.offsets, strict=True)):
            yield from self.folds(child, offset + at)
