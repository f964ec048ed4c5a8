"""The outline of a file: its symbols and folding ranges, written as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from lsprotocol import types

from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.folding import comment_folds, element_folds
from sdfviewer.language.positions import Positions
from sdfviewer.language.symbols import Symbol, flat_symbols
from sdfviewer.lsp.convert import Ranges, symbol_kind
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Json
from sdfviewer.lsp.server import SdfServer

#: An answer has this many symbols. An editor takes longer to show more of them than it helps to look for one; the
#: largest of 480 real files has 12,000.
_MOST_SYMBOLS = 100_000
_MORE = "… more are not listed"


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> Json:
        is_tree = server.supports("text_document.document_symbol.hierarchical_document_symbol_support")
        return await server.compute(params.text_document.uri, _as_json(symbol_tree if is_tree else symbol_list))

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: types.FoldingRangeParams) -> Json:
        return await server.compute(params.text_document.uri, _as_json(folds))


def _as_json(
    find: Callable[[Snapshot, Ranges], list[dict[str, Any]]],
) -> Callable[[ServerFile, Snapshot, Ranges], Json]:
    """Return what writes an answer as JSON at once: the objects of the protocol would take ten times as long."""

    def answer(_file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> Json:
        with paused_collection():
            return Json(json.dumps(find(snapshot, ranges)))

    return answer


def _range(start: int, end: int, positions: Positions) -> dict[str, Any]:
    (line, character), (end_line, end_character) = positions.position(start), positions.position(end)
    return {
        "start": {"line": line, "character": character},
        "end": {"line": end_line, "character": end_character},
    }


def symbol_list(snapshot: Snapshot, ranges: Ranges) -> list[dict[str, Any]]:
    """Return the symbols of a file as a list, for editors that show no tree."""
    result = []
    for number, (each, around) in enumerate(ranges.interruptible(flat_symbols(snapshot.symbols))):
        if number > _MOST_SYMBOLS:
            break
        result.append(
            {
                "name": each.name if number < _MOST_SYMBOLS else _MORE,
                "kind": symbol_kind(each.tag).value,
                "location": {"uri": snapshot.uri, "range": _range(each.start, each.end, snapshot.positions)},
                **({"containerName": around} if around else {}),
            }
        )
    return result


def symbol_tree(snapshot: Snapshot, ranges: Ranges) -> list[dict[str, Any]]:
    """Return the symbols of a file, each with those inside it."""
    positions, count = snapshot.positions, 0

    def tree(symbols: Iterable[Symbol]) -> list[dict[str, Any]]:
        nonlocal count
        result: list[dict[str, Any]] = []
        for each in ranges.interruptible(symbols):
            if count > _MOST_SYMBOLS:
                break
            count += 1
            symbol = {
                "name": each.name if count <= _MOST_SYMBOLS else _MORE,
                "kind": symbol_kind(each.tag).value,
                **({"detail": each.detail} if each.detail else {}),
                "range": _range(each.start, each.end, positions),
                "selectionRange": _range(*each.name_range, positions),
            }
            inside = tree(each.children)
            result.append(symbol | ({"children": inside} if inside else {}))
        return result

    return tree(snapshot.symbols)


def folds(snapshot: Snapshot, ranges: Ranges) -> list[dict[str, Any]]:
    """Return the folding ranges of a file: of its elements first, then of its comments."""
    document, root = snapshot.shown, snapshot.shown.root
    elements = () if root is None else element_folds(root, document.offset(root), snapshot.positions)
    found = [("region", *fold) for fold in ranges.interruptible(elements)]
    found += [("comment", *fold) for fold in comment_folds(document.text, snapshot.positions)]
    return [{"startLine": first, "endLine": last, "kind": kind} for kind, first, last in found]
